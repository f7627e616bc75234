/* figure.h - a paper's figures and tables as data: what to measure, and the paper's number
 * beside ours.
 *
 * A figure is a list of columns, each a scheme on a GPU against another one, and a metric.
 * A column has a row for every program and for their means, or it is itself one row: a
 * number over all programs. Or it is counted without timing: a column is a share of the
 * instructions then, and has no machine. New figures are new rows in a paper's table (report/ghost.c);
 * no code is added.
 */
#ifndef LENO_REPORT_FIGURE_H
#define LENO_REPORT_FIGURE_H

#include "report/metric.h"
#include "session/program.h"

enum { MAX_PAPER_VALUES = 8, NO_VALUE = -1 };

/* A program of the paper, ours that is the same (NULL: there is none), and what the paper
 * found; 0: not given. */
struct paper_program {
    const char *theirs, *ours;
    double value[MAX_PAPER_VALUES];
};

/* The number over all programs that a row shows. */
enum row_shows {
    SHOWS_MEAN,
    SHOWS_LOWEST,
    SHOWS_HIGHEST,
    SHOWS_BELOW_1,     /* share of programs */
    SHOWS_CORRELATION, /* of metric with another one */
};

struct figure_column {
    const char *label;
    const char *row; /* NULL: a row for each program */
    const char *gpu, *spec, *base;
    const struct metric *metric; /* NULL: how long loads take, by powers of two */
    double paper;                /* its number for the row, or its mean; or NO_NUMBER */
    int value;                   /* which of the programs' values; NO_VALUE: none */
    enum row_shows shows;        /* if it is a row */
    const struct metric *with;   /* SHOWS_CORRELATION: the other one */
};

struct figure {
    const char *name, *title; /* "13" */
    const struct figure_column *columns;
    size_t n_columns;
    const char *program;     /* measured on this one alone; NULL: all */
    const char *note;        /* what differs from the paper, and why; lines */
    const char *const *only; /* programs it is about, then NULL; NULL: all */
};

/* Two members of a figure, and of a paper: a table and its length. */
#define FIGURE_COLUMNS(table) table, sizeof table / sizeof *table
#define PAPER_FIGURES(table)  .figures = table, .n_figures = sizeof table / sizeof *table

/* Counted without timing? A column's spec is what is counted then. */
static inline bool figure_is_counted(const struct figure *f)
{
    return !f->columns[0].gpu;
}

struct paper {
    const char *name, *title;
    const struct figure *figures;
    size_t n_figures;
    const struct paper_program *programs;
    size_t n_programs;
    const char *note; /* what holds for all figures; lines */
};

/* Papers and their figures by name; NULL with err set, the nearest suggested. */
const struct paper *paper_find(const char *name, struct err *err);
const struct paper *paper_at(size_t i); /* NULL after the last */
const struct figure *paper_figure(const struct paper *p, const char *name,
                                  struct err *err);

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
};

/* The numbers of a figure, from a grid that has its columns and their bases. */
void figure_points(const struct paper *p, const struct figure *f, const struct grid *g,
                   struct points *out);
/* The same of one that is counted: shares row by row, one row per program. */
void figure_counted(const struct figure *f, const struct program *program,
                    size_t n_programs, const double *shares, struct points *out);
void points_free(struct points *l);

void figure_text(const struct figure *f, const struct points *l, struct buf *out);
/* Lines "figure,column,row,paper,ours", without a head; columns that are not checked have
 * that after their name. */
void figure_csv(const struct figure *f, const struct points *l, struct buf *out);
void figure_json(const struct figure *f, const struct points *l, struct buf *out);

#endif
