/* scalars.c - the constants and immediates of a launch as rows of 32 lanes; load/spread.c
 * says which there are.
 */
#include "frontend/sass/exec/scalars.h"

#include <stdlib.h>

#include "frontend/sass/exec/access.h"
#include "frontend/sass/load/spread.h"

uint32_t (*scalar_rows(const struct sass_grid *g))[WARP_LANES]
{
    const struct sass_spread *s = g->launch.module->spread;
    uint32_t n = s ? s->n : 0;
    uint32_t(*rows)[WARP_LANES] = aligned_alloc(128, (ZERO_ROWS + 2 * n) * ROW_BYTES);

    if (!rows)
        return NULL;
    memset(rows, 0, ZERO_ROWS * ROW_BYTES);
    for (uint32_t k = 0; k < 2 * n; k++) {
        uint32_t v = sass_launch_scalar(g, &s->scalar[k / 2], k % 2);

        LANES(l)
            rows[ZERO_ROWS + k][l] = v;
    }
    return rows;
}
