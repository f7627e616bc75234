/* cutcp.c - the electric potential on a lattice of points, of the atoms within a cutoff.
 * Atoms lie in bins as wide as the cutoff, so a point looks into its own bin and the 26
 * around it; its lanes part at atoms that are too far away. There are empty bins around
 * the lattice. */
#include "maths.h"
#include "rig.h"

enum {
    BINS = TINY ? 2 : 4, /* per axis, without the empty ones */
    WIDE = BINS + 2,
    PER_BIN = 2,
    CUTOFF = 16, /* also a bin's width; lattice points are 8 apart */
    POINTS = 2 * BINS,
    N_POINTS = POINTS * POINTS * POINTS,
    N_BINS = WIDE * WIDE * WIDE,
};

struct atom {
    float x, y, z, charge;
};

static struct atom RIG_ARRAY bins[N_BINS * PER_BIN];
static float RIG_ARRAY potential[N_POINTS];

/* The a-th slot of all bins: a charge of 0 where there is no atom. */
static struct atom make_atom(uint32_t a)
{
    uint32_t bin = a / PER_BIN, x = bin % WIDE, y = bin / WIDE % WIDE;
    uint32_t z = bin / WIDE / WIDE;
    uint32_t inside = (x - 1 < BINS) & (y - 1 < BINS) & (z - 1 < BINS);
    uint32_t charge = (rig_value(4, a) + 1) & -inside;

    return (struct atom){ (float)(x * CUTOFF + rig_value(1, a)),
                          (float)(y * CUTOFF + rig_value(2, a >> 1)),
                          (float)(z * CUTOFF + rig_value(3, a >> 2)), (float)charge };
}

static void fill(uint32_t a, void *arg)
{
    (void)arg;
    bins[a] = make_atom(a);
}

static float distance_squared(const struct atom *a, float x, float y, float z)
{
    float dx = a->x - x, dy = a->y - y, dz = a->z - z;

    return dx * dx + dy * dy + dz * dz;
}

/* Points are between atoms, half a unit from whole numbers on each axis. */
static float place(uint32_t point)
{
    return (float)(CUTOFF + point * (CUTOFF / 2)) + 0.5f;
}

/* An atom's part: as 1 / r near it, and smoothly 0 at the cutoff. */
static float atom_part(float charge, float r2)
{
    float fade = 1 - r2 * (1.0f / (CUTOFF * CUTOFF));

    return charge / maths_sqrt(r2) * fade * fade;
}

static float bin_part(const struct atom *bin, float x, float y, float z)
{
    float sum = 0;

    for (uint32_t a = 0; a < PER_BIN; a++) {
        float r2 = distance_squared(bin + a, x, y, z);

        VX_IF(r2 < CUTOFF * CUTOFF)
        sum += atom_part(bin[a].charge, r2);
        VX_END
    }
    return sum;
}

static void cutcp(void *arg)
{
    uint32_t px = blockIdx.x, py = blockIdx.y, pz = blockIdx.z;
    uint32_t corner = ((pz / 2) * WIDE + py / 2) * WIDE + px / 2;
    float x = place(px), y = place(py), z = place(pz), sum = 0;

    (void)arg;
    for (uint32_t dz = 0; dz < 3; dz++)
        for (uint32_t dy = 0; dy < 3; dy++)
            for (uint32_t dx = 0; dx < 3; dx++) {
                uint32_t bin = corner + (dz * WIDE + dy) * WIDE + dx;

                sum += bin_part(bins + bin * PER_BIN, x, y, z);
            }
    potential[(pz * POINTS + py) * POINTS + px] = sum;
}

/* All atoms, wherever they are. */
static uint32_t is_wrong(uint32_t i)
{
    float x = place(i % POINTS), y = place(i / POINTS % POINTS);
    float z = place(i / POINTS / POINTS), sum = 0;

    for (uint32_t bz = 1; bz <= BINS; bz++)
        for (uint32_t by = 1; by <= BINS; by++)
            for (uint32_t a = 0; a < BINS * PER_BIN; a++) {
                const struct atom *at =
                    bins + ((bz * WIDE + by) * WIDE + 1) * PER_BIN + a;
                float r2 = distance_squared(at, x, y, z);
                float fade = maths_max(0, 1 - r2 / (CUTOFF * CUTOFF));

                sum += at->charge * fade * fade / maths_sqrt(r2);
            }
    return maths_abs(potential[i] - sum) > 1e-5f * sum;
}

int main(void)
{
    uint32_t grid[] = { POINTS, POINTS, POINTS };

    rig_each(N_BINS * PER_BIN, fill, NULL);
    vx_spawn_threads(3, grid, NULL, cutcp, NULL);
    rig_sync();
    return rig_end("cutcp", rig_sum(N_POINTS, is_wrong));
}
