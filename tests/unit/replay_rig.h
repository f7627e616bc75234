/* replay_rig.h - workloads run on a driver whose launches a test takes, and a kernel
 * that keeps a copy of everything its streams give.
 */
#ifndef LENO_TESTS_REPLAY_RIG_H
#define LENO_TESTS_REPLAY_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "driver/driver.h"
#include "frontend/replay/replay.h"
#include "frontend/sass/exec/kernel.h"
#include "kept.h"
#include "session/workloads.h"
#include "workloads/workload.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads.def"
#undef WORKLOAD

static const struct workload *const all_workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads.def"
#undef WORKLOAD
};
enum { N_WORKLOADS = sizeof all_workloads / sizeof *all_workloads };

typedef int launch_fn(void *to, const struct sass_launch *l, struct driver_cost *cost,
                      struct err *err);

static inline void take_output(struct workload_env *env, const char *name,
                               const void *bytes, size_t n)
{
    (void)env, (void)name, (void)bytes, (void)n;
}

/* Runs a workload at size tiny; every launch goes to fn, and the result must be right. */
static inline void run_workload(const struct workload *w, enum sass_arch arch,
                                launch_fn *fn, void *to)
{
    struct driver_config config = { .arch = arch, .launch = fn, .launch_to = to };
    struct workload_env env = { .size = SIZE_TINY,
                                .seed = WORKLOAD_SEED,
                                .output = take_output };
    struct file cubin;
    struct err err = { 0 };
    struct driver *d;
    CUcontext context;
    char path[256];

    snprintf(path, sizeof path, "workloads/%s/%s.cubin", w->name, sass_arch_name(arch));
    assert_int_equal(file_read(path, 1 << 26, &cubin, &err), 0);
    d = driver_new(&config, &err);
    assert_non_null(d);
    driver_make_current(d);
    assert_int_equal(cuInit(0), 0);
    assert_int_equal(cuDevicePrimaryCtxRetain(&context, 0), 0);
    assert_int_equal(cuCtxSetCurrent(context), 0);
    assert_int_equal(driver_module_load(&env.module, path, cubin.data, cubin.size), 0);
    if (w->run(&env))
        fail_msg("%s: %s: %s", w->name, env.message, driver_last_error(d)->text);
    driver_free(d);
    file_free(&cubin);
}

/* ---- a kernel that remembers ---- */

struct spy {
    struct kernel base; /* first */
    struct kernel *real;
    char *name;
    uint8_t *marks;
    struct kept_warp *warps; /* of all blocks */
};

struct spy_stream {
    struct stream base; /* first */
    struct stream *real;
    struct kept_warp *warps;
};

static inline enum stream_status spy_next(struct stream *s, unsigned warp,
                                          struct dyn *dyn, struct err *err)
{
    struct spy_stream *spy = (struct spy_stream *)s;
    enum stream_status r;

    spy->real->wants_values = s->wants_values;
    spy->real->wants_async = s->wants_async;
    r = stream_next(spy->real, warp, dyn, err);
    if (r == STREAM_INST)
        keep(&spy->warps[warp], dyn);
    return r;
}

static inline struct copy *spy_take_copy(struct stream *s, unsigned warp, uint64_t seq)
{
    struct stream *real = ((struct spy_stream *)s)->real;

    return real->ops->take_copy(real, warp, seq);
}

static inline int spy_end_copy(struct stream *s, struct copy *c, struct err *err)
{
    struct stream *real = ((struct spy_stream *)s)->real;

    return real->ops->end_copy(real, c, err);
}

static const struct stream_ops spy_stream_ops = { .next = spy_next,
                                                  .take_copy = spy_take_copy,
                                                  .end_copy = spy_end_copy };

static inline struct stream *spy_open(struct kernel *k, uint64_t block, struct err *err)
{
    struct spy *spy = (struct spy *)k;
    struct spy_stream *s = calloc(1, sizeof *s);

    assert_non_null(s);
    s->real = spy->real->ops->open(spy->real, block, err);
    if (!s->real) {
        free(s);
        return NULL;
    }
    s->base = (struct stream){ .ops = &spy_stream_ops, .n_warps = s->real->n_warps };
    s->warps = spy->warps + block * kernel_warps(k);
    return &s->base;
}

static inline void spy_close(struct kernel *k, struct stream *s)
{
    struct spy *spy = (struct spy *)k;

    spy->real->ops->close(spy->real, ((struct spy_stream *)s)->real);
    free(s);
}

static inline void spy_text(const struct kernel *k, const struct inst *i,
                            struct buf *out)
{
    const struct spy *spy = (const struct spy *)k;

    if (spy->real->ops->text)
        spy->real->ops->text(spy->real, i, out);
}

/* The marks are copied: the real kernel is gone when they are compared. */
static inline int spy_mark(struct kernel *k, struct err *err)
{
    struct spy *spy = (struct spy *)k;

    if (!spy->real->ops->mark)
        return err_kind(err, ERR_UNSUPPORTED, "no values");
    if (spy->real->ops->mark(spy->real, err))
        return -1;
    free(spy->marks);
    spy->marks = malloc(spy->real->n_marks + 1);
    assert_non_null(spy->marks);
    memcpy(spy->marks, spy->real->marks, spy->real->n_marks);
    k->marks = spy->marks;
    k->n_marks = spy->real->n_marks;
    return 0;
}

static const struct kernel_ops spy_ops = {
    .open = spy_open, .close = spy_close, .text = spy_text, .mark = spy_mark
};

static inline struct spy *spy_new(struct kernel *real)
{
    struct spy *spy = calloc(1, sizeof *spy);

    assert_non_null(spy);
    spy->base = *real;
    spy->base.ops = &spy_ops;
    spy->base.name = spy->name = strdup(real->name);
    spy->real = real;
    spy->warps = calloc(real->n_blocks * kernel_warps(real), sizeof *spy->warps);
    assert_non_null(spy->warps);
    return spy;
}

static inline void spy_free(struct spy *spy)
{
    for (uint64_t k = 0; k < spy->base.n_blocks * kernel_warps(&spy->base); k++) {
        free(spy->warps[k].at);
        free(spy->warps[k].inst);
        free(spy->warps[k].addr);
    }
    free(spy->warps);
    free(spy->marks);
    free(spy->name);
    free(spy);
}

/* Whoever is launched first comes first. */
struct spies {
    struct spy *at[64];
    unsigned n;
};

/* One for a launch's kernel. */
static inline struct spy *spies_add(struct spies *s, const struct sass_launch *l,
                                    struct err *err)
{
    struct kernel *k = sass_kernel_new(l, err);

    assert_non_null(k);
    assert_true(s->n < 64);
    return s->at[s->n++] = spy_new(k);
}

/* The kernel has been recorded; what it gave is kept. */
static inline void spy_finish(struct spy *spy, const struct replay_counts *counts,
                              struct driver_cost *cost)
{
    *cost = (struct driver_cost){ .warp_insts = counts->warp_insts,
                                  .blocks = spy->real->n_blocks };
    sass_kernel_free(spy->real);
}

static inline void spies_free(struct spies *s)
{
    while (s->n)
        spy_free(s->at[--s->n]);
}

/* A path for files of this process's own; the caller frees it. */
static inline char *scratch(const char *name)
{
    const char *folder = getenv("TMPDIR");
    struct buf b = { 0 };

    buf_printf(&b, "%s/leno-%ld-%s", folder ? folder : "/tmp", (long)getpid(), name);
    return b.data;
}

#endif
