/* texlane.h - what the handlers of textures and surfaces read of one lane. */
#ifndef LENO_SASS_TEXLANE_H
#define LENO_SASS_TEXLANE_H

#include "frontend/sass/decode/texops.h"
#include "frontend/sass/exec/access.h"

static inline uint32_t texlane_read(const struct sass_warp *w, unsigned reg,
                                    unsigned lane)
{
    return reg == REG_RZ ? 0 : w->r[reg + 1][lane];
}

/* The 32 bits of an object's handle: from a register, a pair of uniform registers
 * (whose upper one is not used), or a word of a constant bank. */
static inline uint32_t texlane_handle(const struct sass_warp *w,
                                      const struct sass_inst *i, const struct texops *t,
                                      unsigned lane)
{
    if (t->handle != REG_RZ)
        return texlane_read(w, t->handle, lane);
    if (texops_has_uniform_handle(i))
        return sass_uniform(w, sass_uniform_field(i, HANDLE_UREG));
    return (uint32_t)sass_constant(w, sass_field(i, HANDLE_BANK),
                                   4 * sass_field(i, HANDLE_WORD), 4);
}

/* Registers that the kernel does not have would lie outside of the file. */
static inline bool texlane_registers_exist(const struct sass_warp *w,
                                           const struct sass_inst *i)
{
    unsigned end = w->block->grid->n_rows + 6u;

    for (unsigned k = end / 64; k < 4; k++) {
        uint64_t named = i->base.reads.w[k] | i->base.writes.w[k];

        if (k == end / 64)
            named >>= end % 64;
        if (named)
            return false;
    }
    return true;
}

#endif
