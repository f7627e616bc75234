/* core.c - a launch as a struct kernel: cores as its blocks, warps that execute each
 * instruction when it is fetched.
 */
#include <stdlib.h>

#include "base/bits.h"
#include "frontend/riscv/state.h"

exec_fn *const riscv_handlers[N_RISCV_OP] = {
#define OP(id, name, match, mask, operands, class, unit, flags) [RISCV_##id] = rv_##id,
#include "frontend/riscv/ops.def"
#undef OP
};

/* The warp's next instruction; NULL: none, or not decoded yet. */
static const struct riscv_inst *riscv_fetch(const struct riscv_core *c,
                                            const struct riscv_warp *w)
{
    const struct code_page *page = c->pages[w->pc / CODE_PAGE];

    return page && !(w->pc & 3) ? page->at[w->pc / 4 % PAGE_INSTS] : NULL;
}

/* One that is decoded now, or that a trap leads to. */
static const struct riscv_inst *riscv_decode_now(struct riscv_warp *w, struct err *err)
{
    struct riscv_memory *m = w->core->launched->memory;

    for (unsigned tries = 0; tries < 3; tries++) {
        const struct riscv_inst *i = riscv_fetch(w->core, w);
        uint32_t word;

        if (!i && !(w->pc & 3))
            i = riscv_code_decode(m, w->pc);
        if (i)
            return i;
        memcpy(&word, m->bytes + w->pc, sizeof word);
        if (riscv_illegal(w, w->pc, word, err))
            return NULL;
    }
    err_kind(err, ERR_TRAP, "core %u, warp %u: no instruction where traps lead, 0x%x",
             w->core->index, w->index, w->pc);
    return NULL;
}

/* A jump or branch to itself finds the registers as they were, and is taken again. */
static bool is_endless(const struct riscv_inst *i)
{
    return i->inst.op == RISCV_jal ||
           (i->inst.op >= RISCV_beq && i->inst.op <= RISCV_bgeu);
}

/* Notes a warp that jumps to itself: if that lasts forever and no other warp can end
 * the program, it would never end. */
static int note_spin(struct riscv_warp *w, const struct riscv_inst *i, struct err *err)
{
    const struct riscv_launched *l = w->core->launched;

    if (!is_endless(i))
        return 0;
    w->core->spinning |= 1u << w->index;
    for (uint32_t n = 0; n < l->launch.n_cores; n++) {
        const struct riscv_core *c = l->core[n];

        if (c ? c->active & ~c->waiting & ~c->spinning : !(l->closed >> n & 1))
            return 0;
    }
    return err_kind(err, ERR_DEADLOCK,
                    "core %u, warp %u: jumps to itself at 0x%x, and no other warp is "
                    "left to end the program",
                    w->core->index, w->index, w->pc);
}

static enum stream_status riscv_next(struct stream *s, unsigned warp, struct dyn *dyn,
                                     struct err *err)
{
    struct riscv_core *c = (struct riscv_core *)s;
    struct riscv_warp *w = &c->warp[warp];
    const struct riscv_inst *i;
    uint32_t bit = 1u << warp;

    if (!(c->active & ~c->waiting & bit))
        return c->active ? STREAM_WAIT : STREAM_END;
    i = riscv_fetch(c, w);
    if (!i && !(i = riscv_decode_now(w, err)))
        return STREAM_ERROR;
    if (w->n_reads && riscv_awaits_counter(w, i))
        return STREAM_WAIT;
    dyn->inst = &i->inst;
    dyn->seq = w->seq++;
    dyn->active = dyn->mask = w->mask;
    dyn->space = SPACE_NONE;
    dyn->barrier = 0;
    dyn->bar_kind = BAR_NONE;
    dyn->bar_warps = 0;
    c->warp_insts++;
    c->thread_insts += w->mask == c->full ? w->n_lanes : bits_set(w->mask);
    w->pc += 4;
    if (riscv_handlers[i->inst.op](w, i, dyn, err))
        return STREAM_ERROR;
    if (w->pc == i->inst.pc && note_spin(w, i, err))
        return STREAM_ERROR;
    if (c->active & bit) {
        dyn->next_pc = w->pc;
    } else {
        dyn->next_pc = 0;
        w->n_reads = 0;
        riscv_try_spawn(c); /* this may restart the same warp */
    }
    return STREAM_INST;
}

static const struct stream_ops stream_ops = { .next = riscv_next,
                                              .tell_time = riscv_tell_time };

struct riscv_core *riscv_core_new(struct riscv_launched *l, uint32_t index,
                                  struct err *err)
{
    uint32_t n_warps = l->launch.n_warps, local = l->launch.local_bytes;
    struct riscv_core *c = calloc(1, sizeof *c + n_warps * sizeof *c->warp);

    if (c)
        c->local =
            calloc(1, local + sizeof(uint32_t)); /* for accesses across its end */
    if (!c || !c->local) {
        free(c);
        err_memory(err, "a core");
        return NULL;
    }
    c->stream = (struct stream){ .ops = &stream_ops, .n_warps = n_warps };
    c->launched = l;
    c->pages = l->memory->pages;
    c->index = index;
    c->local_bytes = local;
    c->full = (uint32_t)(((uint64_t)1 << l->launch.n_threads) - 1);
    c->mscratch = l->launch.arguments;
    c->active = l->is_over ? 0 : 1;
    for (uint32_t k = 0; k < n_warps; k++) {
        struct riscv_warp *w = &c->warp[k];

        w->core = c;
        w->index = k;
        w->n_lanes = l->launch.n_threads;
        w->machine.privilege = 3;
    }
    c->warp[0].pc = l->launch.start;
    c->warp[0].mask = 1;
    return c;
}

void riscv_core_free(struct riscv_core *c)
{
    if (!c)
        return;
    free(c->local);
    free(c);
}

void riscv_end_program(struct riscv_launched *l, const struct riscv_result *end)
{
    if (!l->is_over)
        l->end = *end;
    l->is_over = true;
    for (uint32_t n = 0; n < l->launch.n_cores; n++)
        if (l->core[n])
            l->core[n]->active = 0;
}
