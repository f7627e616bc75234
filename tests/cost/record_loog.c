/* record_loog.c - scheme `loog.recorded`: loog, with a window of it written to a file
 * (window.h). Units and names are the C model's numbers. More lines:
 *   w W NAME REG KEPT      a result, and whether it is written to the register file
 *   o UNIT                 an instruction has read its operands
 *   d UNIT ELIGIBLE        it leaves (-: none does); units whose pipe takes an instruction
 *   r W                    the branch that its warp waits for is resolved
 *   t BUSY READY WAITS KNOWS then per warp HEAD OFFER   masks of units; bits: sync, result
 *   i W UNIT NAME INST KIND PARTIAL ADDRESS OVERLAP     bits: atomic, texture; sources that
 *                          make up an address; units whose bytes it touches
 * The scheme's own file is included, as in record_socgpu.c.
 */
#define scheme_loog scheme_loog_inside
#include "../../src/scheme/loog.c"
#undef scheme_loog
#include "window.h"

static void record_start(struct scheme *s, unsigned warp)
{
    loog_warp_start(s, warp);
    window_start(s, warp);
}

static void record_written(struct scheme *s, struct uop *u)
{
    loog_written_back(s, u);
    if (window_is_on(s, u->warp) && has_result(u))
        window_line("w %u %u %u %u\n", window_warp(s, u->warp), name_number(u),
                    window_result(u->dyn.inst),
                    (unsigned)(loog_of(s)->base.capture[u->id].kept & 1));
}

static void record_read(struct scheme *s, struct uop *u)
{
    loog_operands_read(s, u);
    if (window_is_on(s, u->warp))
        window_line("o %u\n", unit_number(u));
}

static void record_resolved(struct scheme *s, struct uop *u)
{
    if (window_is_on(s, u->warp) && loog_of(s)->warp[u->warp].branch == u->dyn.seq + 1)
        window_line("r %u\n", window_warp(s, u->warp));
    loog_resolved(s, u);
}

static uint64_t units_in_use(const struct scheme *s, const struct loog_sub *sub)
{
    uint64_t busy = bit64(params_of(s)->units) - 1;

    for (unsigned k = 0; k < sub->units.n; k++)
        busy &= ~bit64(sub->units.at[k]);
    return busy;
}

static uop_id record_dispatch(struct scheme *s, unsigned subcore, uint32_t pipes)
{
    const struct loog_sub *sub = &loog_of(s)->sub[subcore];
    uint64_t eligible = 0;
    uop_id id;

    for (uint64_t m = units_in_use(s, sub); m; m &= m - 1)
        if (pipes >> s->pool[sub->unit[__builtin_ctzll(m)].uop].pipe & 1)
            eligible |= m & -m;
    id = loog_dispatch(s, subcore, pipes);
    if (subcore || !window_is_on(s, 0))
        return id;
    if (id == NO_UOP)
        window_line("d - %llx\n", (unsigned long long)eligible);
    else
        window_line("d %u %llx\n", unit_number(&s->pool[id]),
                    (unsigned long long)eligible);
    return id;
}

/* Sources, in the order in which window_inst() names them, that make up an address. */
static unsigned address_sources(const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    unsigned mask = 0, at = 0;

    for (unsigned r = 0; (r = regset_next(&i->reads, r)) < N_REGID; r++, at++)
        mask |= (unsigned)(inst_is_memory(i) && is_address(u, r)) << at;
    return mask;
}

/* Units of older memory operations of its warp whose bytes it touches. */
static uint64_t overlapping_units(struct scheme *s, const struct uop *u)
{
    const struct loog_warp *w = &loog_of(s)->warp[u->warp];
    const struct loog_sub *sub = sub_of(loog_of(s), u->warp);
    uint64_t mask = 0;

    for (unsigned k = 0; inst_is_memory(u->dyn.inst) && k < w->n_memory; k++) {
        const struct uop *older = &s->pool[sub->unit[w->memory[k]].uop];

        if (older != u && dyn_overlap(&older->dyn, &u->dyn))
            mask |= bit64(w->memory[k]);
    }
    return mask;
}

static void record_issued(struct scheme *s, struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    uint64_t overlap;

    loog_issued(s, u);
    if (!window_is_on(s, u->warp))
        return;
    overlap = overlapping_units(s, u);
    window_line("i %u %u %u %llx %u %u %x %llx\n", window_warp(s, u->warp),
                unit_number(u), name_number(u), (unsigned long long)window_inst(u),
                (unsigned)inst_is_atomic(i) | (unsigned)(i->space == SPACE_TEXTURE)
                                                  << 1,
                u->partial && i->list.n_writes, address_sources(u),
                (unsigned long long)overlap);
}

static void write_units(const struct scheme *s, const struct loog_sub *sub)
{
    uint64_t busy = units_in_use(s, sub), waits = 0, knows = 0;

    for (uint64_t m = busy; m; m &= m - 1) {
        const struct loog_unit *e = &sub->unit[__builtin_ctzll(m)];

        waits |= e->tags ? m & -m : 0;
        knows |= has_address(e) ? m & -m : 0;
    }
    window_line("t %llx %llx %llx %llx", (unsigned long long)busy,
                (unsigned long long)sub->ready, (unsigned long long)waits,
                (unsigned long long)knows);
}

static void write_warp(struct scheme *s, unsigned warp)
{
    const struct loog_warp *w = &loog_of(s)->warp[warp];
    const struct uop *u = &s->pool[w->oldest];

    if (w->n)
        window_line(" %u", (unsigned)inst_is_sync(u->dyn.inst) | (unsigned)has_result(u)
                                                                     << 1);
    else
        window_line(" -");
    window_line(" %u", loog_candidate(s, warp).hold == HOLD_nothing);
}

static void record_tick(struct scheme *s, uint64_t cycle)
{
    (void)cycle;
    if (!window_is_on(s, 0))
        return;
    write_units(s, &loog_of(s)->sub[0]);
    for (unsigned w = 0; w < s->shape->n_warps; w += s->shape->n_subcores)
        write_warp(s, w);
    window_end_cycle(s, true);
}

struct scheme_ops scheme_loog_recorded;
__attribute__((constructor)) static void make_table(void)
{
    scheme_loog_recorded =
        window_scheme(&scheme_loog_inside, "loog.recorded",
                      &(struct scheme_ops){ .warp_start = record_start,
                                            .written_back = record_written,
                                            .operands_read = record_read,
                                            .resolved = record_resolved,
                                            .dispatch = record_dispatch,
                                            .issued = record_issued,
                                            .tick = record_tick });
}
