/* cluster.c - hierarchical clustering by the cosine, with complete linkage. */
#include "report/cluster.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/err.h"

/* Groups while they are joined; a group has the number of its first thing. */
struct joining {
    size_t n;
    double *distance; /* of groups, n x n */
    size_t *next;     /* by thing: the one after it in its group; itself: none */
    size_t *last;     /* by group */
    bool *is_joined;  /* by group: it is part of another one by now */
    double *joins;    /* by thing: as in struct clustering */
};

static double cosine_distance(const double *a, const double *b, size_t n)
{
    double aa = 0, bb = 0, ab = 0;

    for (size_t i = 0; i < n; i++) {
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        ab += a[i] * b[i];
    }
    return aa > 0 && bb > 0 ? fmax(0, 1 - ab / sqrt(aa * bb)) : 1;
}

static void *array_new(size_t n, size_t size)
{
    void *at = calloc(n + 1, size);

    if (!at)
        err_memory_exit("clusters");
    return at;
}

static void joining_begin(struct joining *j, const double *x, size_t n,
                          size_t n_numbers)
{
    *j = (struct joining){ .n = n,
                           .distance = array_new(n * n, sizeof *j->distance),
                           .next = array_new(n, sizeof *j->next),
                           .last = array_new(n, sizeof *j->last),
                           .is_joined = array_new(n, sizeof *j->is_joined),
                           .joins = array_new(n, sizeof *j->joins) };
    for (size_t a = 0; a < n; a++) {
        j->next[a] = j->last[a] = a;
        for (size_t b = 0; b < n; b++)
            j->distance[a * n + b] =
                cosine_distance(x + a * n_numbers, x + b * n_numbers, n_numbers);
    }
}

static void joining_end(struct joining *j)
{
    free(j->distance);
    free(j->next);
    free(j->last);
    free(j->is_joined);
    free(j->joins);
}

/* The two nearest groups, the lower first; of several the first. */
static void find_nearest(const struct joining *j, size_t *first, size_t *second)
{
    double least = HUGE_VAL;

    for (size_t a = 0; a < j->n; a++)
        for (size_t b = a + 1; !j->is_joined[a] && b < j->n; b++)
            if (!j->is_joined[b] && j->distance[a * j->n + b] < least) {
                least = j->distance[a * j->n + b];
                *first = a;
                *second = b;
            }
}

static void join_groups(struct joining *j, size_t a, size_t b)
{
    size_t n = j->n;

    j->joins[b] = j->distance[a * n + b];
    j->next[j->last[a]] = b;
    j->last[a] = j->last[b];
    j->is_joined[b] = true;
    for (size_t i = 0; i < n; i++)
        j->distance[a * n + i] = j->distance[i * n + a] =
            fmax(j->distance[a * n + i], j->distance[b * n + i]);
}

/* Numbers the groups in the order of their first things. */
static void number_groups(const struct joining *j, const size_t *of,
                          struct clustering *c)
{
    unsigned *number = array_new(j->n, sizeof *number), n = 0;

    for (size_t i = 0; i < c->n; i++) {
        size_t thing = c->order[i];

        if (!number[of[thing]])
            number[of[thing]] = ++n;
        c->group[thing] = number[of[thing]];
    }
    free(number);
}

/* The group of each thing, at this point. */
static void note_groups(const struct joining *j, size_t *of)
{
    for (size_t g = 0; g < j->n; g++) {
        size_t thing = g;

        if (j->is_joined[g])
            continue;
        of[thing] = g;
        while (j->next[thing] != thing)
            of[thing = j->next[thing]] = g;
    }
}

void cluster_make(struct clustering *c, const double *x, size_t n, size_t n_numbers,
                  size_t n_groups)
{
    size_t *of = array_new(n, sizeof *of), a = 0, b = 0;
    struct joining j;

    joining_begin(&j, x, n, n_numbers);
    *c = (struct clustering){ .n = n,
                              .order = array_new(n, sizeof *c->order),
                              .joins = array_new(n, sizeof *c->joins),
                              .group = array_new(n, sizeof *c->group) };
    note_groups(&j, of);
    for (size_t left = n; left > 1; left--) {
        find_nearest(&j, &a, &b);
        join_groups(&j, a, b);
        if (left > n_groups)
            note_groups(&j, of);
    }
    for (size_t i = 0, thing = 0; i < n; i++, thing = j.next[thing]) {
        c->order[i] = thing;
        c->joins[i] = j.joins[thing];
    }
    number_groups(&j, of, c);
    joining_end(&j);
    free(of);
}

void cluster_free(struct clustering *c)
{
    free(c->order);
    free(c->joins);
    free(c->group);
}
