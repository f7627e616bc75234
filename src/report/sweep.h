/* sweep.h - a study in a file: machines with every combination of the values it lists.
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
 *
 * A point is one scheme on one GPU with one value of each parameter that it has: of two
 * schedulers and three sizes of GhOST's buffer, in order has two points, GhOST six. It is
 * compared with the baseline on the same GPU with the same values, as far as it has them.
 */
#ifndef LENO_REPORT_SWEEP_H
#define LENO_REPORT_SWEEP_H

#include "report/grid.h"

enum { SWEEP_MAX_AXES = 8, SWEEP_MAX_WORDS = 64, SWEEP_MAX_POINTS = 1024 };

/* A list "a, b, c" of the file. */
struct sweep_words {
    char *text; /* they point into it */
    const char *at[SWEEP_MAX_WORDS];
    size_t n;
    unsigned line; /* 0: not given */
};

/* A parameter and the values it takes; one that is set for all points has one. */
struct sweep_axis {
    char *key;
    struct sweep_words values;
};

struct sweep_point {
    const char *gpu, *scheme;
    const char *value[SWEEP_MAX_AXES]; /* NULL: it has no such parameter */
    size_t column, base;               /* of the grid */
};

struct sweep {
    const char *file;
    struct sweep_words gpus, schemes, programs; /* no programs: all */
    struct sweep_words baseline, size;          /* one word each */
    uint64_t seed, sms;
    struct sweep_axis set[SWEEP_MAX_WORDS], axis[SWEEP_MAX_AXES];
    size_t n_set, n_axes;

    char *setting[SWEEP_MAX_WORDS]; /* what is set for all, "key=value" each */
    struct sweep_point *point;
    struct grid_column *column; /* points and what they are compared with, each once */
    size_t n_points, n_columns;
};

/* Reads a study and makes its points; -1 with err set, which names file and line. Text is
 * not kept. sweep_free() in any case. */
int sweep_read(struct sweep *s, const char *file, const char *text, size_t size,
               struct err *err);
void sweep_free(struct sweep *s);

void sweep_text(const struct sweep *s, const struct grid *g, struct buf *out);
void sweep_csv(const struct sweep *s, const struct grid *g, struct buf *out);
/* Members of an object, without its braces. */
void sweep_json(const struct sweep *s, const struct grid *g, struct buf *out);

#endif
