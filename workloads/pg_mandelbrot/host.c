/* host.c - pg_mandelbrot: small pictures of the Mandelbrot set, one block per task. */
#include "task.h"

static int pg_mandelbrot_run(struct workload_env *env)
{
    static const struct mandelbrot_tasks tasks[N_WORKLOAD_SIZE] = {
        { 4, 24, 40, 128 },
        { 8, 64, 400, 128 },
        { 32, 64, 400, 128 },
    };
    struct rig r = rig_begin(env);

    mandelbrot_run_tasks(&r, &tasks[env->size]);
    return rig_end(&r);
}

const struct workload workload_pg_mandelbrot = {
    .name = "pg_mandelbrot",
    .summary = "small pictures of the Mandelbrot set, one small block per task",
    .suite = "Pagoda",
    .theirs = "mandelbrot",
    .papers = "ghost",
    .sizes = { "4 pictures of 24x24, limit 40", "8 pictures of 64x64, limit 400",
               "32 pictures of 64x64, limit 400" },
    .run = pg_mandelbrot_run,
};
