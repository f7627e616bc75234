/* texops.h - which registers of a texture or surface instruction hold what.
 *
 * The compiler packs an instruction's arguments in one order: coordinates (the layer of
 * an array first), the handle where a register has it, level of detail, offset, value
 * to compare with. Two packings exist. Plain: coordinates from the register at bit 24
 * on, everything else from the one at bit 32 on. Short (.SCR, up to four arguments):
 * the list as it is, its first half, rounded up, from bit 24 on, the rest from bit 32
 * on. Gradients (TXD) have handle, coordinates and a word with layer and offset at 24,
 * the derivatives at 32.
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
    uint8_t result[4];    /* of each channel */
    uint8_t data, n_data; /* surfaces: stored or loaded, that many registers */
    bool is_packed;       /* layer in the low, offset in the high half of a word */
    struct regset reads;
};

void texops_layout(const struct sass_inst *i, struct texops *t);

/* Adds to the sets of registers read and written what no operand slot shows. */
void texops_add_registers(struct sass_inst *i);

#endif
