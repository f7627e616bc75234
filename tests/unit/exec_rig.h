/* exec_rig.h - one warp on a bench: state around a handler, and instructions by hand.
 *
 * A test fills registers, builds an instruction from its slots and modifier bits, and
 * calls the handler its opcode has. Registers R0.., uniform registers and predicates are
 * those of rig.w; memory is a space of 1 MiB with one allocation at rig.global.
 */
#ifndef LENO_TESTS_EXEC_RIG_H
#define LENO_TESTS_EXEC_RIG_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/grid.h"

enum { RIG_REGS = 64, RIG_SHARED = 1024, RIG_LOCAL = 256, RIG_GLOBAL = 4096 };

struct rig {
    struct sass_module module;
    struct cubin_kernel info;
    struct sass_kernel kernel;
    struct space space;
    struct sass_grid grid;
    struct sass_block block;
    struct sass_warp w;
    struct err err;
    struct dyn dyn;
    uint64_t list[WARP_LANES]; /* of its addresses */
    uint64_t global;
    uint8_t shared[RIG_SHARED], bank[512];
    uint32_t rows[RIG_REGS + 9][WARP_LANES];
    uint32_t uniform[64][WARP_LANES];
    uint32_t spread[4][WARP_LANES]; /* RZ only */
};

static inline int rig_setup(void **state)
{
    static struct rig bench;
    struct rig *r = &bench;

    memset(r, 0, sizeof *r);
    assert_int_equal(space_init(&r->space, 0x10000000, 1 << 20, &r->err), 0);
    assert_int_equal(space_alloc(&r->space, RIG_GLOBAL, 256, &r->global, &r->err), 0);
    r->dyn = (struct dyn){ .mask = ALL_LANES, .addr.list = r->list };
    r->info.name = "bench";
    r->kernel.info = &r->info;
    r->grid.launch = (struct sass_launch){ .module = &r->module,
                                           .kernel = &r->kernel,
                                           .grid = { 5, 4, 3 },
                                           .block = { 8, 4, 2 },
                                           .space = &r->space,
                                           .n_sms = 7 };
    r->grid.arch = SM90;
    r->grid.local_size = RIG_LOCAL;
    r->grid.n_urows = 64;
    r->grid.bank[0] = (struct sass_bank){ r->bank, sizeof r->bank };
    r->block = (struct sass_block){ .grid = &r->grid,
                                    .id = { 1, 2, 0 },
                                    .n_warps = 2,
                                    .shared = r->shared,
                                    .shared_size = RIG_SHARED,
                                    .warps = &r->w,
                                    .err = &r->err };
    r->w.block = &r->block;
    r->w.r = r->rows;
    r->w.u = r->uniform;
    r->w.scalars = r->spread;
    r->w.active = ALL_LANES;
    r->w.p[PRED_PT] = r->w.up[PRED_PT] = ALL_LANES;
    *state = r;
    return 0;
}

static inline int rig_teardown(void **state)
{
    struct rig *r = *state;

    free(r->w.local);
    space_free_all(&r->space);
    return 0;
}

/* Operands. */
static inline struct operand reg(unsigned n)
{
    struct operand o = { .kind = OPD_REG, .reg = (uint8_t)n };

    operand_bind(&o);
    return o;
}

static inline struct operand rz(void)
{
    return reg(REG_RZ);
}

static inline struct operand ureg(unsigned n)
{
    struct operand o = { .kind = OPD_UREG, .reg = (uint8_t)n };

    operand_bind(&o);
    return o;
}

static inline struct operand pred(unsigned n)
{
    return (struct operand){ .kind = OPD_PRED, .reg = (uint8_t)n };
}

static inline struct operand pt(void)
{
    return pred(PRED_PT);
}

static inline struct operand imm(int64_t v)
{
    return (struct operand){ .kind = OPD_IMM, .imm = v };
}

static inline struct operand at(unsigned r, int64_t offset, unsigned flags)
{
    return (struct operand){
        .kind = OPD_ADDR, .reg = (uint8_t)r, .imm = offset, .flags = (uint16_t)flags
    };
}

static inline struct operand with(struct operand o, unsigned flags)
{
    o.flags = (uint16_t)(o.flags | flags);
    o.way = WAY_ANY;
    operand_bind(&o);
    return o;
}

#define NOT(o) with(o, OPD_NOT)
#define NEG(o) with(o, OPD_NEG)
#define ABS(o) with(o, OPD_ABS)

static inline void set_bits(struct sass_inst *i, unsigned place, uint64_t v)
{
    if (place >= 64)
        i->word.hi |= v << (place - 64);
    else
        i->word.lo |= v << place;
}

/* An instruction: opcode, slots, then pairs of bit and value up to END. */
#define END        0
#define SLOTS(...) ((const struct operand[SASS_OPDS]){ __VA_ARGS__ })
#define BITS(...)  ((const unsigned[]){ __VA_ARGS__, END })
#define PLAIN      ((const unsigned[]){ END })

static inline struct sass_inst inst(enum sass_op op, const struct operand *slots,
                                    const unsigned *bits)
{
    struct sass_inst i = { .row = &sass_rows()[op], .guard = PRED_PT, .arch = SM90 };

    i.base.op = (uint16_t)op;
    i.base.class = i.row->class;
    memcpy(i.opd, slots, sizeof i.opd);
    for (; *bits; bits += 2)
        set_bits(&i, bits[0], bits[1]);
    return i;
}

static inline enum exec_result run_inst(struct rig *r, struct sass_inst i,
                                        uint32_t mask)
{
    exec_fn *fn = sass_handlers[i.base.op];

    assert_non_null(fn);
    return fn(&r->w, &i, mask);
}

/* Runs it on all lanes; it must succeed. */
#define RUN(r, op, slots, bits) \
    assert_int_equal(run_inst(r, inst(op, slots, bits), ALL_LANES), EXEC_NEXT)

/* Runs it; it must fail with that kind of error and these words in the message. */
static inline void refuse(struct rig *r, struct sass_inst i, enum err_code code,
                          const char *words)
{
    r->err = (struct err){ 0 };
    assert_int_equal(run_inst(r, i, ALL_LANES), EXEC_ERROR);
    assert_int_equal(r->err.code, code);
    assert_non_null(strstr(r->err.text, words));
}

static inline uint32_t *row(struct rig *r, unsigned n)
{
    return r->w.r[n + 1];
}

static inline void fill(struct rig *r, unsigned n, uint32_t v)
{
    LANES(l)
        row(r, n)[l] = v;
}

static inline void fill64(struct rig *r, unsigned n, uint64_t v)
{
    fill(r, n, (uint32_t)v);
    fill(r, n + 1, (uint32_t)(v >> 32));
}

static inline uint64_t pair(struct rig *r, unsigned n, unsigned l)
{
    return (uint64_t)row(r, n + 1)[l] << 32 | row(r, n)[l];
}

#endif
