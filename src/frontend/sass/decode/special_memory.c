/* special_memory.c - addresses, constants, texture and surface operands. */
#include <inttypes.h>

#include "frontend/sass/decode/special.h"

/* [Ra + offset]: the offset is 24 bits at 40 unless said otherwise. */
static void plain(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_bits(i, 24, 8);
    o->imm = word_signed(i->word, 40, 24);
}

static void add_ureg(const struct sass_inst *i, struct operand *o, unsigned at)
{
    if (!sass_bits(i, 91, 1))
        return;
    o->flags |= OPD_HAS_UREG;
    o->ureg = (uint8_t)sass_bits(i, at, 6);
}

/* A 64-bit address, maybe with a uniform part or under a descriptor. */
static void global(const struct sass_inst *i, struct operand *o, unsigned ureg_at,
                   unsigned desc_bit, unsigned wide_bit)
{
    plain(i, o);
    add_ureg(i, o, ureg_at);
    if (!(o->flags & OPD_HAS_UREG)) {
        if (sass_bits(i, 72, 1))
            o->flags |= OPD_WIDE;
        return;
    }
    o->flags |= OPD_SIZED;
    if (sass_bits(i, desc_bit, 1)) {
        o->flags |= OPD_DESC | OPD_WIDE;
        if (i->arch != SM90 && !sass_bits(i, 101, 1))
            o->flags |= OPD_QUIET;
    } else {
        o->flags |= OPD_UWIDE;
        if (sass_bits(i, wide_bit, 1))
            o->flags |= OPD_WIDE;
    }
}

static void load(const struct sass_inst *i, struct operand *o)
{
    global(i, o, 32, 76, 90);
    if (i->base.op == OP_LD && !(o->flags & OPD_HAS_UREG))
        o->imm = word_signed(i->word, 32, 32);
}

static void store(const struct sass_inst *i, struct operand *o)
{
    global(i, o, 64, 76, 90);
}

static void atomic(const struct sass_inst *i, struct operand *o)
{
    global(i, o, 64, 71, 70);
}

/* ST with a 32-bit offset in the field at 32 and its data at 64. */
static void store32(const struct sass_inst *i, struct operand *o)
{
    plain(i, o);
    o->imm = word_signed(i->word, 32, 32);
    if (sass_bits(i, 72, 1))
        o->flags |= OPD_WIDE;
}

static void shared_load(const struct sass_inst *i, struct operand *o)
{
    static const uint8_t scales[4] = { 0, 2, 3, 4 };

    plain(i, o);
    add_ureg(i, o, 32);
    if (i->base.op == OP_LDS)
        o->scale = scales[sass_bits(i, 78, 2)];
}

static void shared_store(const struct sass_inst *i, struct operand *o)
{
    static const uint8_t scales[4] = { 0, 2, 3, 4 };

    plain(i, o);
    add_ureg(i, o, 64);
    if (i->base.op != OP_STSM)
        o->scale = scales[sass_bits(i, 78, 2)];
}

static void local_load(const struct sass_inst *i, struct operand *o)
{
    plain(i, o);
    add_ureg(i, o, 32);
}

static void local_store(const struct sass_inst *i, struct operand *o)
{
    plain(i, o);
    add_ureg(i, o, 64);
}

/* LDGSTS: the shared side has register and offset in other places. */
static void copy_to(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_bits(i, 16, 8);
    o->imm = word_signed(i->word, 44, 20);
    if (sass_bits(i, 9, 3) == 6) {
        o->flags |= OPD_HAS_UREG;
        o->ureg = (uint8_t)sass_bits(i, 64, 6);
    }
}

static void copy_from(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_bits(i, 24, 8);
    o->imm = word_signed(i->word, 32, 12);
    o->flags |= OPD_SIZED;
    if (sass_bits(i, 9, 3) == 6) {
        o->flags |= OPD_WIDE;
        return;
    }
    o->ureg = (uint8_t)sass_bits(i, 64, 6);
    if (o->ureg != UREG_URZ || sass_bits(i, 76, 1))
        o->flags |= OPD_HAS_UREG;
    if (sass_bits(i, 76, 1)) {
        o->flags |= OPD_DESC | OPD_WIDE;
        if (i->arch != SM90 && !sass_bits(i, 101, 1))
            o->flags |= OPD_QUIET;
    } else if (sass_bits(i, 70, 1)) {
        o->flags |= OPD_WIDE | OPD_UWIDE;
    }
}

/* Asynchronous barriers in shared memory. */
static void sync_address(const struct sass_inst *i, struct operand *o)
{
    plain(i, o);
    if (i->arch == SM90 || sass_bits(i, 91, 1)) {
        o->flags |= OPD_HAS_UREG;
        o->ureg = (uint8_t)sass_bits(i, 64, 6);
    }
    if (i->base.op == OP_SYNCS_CCTL && !sass_bits(i, 91, 1))
        *o = (struct operand){ 0 };
}

static void uniform_sync(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = REG_RZ;
    o->ureg = (uint8_t)sass_bits(i, 24, 6);
    o->flags |= OPD_HAS_UREG;
    o->imm = word_signed(i->word, 40, 24);
}

static void cluster_address(const struct sass_inst *i, struct operand *o,
                            unsigned wide_bit)
{
    plain(i, o);
    o->flags |= OPD_SIZED;
    o->ureg = (uint8_t)sass_bits(i, 64, 6);
    if (sass_bits(i, wide_bit, 1))
        o->flags |= OPD_WIDE;
    if (o->ureg != UREG_URZ || !(o->flags & OPD_WIDE))
        o->flags |= OPD_HAS_UREG;
}

static void stas(const struct sass_inst *i, struct operand *o)
{
    cluster_address(i, o, 90);
}

static void redas(const struct sass_inst *i, struct operand *o)
{
    cluster_address(i, o, 72);
}

static void multicast(const struct sass_inst *i, struct operand *o)
{
    plain(i, o);
    o->flags |= OPD_SIZED | OPD_HAS_UREG | OPD_WIDE | OPD_UWIDE;
    o->ureg = (uint8_t)sass_bits(i, 64, 6);
}

static void cache_line(const struct sass_inst *i, struct operand *o)
{
    unsigned op = sass_bits(i, 87, 4);

    if (op == 4 || op == 6 || op == 7 || op == 8) /* all of the cache */
        return;
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_bits(i, 24, 8);
    o->imm = word_signed(i->word, 32, 32);
    if (sass_bits(i, 72, 1))
        o->flags |= OPD_WIDE;
}

static void query(const struct sass_inst *i, struct operand *o)
{
    plain(i, o);
    add_ureg(i, o, 32);
    if (sass_bits(i, 72, 1))
        o->flags |= OPD_WIDE;
}

/* c[bank][register + offset] */
static void constant(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_CONST;
    o->bank = (uint8_t)sass_bits(i, 54, 5);
    o->imm = word_signed(i->word, 38, 16);
    o->reg = (uint8_t)sass_bits(i, 24, 8);
    o->flags |= OPD_INDEXED;
    if (sass_bits(i, 91, 1)) {
        o->kind = OPD_CDESC;
        o->ureg = (uint8_t)sass_bits(i, 32, 6);
    }
}

static void uniform_constant(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_CONST;
    o->bank = (uint8_t)sass_bits(i, 54, 5);
    o->imm = word_signed(i->word, 38, 16);
    o->reg = UREG_URZ;
    if (sass_bits(i, 91, 1)) {
        o->kind = OPD_CDESC;
        o->reg = (uint8_t)sass_bits(i, 32, 6);
    }
}

static void uniform_indexed(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_CONST;
    o->bank = (uint8_t)sass_bits(i, 54, 5);
    o->imm = word_signed(i->word, 38, 16);
    o->reg = (uint8_t)sass_bits(i, 24, 6);
    o->flags |= OPD_UINDEXED;
}

/* Textures and surfaces: a handle in a constant bank or a uniform register. */
static void print_handle(struct buf *out, const struct sass_inst *i,
                         const struct operand *o)
{
    (void)o;
    if (sass_bits(i, 9, 3) == 7)
        buf_printf(out, "UR%u, 0x0", sass_bits(i, 40, 6));
    else if (sass_bits(i, 59, 1) && i->base.op != OP_SULD && i->base.op != OP_SUST &&
             i->base.op != OP_SUST_P && i->base.op != OP_SURED)
        return;
    else
        buf_printf(out, "0x%x, 0x%x", sass_bits(i, 54, 5), sass_bits(i, 40, 14));
}

static void print_dimension(struct buf *out, const struct sass_inst *i,
                            const struct operand *o)
{
    (void)o;
    special_table(out, "texdim", sass_bits(i, 61, 3));
}

static void print_query(struct buf *out, const struct sass_inst *i,
                        const struct operand *o)
{
    (void)o;
    special_table(out, "txq", sass_bits(i, 61, 3));
}

static void surface(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_bits(i, 24, 8);
}

/* Bulk copies name their addresses by uniform registers: 64 bits, or a 32-bit shared
 * address and, for what is written, that of a barrier. */
static void uniform_pair(struct operand *o, unsigned reg)
{
    operand_register(o, OPD_UREG, reg, 2);
}

static void u24(const struct sass_inst *i, struct operand *o)
{
    uniform_pair(o, sass_bits(i, 24, 6));
}

static void u32(const struct sass_inst *i, struct operand *o)
{
    uniform_pair(o, sass_bits(i, 32, 6));
}

static void print_u24(struct buf *out, const struct sass_inst *i,
                      const struct operand *o)
{
    (void)o;
    buf_printf(out, "[UR%u]", sass_bits(i, 24, 6));
}

static void print_u32(struct buf *out, const struct sass_inst *i,
                      const struct operand *o)
{
    (void)o;
    buf_printf(out, "[UR%u]", sass_bits(i, 32, 6));
}

static void print_tma_ureg(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    (void)o;
    if (sass_bits(i, 9, 3) == 1)
        buf_printf(out, "UR%u", sass_bits(i, 64, 6));
}

static void print_tma_desc(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    (void)o;
    if (sass_bits(i, 76, 1))
        buf_printf(out, "desc[UR%u]", sass_bits(i, 40, 6));
}

const struct special special_memory[] = {
    { "g", load, NULL },
    { "gs", store, NULL },
    { "ga", atomic, NULL },
    { "st32", store32, NULL },
    { "s", shared_load, NULL },
    { "ss", shared_store, NULL },
    { "l", local_load, NULL },
    { "ls", local_store, NULL },
    { "lds1", copy_to, NULL },
    { "lds2", copy_from, NULL },
    { "sync", sync_address, NULL },
    { "usync", uniform_sync, NULL },
    { "stas", stas, NULL },
    { "redas", redas, NULL },
    { "mc", multicast, NULL },
    { "cctl", cache_line, NULL },
    { "qspc", query, NULL },
    { "ldc", constant, NULL },
    { "uldc", uniform_constant, NULL },
    { "uldci", uniform_indexed, NULL },
    { "texh", NULL, print_handle },
    { "texdim", NULL, print_dimension },
    { "txqk", NULL, print_query },
    { "su", surface, NULL },
    { "u24", u24, print_u24 },
    { "u32", u32, print_u32 },
    { "tmau", NULL, print_tma_ureg },
    { "tmad", NULL, print_tma_desc },
    { NULL, NULL, NULL },
};
