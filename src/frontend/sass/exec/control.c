/* control.c - branches, calls, convergence barriers, block barriers, exit. */
#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/barrier.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/converge.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/syscall.h"

static uint64_t next_pc(const struct sass_inst *i)
{
    return i->base.pc + 16;
}

/* The condition is a uniform predicate, or for .DIV and .CONV the lanes that should be
 * together: a mask, or all lanes where it is left out. */
enum { ALWAYS = 0, UNIFORM = 1, DIV = 2, CONV = 3 }; /* what a branch tests */

/* Lanes that a branch takes to itself never leave it, unless it tests what others change. */
static bool is_endless(const struct sass_inst *i)
{
    return (uint64_t)i->opd[BRA_TARGET].imm == i->base.pc &&
           sass_field(i, BRA_TEST) == ALWAYS && i->opd[BRA_CONDITION].kind != OPD_UPRED;
}

enum exec_result exec_bra(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    uint32_t lanes = mask & sass_predicate(w, &i->opd[BRA_P]);
    unsigned test = sass_field(i, BRA_TEST);

    if (i->opd[BRA_CONDITION].kind == OPD_UPRED)
        lanes &= sass_predicate(w, &i->opd[BRA_CONDITION]);
    if (test == UNIFORM && sass_has(i, BRA_ANY) && lanes)
        lanes = w->active; /* .ANY: one lane takes all with it */
    if (test == DIV || test == CONV) {
        uint32_t all = ALL_LANES;
        bool together;

        if (i->opd[BRA_CONDITION].kind == OPD_UREG)
            all = sass_scalar(w, &i->opd[BRA_CONDITION], mask);
        if (i->opd[BRA_CONDITION].flags & OPD_NOT)
            all = ~all;
        /* the guard says who is together; the branch is everybody's */
        together = !(all & ~w->exited & ~mask);
        lanes = together == (test == DIV) ? 0 : w->active;
    }
    if (lanes && is_endless(i))
        return sass_fault(w, i, ERR_DEADLOCK, "endless loop: a branch to itself");
    converge_branch(w, lanes, (uint64_t)i->opd[BRA_TARGET].imm, next_pc(i));
    return EXEC_JUMP;
}

/* Indirect: register pair plus target. */
static void jump_indirect(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                          const struct operand *reg, const struct operand *target)
{
    uint64_t to[WARP_LANES];
    bool same = true;
    unsigned first;

    if (!mask) {
        w->pc = next_pc(i);
        return;
    }
    sass_source64(w, reg, to);
    first = (unsigned)__builtin_ctz(mask);
    LANES(l)
        to[l] = sass_module_moved(w->block->grid->launch.module,
                                  to[l] + (uint64_t)target->imm);
    for (uint32_t m = mask; m; m &= m - 1)
        same &= to[__builtin_ctz(m)] == to[first];
    if (same)
        converge_branch(w, mask, to[first], next_pc(i));
    else
        converge_scatter(w, mask, to, next_pc(i));
}

enum exec_result exec_brx(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    jump_indirect(w, i, mask & sass_predicate(w, &i->opd[JMX_P]), &i->opd[JMX_BASE],
                  &i->opd[JMX_TARGET]);
    return EXEC_JUMP;
}

/* A call by register may name a function that the machine provides. */
static bool is_syscall(struct sass_warp *w, const struct operand *reg, uint32_t mask,
                       unsigned *number)
{
    uint64_t to[WARP_LANES];

    if (!mask)
        return false;
    sass_source64(w, reg, to);
    *number = sass_syscall_number(to[__builtin_ctz(mask)]);
    return sass_is_syscall(to[__builtin_ctz(mask)]);
}

enum exec_result exec_call_reg(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    unsigned number;

    if (is_syscall(w, &i->opd[JMX_BASE], mask, &number)) {
        if (syscall_run(w, i, mask, number) == EXEC_ERROR)
            return EXEC_ERROR;
        w->pc = next_pc(i);
        return EXEC_JUMP;
    }
    return exec_brx(w, i, mask);
}

enum exec_result exec_call(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint64_t to = (uint64_t)i->opd[JMP_TARGET].imm;

    if (sass_is_syscall(to)) {
        if (mask && syscall_run(w, i, mask, sass_syscall_number(to)) == EXEC_ERROR)
            return EXEC_ERROR;
        w->pc = next_pc(i);
        return EXEC_JUMP;
    }
    converge_branch(w, mask & sass_predicate(w, &i->opd[JMP_P]), to, next_pc(i));
    return EXEC_JUMP;
}

/* LEPC Rd, target: an absolute code address. */
enum exec_result exec_lepc(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint64_t v[WARP_LANES];

    LANES(l)
        v[l] = (uint64_t)i->opd[LEPC_TARGET].imm;
    sass_result64(w, &i->opd[LEPC_D], v, mask);
    return EXEC_NEXT;
}

enum exec_result exec_bssy(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    mask &= sass_predicate(w, &i->opd[BSSY_P]);
    w->b[i->opd[BSSY_BARRIER].reg] |= mask;
    w->restored &= ~(1u << i->opd[BSSY_BARRIER].reg);
    return EXEC_NEXT;
}

enum exec_result exec_bsync(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    w->repeats &= ~w->active;
    mask &= sass_predicate(w, &i->opd[BSYNC_P]);
    if (!mask || converge_sync(w, mask, i->opd[BSYNC_BARRIER].reg, next_pc(i)))
        return EXEC_NEXT;
    return EXEC_JUMP;
}

enum exec_result exec_break(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    converge_leave(w, mask & sass_predicate(w, &i->opd[BREAK_P]),
                   i->opd[BREAK_BARRIER].reg);
    return EXEC_NEXT;
}

/* The barrier register that is the mask of active lanes. */
static bool is_active_mask(const struct sass_inst *i)
{
    enum { MACTIVE = 26 };

    return sass_field(i, BREG_NUMBER) == MACTIVE;
}

/* Where a barrier register's value is read: the active lanes are one of them. */
static bool read_barrier_register(const struct sass_warp *w, const struct sass_inst *i,
                                  const struct operand *o, uint32_t *v)
{
    if (o->kind == OPD_BREG)
        *v = w->b[o->reg];
    else if (is_active_mask(i))
        *v = w->active;
    else
        return false;
    return true;
}

/* BMOV Rd, B */
enum exec_result exec_bmov_from(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    const struct operand *from = &i->opd[BMOV_FROM_BARRIER];
    uint32_t v[WARP_LANES], read;

    if (!read_barrier_register(w, i, from, &read))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported barrier register");
    LANES(l)
        v[l] = read;
    sass_result(w, &i->opd[BMOV_FROM_D], 0, v, mask);
    if (sass_has(i, BMOV_FROM_CLEAR) && mask && from->kind == OPD_BREG)
        converge_save(w, from->reg);
    return EXEC_NEXT;
}

/* BMOV B, B */
enum exec_result exec_bmov_between(struct sass_warp *w, const struct sass_inst *i,
                                   uint32_t mask)
{
    const struct operand *from = &i->opd[BMOV_ACTIVE_BARRIER];
    uint32_t v;

    if (!read_barrier_register(w, i, from, &v))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported barrier register");
    if (!mask)
        return EXEC_NEXT;
    if (sass_has(i, BMOV_ACTIVE_CLEAR) && from->kind == OPD_BREG)
        w->b[from->reg] = 0;
    w->b[i->opd[BMOV_ACTIVE_D].reg] = v;
    return EXEC_NEXT;
}

static uint32_t whole_quads(uint32_t lanes)
{
    uint32_t any = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x11111111;

    return any * 0xf;
}

/* BMOV MACTIVE, B: with .PQUAD, code that takes values from its neighbours in a quad wants
 * all four lanes, and gives those that were not active back afterwards. Only quads that
 * are complete already are supported. */
enum exec_result exec_bmov_to_active(struct sass_warp *w, const struct sass_inst *i,
                                     uint32_t mask)
{
    uint32_t wanted = w->b[i->opd[BMOV_TO_ACTIVE_A].reg];

    if (sass_has(i, BMOV_TO_ACTIVE_PQUAD))
        wanted = whole_quads(wanted);
    if (mask && (!is_active_mask(i) || wanted != w->active))
        return sass_fault(w, i, ERR_UNSUPPORTED,
                          "unsupported change of the active lanes from %08x to %08x",
                          w->active, wanted);
    return EXEC_NEXT;
}

/* BMOV B, constant */
enum exec_result exec_bmov_imm(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    if (mask)
        w->b[i->opd[BMOV_IMM_BARRIER].reg] = (uint32_t)i->opd[BMOV_IMM_A].imm;
    return EXEC_NEXT;
}

/* BMOV B, source */
enum exec_result exec_bmov_to(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    if (i->opd[BMOV_TO_BARRIER].kind != OPD_BREG)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported barrier register");
    SOURCE(a, BMOV_TO_A, SRC_BITS);
    if (mask)
        converge_restore(w, i->opd[BMOV_TO_BARRIER].reg, a[__builtin_ctz(mask)]);
    return EXEC_NEXT;
}

/* Lanes of mask come to a WARPSYNC; those with the same mask wait together. A GPU refuses
 * lanes that are not in their own mask. */
static enum exec_result wait_by_mask(struct sass_warp *w, const struct sass_inst *i,
                                     uint32_t mask, enum lane_state state)
{
    SOURCE(with, WARPSYNC_MASK, SRC_BITS);

    for (uint32_t m = mask; m; m &= m - 1)
        if (!(with[__builtin_ctz(m)] & m & -m))
            return sass_fault(w, i, ERR_ILLEGAL,
                              "illegal instruction: lane %d is not in its mask 0x%x",
                              __builtin_ctz(m), (unsigned)with[__builtin_ctz(m)]);
    while (mask) {
        uint32_t all = with[__builtin_ctz(mask)], same = 0;

        for (uint32_t m = mask; m; m &= m - 1)
            if (with[__builtin_ctz(m)] == all)
                same |= m & -m;
        if (same == w->active) {
            converge_wait(w, same, state, all, next_pc(i), next_pc(i));
            converge_check(w); /* those held before */
            return EXEC_JUMP;
        }
        converge_hold(w, same, state, all, next_pc(i));
        mask &= ~same;
    }
    w->pc = next_pc(i);
    converge_check(w);
    return EXEC_JUMP;
}

/* WARPSYNC mask; .COLLECTIVE also has where to go on after ENDCOLLECTIVE. */
enum exec_result exec_warpsync(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    bool collective = i->opd[WARPSYNC_TARGET].kind == OPD_TARGET;
    bool exclusive =
        sass_has(i, i->arch >= SM90 ? WARPSYNC_EXCLUSIVE_90 : WARPSYNC_EXCLUSIVE);
    enum lane_state state = collective  ? LANE_COLLECT
                            : exclusive ? LANE_EXCLUSIVE
                                        : LANE_WARPSYNC;

    w->repeats &= ~w->active;
    mask &= sass_predicate(w, &i->opd[WARPSYNC_P]);
    if (!mask || w->collects) {
        w->collects = false;
        return EXEC_NEXT;
    }
    w->came_last = mask;
    if (collective)
        for (uint32_t m = mask; m; m &= m - 1)
            w->collect_pc[__builtin_ctz(m)] = (uint64_t)i->opd[WARPSYNC_TARGET].imm;
    if (i->opd[WARPSYNC_MASK].kind == OPD_NONE)
        converge_wait(w, mask, state, ALL_LANES, next_pc(i), next_pc(i));
    else
        return wait_by_mask(w, i, mask, state);
    return EXEC_JUMP;
}

enum exec_result exec_endcollective(struct sass_warp *w, const struct sass_inst *i,
                                    uint32_t mask)
{
    (void)i;
    (void)mask;
    converge_end_collective(w);
    return EXEC_JUMP;
}

enum exec_result exec_yield(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    if (!(mask & sass_predicate(w, &i->opd[YIELD_P])))
        return EXEC_NEXT;
    converge_yield(w, next_pc(i));
    w->slept = true;
    return EXEC_JUMP;
}

enum exec_result exec_nanosleep(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    if (!mask)
        return EXEC_NEXT;
    converge_turn(w, next_pc(i));
    w->slept = true;
    return EXEC_JUMP;
}

enum exec_result exec_exit(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    mask &= sass_predicate(w, &i->opd[EXIT_P]);
    if (!mask)
        return EXEC_NEXT;
    converge_exit(w, mask, next_pc(i));
    barrier_exit(w);
    cluster_exit(w);
    return EXEC_JUMP;
}

enum exec_result exec_bpt(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (!mask)
        return EXEC_NEXT;
    return sass_fault(w, i, ERR_TRAP, "trap");
}

/* Are both the number of a barrier (below) and its threads (above) in one register? */
static bool are_packed(const struct sass_inst *i)
{
    return i->opd[BAR_ID].kind == OPD_REG &&
           (i->opd[BAR_COUNT].kind == OPD_NONE || i->opd[BAR_COUNT].kind == OPD_REG);
}

enum exec_result exec_bar(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    static const enum barrier_mode modes[4] = { BARRIER_SYNC, BARRIER_ARRIVE,
                                                BARRIER_RED, BARRIER_SYNC };
    unsigned mode = sass_field(i, BAR_MODE);
    uint32_t id, n_threads = 0, pred = ALL_LANES;

    if (!mask)
        return EXEC_NEXT;
    if (mode > 2)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported barrier operation");
    id = sass_scalar(w, &i->opd[BAR_ID], mask);
    if (are_packed(i))
        n_threads = id >> 16 & 0xfff;
    else if (i->opd[BAR_COUNT].kind != OPD_NONE)
        n_threads = sass_scalar(w, &i->opd[BAR_COUNT], mask);
    if (n_threads % WARP_LANES)
        return sass_fault(w, i, ERR_ILLEGAL,
                          "illegal instruction: a barrier of %u threads, expected "
                          "whole warps",
                          (unsigned)n_threads);
    if (i->opd[BAR_P].kind == OPD_PRED)
        pred = sass_predicate(w, &i->opd[BAR_P]);
    w->red_op = (uint8_t)sass_field(i, BAR_OP);
    barrier_arrive(
        w, mask,
        &(struct barrier_visit){ .id = id & 15,
                                 .mode = modes[mode],
                                 .n_threads = n_threads,
                                 .pred = pred,
                                 .next_pc = next_pc(i),
                                 .is_outlined = i->opd[BAR_ID].kind == OPD_REG });
    if (modes[mode] == BARRIER_ARRIVE)
        return EXEC_NEXT;
    return EXEC_JUMP;
}

/* B2R.RESULT Rd, P: what BAR.RED found. */
enum exec_result exec_b2r(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    enum { POPC, AND, OR };
    uint32_t v[WARP_LANES];
    uint32_t r = w->red_op == POPC  ? w->red_count
                 : w->red_op == AND ? w->red_and
                                    : w->red_or;

    LANES(l)
        v[l] = w->red_op == POPC ? r : -r;
    sass_result(w, &i->opd[B2R_D], 0, v, mask);
    if (i->opd[B2R_SOURCE].kind == OPD_PRED)
        set_predicate_bits(w, &i->opd[B2R_SOURCE], r ? ALL_LANES : 0, mask);
    return EXEC_NEXT;
}

/* Instructions without a functional effect here: fences, dependency barriers,
 * cache control, hints. Their timing is another matter. */
enum exec_result exec_nothing(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    (void)w;
    (void)i;
    (void)mask;
    return EXEC_NEXT;
}
