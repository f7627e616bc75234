/* turns.c - where a warp's turn ends when nothing is timed (isa/wave.h).
 *
 * A turn ends where a GPU's warp would stand still and others would run: at the last of
 * some loads before an instruction that waits for one of them, by the scoreboards of its
 * control word, or before a branch. It also ends at the last of some stores before a
 * load, so that the load finds what the other warps store at that place. Local memory and
 * constant banks, which other warps do not write, do not count. Barriers end a turn, so
 * that all warps go on from them together.
 */
#include "frontend/sass/load/turns.h"

#include "isa/wave.h"

/* Memory accesses since a turn ended. */
struct pending {
    struct sass_inst *load, *store; /* the last ones; NULL: none */
    uint8_t boards;                 /* scoreboards of the loads, as bits */
    bool is_far;
};

static bool turn_waits_for(const struct inst *i)
{
    return i->memory & INST_READS && i->control.write_barrier < 6 &&
           i->space != SPACE_LOCAL;
}

static void add_load(struct pending *p, struct sass_inst *i)
{
    p->load = i;
    p->boards |= (uint8_t)(1 << i->base.control.write_barrier);
    p->is_far = p->is_far || i->base.space != SPACE_SHARED;
}

/* The loads are waited for before what follows. */
static void end_at_load(struct pending *p)
{
    if (p->load)
        p->load->turn = p->is_far ? TURN_ENDS_FAR : TURN_ENDS_NEAR;
    *p = (struct pending){ .store = p->store };
}

/* The stores are done before what follows. */
static void end_at_store(struct pending *p)
{
    if (p->store && !p->store->turn)
        p->store->turn = TURN_ENDS_NOW;
    p->store = NULL;
}

static void mark_inst(struct pending *p, struct sass_inst *i)
{
    const struct inst *b = &i->base;
    bool is_barrier = b->class == CLASS_barrier || b->op == OP_SYNCS_CHECK;
    bool waits = turn_waits_for(b), jumps = b->flags & INST_CONTROL;

    i->turn = is_barrier ? TURN_ENDS_NEAR : TURN_GOES_ON;
    if (b->control.wait_mask & p->boards || jumps)
        end_at_load(p);
    if (waits || (jumps && !(b->flags & INST_EXIT)))
        end_at_store(p);
    if (waits)
        add_load(p, i);
    else if (b->memory & INST_WRITES && b->space != SPACE_LOCAL)
        p->store = i;
}

void sass_mark_turns(struct sass_inst *inst, uint64_t n)
{
    struct pending p = { 0 };

    for (uint64_t k = 0; k < n; k++)
        mark_inst(&p, &inst[k]);
    end_at_load(&p);
    for (uint64_t k = n, left = WAVE_TURN_INSTS; k--;) {
        left = inst[k].turn ? 1 : left < WAVE_TURN_INSTS ? left + 1 : WAVE_TURN_INSTS;
        inst[k].to_turn_end = (uint8_t)left;
    }
}
