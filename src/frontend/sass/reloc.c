/* reloc.c - CUDA relocations.
 *
 * The names say it: ABS32_HI_32 puts the high 32 bits of an address at bit 32 of an
 * instruction, ABS47_34 a word address of 47 bits at bit 34, ABS55_16_34 splits one
 * between bits 16 and 34. Each row below lists up to two pieces. FUNC_DESC is the
 * address of the function itself: since sm_70 there are no descriptors in memory.
 * A REL entry has its addend in the place, which only whole values can hold; the
 * compiler uses RELA where an address in an instruction needs one.
 * Not done: what the linker resolves before a cubin is final (texture slots, fields
 * for constants, unified tables). They are named in the message.
 */
#include "frontend/sass/reloc.h"

#include <string.h>

struct piece {
    uint8_t from; /* first bit of the value */
    uint8_t at;   /* first bit of the place */
    uint8_t bits; /* 0 = no piece */
};

struct reloc_row {
    const char *name;
    struct piece piece[2];
    bool marker;
};

#define WHOLE(bits)    \
    {                  \
        {              \
            0, 0, bits \
        }              \
    }
#define BYTE(n)     \
    {               \
        {           \
            n, 0, 8 \
        }           \
    }
#define FIELD(from, at, bits) \
    {                         \
        {                     \
            from, at, bits    \
        }                     \
    }

/* clang-format off */
static const struct reloc_row rows[] = {
    [0] = { "R_CUDA_NONE", .marker = true },
    [1] = { "R_CUDA_32", WHOLE(32) },
    [2] = { "R_CUDA_64", WHOLE(64) },
    [3] = { "R_CUDA_G32", WHOLE(32) },
    [4] = { "R_CUDA_G64", WHOLE(64) },
    [5] = { "R_CUDA_ABS32_26" },
    [6] = { "R_CUDA_TEX_HEADER_INDEX" },
    [7] = { "R_CUDA_SAMP_HEADER_INDEX" },
    [8] = { "R_CUDA_SURF_HW_DESC" },
    [9] = { "R_CUDA_SURF_HW_SW_DESC" },
    [19] = { "R_CUDA_TEX_SLOT" },
    [20] = { "R_CUDA_SAMP_SLOT" },
    [21] = { "R_CUDA_SURF_SLOT" },
    [34] = { "R_CUDA_FUNC_DESC_32", WHOLE(32) },
    [35] = { "R_CUDA_FUNC_DESC_64", WHOLE(64) },
    [51] = { "R_CUDA_BINDLESSOFF13_36" },
    [52] = { "R_CUDA_SURF_HEADER_INDEX" },
    [53] = { "R_CUDA_INSTRUCTION64" },
    [54] = { "R_CUDA_CONST_FIELD21_20" },
    [55] = { "R_CUDA_ABS32_32", FIELD(0, 32, 32) },
    [56] = { "R_CUDA_ABS32_LO_32", FIELD(0, 32, 32) },
    [57] = { "R_CUDA_ABS32_HI_32", FIELD(32, 32, 32) },
    [58] = { "R_CUDA_ABS47_34", FIELD(2, 34, 47) },
    [59] = { "R_CUDA_ABS16_32", FIELD(0, 32, 16) },
    [60] = { "R_CUDA_ABS24_32", FIELD(0, 32, 24) },
    [61] = { "R_CUDA_FUNC_DESC32_32", FIELD(0, 32, 32) },
    [62] = { "R_CUDA_FUNC_DESC32_LO_32", FIELD(0, 32, 32) },
    [63] = { "R_CUDA_FUNC_DESC32_HI_32", FIELD(32, 32, 32) },
    [64] = { "R_CUDA_CONST_FIELD19_40" },
    [65] = { "R_CUDA_BINDLESSOFF14_40" },
    [66] = { "R_CUDA_CONST_FIELD21_38" },
    [67] = { "R_CUDA_INSTRUCTION128" },
    /* May turn a YIELD into a NOP; both are right, as YIELD is a hint. */
    [68] = { "R_CUDA_YIELD_OPCODE9_0", .marker = true },
    [69] = { "R_CUDA_YIELD_CLEAR_PRED4_87", .marker = true },
    [70] = { "R_CUDA_32_LO", FIELD(0, 0, 32) },
    [71] = { "R_CUDA_32_HI", FIELD(32, 0, 32) },
    /* Clears what a linker found unused; in a linked file all is used. */
    [72] = { "R_CUDA_UNUSED_CLEAR32", .marker = true },
    [73] = { "R_CUDA_UNUSED_CLEAR64", .marker = true },
    [74] = { "R_CUDA_ABS24_40", FIELD(0, 40, 24) },
    [75] = { "R_CUDA_ABS55_16_34", { { 2, 16, 8 }, { 10, 34, 47 } } },
    [76] = { "R_CUDA_8_0", BYTE(0) },
    [77] = { "R_CUDA_8_8", BYTE(8) },
    [78] = { "R_CUDA_8_16", BYTE(16) },
    [79] = { "R_CUDA_8_24", BYTE(24) },
    [80] = { "R_CUDA_8_32", BYTE(32) },
    [81] = { "R_CUDA_8_40", BYTE(40) },
    [82] = { "R_CUDA_8_48", BYTE(48) },
    [83] = { "R_CUDA_8_56", BYTE(56) },
    [84] = { "R_CUDA_G8_0", BYTE(0) },
    [85] = { "R_CUDA_G8_8", BYTE(8) },
    [86] = { "R_CUDA_G8_16", BYTE(16) },
    [87] = { "R_CUDA_G8_24", BYTE(24) },
    [88] = { "R_CUDA_G8_32", BYTE(32) },
    [89] = { "R_CUDA_G8_40", BYTE(40) },
    [90] = { "R_CUDA_G8_48", BYTE(48) },
    [91] = { "R_CUDA_G8_56", BYTE(56) },
    [92] = { "R_CUDA_FUNC_DESC_8_0", BYTE(0) },
    [93] = { "R_CUDA_FUNC_DESC_8_8", BYTE(8) },
    [94] = { "R_CUDA_FUNC_DESC_8_16", BYTE(16) },
    [95] = { "R_CUDA_FUNC_DESC_8_24", BYTE(24) },
    [96] = { "R_CUDA_FUNC_DESC_8_32", BYTE(32) },
    [97] = { "R_CUDA_FUNC_DESC_8_40", BYTE(40) },
    [98] = { "R_CUDA_FUNC_DESC_8_48", BYTE(48) },
    [99] = { "R_CUDA_FUNC_DESC_8_56", BYTE(56) },
    [100] = { "R_CUDA_ABS20_44", FIELD(0, 44, 20) },
    [101] = { "R_CUDA_SAMP_HEADER_INDEX_0" },
    [102] = { "R_CUDA_UNIFIED" },
    [103] = { "R_CUDA_UNIFIED_32" },
    [112] = { "R_CUDA_UNIFIED32_LO_32" },
    [113] = { "R_CUDA_UNIFIED32_HI_32" },
    [114] = { "R_CUDA_ABS56_16_34", { { 2, 16, 8 }, { 10, 34, 48 } } },
    [115] = { "R_CUDA_CONST_FIELD22_37" },
};
/* clang-format on */

static const struct reloc_row *row_of(uint32_t type)
{
    if (type >= sizeof rows / sizeof *rows || !rows[type].name)
        return NULL;
    return &rows[type];
}

const char *reloc_name(uint32_t type)
{
    const struct reloc_row *row = row_of(type);

    return row ? row->name : NULL;
}

bool reloc_is_marker(uint32_t type)
{
    const struct reloc_row *row = row_of(type);

    return row && row->marker;
}

/* Sets bits [at, at + bits) of the place, byte by byte. */
static void put(uint8_t *place, struct piece p, uint64_t value)
{
    for (unsigned i = 0; i < p.bits; i++) {
        unsigned at = p.at + i, from = p.from + i;
        uint8_t mask = (uint8_t)(1u << (at & 7));
        bool bit = from < 64 && value >> from & 1;

        place[at >> 3] = (uint8_t)((place[at >> 3] & ~mask) | (bit ? mask : 0));
    }
}

/* The addend of a REL entry: what stands in the place, for whole values. */
static uint64_t place_addend(const uint8_t *place, struct piece p)
{
    if (p.from || p.at)
        return 0;
    if (p.bits == 64)
        return cubin_u64(place);
    return p.bits == 32 ? cubin_u32(place) : 0;
}

int reloc_patch(const struct cubin_reloc *r, uint8_t *place, uint64_t avail,
                uint64_t symbol, struct err *err)
{
    const struct reloc_row *row = row_of(r->type);
    uint64_t value;
    unsigned need = 0;

    if (!row)
        return err_kind(err, ERR_UNSUPPORTED, "relocation type %u is not known",
                        r->type);
    if (row->marker)
        return 0;
    if (row->piece[0].bits == 0)
        return err_kind(err, ERR_UNSUPPORTED,
                        "relocation type %u (%s) is not supported", r->type, row->name);
    for (unsigned i = 0; i < 2; i++) {
        unsigned last = row->piece[i].at + row->piece[i].bits;

        need = (last + 7) / 8 > need ? (last + 7) / 8 : need;
    }
    if (avail < need)
        return err_set(err, "%s needs %u bytes, %llu are left in the section",
                       row->name, need, (unsigned long long)avail);
    value = symbol +
            (r->has_addend ? (uint64_t)r->addend : place_addend(place, row->piece[0]));
    put(place, row->piece[0], value);
    put(place, row->piece[1], value);
    return 0;
}
