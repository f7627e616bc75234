/* vortex.c - the device of Vortex hosts, with timing: a machine of sim/ that runs
 * launches to their end. Counters that programs read are those of the launch.
 */
#include "sim/vortex.h"

#include <stdlib.h>
#include <string.h>

#include "sim/gpu.h"
#include "sim/kind.h"

struct timed {
    struct vortex_machine base;
    struct machine *machine;
    struct gpu *gpu;
};

static int timed_run(struct vortex_machine *m, const struct riscv_launch *launch,
                     struct riscv_result *r, struct err *err)
{
    struct timed *t = (struct timed *)m;
    struct riscv_launch l = *launch;
    struct kernel *k;
    int failed;

    l.n_cores = m->n_cores;
    l.n_warps = m->n_warps;
    l.n_threads = m->n_threads;
    l.local_bytes = m->local_bytes;
    l.counter = gpu_counter;
    l.counter_from = t->gpu;
    gpu_set_counter_class(t->gpu, m->counter_class);
    k = riscv_kernel_new(&l, err);
    if (!k)
        return -1;
    failed = gpu_run(t->gpu, k, err);
    riscv_kernel_result(k, r);
    riscv_kernel_free(k);
    return failed;
}

static int timed_print_stats(struct vortex_machine *m, struct buf *out, struct err *err)
{
    struct gpu_result *r = gpu_result_new(((struct timed *)m)->gpu, err);

    if (!r)
        return -1;
    stat_text(gpu_result_report(r), out);
    gpu_result_free(r);
    return 0;
}

static void timed_free(struct vortex_machine *m)
{
    struct timed *t = (struct timed *)m;

    gpu_free(t->gpu);
    machine_free(t->machine);
    free(t);
}

static const struct vortex_machine_ops timed_ops = { .run = timed_run,
                                                     .print_stats = timed_print_stats,
                                                     .free = timed_free };

/* Sets parameters: "key=value", with commas between them. */
static int apply_settings(struct machine *m, const char *settings, struct err *err)
{
    char *list = strdup(settings), *rest = list, *item;
    int failed = list ? 0 : err_memory(err, "settings");

    while (!failed && (item = strsep(&rest, ",")))
        failed = machine_set_from(m, item, "LENO_SET", err);
    free(list);
    return failed;
}

struct vortex_machine *vortex_timed_new(const char *gpu, const char *scheme,
                                        const char *settings, struct err *err)
{
    struct machine *m = machine_new(gpu, scheme, err);
    struct timed *t = m ? calloc(1, sizeof *t) : NULL;

    if (m && m->kind != &machine_kind_vortex)
        err_set(err, "%s: expected a Vortex machine, as vortex-4x4", gpu);
    else if (t && !(settings && apply_settings(m, settings, err)))
        t->gpu = gpu_new(m, err);
    else if (m && !t)
        err_memory(err, "a GPU");
    if (!t || !t->gpu) {
        free(t);
        machine_free(m);
        return NULL;
    }
    t->machine = m;
    t->base = (struct vortex_machine){ .ops = &timed_ops,
                                       .n_cores = m->vortex.core.cores,
                                       .n_warps = m->vortex.core.warps,
                                       .n_threads = m->vortex.core.threads,
                                       .local_bytes = m->vortex.core.local_bytes };
    return &t->base;
}
