/* kernel.c - launches: a struct kernel of cores, its results, and runs without timing. */
#include <stdlib.h>

#include "frontend/riscv/state.h"

static struct riscv_launched *launched_of(struct kernel *k)
{
    return (struct riscv_launched *)k;
}

static struct stream *open_core(struct kernel *k, uint64_t block, struct err *err)
{
    struct riscv_launched *l = launched_of(k);

    if (block >= k->n_blocks || l->core[block]) {
        err_set(err, "%s: core %llu, expected one of %llu that is not open", k->name,
                (unsigned long long)block, (unsigned long long)k->n_blocks);
        return NULL;
    }
    l->core[block] = riscv_core_new(l, (uint32_t)block, err);
    return l->core[block] ? &l->core[block]->stream : NULL;
}

static void close_core(struct kernel *k, struct stream *s)
{
    struct riscv_launched *l = launched_of(k);
    struct riscv_core *c = (struct riscv_core *)s;

    l->core[c->index] = NULL;
    l->closed |= (uint64_t)1 << c->index;
    for (unsigned n = 0; n < RISCV_MAX_WARPS; n++) /* it waits no more */
        l->arrived[n] &= ~((uint64_t)1 << c->index);
    l->warp_insts += c->warp_insts;
    l->thread_insts += c->thread_insts;
    riscv_core_free(c);
}

static void print_text(const struct kernel *k, const struct inst *i, struct buf *out)
{
    (void)k;
    riscv_text((const struct riscv_inst *)i, out);
}

static const struct kernel_ops launched_ops = { .open = open_core,
                                                .close = close_core,
                                                .text = print_text };

static bool is_power(uint32_t n)
{
    return n && !(n & (n - 1));
}

static int check_launch(const struct riscv_launch *l, struct err *err)
{
    if (!l->n_cores || l->n_cores > RISCV_MAX_CORES)
        return err_set(err, "%u cores, expected 1 to %u", l->n_cores,
                       (unsigned)RISCV_MAX_CORES);
    if (!l->n_warps || l->n_warps > RISCV_MAX_WARPS)
        return err_set(err, "%u warps, expected 1 to %u", l->n_warps,
                       (unsigned)RISCV_MAX_WARPS);
    if (!is_power(l->n_threads) || l->n_threads > WARP_LANES)
        return err_set(err, "%u threads a warp, expected 1, 2, 4, 8, 16 or 32",
                       l->n_threads);
    if (l->local_bytes && (!is_power(l->local_bytes) || l->local_bytes > 1u << 15))
        return err_set(err,
                       "%u bytes of local memory, expected a power of two up to "
                       "32768",
                       l->local_bytes);
    return 0;
}

struct kernel *riscv_kernel_new(const struct riscv_launch *launch, struct err *err)
{
    struct riscv_launched *l;

    if (check_launch(launch, err))
        return NULL;
    l = calloc(1, sizeof *l);
    if (!l) {
        err_memory(err, "a launch");
        return NULL;
    }
    l->launch = *launch;
    if (!l->launch.local_bytes)
        l->launch.local_bytes = RISCV_LOCAL_BYTES;
    l->memory = launch->memory;
    l->is_watched = launch->tohost != 0;
    l->base = (struct kernel){ .ops = &launched_ops,
                               .name = launch->name,
                               .n_blocks = launch->n_cores,
                               .grid = { launch->n_cores, 1, 1 },
                               .block = { launch->n_threads, launch->n_warps, 1 },
                               .threads = launch->n_warps * launch->n_threads,
                               .lanes = launch->n_threads,
                               .registers = RISCV_N_REGID,
                               .shared = l->launch.local_bytes,
                               .cluster = 1,
                               .cluster_shape = { 1, 1, 1 },
                               .first_pc = launch->start,
                               .lacks_control_words = true };
    riscv_code_refresh(l->memory);
    return &l->base;
}

void riscv_kernel_free(struct kernel *k)
{
    struct riscv_launched *l = launched_of(k);

    if (!l)
        return;
    for (uint32_t n = 0; n < l->launch.n_cores; n++)
        riscv_core_free(l->core[n]);
    for (unsigned n = 0; n < RISCV_CONSOLES; n++)
        buf_free(&l->console[n]);
    free(l);
}

static void flush_console(struct riscv_launched *l)
{
    for (unsigned n = 0; n < RISCV_CONSOLES; n++) {
        struct buf *line = &l->console[n];

        if (line->len && l->launch.print)
            l->launch.print(l->launch.print_to, n, line->data, line->len);
        buf_clear(line);
    }
}

void riscv_kernel_result(struct kernel *k, struct riscv_result *r)
{
    struct riscv_launched *l = launched_of(k);

    *r = l->end;
    r->warp_insts = l->warp_insts;
    r->thread_insts = l->thread_insts;
    if (!l->is_over)
        memcpy(&r->status, l->memory->bytes + RISCV_EXIT_STATUS, sizeof r->status);
    for (uint32_t n = 0; n < l->launch.n_cores; n++) {
        r->warp_insts += l->core[n] ? l->core[n]->warp_insts : 0;
        r->thread_insts += l->core[n] ? l->core[n]->thread_insts : 0;
    }
    flush_console(l);
}

int riscv_verdict(const struct riscv_result *r, const char *name, struct err *err)
{
    if (r->is_trapped)
        return err_kind(err, ERR_WRONG,
                        "%s: failed by a trap it has no test for, mcause %u at 0x%x",
                        name, r->trap_cause, r->trap_pc);
    if (r->failed_test)
        return err_kind(err, ERR_WRONG, "%s: test %u failed", name, r->failed_test);
    if (r->status)
        return err_kind(err, ERR_WRONG, "%s: ended with status %d", name, r->status);
    return 0;
}
