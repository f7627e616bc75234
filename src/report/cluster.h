/* cluster.h - hierarchical clustering: which of several things are alike.
 *
 * Each has a row of numbers; the distance of two is 1 less the cosine of their rows, so the
 * proportions count and not the size. The two nearest groups are joined, again and again; the
 * distance of groups is that of the two members farthest apart (complete linkage).
 */
#ifndef LENO_REPORT_CLUSTER_H
#define LENO_REPORT_CLUSTER_H

#include <stddef.h>

/* The tree as a list: in `order`, what is joined is next to each other. */
struct clustering {
    size_t n;
    size_t *order; /* things, by place */
    double *joins; /* by place: the distance at which it and the place before it are in
                      * one group; the first: 0 */
    unsigned *group; /* by thing: its group, numbered from 1 in that order */
};

/* x: n rows of n_numbers. A row of zeros has distance 1 to every other. Groups: as many as
 * asked for, if there are so many things. cluster_free() afterwards. */
void cluster_make(struct clustering *c, const double *x, size_t n, size_t n_numbers,
                  size_t n_groups);
void cluster_free(struct clustering *c);

#endif
