/* mnemonic_tensor.c - mnemonics of fifth-generation tensor instructions (sm_100 to
 * sm_110).
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

const struct mnemonic_special mnemonic_tensor[] = {
    { "utcmma", print_utcmma },
    { "utccp", print_utccp },
    { "ldtm", print_ldtm },
    { NULL, NULL },
};
