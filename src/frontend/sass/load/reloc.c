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
#include "frontend/sass/load/reloc.h"

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

#define ROW(type, text, ...) \
    [type] = { .name = "R_CUDA_" #text, .piece = { __VA_ARGS__ } }
#define NAMED(type, text)  [type] = { .name = "R_CUDA_" #text }
#define MARKER(type, text) [type] = { .name = "R_CUDA_" #text, .marker = true }

/* clang-format off */
static const struct reloc_row rows[] = {
    /* type, name, { first bit of the value, first bit of the place, bits } */
    MARKER(0, NONE),
    ROW(1, 32, { 0, 0, 32 }),
    ROW(2, 64, { 0, 0, 64 }),
    ROW(3, G32, { 0, 0, 32 }),
    ROW(4, G64, { 0, 0, 64 }),
    NAMED(5, ABS32_26),
    NAMED(6, TEX_HEADER_INDEX),
    NAMED(7, SAMP_HEADER_INDEX),
    NAMED(8, SURF_HW_DESC),
    NAMED(9, SURF_HW_SW_DESC),
    NAMED(19, TEX_SLOT),
    NAMED(20, SAMP_SLOT),
    NAMED(21, SURF_SLOT),
    ROW(34, FUNC_DESC_32, { 0, 0, 32 }),
    ROW(35, FUNC_DESC_64, { 0, 0, 64 }),
    NAMED(51, BINDLESSOFF13_36),
    NAMED(52, SURF_HEADER_INDEX),
    NAMED(53, INSTRUCTION64),
    NAMED(54, CONST_FIELD21_20),
    ROW(55, ABS32_32, { 0, 32, 32 }),
    ROW(56, ABS32_LO_32, { 0, 32, 32 }),
    ROW(57, ABS32_HI_32, { 32, 32, 32 }),
    ROW(58, ABS47_34, { 2, 34, 47 }),
    ROW(59, ABS16_32, { 0, 32, 16 }),
    ROW(60, ABS24_32, { 0, 32, 24 }),
    ROW(61, FUNC_DESC32_32, { 0, 32, 32 }),
    ROW(62, FUNC_DESC32_LO_32, { 0, 32, 32 }),
    ROW(63, FUNC_DESC32_HI_32, { 32, 32, 32 }),
    NAMED(64, CONST_FIELD19_40),
    NAMED(65, BINDLESSOFF14_40),
    NAMED(66, CONST_FIELD21_38),
    NAMED(67, INSTRUCTION128),
    /* May turn a YIELD into a NOP; both are right, as YIELD is a hint. */
    MARKER(68, YIELD_OPCODE9_0),
    MARKER(69, YIELD_CLEAR_PRED4_87),
    ROW(70, 32_LO, { 0, 0, 32 }),
    ROW(71, 32_HI, { 32, 0, 32 }),
    /* Clears what a linker found unused; in a linked file all is used. */
    MARKER(72, UNUSED_CLEAR32),
    MARKER(73, UNUSED_CLEAR64),
    ROW(74, ABS24_40, { 0, 40, 24 }),
    ROW(75, ABS55_16_34, { 2, 16, 8 }, { 10, 34, 47 }),
    ROW(76, 8_0, { 0, 0, 8 }),
    ROW(77, 8_8, { 8, 0, 8 }),
    ROW(78, 8_16, { 16, 0, 8 }),
    ROW(79, 8_24, { 24, 0, 8 }),
    ROW(80, 8_32, { 32, 0, 8 }),
    ROW(81, 8_40, { 40, 0, 8 }),
    ROW(82, 8_48, { 48, 0, 8 }),
    ROW(83, 8_56, { 56, 0, 8 }),
    ROW(84, G8_0, { 0, 0, 8 }),
    ROW(85, G8_8, { 8, 0, 8 }),
    ROW(86, G8_16, { 16, 0, 8 }),
    ROW(87, G8_24, { 24, 0, 8 }),
    ROW(88, G8_32, { 32, 0, 8 }),
    ROW(89, G8_40, { 40, 0, 8 }),
    ROW(90, G8_48, { 48, 0, 8 }),
    ROW(91, G8_56, { 56, 0, 8 }),
    ROW(92, FUNC_DESC_8_0, { 0, 0, 8 }),
    ROW(93, FUNC_DESC_8_8, { 8, 0, 8 }),
    ROW(94, FUNC_DESC_8_16, { 16, 0, 8 }),
    ROW(95, FUNC_DESC_8_24, { 24, 0, 8 }),
    ROW(96, FUNC_DESC_8_32, { 32, 0, 8 }),
    ROW(97, FUNC_DESC_8_40, { 40, 0, 8 }),
    ROW(98, FUNC_DESC_8_48, { 48, 0, 8 }),
    ROW(99, FUNC_DESC_8_56, { 56, 0, 8 }),
    ROW(100, ABS20_44, { 0, 44, 20 }),
    NAMED(101, SAMP_HEADER_INDEX_0),
    NAMED(102, UNIFIED),
    NAMED(103, UNIFIED_32),
    NAMED(112, UNIFIED32_LO_32),
    NAMED(113, UNIFIED32_HI_32),
    ROW(114, ABS56_16_34, { 2, 16, 8 }, { 10, 34, 48 }),
    NAMED(115, CONST_FIELD22_37),
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
static void put_piece(uint8_t *place, struct piece p, uint64_t value)
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
    put_piece(place, row->piece[0], value);
    put_piece(place, row->piece[1], value);
    return 0;
}
