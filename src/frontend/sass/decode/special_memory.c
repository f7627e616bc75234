/* special_memory.c - addresses, constants, texture and surface operands. */
#include <inttypes.h>

#include "frontend/sass/decode/special.h"
#include "frontend/sass/decode/texops.h"

/* [Ra + offset], as most addresses are. */
static void fill_plain_address(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_field(i, WORD_RA);
    o->imm = sass_signed(i, ADDRESS_OFFSET);
}

static void add_ureg(const struct sass_inst *i, struct operand *o, enum sass_field ureg)
{
    if (!sass_has(i, ADDRESS_HAS_UREG))
        return;
    o->flags |= OPD_HAS_UREG;
    o->ureg = (uint8_t)sass_uniform_field(i, ureg);
}

/* A 64-bit address, maybe with a uniform part or under a descriptor. */
static void fill_global_address(const struct sass_inst *i, struct operand *o,
                                enum sass_field ureg, enum sass_field is_desc,
                                enum sass_field is_wide)
{
    fill_plain_address(i, o);
    add_ureg(i, o, ureg);
    if (!(o->flags & OPD_HAS_UREG)) {
        if (sass_has(i, ADDRESS_E))
            o->flags |= OPD_WIDE;
        return;
    }
    o->flags |= OPD_SIZED;
    if (sass_has(i, is_desc)) {
        o->flags |= OPD_DESC | OPD_WIDE;
        if (i->arch < SM90 && !sass_has(i, ADDRESS_SHOWS_DESC))
            o->flags |= OPD_QUIET;
    } else {
        o->flags |= OPD_UWIDE;
        if (sass_has(i, is_wide))
            o->flags |= OPD_WIDE;
    }
}

static void fill_load(const struct sass_inst *i, struct operand *o)
{
    fill_global_address(i, o, WORD_UB, ADDRESS_LOAD_DESC, ADDRESS_LOAD_WIDE);
    if (i->base.op == OP_LD && !(o->flags & OPD_HAS_UREG))
        o->imm = sass_signed(i, ADDRESS_OFFSET32);
}

static void fill_store(const struct sass_inst *i, struct operand *o)
{
    fill_global_address(i, o, WORD_UC, ADDRESS_LOAD_DESC, ADDRESS_LOAD_WIDE);
}

/* 32 bytes per lane. */
static void fill_address_256(const struct sass_inst *i, struct operand *o,
                             enum sass_field ureg)
{
    fill_global_address(i, o, ureg, ADDRESS_LOAD_DESC, ADDRESS_LOAD_WIDE);
    o->imm = 32 * sass_signed(i, WORDS_OFFSET);
    o->flags |= OPD_WIDE;
}

static void fill_load_256(const struct sass_inst *i, struct operand *o)
{
    fill_address_256(i, o, WORD_UB);
}

static void fill_store_256(const struct sass_inst *i, struct operand *o)
{
    fill_address_256(i, o, WORD_UC);
}

static void fill_words(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_IMM;
    o->imm = sass_field(i, WORDS_WANTED) | sass_field(i, WORDS_LAST) << 7;
}

static void print_words(struct buf *out, const struct sass_inst *i,
                        const struct operand *o)
{
    (void)i;
    if (o->imm != 0xff)
        buf_printf(out, "0x%x", (unsigned)o->imm);
}

/* From sm_100 on the offset of atomics that return something is one bit shorter, the bit
 * says that there is a descriptor; for others another one does. */
static void fill_atomic_100(const struct sass_inst *i, struct operand *o)
{
    bool returns = i->base.op != OP_REDG && i->base.op != OP_REDG_F;

    fill_global_address(i, o, WORD_UC,
                        returns ? ADDRESS_ATOM_DESC_100 : ADDRESS_RED_DESC_100,
                        ADDRESS_LOAD_WIDE);
    if (o->flags & OPD_HAS_UREG && returns)
        o->imm = sass_signed(i, ADDRESS_ATOM_OFFSET_100);
}

static void fill_multicast_load(const struct sass_inst *i, struct operand *o)
{
    if (i->arch < SM100) {
        fill_global_address(i, o, WORD_UC, ADDRESS_ATOM_DESC, ADDRESS_ATOM_WIDE);
        return;
    }
    fill_plain_address(i, o);
    add_ureg(i, o, WORD_UC);
    o->flags |= OPD_SIZED | OPD_WIDE | OPD_UWIDE;
}

static void fill_atomic(const struct sass_inst *i, struct operand *o)
{
    if (i->arch >= SM100) {
        fill_atomic_100(i, o);
        return;
    }
    fill_global_address(i, o, WORD_UC, ADDRESS_ATOM_DESC, ADDRESS_ATOM_WIDE);
}

/* ST with a 32-bit offset where others have their data. */
static void fill_store32(const struct sass_inst *i, struct operand *o)
{
    fill_plain_address(i, o);
    o->imm = sass_signed(i, ADDRESS_OFFSET32);
    if (sass_has(i, ADDRESS_E))
        o->flags |= OPD_WIDE;
}

static void fill_shared_load(const struct sass_inst *i, struct operand *o)
{
    static const uint8_t scales[4] = { 0, 2, 3, 4 };

    fill_plain_address(i, o);
    add_ureg(i, o, WORD_UB);
    if (i->base.op == OP_LDS)
        o->scale = scales[sass_field(i, ADDRESS_SCALE)];
}

static void fill_shared_store(const struct sass_inst *i, struct operand *o)
{
    static const uint8_t scales[4] = { 0, 2, 3, 4 };

    fill_plain_address(i, o);
    add_ureg(i, o, WORD_UC);
    if (i->base.op != OP_STSM)
        o->scale = scales[sass_field(i, ADDRESS_SCALE)];
}

static void fill_local_load(const struct sass_inst *i, struct operand *o)
{
    fill_plain_address(i, o);
    add_ureg(i, o, WORD_UB);
}

static void fill_local_store(const struct sass_inst *i, struct operand *o)
{
    fill_plain_address(i, o);
    add_ureg(i, o, WORD_UC);
}

/* LDGSTS: the shared side has register and offset in other places. */
static void fill_copy_to(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_field(i, WORD_RD);
    o->imm = sass_signed(i, LDGSTS_TO_OFFSET);
    if (sass_field(i, WORD_FORM) == 6) {
        o->flags |= OPD_HAS_UREG;
        o->ureg = (uint8_t)sass_uniform_field(i, WORD_UC);
    }
}

static void fill_copy_from(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_field(i, WORD_RA);
    o->imm = sass_signed(i, LDGSTS_FROM_OFFSET);
    o->flags |= OPD_SIZED;
    if (sass_field(i, WORD_FORM) == 6) {
        o->flags |= OPD_WIDE;
        return;
    }
    o->ureg = (uint8_t)sass_uniform_field(i, WORD_UC);
    if (o->ureg != UREG_URZ || sass_has(i, LDGSTS_FROM_DESC))
        o->flags |= OPD_HAS_UREG;
    if (sass_has(i, LDGSTS_FROM_DESC)) {
        o->flags |= OPD_DESC | OPD_WIDE;
        if (i->arch < SM90 && !sass_has(i, ADDRESS_SHOWS_DESC))
            o->flags |= OPD_QUIET;
    } else if (sass_has(i, LDGSTS_FROM_WIDE)) {
        o->flags |= OPD_WIDE | OPD_UWIDE;
    }
}

/* Asynchronous barriers in shared memory. */
static void fill_sync_address(const struct sass_inst *i, struct operand *o)
{
    fill_plain_address(i, o);
    if (i->arch >= SM90 || sass_has(i, ADDRESS_HAS_UREG)) {
        o->flags |= OPD_HAS_UREG;
        o->ureg = (uint8_t)sass_uniform_field(i, WORD_UC);
    }
    if (i->base.op == OP_SYNCS_CCTL && !sass_has(i, ADDRESS_HAS_UREG))
        *o = (struct operand){ 0 };
}

static void fill_uniform_sync(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = REG_RZ;
    o->ureg = (uint8_t)sass_uniform_field(i, WORD_UA);
    o->flags |= OPD_HAS_UREG;
    o->imm = sass_signed(i, ADDRESS_OFFSET);
}

static void fill_cluster_address(const struct sass_inst *i, struct operand *o,
                                 enum sass_field is_wide)
{
    fill_plain_address(i, o);
    o->flags |= OPD_SIZED;
    o->ureg = (uint8_t)sass_uniform_field(i, WORD_UC);
    if (sass_has(i, is_wide))
        o->flags |= OPD_WIDE;
    if (o->ureg != UREG_URZ || !(o->flags & OPD_WIDE))
        o->flags |= OPD_HAS_UREG;
}

static void fill_stas(const struct sass_inst *i, struct operand *o)
{
    fill_cluster_address(i, o, STAS_WIDE);
}

static void fill_redas(const struct sass_inst *i, struct operand *o)
{
    fill_cluster_address(i, o, REDAS_WIDE);
}

static void fill_multicast(const struct sass_inst *i, struct operand *o)
{
    fill_plain_address(i, o);
    o->flags |= OPD_SIZED | OPD_HAS_UREG | OPD_WIDE | OPD_UWIDE;
    o->ureg = (uint8_t)sass_uniform_field(i, WORD_UC);
}

static void fill_cache_line(const struct sass_inst *i, struct operand *o)
{
    unsigned op = sass_field(i, CCTL_OP);

    if (op == 4 || op == 6 || op == 7 || op == 8) /* all of the cache */
        return;
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_field(i, WORD_RA);
    o->imm = sass_signed(i, ADDRESS_OFFSET32);
    if (sass_has(i, ADDRESS_E))
        o->flags |= OPD_WIDE;
}

static void fill_query(const struct sass_inst *i, struct operand *o)
{
    fill_plain_address(i, o);
    add_ureg(i, o, WORD_UB);
    if (sass_has(i, ADDRESS_E))
        o->flags |= OPD_WIDE;
    if (i->arch >= SM100 && sass_has(i, ADDRESS_HAS_UREG))
        o->flags |= OPD_SIZED | OPD_UWIDE;
}

/* c[bank][register + offset] */
static void fill_constant(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_CONST;
    o->bank = (uint8_t)sass_field(i, CONSTANT_BANK);
    o->imm = sass_signed(i, CONSTANT_OFFSET);
    o->reg = (uint8_t)sass_field(i, WORD_RA);
    o->flags |= OPD_INDEXED;
    if (sass_has(i, CONSTANT_IS_BOUND)) {
        o->kind = OPD_CDESC;
        o->ureg = (uint8_t)sass_uniform_field(i, WORD_UB);
    }
}

static void fill_uniform_constant(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_CONST;
    o->bank = (uint8_t)sass_field(i, CONSTANT_BANK);
    o->imm = sass_signed(i, CONSTANT_OFFSET);
    o->reg = UREG_URZ;
    if (sass_has(i, CONSTANT_IS_BOUND)) {
        o->kind = OPD_CDESC;
        o->reg = (uint8_t)sass_uniform_field(i, WORD_UB);
    }
}

static void fill_uniform_indexed(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_CONST;
    o->bank = (uint8_t)sass_field(i, CONSTANT_BANK);
    o->imm = sass_signed(i, CONSTANT_OFFSET);
    o->reg = (uint8_t)sass_uniform_field(i, WORD_UA);
    o->flags |= OPD_UINDEXED;
}

/* LDCU has one more bit for its offset. */
static void fill_uniform_load(const struct sass_inst *i, struct operand *o)
{
    fill_uniform_indexed(i, o);
    o->imm = sass_signed(i, LDCU_OFFSET);
}

/* Textures and surfaces: a handle in a constant bank or a uniform register. */
static void print_handle(struct buf *out, const struct sass_inst *i,
                         const struct operand *o)
{
    (void)o;
    if (texops_has_uniform_handle(i))
        buf_printf(out, i->arch >= SM100 && i->base.op != OP_TXQ ? "UR%u" : "UR%u, 0x0",
                   sass_uniform_field(i, HANDLE_UREG));
    else if (sass_has(i, HANDLE_B) && i->base.op != OP_SULD && i->base.op != OP_SUST &&
             i->base.op != OP_SUST_P && i->base.op != OP_SURED)
        return;
    else
        buf_printf(out, "0x%x, 0x%x", sass_field(i, HANDLE_BANK),
                   sass_field(i, HANDLE_WORD));
}

static void print_dimension(struct buf *out, const struct sass_inst *i,
                            const struct operand *o)
{
    (void)o;
    special_table(out, "texdim", sass_field(i, TEXTURE_SHAPE));
}

static void print_query(struct buf *out, const struct sass_inst *i,
                        const struct operand *o)
{
    (void)o;
    special_table(out, "txq", sass_field(i, TXQK_WHAT));
}

static void fill_surface(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_ADDR;
    o->reg = (uint8_t)sass_field(i, WORD_RA);
}

/* Bulk copies name their addresses by uniform registers: 64 bits, or a 32-bit shared
 * address and, for what is written, that of a barrier. */
static void uniform_pair(struct operand *o, unsigned reg)
{
    operand_register(o, OPD_UREG, reg, 2);
}

static void fill_pair_a(const struct sass_inst *i, struct operand *o)
{
    uniform_pair(o, sass_uniform_field(i, WORD_UA));
}

static void fill_pair_b(const struct sass_inst *i, struct operand *o)
{
    uniform_pair(o, sass_uniform_field(i, WORD_UB));
}

static void print_pair_a(struct buf *out, const struct sass_inst *i,
                         const struct operand *o)
{
    (void)o;
    buf_printf(out, "[UR%u]", sass_uniform_field(i, WORD_UA));
}

static void print_pair_b(struct buf *out, const struct sass_inst *i,
                         const struct operand *o)
{
    (void)o;
    buf_printf(out, "[UR%u]", sass_uniform_field(i, WORD_UB));
}

/* A tensor copy: an address in shared memory and that of a barrier, as far as there are
 * any, then the coordinates. */
static void fill_tensor_end(const struct sass_inst *i, struct operand *o)
{
    unsigned rank = sass_field(i, UTMALDG_SHAPE) + 1;
    unsigned n = i->base.op == OP_UTMALDG ? 2 : i->base.op == OP_UTMAPF ? 0 : 1;

    operand_register(o, OPD_UREG, sass_uniform_field(i, WORD_UB), n + rank);
}

_Static_assert(UTMALDG_SHAPE == UTMASTG_SHAPE && UTMALDG_SHAPE == UTMAREDG_SHAPE &&
                   UTMALDG_SHAPE == UTMAPF_SHAPE,
               "fill_tensor_end() is for all of them");

/* Offsets in an image, and receiving blocks. */
static void fill_tma_ureg(const struct sass_inst *i, struct operand *o)
{
    if (sass_field(i, WORD_FORM) == 1)
        operand_register(o, OPD_UREG, sass_uniform_field(i, WORD_UC), 1);
}

static void fill_tma_desc(const struct sass_inst *i, struct operand *o)
{
    if (sass_has(i, TMAD_HAS_POLICY))
        operand_register(o, OPD_UREG, sass_uniform_field(i, TMAD_POLICY_UREG), 2);
}

static void print_tma_ureg(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    (void)o;
    if (sass_field(i, WORD_FORM) == 1)
        buf_printf(out, "UR%u", sass_uniform_field(i, WORD_UC));
}

static void print_tma_desc(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    (void)o;
    if (sass_has(i, TMAD_HAS_POLICY))
        buf_printf(out, "desc[UR%u]", sass_uniform_field(i, TMAD_POLICY_UREG));
}

const struct special special_memory[] = {
    { "g", fill_load, NULL },
    { "gs", fill_store, NULL },
    { "g256", fill_load_256, NULL },
    { "gs256", fill_store_256, NULL },
    { "words", fill_words, print_words },
    { "ga", fill_atomic, NULL },
    { "gmc", fill_multicast_load, NULL },
    { "ldcu", fill_uniform_load, NULL },
    { "st32", fill_store32, NULL },
    { "s", fill_shared_load, NULL },
    { "ss", fill_shared_store, NULL },
    { "l", fill_local_load, NULL },
    { "ls", fill_local_store, NULL },
    { "lds1", fill_copy_to, NULL },
    { "lds2", fill_copy_from, NULL },
    { "sync", fill_sync_address, NULL },
    { "usync", fill_uniform_sync, NULL },
    { "stas", fill_stas, NULL },
    { "redas", fill_redas, NULL },
    { "mc", fill_multicast, NULL },
    { "cctl", fill_cache_line, NULL },
    { "qspc", fill_query, NULL },
    { "ldc", fill_constant, NULL },
    { "uldc", fill_uniform_constant, NULL },
    { "uldci", fill_uniform_indexed, NULL },
    { "texh", NULL, print_handle },
    { "texdim", NULL, print_dimension },
    { "txqk", NULL, print_query },
    { "su", fill_surface, NULL },
    { "u24", fill_pair_a, print_pair_a },
    { "u32", fill_pair_b, print_pair_b },
    { "tmat", fill_tensor_end, print_pair_b },
    { "tmau", fill_tma_ureg, print_tma_ureg },
    { "tmad", fill_tma_desc, print_tma_desc },
    { NULL, NULL, NULL },
};
