/* figure.h - the numbers of a paper's figure: the paper's beside ours. */
#ifndef LENO_REPORT_FIGURE_H
#define LENO_REPORT_FIGURE_H

#include "report/paper.h"

/* One number of a figure. */
struct point {
    const char *column; /* its label */
    char row[48];       /* a program, or what the row stands for */
    double paper, ours; /* NO_NUMBER: not there */
    bool is_unchecked;  /* ours: an eliminator's claims were not checked */
};
struct points {
    struct point *at;
    size_t n;
    struct point *occupancy; /* of programs of which the paper gives it, in % */
    size_t n_occupancy;
};

/* How far from the paper's our occupancy may be, in points, to be called the same. */
#define FIGURE_NEAR 5.0
static inline bool figure_is_near(const struct point *occupancy)
{
    return fabs(occupancy->ours - occupancy->paper) <= FIGURE_NEAR;
}

/* What was measured for a paper. */
struct measured {
    const struct paper *paper;
    const struct grid *grid;
    /* By program of the grid: the paper's that it stands for; NULL: none. */
    const struct paper_program *const *stands_for;
};

/* The program of the paper that a figure is about, if one of ours stands for it; else
 * NULL. */
const struct paper_program *
figure_program(const struct figure *f, const struct paper_program *const *stands_for,
               size_t n);

/* The numbers of a figure, from a grid that has its columns and their bases. */
void figure_points(const struct measured *from, const struct figure *f,
                   struct points *out);
/* The same of one that is counted: shares row by row, one row per program. */
void figure_counted(const struct figure *f, const struct program *program,
                    size_t n_programs, const double *shares, struct points *out);
void points_free(struct points *l);

void figure_text(const struct figure *f, const struct points *l, struct buf *out);
void figure_markdown(const struct figure *f, const struct points *l, struct buf *out);
/* As HTML: the table, and charts in the way that the figure is drawn. */
void figure_table(const struct figure *f, const struct points *l, struct buf *out);
void figure_chart(const struct figure *f, const struct points *l, struct buf *out);
/* Where our occupancy is not the paper's, as sentences; nothing if it gives none. */
void figure_occupancy(const struct points *l, struct buf *out);
/* Lines "figure,column,row,paper,ours", without a head; columns that are not checked have
 * that after their name. */
void figure_csv(const struct figure *f, const struct points *l, struct buf *out);
void figure_json(const struct figure *f, const struct points *l, struct buf *out);

#endif
