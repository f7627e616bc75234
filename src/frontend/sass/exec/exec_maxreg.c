/* exec_maxreg.c - USETMAXREG: registers that warps give to their block and take from it.
 *
 * A block starts with as many registers per thread in all its warps and with nothing to
 * give away. Warps that need fewer give the rest back; an attempt to get more fails as long
 * as too few have been given back. Compiled code tries again until it succeeds. Registers
 * of a warp that has ended stay with it: a block's are free when it ends.
 *
 * In timed runs warps give and take in the order in which their instructions issue.
 */
#include "frontend/sass/decode/operand.h"
#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"

enum { LEAST_REGISTERS = 24 }; /* that a warp can keep (PTX: setmaxnreg) */

/* Registers per thread that a warp lacks of those it has tried to get. */
static uint32_t missing_registers(const struct sass_warp *w)
{
    return w->wants_registers ? w->wants_registers - w->n_registers : 0;
}

/* Could one of the warps that try ever get its registers? Only those that do not try can
 * give some back. */
static bool may_get_registers(const struct sass_block *b)
{
    uint32_t least = UINT32_MAX, available = b->free_registers;

    for (uint32_t m = b->all_warps & ~b->done_warps; m; m &= m - 1) {
        const struct sass_warp *w = &b->warps[__builtin_ctz(m)];
        uint32_t missing = missing_registers(w);

        if (missing && missing < least)
            least = missing;
        if (!missing && w->n_registers > LEAST_REGISTERS)
            available += w->n_registers - LEAST_REGISTERS;
    }
    return least <= available;
}

static enum exec_result give_registers(struct sass_warp *w, uint32_t keep)
{
    async_note_op(w, keep, (struct barrier_op){ .kind = REGISTERS_GIVE });
    copies_finish(w->block);
    if (keep < w->n_registers) {
        w->block->free_registers += w->n_registers - keep;
        w->n_registers = keep;
    }
    return EXEC_NEXT;
}

static bool take_registers(struct sass_warp *w, uint32_t n)
{
    w->wants_registers = n > w->n_registers ? n : 0;
    if (missing_registers(w) > w->block->free_registers)
        return false;
    w->block->free_registers -= missing_registers(w);
    w->n_registers += missing_registers(w);
    w->wants_registers = 0;
    return true;
}

static enum exec_result try_registers(struct sass_warp *w, const struct sass_inst *i,
                                      uint32_t n, uint32_t mask)
{
    bool fails = async_must_fail(w, i), got = !fails && take_registers(w, n);

    async_note_op(w, n, (struct barrier_op){ .kind = REGISTERS_TAKE });
    if (w->block->copying)
        copies_give_up(w->block, !got);
    copies_finish(w->block);
    set_predicate_bits(w, &i->opd[USETMAXREG_PD], got ? ALL_LANES : 0, mask);
    w->slept = w->slept || !got;
    if (got || fails || may_get_registers(w->block))
        return EXEC_NEXT;
    return sass_fault(w, i, ERR_DEADLOCK,
                      "deadlock: warp %u needs %u more registers per thread, its block "
                      "has %u to give and no warp can give back enough",
                      w->index, missing_registers(w), w->block->free_registers);
}

enum exec_result exec_usetmaxreg(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    uint32_t n = (uint32_t)i->opd[USETMAXREG_COUNT].imm;

    if (async_is_early(w))
        return async_execute_late(w, i);
    if (!mask)
        return EXEC_NEXT;
    if (async_begin_note(w, i))
        return EXEC_ERROR;
    switch (sass_field(i, USETMAXREG_HOW)) {
    case MAXREG_DEALLOC:
        return give_registers(w, n);
    case MAXREG_TRY_ALLOC:
        return try_registers(w, i, n, mask);
    default:
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported way to get registers");
    }
}
