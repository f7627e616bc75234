/* host.c - pg_des: packets encrypted with triple DES and decrypted, one block per task. */
#include "task.h"

static int pg_des_run(struct workload_env *env)
{
    static const struct des_tasks tasks[N_WORKLOAD_SIZE] = {
        { 2, 160, 128 },
        { 4, 2048, 128 },
        { 16, 2048, 128 },
    };
    struct rig r = rig_begin(env);

    des_run_tasks(&r, &tasks[env->size]);
    return rig_end(&r);
}

const struct workload workload_pg_des = {
    .name = "pg_des",
    .summary = "packets under triple DES, one small block per task",
    .suite = "Pagoda",
    .theirs = "des",
    .papers = "ghost",
    .sizes = { "2 packets of 1280 bytes", "4 packets of 16 KiB",
               "16 packets of 16 KiB" },
    .run = pg_des_run,
};
