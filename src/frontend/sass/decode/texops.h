/* texops.h - which registers of a texture or surface instruction hold what.
 *
 * The compiler packs an instruction's arguments in one order: coordinates (the layer of
 * an array first), the handle where a register has it, level of detail, offset, value
 * to compare with. Two packings exist. Plain: coordinates from register a on, everything
 * else from b on. Short (.SCR, up to four arguments): the list as it is, its first half,
 * rounded up, from a on, the rest from b on. Gradients (TXD) have handle, coordinates and a
 * word with layer and offset in a, the derivatives in b.
 */
#ifndef LENO_SASS_TEXOPS_H
#define LENO_SASS_TEXOPS_H

#include "frontend/sass/decode/decode.h"

enum texops_dim {
    TEXOPS_1D,
    TEXOPS_2D,
    TEXOPS_3D,
    TEXOPS_CUBE,
    TEXOPS_ARRAY_1D,
    TEXOPS_ARRAY_2D,
    TEXOPS_ARRAY_3D,
    TEXOPS_ARRAY_CUBE
};

/* Register numbers; REG_RZ for what is not there. */
struct texops {
    uint8_t coord[4], n_coords; /* without the layer */
    uint8_t layer;
    uint8_t handle; /* REG_RZ: not in a register */
    uint8_t lod, offset, ref;
    uint8_t slope[8];     /* derivatives: of x to the right and down, of y ... */
    uint8_t result[4];    /* of each channel */
    uint8_t data, n_data; /* surfaces: stored or loaded, that many registers */
    bool is_packed;       /* layer in the low, offset in the high half of a word */
    struct regset reads;
};

void texops_layout(const struct sass_inst *i, struct texops *t);

/* Whether the handle is in a pair of uniform registers. */
static inline bool texops_has_uniform_handle(const struct sass_inst *i)
{
    return sass_field(i, WORD_FORM) == 7;
}

/* Fields that are elsewhere from sm_100 on: the level mode (the table lod) of TEX and TLD,
 * whether there is an offset, and TLD's .CL and .MS. */
unsigned texops_lod(const struct sass_inst *i);
bool texops_has_offset(const struct sass_inst *i);
bool texops_is_clamped(const struct sass_inst *i);
bool texops_is_multisampled(const struct sass_inst *i);

/* Adds to the sets of registers read and written what no operand slot shows. */
void texops_add_registers(struct sass_inst *i);

#endif
