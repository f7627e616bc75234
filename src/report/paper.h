/* paper.h - a paper's figures and tables as data: what to measure, and what it found.
 *
 * A figure is a list of columns, each a scheme on a GPU against another one, and a metric.
 * A column has a row for every program and for their means, or it is itself one row: a
 * number over all programs; or a row for each of several machines, an axis, and a number may
 * be over such an axis as well. Or it is counted without timing: a column is a share of the
 * instructions then, and has no machine. New figures are new rows in a paper's table
 * (report/ghost.c); no code is added. Which of our programs stand for the paper's is not in
 * these tables: the workloads say it themselves (paper_program_of()).
 */
#ifndef LENO_REPORT_PAPER_H
#define LENO_REPORT_PAPER_H

#include "base/buf.h"
#include "report/metric.h"
#include "session/program.h"
#include "session/workloads.h"

enum { MAX_PAPER_VALUES = 8, NO_VALUE = -1 };

/* A program of the paper, and what the paper found; 0: not given. */
struct paper_program {
    const char *theirs; /* in its figures: "BAK" */
    const char *suite;  /* that has it: "Rodinia" */
    const char *names;  /* there, and spelt otherwise; blanks between them */
    char group;         /* as in struct figure; 0: none */
    double value[MAX_PAPER_VALUES];
};

/* The number over all programs that a row shows. */
enum row_shows {
    SHOWS_MEAN,
    SHOWS_LOWEST,
    SHOWS_HIGHEST,
    SHOWS_BELOW_1,     /* share of programs */
    SHOWS_CORRELATION, /* of metric with another one */
    SHOWS_QUANTILE,
    SHOWS_LOWEST_MEAN, /* over programs, of the machines that it is over */
    SHOWS_UM2,         /* no run's: area of the scheme per sub-core at 45 nm */
    SHOWS_SHARE, /* no run's: %, that of the chip; less that of base, if base is another */
    SHOWS_CLUSTER, /* for each program: the number of its cluster, in whose order they
                    * are listed ... */
    SHOWS_JOINS,   /* ... and the distance at which it joins the one before it */
};

/* Machines that differ in one thing. */
struct figure_setting {
    const char *label, *set; /* "8 CUs", ":cus=8": what is added to a spec */
};
struct figure_axis {
    const struct figure_setting *at;
    size_t n;
    bool is_own; /* the machine that is compared with does not have it */
};

/* Programs in groups that behave alike: hierarchical clustering (report/cluster.h) of their
 * metrics in order, each the mean over machines. */
struct figure_clusters {
    const struct metric *const *metrics;
    size_t n_metrics, n_clusters;
    const char *gpu, *spec;
    const struct figure_axis *over;
};

struct figure_column {
    const char *label;
    const char *row; /* NULL: a row for each program */
    const char *gpu, *spec, *base;
    const struct metric *metric; /* NULL: how long loads take, by powers of two ... */
    const char *kernel;          /* ... those of this kernel; NULL: all */
    double paper;                /* its number for the row, or its mean; or NO_NUMBER */
    int value;                   /* which of the programs' values; NO_VALUE: none */
    enum row_shows shows;        /* if it is a row */
    const struct metric *with;   /* SHOWS_CORRELATION: the other one */
    double quantile;             /* SHOWS_QUANTILE: 0 to 1 */
    double factor;               /* numbers times this; 0: as they are */
    const struct figure_axis *rows; /* a row for each of these machines; NULL: one */
    const double *papers;           /* by row of these: the paper's; NULL: none */
    const struct figure_axis *over; /* a number is over these machines as well */
    const struct figure_clusters *clusters; /* the same for all of a figure; NULL */
    unsigned cluster; /* it is about the programs of this one, from 1 on; 0: all */
};

/* How a report draws it. */
enum figure_drawing {
    DRAW_BARS,   /* a group per row, in it bars for every column, paper and ours */
    DRAW_STACKS, /* the columns are parts of one bar per row */
    DRAW_LINES,  /* rows are steps from left to right, columns are lines */
};

struct figure {
    const char *name, *title; /* "13" */
    const struct figure_column *columns;
    size_t n_columns;
    const char *program; /* it is about this one of the paper's, or about the first of
                          * several that is there, blanks between them; NULL: about all */
    const char *note;    /* what differs from the paper, and why; lines */
    char group;          /* it is about this group of programs; 0: about all */
    enum figure_drawing drawing;
};

static inline size_t axis_length(const struct figure_axis *a)
{
    return a ? a->n : 1;
}

/* The spec of a column's machine at a row and at a place of what it is over; of_base: of
 * the one that it is compared with. */
void figure_spec(const struct figure_column *c, size_t row, size_t over, bool of_base,
                 struct buf *out);

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
    bool takes_all; /* it is about every workload of a suite */
    bool is_apart;  /* not among all papers: it has programs of its own */
    int occupancy;  /* which of the programs' values it is; NO_VALUE: it is not given */
    const char *note; /* what holds for all figures; lines */
};

/* Papers and their figures by name; NULL with err set, the nearest suggested. */
const struct paper *paper_find(const char *name, struct err *err);
const struct paper *paper_at(size_t i); /* NULL after the last */
const struct figure *paper_figure(const struct paper *p, const char *name,
                                  struct err *err);

/* The program of the paper that one of ours stands for; NULL: none. A workload says which
 * papers have it and what its suite calls it; any other program stands for the one whose
 * name it has (struct program: paper, name), if there is only one such. */
const struct paper_program *paper_program_of(const struct paper *p,
                                             const struct program *program);
/* Adds the paper's programs that have a name, "IBFS or RBF" for bfs. */
void paper_list_programs(const struct paper *p, const char *name, struct buf *to);
/* Has the workload been measured in the paper? */
bool paper_has_workload(const struct paper *p, const struct workload *w);

#endif
