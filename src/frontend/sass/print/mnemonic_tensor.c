/* mnemonic_tensor.c - mnemonics of fifth-generation tensor instructions (sm_100 to
 * sm_110), of products of small floats (sm_120), and of their loads.
 */
#include "frontend/sass/print/mnemonic_other.h"

static void print_utcmma(struct buf *out, const struct sass_inst *i)
{
    static const char *const kinds[4] = { "HMMA", "IMMA", "???2MMA", "QMMA" };
    bool is_omma = sass_has(i, UTCMMA_IS_OMMA);

    buf_puts(out, is_omma ? "OMMA" : kinds[sass_field(i, UTCMMA_KIND)]);
    if (sass_has(i, UTCMMA_2CTA))
        mnemonic_dot(out, "2CTA");
    if (is_omma && sass_has(i, UTCMMA_4X)) /* which sm_103 calls BLOCK16 */
        mnemonic_dot(out, "4X");
    if (sass_has(i, UTCMMA_WS))
        mnemonic_dot(out, "WS");
    if (sass_has(i, UTCMMA_ASHIFT))
        mnemonic_dot(out, "ASHIFT");
}

static void print_utccp(struct buf *out, const struct sass_inst *i)
{
    mnemonic_entry(out, "utccp",
                   sass_field(i, UTCCP_SHAPE_HIGH) << 2 | sass_field(i, UTCCP_SHAPE));
    mnemonic_field(out, i, "utcfmt", UTCCP_FORMAT);
}

static void print_ldtm(struct buf *out, const struct sass_inst *i)
{
    mnemonic_entry(out, "ldtm",
                   sass_field(i, LDTM_SHAPE_HIGH) << 2 | sass_field(i, LDTM_SHAPE));
    mnemonic_field(out, i, "ldtmn", LDTM_COUNT);
    if (sass_has(i, LDTM_PACK16BIT))
        mnemonic_dot(out, i->base.op == OP_STTM ? "EXPAND16BIT" : "PACK16BIT");
}

static void print_qmma(struct buf *out, const struct sass_inst *i)
{
    bool is_scaled = i->base.op == OP_QMMA_SF;

    if (!is_scaled && sass_has(i, QMMA_SP))
        mnemonic_dot(out, "SP.16864");
    else
        mnemonic_dot(out, is_scaled || sass_has(i, QMMA_K32) ? "16832" : "16816");
    mnemonic_dot(out, is_scaled || sass_has(i, QMMA_F32) ? "F32" : "F16");
    mnemonic_entry(out, "qtype",
                   sass_field(i, QMMA_A_HIGH) << 1 | sass_field(i, QMMA_A_LOW));
    mnemonic_entry(out, "qtype",
                   sass_field(i, QMMA_B_HIGH) << 1 | sass_field(i, QMMA_B_LOW));
    if (is_scaled)
        mnemonic_dot(out, "E8");
}

static void print_ldsm(struct buf *out, const struct sass_inst *i)
{
    static const char *const shapes[] = { "M88", "MT88", "M816", "M832" };
    static const char *const formats[] = { "???0", "???1",        "???2",        "???3",
                                           "???4", "U4x16P64TO8", "U6x16P32TO8", "8" };
    unsigned format = i->arch >= SM100 ? sass_field(i, LDSM_FORMAT) : 0;
    bool is_mt1616 = i->arch >= SM100 && sass_has(i, LDSM_MT1616);

    if (!format && !is_mt1616) {
        mnemonic_field(out, i, "ldsmt", LDSM_SHAPE);
        return;
    }
    mnemonic_dot(out, formats[format]);
    mnemonic_dot(out, is_mt1616 ? "MT1616" : shapes[sass_field(i, LDSM_SHAPE)]);
}

const struct mnemonic_special mnemonic_tensor[] = {
    { "qmma", print_qmma },   { "ldsm", print_ldsm }, { "utcmma", print_utcmma },
    { "utccp", print_utccp }, { "ldtm", print_ldtm }, { NULL, NULL },
};
