/* run.c - launches without timing: warps take turns of a fixed length, so that a warp
 * which spins on another's progress gets there. */
#include "frontend/riscv/state.h"
#include "isa/spin.h"

enum {
    TURN = 256,           /* warp instructions */
    LOOK_INSTS = 1 << 18, /* between calls of the watch */
};

struct turns {
    struct riscv_launched *launched;
    struct watch *watch;
    uint64_t n, most, look_at;
    bool is_stopped;
    struct err *err;
};

/* Asks the watch, from time to time, whether to continue. */
static int riscv_ask_watch(struct turns *t)
{
    const struct watch_state s = { .kernel = t->launched->base.name,
                                   .number = 1,
                                   .warp_insts = t->n };

    t->look_at = t->n + LOOK_INSTS;
    t->is_stopped = watch_look(t->watch, &s, t->err);
    return t->is_stopped ? -1 : 0;
}

static bool has_ended(const struct riscv_launched *l)
{
    for (unsigned n = 0; n < l->launch.n_cores; n++)
        if (l->core[n]->active)
            return false;
    return true;
}

/* Runs one warp's turn; returns how many instructions it executed, or -1. */
static int take_turn(struct turns *t, struct riscv_core *c, unsigned warp)
{
    uint64_t list[WARP_LANES];
    struct dyn dyn = { .addr.list = list };
    int n = 0;

    while (n < TURN && t->n < t->most) {
        enum stream_status status = stream_next(&c->stream, warp, &dyn, t->err);

        if (status == STREAM_ERROR)
            return -1;
        if (status != STREAM_INST)
            break;
        n++;
        t->n++;
    }
    if ((t->n >= t->look_at || t->n >= t->most) && !has_ended(t->launched) &&
        riscv_ask_watch(t))
        return -1;
    return n;
}

/* Runs one turn of every warp; returns how many instructions they executed, or -1. */
static int take_turns(struct turns *t)
{
    const struct riscv_launch *l = &t->launched->launch;
    int sum = 0;

    for (unsigned k = 0; k < l->n_cores * l->n_warps; k++) {
        int n = take_turn(t, t->launched->core[k / l->n_warps], k % l->n_warps);

        if (n < 0)
            return -1;
        sum += n;
    }
    return sum;
}

static int report_deadlock(const struct riscv_launched *l, struct err *err)
{
    struct buf text = { 0 };

    for (unsigned n = 0; n < l->launch.n_cores; n++)
        for (uint32_t m = l->core[n]->active; m && text.len < 800; m &= m - 1) {
            unsigned k = (unsigned)__builtin_ctz(m);

            buf_printf(&text, "%s warp %u of core %u after 0x%x", text.len ? "," : "",
                       k, n, l->core[n]->warp[k].pc - 4);
        }
    err_kind(err, ERR_DEADLOCK, "%s: barriers and wspawn hold all warps:%s",
             l->base.name, buf_text(&text));
    buf_free(&text);
    return -1;
}

static void report_spins(const struct turns *t)
{
    const struct riscv_launched *l = t->launched;
    const struct spin_launch at = { .kernel = NULL };
    struct spin_block block[RISCV_MAX_CORES];
    size_t n = 0;

    for (uint32_t k = 0; k < l->launch.n_cores; k++)
        if (l->core[k]->active)
            block[n++] =
                (struct spin_block){ .stream = &l->core[k]->stream, .number = k };
    spin_say(t->err, &at, block, n);
}

static int run_all(struct riscv_launched *l, uint64_t max_insts, struct err *err)
{
    struct watch limit = { 0 };
    struct turns turns = { .launched = l,
                           .watch = l->launch.watch ? l->launch.watch : &limit,
                           .err = err };
    int n;

    turns.watch->max_insts = max_insts;
    turns.most = watch_most(turns.watch);

    for (uint32_t k = 0; k < l->launch.n_cores; k++)
        if (!l->base.ops->open(&l->base, k, err))
            return -1;
    do
        n = take_turns(&turns);
    while (n > 0);
    if (turns.is_stopped)
        report_spins(&turns);
    if (n < 0)
        return -1;
    return has_ended(l) ? 0 : report_deadlock(l, err);
}

int riscv_run(const struct riscv_launch *launch, uint64_t max_insts,
              struct riscv_result *r, struct err *err)
{
    struct kernel *k = riscv_kernel_new(launch, err);
    int failed;

    if (!k)
        return -1;
    failed = run_all((struct riscv_launched *)k, max_insts, err);
    riscv_kernel_result(k, r);
    riscv_kernel_free(k);
    return failed;
}
