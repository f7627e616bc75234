/* vortex_machine.c - the machine behind a device of libvortex.so: a GPU of Vortex cores
 * with timing, or the functional one. Where the sources have no Vortex core there is only
 * the latter. */
#include "shim/vortex_machine.h"

#include <stdlib.h>
#include <string.h>

static const char *gpu_name(void)
{
    const char *name = getenv("LENO_GPU");

    return name && *name ? name : "vortex-4x4";
}

static bool is_functional(void)
{
    const char *value = getenv("LENO_FUNCTIONAL");

    return value && *value && strcmp(value, "0") != 0;
}

#if __has_include("vortex/vortex.h")
#include "sim/gpu.h"

struct timed {
    struct vortex_machine base; /* first */
    struct machine *machine;
    struct gpu *gpu;
};

static int run(struct vortex_machine *m, const struct riscv_launch *launch,
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
    k = riscv_kernel_new(&l, err);
    if (!k)
        return -1;
    failed = gpu_run(t->gpu, k, err);
    riscv_kernel_result(k, r);
    riscv_kernel_free(k);
    return failed;
}

static void free_timed(struct vortex_machine *m)
{
    struct timed *t = (struct timed *)m;

    gpu_free(t->gpu);
    machine_free(t->machine);
    free(t);
}

static const struct vortex_machine_ops timed_ops = { .run = run, .free = free_timed };

/* Each "key=value" of a text with spaces between them. */
static int apply_settings(struct machine *m, const char *text, struct err *err)
{
    char setting[256];

    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t n = strcspn(text, " ");

        if (n >= sizeof setting)
            return err_set(err,
                           "LENO_SET: a setting of %zu bytes, expected at most %zu", n,
                           sizeof setting - 1);
        memcpy(setting, text, n);
        setting[n] = '\0';
        if (machine_set(m, setting, err))
            return -1;
        text += n;
    }
    return 0;
}

static int build(struct timed *t, struct err *err)
{
    const char *settings = getenv("LENO_SET");
    const struct vortex_params *p;

    t->machine = machine_new(gpu_name(), getenv("LENO_SCHEME"), err);
    if (!t->machine || apply_settings(t->machine, settings ? settings : "", err))
        return -1;
    if (t->machine->gpu.core != GPU_CORE_VORTEX)
        return err_set(err, "LENO_GPU=%s: expected a Vortex, as vortex-4x4",
                       gpu_name());
    p = &t->machine->vortex.core;
    t->base = (struct vortex_machine){ .ops = &timed_ops,
                                       .n_cores = p->cores,
                                       .n_warps = p->warps,
                                       .n_threads = p->threads,
                                       .local_bytes = p->local_bytes };
    t->gpu = gpu_new(t->machine, err);
    return t->gpu ? 0 : -1;
}

struct vortex_machine *vortex_machine_open(struct err *err)
{
    struct timed *t;

    if (is_functional())
        return vortex_functional_new(gpu_name(), err);
    t = calloc(1, sizeof *t);
    if (!t)
        err_kind(err, ERR_LIMIT, "out of host memory");
    if (!t || build(t, err)) {
        if (t)
            free_timed(&t->base);
        return NULL;
    }
    return &t->base;
}
#else
struct vortex_machine *vortex_machine_open(struct err *err)
{
    if (!is_functional() && (getenv("LENO_SCHEME") || getenv("LENO_SET"))) {
        err_kind(err, ERR_UNSUPPORTED,
                 "LENO_SCHEME, LENO_SET: no timing in this build");
        return NULL;
    }
    return vortex_functional_new(gpu_name(), err);
}
#endif
