/* special_tensor.c - operands of fifth-generation tensor instructions (sm_100 to sm_110):
 * descriptors in uniform registers, and addresses of tensor memory; of products of small
 * floats (sm_120): metadata, and selectors of scale factors.
 */
#include "frontend/sass/decode/special.h"

static void fill_uniform(const struct sass_inst *i, struct operand *o,
                         enum sass_field at, unsigned n)
{
    operand_register(o, OPD_UREG, sass_uniform_field(i, at), n);
}

static void print_bracket(struct buf *out, const char *what, unsigned ureg)
{
    if (ureg == UREG_URZ)
        buf_printf(out, "%s[URZ]", what);
    else
        buf_printf(out, "%s[UR%u]", what, ureg);
}

static void print_tensor_memory(struct buf *out, const struct sass_inst *i,
                                const struct operand *o)
{
    (void)i;
    print_bracket(out, "tmem", o->reg);
}

static void print_descriptor(struct buf *out, const struct sass_inst *i,
                             const struct operand *o)
{
    (void)i;
    print_bracket(out, "gdesc", o->reg);
}

/* Whether A is in tensor memory; otherwise a descriptor names it in shared memory. */
static bool has_tensor_a(const struct sass_inst *i)
{
    unsigned form = sass_field(i, WORD_FORM);

    return form == 4 || form == 7;
}

static bool is_scaled(const struct sass_inst *i)
{
    return sass_has(i, UTCMMA_IS_OMMA) || sass_field(i, WORD_FORM) >= 6;
}

static void fill_product_a(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, WORD_UA, has_tensor_a(i) ? 1 : 2);
}

static void print_product_a(struct buf *out, const struct sass_inst *i,
                            const struct operand *o)
{
    print_bracket(out, has_tensor_a(i) ? "tmem" : "gdesc", o->reg);
    if (sass_has(i, UTCMMA_A_REUSE))
        buf_puts(out, ".A_REUSE");
    if (sass_has(i, UTCMMA_A_KEEP))
        buf_puts(out, ".A_KEEP");
}

static void fill_descriptor_b(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, WORD_UB, 2);
}

static void print_product_b(struct buf *out, const struct sass_inst *i,
                            const struct operand *o)
{
    print_bracket(out, "gdesc", o->reg);
    if (sass_has(i, UTCMMA_B_REUSE))
        buf_puts(out, ".B_REUSE");
    if (sass_has(i, UTCMMA_B_KEEP))
        buf_puts(out, ".B_KEEP");
    if (sass_field(i, UTCMMA_BUFFER))
        buf_printf(out, ".BUFFER%u", sass_field(i, UTCMMA_BUFFER));
}

static void fill_product_d(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, WORD_UC, 1);
}

/* Where sparse metadata is, and the descriptor of the instruction: a pair. */
static void fill_instruction(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, UTCMMA_PAIR, 2);
}

static void print_instruction(struct buf *out, const struct sass_inst *i,
                              const struct operand *o)
{
    (void)i;
    print_bracket(out, "tmem", o->reg);
    print_bracket(out, ", idesc", o->reg + 1u);
}

/* Scale factors in tensor memory, or masks of lanes or columns; URZ: neither. */
static void fill_scale(const struct sass_inst *i, struct operand *o)
{
    if (sass_uniform_field(i, UTCMMA_SCALE) != UREG_URZ)
        fill_uniform(i, o, UTCMMA_SCALE, 1);
}

static void print_scale(struct buf *out, const struct sass_inst *i,
                        const struct operand *o)
{
    if (o->kind == OPD_NONE)
        return;
    if (is_scaled(i))
        print_bracket(out, "tmem", o->reg);
    else
        buf_printf(out, "UR%u", o->reg);
}

static void fill_tensor_memory(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, WORD_UA, 1);
}

static void fill_tensor_load(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, WORD_UB, 1);
    o->imm = sass_signed(i, ADDRESS_OFFSET);
}

static void fill_tensor_store(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, WORD_UC, 1);
    o->imm = sass_signed(i, ADDRESS_OFFSET);
}

static void print_tensor_address(struct buf *out, const struct sass_inst *i,
                                 const struct operand *o)
{
    print_tensor_memory(out, i, o);
    if (o->imm) {
        out->len--; /* the bracket */
        buf_printf(out, "+0x%llx]", (unsigned long long)o->imm);
    }
}

static void fill_pair(const struct sass_inst *i, struct operand *o)
{
    fill_uniform(i, o, WORD_UA, 2);
}

/* Where the next block's number goes, and the barrier that is told. */
static void print_pair(struct buf *out, const struct sass_inst *i,
                       const struct operand *o)
{
    (void)i;
    print_bracket(out, "", o->reg);
    print_bracket(out, ", ", o->reg + 1u);
}

static void fill_metadata(const struct sass_inst *i, struct operand *o)
{
    if (sass_has(i, QMMA_SP))
        operand_register(o, OPD_REG, sass_field(i, SPARSE_META), 1);
}

static void print_metadata(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    if (o->kind == OPD_REG)
        buf_printf(out, "R%u, 0x%x", o->reg, sass_field(i, SPARSE_SELECTOR));
}

/* A uniform register in two fields. */
static void fill_selectors(const struct sass_inst *i, struct operand *o)
{
    unsigned ureg = sass_field(i, SFU_HIGH) << 3 | sass_field(i, SFU_LOW);

    operand_register(o, OPD_UREG, ureg == 0xff ? (unsigned)UREG_URZ : ureg, 1);
}

const struct special special_tensor[] = {
    { "sparse8", fill_metadata, print_metadata },
    { "sfu", fill_selectors, NULL },
    { "tca", fill_product_a, print_product_a },
    { "tcb", fill_descriptor_b, print_product_b },
    { "tcd", fill_product_d, print_tensor_memory },
    { "tci", fill_instruction, print_instruction },
    { "tcs", fill_scale, print_scale },
    { "tmem24", fill_tensor_memory, print_tensor_memory },
    { "gdesc32", fill_descriptor_b, print_descriptor },
    { "tmload", fill_tensor_load, print_tensor_address },
    { "tmstore", fill_tensor_store, print_tensor_address },
    { "work", fill_pair, print_pair },
    { NULL, NULL, NULL },
};
