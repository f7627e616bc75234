/* reloc.h - CUDA relocations: which bits of a value go to which bits of a place. */
#ifndef LENO_SASS_RELOC_H
#define LENO_SASS_RELOC_H

#include "base/err.h"
#include "frontend/sass/load/cubin.h"

enum reloc_type {
    RELOC_NONE = 0,
    RELOC_64 = 2,
    RELOC_G64 = 4, /* a generic address */
    RELOC_ABS32_32 = 55,
    RELOC_ABS32_LO_32 = 56,
    RELOC_ABS32_HI_32 = 57,
    RELOC_ABS47_34 = 58,
    RELOC_ABS16_32 = 59,
    RELOC_FUNC_DESC32_LO_32 = 62,
    RELOC_FUNC_DESC32_HI_32 = 63,
    RELOC_CONST_FIELD19_40 = 64,
    RELOC_CONST_FIELD21_38 = 66,
    RELOC_ABS24_40 = 74,
    RELOC_ABS55_16_34 = 75,
    RELOC_ABS56_16_34 = 114,
};

/* "R_CUDA_64"; NULL for a number that has no name. */
const char *reloc_name(uint32_t type);

/* True for a relocation that changes nothing here: markers for the linker. */
bool reloc_is_marker(uint32_t type);

/* Patches the bytes at place, avail of them up to the end of the section, with
 * symbol + addend. Fails with a message that names type and what is wrong. */
int reloc_patch(const struct cubin_reloc *r, uint8_t *place, uint64_t avail,
                uint64_t symbol, struct err *err);

#endif
