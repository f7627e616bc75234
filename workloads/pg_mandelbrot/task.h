/* task.h - pictures of the Mandelbrot set as tasks, for pg_mandelbrot and pg_multiwork.
 *
 * Orbits are repeated operation by operation: the check is exact.
 */
#ifndef PG_MANDELBROT_TASK_H
#define PG_MANDELBROT_TASK_H

#include <math.h>

#include "../workload.h"

struct mandelbrot_tasks {
    int pictures, side, limit;
    unsigned threads; /* per picture */
};

static inline float mandelbrot_place(int at, int side, double low, double high)
{
    double sum = fma((double)at, high, (double)(side - at - 1) * low);

    return (float)(sum / (double)(side - 1));
}

static inline int mandelbrot_orbit(float cx, float cy, int limit)
{
    float x = cx, y = cy;

    for (int k = 1; k <= limit; k++) {
        float next_x = fmaf(x, x, -(y * y)) + cx;
        float next_y = (float)fma(2.0 * (double)x, (double)y, (double)cy);

        if (next_x < -2.0f || next_x > 2.0f || next_y < -2.0f || next_y > 2.0f)
            return k;
        x = next_x;
        y = next_y;
    }
    return 0;
}

static inline void mandelbrot_expect(int *steps, double shift, int side, int limit)
{
    for (int p = 0; p < side * side; p++) {
        int column = p / side, row = p % side;
        float cx = mandelbrot_place(column, side, -2.25 + shift, 1.25 + shift);
        float cy = mandelbrot_place(row, side, -1.75 + shift, 1.75 + shift);

        steps[p] = mandelbrot_orbit(cx, cy, limit);
    }
}

/* Launches one block per picture and hands over all of them as one result. The view moves
 * on from picture to picture, away from the set: later ones have less to do. */
static inline void mandelbrot_run_tasks(struct rig *r, const struct mandelbrot_tasks *t)
{
    const struct launch l = { "mandelbrot_picture", { 1 }, { t->threads }, 0 };
    struct rng rng = rng_start(r->env, 105);
    size_t pixels = (size_t)(t->side * t->side), all = pixels * (size_t)t->pictures;
    int *want = rig_host(r, all, sizeof *want);
    CUdeviceptr steps = rig_alloc(r, all * sizeof *want);

    if (r->failed)
        return;
    for (int i = 0; i < t->pictures; i++) {
        CUdeviceptr to = steps + (size_t)i * pixels * sizeof *want;
        float shift = ((float)i + rng_unit(&rng)) / (float)t->pictures;

        rig_launch(
            r, &l,
            RIG_ARGS(RIG_ARG(to), RIG_ARG(shift), RIG_ARG(t->side), RIG_ARG(t->limit)));
        mandelbrot_expect(&want[(size_t)i * pixels], (double)shift, t->side, t->limit);
    }
    rig_result(r, "steps", steps, want, all);
}

#endif
