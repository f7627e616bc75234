/* task.h - products of small matrices as tasks, for pg_matrixmul and pg_multiwork. */
#ifndef PG_MATRIXMUL_TASK_H
#define PG_MATRIXMUL_TASK_H

#include "../workload.h"

struct matrix_tasks {
    int products, side;
    unsigned threads; /* per product */
};

static inline void matrix_expect(const int *a, const int *b, int *c, int side)
{
    for (int row = 0; row < side; row++)
        for (int k = 0; k < side; k++)
            for (int column = 0; column < side; column++)
                c[row * side + column] += a[row * side + k] * b[k * side + column];
}

/* Launches one block per product and hands over all of them as one result. */
static inline void matrix_run_tasks(struct rig *r, const struct matrix_tasks *t)
{
    const struct launch l = { "matrix_product", { 1 }, { t->threads }, 0 };
    struct rng rng = rng_start(r->env, 106);
    size_t items = (size_t)(t->side * t->side), all = items * (size_t)t->products;
    int *a = rig_host(r, all, sizeof *a), *b = rig_host(r, all, sizeof *b);
    int *want = rig_host(r, all, sizeof *want);

    if (r->failed)
        return;
    for (size_t i = 0; i < all; i++) {
        a[i] = (int)rng_below(&rng, 2001) - 1000;
        b[i] = (int)rng_below(&rng, 2001) - 1000;
    }

    CUdeviceptr d_a = rig_upload(r, a, all * sizeof *a);
    CUdeviceptr d_b = rig_upload(r, b, all * sizeof *b);
    CUdeviceptr d_c = rig_alloc(r, all * sizeof *want);
    for (int i = 0; i < t->products; i++) {
        size_t first = (size_t)i * items, at = first * sizeof *a;
        CUdeviceptr left = d_a + at, right = d_b + at, to = d_c + at;

        rig_launch(
            r, &l,
            RIG_ARGS(RIG_ARG(left), RIG_ARG(right), RIG_ARG(to), RIG_ARG(t->side)));
        matrix_expect(&a[first], &b[first], &want[first], t->side);
    }
    rig_result(r, "product", d_c, want, all);
}

#endif
