/* exec_memory256.c - LDG and STG of 32 bytes per lane, from sm_100 on.
 *
 * The first and the last four words have registers of their own. A load need not write
 * all of them: the words that are wanted go to consecutive registers.
 */
#include <string.h>

#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/exec/memory.h"

enum { HALF_WORDS = 4, ALL_WORDS = 2 * HALF_WORDS, ACCESS_BYTES = 4 * ALL_WORDS };

enum exec_result exec_load_256(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    struct memory_access what = { &i->opd[LDG_256_ADDRESS], SPACE_GLOBAL,
                                  ACCESS_BYTES };
    unsigned words = sass_field(i, LDG_256_WANTED) | sass_field(i, LDG_256_LAST) << 7;
    unsigned n_written[2] = { 0 };
    struct memory_place p;

    if (!mask)
        return EXEC_NEXT;
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    for (unsigned k = 0; k < ALL_WORDS; k++) {
        bool is_high = k >= HALF_WORDS;
        uint32_t out[WARP_LANES];

        if (!(words >> k & 1))
            continue;
        for (uint32_t m = mask; m; m &= m - 1)
            memcpy(&out[__builtin_ctz(m)], p.at[__builtin_ctz(m)] + 4 * k, 4);
        sass_result(w, &i->opd[is_high ? LDG_256_HIGH : LDG_256_LOW],
                    n_written[is_high]++, out, mask);
    }
    return EXEC_NEXT;
}

enum exec_result exec_store_256(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    struct memory_access what = { &i->opd[STG_256_ADDRESS], SPACE_GLOBAL,
                                  ACCESS_BYTES };
    struct memory_place p;

    if (!mask)
        return EXEC_NEXT;
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    for (unsigned k = 0; k < ALL_WORDS; k++) {
        const struct operand *data =
            &i->opd[k >= HALF_WORDS ? STG_256_HIGH : STG_256_LOW];
        uint32_t tmp[WARP_LANES];
        const uint32_t *v = sass_source(w, data, k % HALF_WORDS, SRC_BITS, tmp);

        for (uint32_t m = mask; m; m &= m - 1)
            memcpy(p.at[__builtin_ctz(m)] + 4 * k, &v[__builtin_ctz(m)], 4);
    }
    return EXEC_NEXT;
}
