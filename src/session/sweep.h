/* sweep.h - a sweep described in a file: machines with every combination of the values it lists.
 *
 *     schemes  = inorder, ghost     ; each of them ...
 *     programs = lud, nn
 *
 *     [set]                         ; ... with this ...
 *     dram.queue = 16
 *
 *     [sweep]                       ; ... and each of these values with each of those
 *     ghost.entries = 4, 8, 16
 *     sched.policy  = gto, lrr
 *     core.warps, core.threads = 32:1024, 64:2048     ; these two vary together
 *
 * A point is one scheme on one GPU with one value of each parameter that it has: without the
 * last line, in order has two points (two schedulers) and GhOST six. It is compared with the
 * baseline on the same GPU with the same values, as far as it has them. A point whose values
 * cannot be is invalid: it says why, and the others are run.
 *
 * In place of schemes and [sweep], a file may list its points one by one:
 *
 *     [columns]
 *     IN_4  = inorder
 *     GTO_8 = ghost:entries=8                    ; over the first one of the same GPU
 *     LRR   = inorder:sched.policy=lrr
 *     LRR_8 = ghost:sched.policy=lrr over LRR
 *     A_8   = ghost on rtx3070-ghost             ; else the first of gpus
 */
#ifndef LENO_SESSION_SWEEP_H
#define LENO_SESSION_SWEEP_H

#include "session/grid.h"

enum { SWEEP_MAX_PARAMS = 8, SWEEP_MAX_WORDS = 64, SWEEP_MAX_POINTS = 1024 };

/* A list "a, b, c" of the file. */
struct sweep_words {
    char *text; /* they point into it */
    const char *at[SWEEP_MAX_WORDS];
    size_t n;
    unsigned line; /* 0: not given */
};

/* A line of [sweep]: parameters that vary together, mostly one, and their values. */
struct sweep_axis {
    char *keys; /* the parameters' names point into it */
    unsigned line;
    size_t first, n_params; /* in struct sweep */
    struct sweep_words values;
};

struct sweep_param {
    const char *key;
    size_t axis;
    const char *value[SWEEP_MAX_WORDS]; /* as many as the axis has */
};

/* A line of [columns]. */
struct sweep_named {
    char *text; /* all of these point into it */
    const char *name, *spec;
    const char *gpu, *over; /* NULL: the default; over: a name */
    unsigned line;
};

struct sweep_point {
    const char *gpu, *scheme;            /* or the name of a column */
    const char *value[SWEEP_MAX_PARAMS]; /* NULL: it has no such parameter */
    size_t column, base;                 /* of the grid */
};

struct sweep {
    const char *file;
    struct sweep_words gpus, schemes, programs; /* no programs: all */
    struct sweep_words baseline, size;          /* one word each */
    uint64_t seed, sms;
    char *setting[SWEEP_MAX_WORDS]; /* settings of all points, "key=value" each */
    unsigned set_line[SWEEP_MAX_WORDS];
    struct sweep_axis axis[SWEEP_MAX_PARAMS];
    struct sweep_param param[SWEEP_MAX_PARAMS];
    struct sweep_named named[SWEEP_MAX_WORDS];
    size_t n_set, n_axes, n_params, n_named;

    struct sweep_point *point;
    struct grid_column *column; /* points and what they are compared with, each once */
    size_t n_points, n_columns;
    size_t n_invalid; /* points */
    size_t
        n_combinations; /* of all values, GPUs and schemes: points or the same as one */
};

/* Reads a study and makes its points; -1 with err set, which names file and line, also if
 * no point is valid. Text is not kept. sweep_free() in any case. */
int sweep_read(struct sweep *s, const char *file, const char *text, size_t size,
               struct err *err);
void sweep_free(struct sweep *s);
/* The points, once the file has been read; called by sweep_read(). */
int sweep_make_points(struct sweep *s, struct err *err);
/* A line of [columns], and what must hold of them all; called by sweep_read(). */
struct ini_line;
int sweep_take_named(struct sweep *s, const struct ini_line *l, struct err *err);
int sweep_check_named(struct sweep *s, struct err *err);
/* The column that one of [columns] is compared with. */
size_t sweep_named_base(const struct sweep *s, size_t n);

/* The message of a point that cannot be run; NULL: it can. */
const char *sweep_why_invalid(const struct sweep *s, size_t point);

#endif
