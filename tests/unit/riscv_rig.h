/* riscv_rig.h - a small Vortex machine whose warps are put into a state and made to
 * execute one word at a time. */
#ifndef LENO_TESTS_RISCV_RIG_H
#define LENO_TESTS_RISCV_RIG_H

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "frontend/riscv/state.h"

#define RIG_BASE 0x80000000u
#define RIG_DATA 0x90000000u
enum { RIG_TEXT = 1024 };

struct rig {
    struct riscv_launch launch;
    struct kernel *kernel;
    struct riscv_core *core[2];
    uint32_t next_pc; /* every word gets a place of its own */
    struct dyn dyn;
    uint64_t list[WARP_LANES]; /* of its addresses */
    struct err err;
    char printed[RIG_TEXT];
    size_t n_printed;
};

static const uint32_t rig_match[N_RISCV_OP] = {
#define OP(id, name, match, mask, operands, class, unit, flags) [RISCV_##id] = match,
#include "frontend/riscv/ops.def"
#undef OP
};

/* Which instructions a test program has executed, in all its tests. */
static bool rig_executed[N_RISCV_OP];

static inline void rig_check_executed(unsigned first, unsigned last)
{
    for (unsigned op = first; op <= last; op++)
        if (!rig_executed[op])
            fail_msg("%s was not executed", riscv_op_name(op));
}

enum { A0 = 10, A1, A2, A3 };

static inline uint32_t rig_r(unsigned op, unsigned rd, unsigned rs1, unsigned rs2)
{
    return rig_match[op] | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t rig_i(unsigned op, unsigned rd, unsigned rs1, int imm)
{
    return rig_match[op] | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t rig_s(unsigned op, unsigned rs2, unsigned rs1, int imm)
{
    uint32_t i = (uint32_t)imm;

    return rig_match[op] | rs2 << 20 | rs1 << 15 | (i & 31) << 7 | (i >> 5 & 127) << 25;
}

static inline void rig_print(void *to, unsigned stream, const char *text, size_t n)
{
    struct rig *r = to;

    r->n_printed += (size_t)snprintf(r->printed + r->n_printed, RIG_TEXT - r->n_printed,
                                     "%u:%.*s", stream, (int)n, text);
}

/* Two cores of the given size. */
static inline void rig_start(struct rig *r, uint32_t n_warps, uint32_t n_threads,
                             uint32_t tohost)
{
    *r = (struct rig){ .next_pc = RIG_BASE };
    r->launch = (struct riscv_launch){ .memory = riscv_memory_new(&r->err),
                                       .name = "rig",
                                       .n_cores = 2,
                                       .n_warps = n_warps,
                                       .n_threads = n_threads,
                                       .start = RIG_BASE,
                                       .arguments = 0x1234,
                                       .tohost = tohost,
                                       .print = rig_print,
                                       .print_to = r };
    assert_non_null(r->launch.memory);
    r->kernel = riscv_kernel_new(&r->launch, &r->err);
    assert_non_null(r->kernel);
    for (unsigned k = 0; k < 2; k++) {
        r->core[k] = (struct riscv_core *)r->kernel->ops->open(r->kernel, k, &r->err);
        assert_non_null(r->core[k]);
    }
}

static inline void rig_end(struct rig *r)
{
    riscv_kernel_free(r->kernel);
    riscv_memory_free(r->launch.memory);
}

/* The next instruction of a warp, whatever is there. */
static inline enum stream_status rig_next(struct rig *r, unsigned core, unsigned warp)
{
    struct stream *s = &r->core[core]->stream;
    enum stream_status status;

    r->dyn.addr.list = r->list;
    status = stream_next(s, warp, &r->dyn, &r->err);

    if (status == STREAM_INST)
        rig_executed[r->dyn.inst->op] = true;
    return status;
}

static inline enum stream_status rig_try_at(struct rig *r, unsigned core, unsigned warp,
                                            uint32_t word)
{
    r->core[core]->warp[warp].pc = r->next_pc;
    assert_int_equal(
        riscv_memory_write(r->launch.memory, r->next_pc, &word, 4, &r->err), 0);
    r->next_pc += 4;
    return rig_next(r, core, warp);
}

/* A word in warp 0 of core 0, which must execute; its pc comes back. */
static inline uint32_t rig_do(struct rig *r, uint32_t word)
{
    enum stream_status status = rig_try_at(r, 0, 0, word);

    if (status != STREAM_INST)
        fail_msg("0x%08x: status %d, %s", word, status, r->err.text);
    assert_int_equal(r->dyn.inst->pc, r->next_pc - 4);
    return r->next_pc - 4;
}

static inline struct riscv_warp *rig_warp(struct rig *r)
{
    return &r->core[0]->warp[0];
}

/* A test's state: warp 0 of four with lanes 1 and 3 on. */
static inline struct rig *rig_of(void **state)
{
    return *state;
}

static inline int set_up(void **state)
{
    struct rig *r = malloc(sizeof *r);

    assert_non_null(r);
    rig_start(r, 4, 4, 0);
    rig_warp(r)->mask = 0xa;
    *state = r;
    return 0;
}

static inline int tear_down(void **state)
{
    rig_end(*state);
    free(*state);
    return 0;
}

static inline uint32_t rig_load(struct rig *r, uint32_t addr)
{
    uint32_t value;

    assert_int_equal(riscv_memory_read(r->launch.memory, addr, &value, 4, &r->err), 0);
    return value;
}

static inline void rig_store(struct rig *r, uint32_t addr, uint32_t value)
{
    assert_int_equal(riscv_memory_write(r->launch.memory, addr, &value, 4, &r->err), 0);
}

#endif
