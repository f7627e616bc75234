/* host.c - pg_matrixmul: products of small integer matrices, one block per task. */
#include "task.h"

static int pg_matrixmul_run(struct workload_env *env)
{
    static const struct matrix_tasks tasks[N_WORKLOAD_SIZE] = {
        { 4, 32, 128 },
        { 4, 128, 128 },
        { 16, 128, 128 },
    };
    struct rig r = rig_begin(env);

    matrix_run_tasks(&r, &tasks[env->size]);
    return rig_end(&r);
}

const struct workload workload_pg_matrixmul = {
    .name = "pg_matrixmul",
    .summary = "products of small integer matrices, one small block per task",
    .suite = "Pagoda",
    .theirs = "matrixMul",
    .papers = "ghost",
    .sizes = { "4 products of 32x32", "4 products of 128x128",
               "16 products of 128x128" },
    .run = pg_matrixmul_run,
};
