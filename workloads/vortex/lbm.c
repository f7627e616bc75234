/* lbm.c - a fluid as a lattice of cells (lattice Boltzmann): each has 19 densities, one of
 * a resting part and 18 that move to a neighbour. A step mixes the densities of a cell and
 * hands them to its neighbours; lanes part at cells that are walls, which send everything
 * back, and at those of a plate, whose fluid is pushed. The lattice wraps around. */
#include "maths.h"
#include "rig.h"

enum {
    X = 8,
    Y = 4,
    Z = TINY ? 2 : 8,
    CELLS = X * Y * Z,
    PARTS = 19,
    STEPS = TINY ? 1 : 2,
    WALL = 1,
    PLATE = 2,
};

#define RATE   1.95f  /* of mixing */
#define PUSH_X 0.005f /* speed of the fluid on the plate */
#define PUSH_Y 0.002f

static float RIG_ARRAY densities[2][PARTS * CELLS];
static uint8_t RIG_ARRAY kind_of[CELLS];

struct part {
    int8_t x, y, z;
    float share; /* of the density in a fluid at rest */
};

/* Opposites are next to each other: k and ((k + 1) ^ 1) - 1. */
static const struct part parts[PARTS] = {
    { 0, 0, 0, 1.0f / 3 },    { 1, 0, 0, 1.0f / 18 },   { -1, 0, 0, 1.0f / 18 },
    { 0, 1, 0, 1.0f / 18 },   { 0, -1, 0, 1.0f / 18 },  { 0, 0, 1, 1.0f / 18 },
    { 0, 0, -1, 1.0f / 18 },  { 1, 1, 0, 1.0f / 36 },   { -1, -1, 0, 1.0f / 36 },
    { 1, -1, 0, 1.0f / 36 },  { -1, 1, 0, 1.0f / 36 },  { 1, 0, 1, 1.0f / 36 },
    { -1, 0, -1, 1.0f / 36 }, { 1, 0, -1, 1.0f / 36 },  { -1, 0, 1, 1.0f / 36 },
    { 0, 1, 1, 1.0f / 36 },   { 0, -1, -1, 1.0f / 36 }, { 0, 1, -1, 1.0f / 36 },
    { 0, -1, 1, 1.0f / 36 },
};

struct step {
    const float *from;
    float *to;
};

static inline uint32_t opposite(uint32_t k)
{
    return k ? ((k + 1) ^ 1) - 1 : 0;
}

static inline uint32_t neighbour(uint32_t x, uint32_t y, uint32_t z,
                                 const struct part *p)
{
    uint32_t nx = (x + (uint32_t)p->x) & (X - 1), ny = (y + (uint32_t)p->y) & (Y - 1);
    uint32_t nz = (z + (uint32_t)p->z) & (Z - 1);

    return (nz * Y + ny) * X + nx;
}

static void fill(uint32_t i, void *arg)
{
    uint32_t cell = i % CELLS, k = i / CELLS, x = cell % X, y = cell / X % Y;

    (void)arg;
    densities[0][i] = parts[k].share * (1 + 0.01f * (float)rig_value(k, cell));
    kind_of[cell] = (uint8_t)((y == 0) * WALL | ((y == 2) & (x < 3)) * PLATE);
}

struct flow {
    float x, y, z, density;
};

/* How much of part k a fluid has that flows like this. */
static inline float balance(uint32_t k, const struct flow *f)
{
    float along =
        (float)parts[k].x * f->x + (float)parts[k].y * f->y + (float)parts[k].z * f->z;
    float square = f->x * f->x + f->y * f->y + f->z * f->z;

    return parts[k].share * f->density *
           (1 + 3 * along + 4.5f * along * along - 1.5f * square);
}

static inline struct flow flow_of(const float *f)
{
    struct flow w = { 0, 0, 0, 0 };

#pragma GCC unroll 19
    for (uint32_t k = 0; k < PARTS; k++) {
        w.density += f[k];
        w.x += (float)parts[k].x * f[k];
        w.y += (float)parts[k].y * f[k];
        w.z += (float)parts[k].z * f[k];
    }
    return (struct flow){ w.x / w.density, w.y / w.density, w.z / w.density,
                          w.density };
}

static void lbm(void *arg)
{
    const struct step *s = arg;
    uint32_t x = blockIdx.x, y = blockIdx.y, z = blockIdx.z, cell = (z * Y + y) * X + x;
    uint32_t kind = kind_of[cell];
    float f[PARTS];

#pragma GCC unroll 19
    for (uint32_t k = 0; k < PARTS; k++)
        f[k] = s->from[k * CELLS + cell];
    VX_IF(kind == WALL)
#pragma GCC unroll 19
    for (uint32_t k = 0; k < PARTS; k++)
        s->to[k * CELLS + neighbour(x, y, z, parts + k)] = f[opposite(k)];
    VX_ELSE
    struct flow w = flow_of(f);

    VX_IF(kind == PLATE)
    w = (struct flow){ PUSH_X, PUSH_Y, 0, w.density };
    VX_END
#pragma GCC unroll 19
    for (uint32_t k = 0; k < PARTS; k++)
        s->to[k * CELLS + neighbour(x, y, z, parts + k)] =
            f[k] + RATE * (balance(k, &w) - f[k]);
    VX_END
}

/* The same without parting: everything is computed for every cell, in loops. */
static uint32_t is_wrong(uint32_t cell)
{
    const float *from = densities[(STEPS - 1) % 2], *to = densities[STEPS % 2];
    uint32_t x = cell % X, y = cell / X % Y, z = cell / X / Y, n_wrong = 0;
    uint32_t is_wall = kind_of[cell] == WALL, is_plate = kind_of[cell] == PLATE;
    float moved[3] = { 0, 0, 0 }, density = 0;
    struct flow w;

    for (uint32_t k = 0; k < PARTS; k++) {
        float part = from[k * CELLS + cell];

        density += part;
        moved[0] += (float)parts[k].x * part;
        moved[1] += (float)parts[k].y * part;
        moved[2] += (float)parts[k].z * part;
    }
    w = (struct flow){ maths_select(is_plate, PUSH_X, moved[0] / density),
                       maths_select(is_plate, PUSH_Y, moved[1] / density),
                       maths_select(is_plate, 0, moved[2] / density), density };
    for (uint32_t k = 0; k < PARTS; k++) {
        float mixed = from[k * CELLS + cell] * (1 - RATE) + RATE * balance(k, &w);
        float back = from[opposite(k) * CELLS + cell];
        float got = to[k * CELLS + neighbour(x, y, z, parts + k)];

        n_wrong += maths_abs(got - maths_select(is_wall, back, mixed)) > 1e-6f;
    }
    return n_wrong;
}

int main(void)
{
    uint32_t grid[] = { X, Y, Z };

    rig_each(PARTS * CELLS, fill, NULL);
    for (uint32_t n = 0; n < STEPS; n++) {
        struct step s = { densities[n % 2], densities[(n + 1) % 2] };

        vx_spawn_threads(3, grid, NULL, lbm, &s);
        rig_sync();
    }
    return rig_end("lbm", rig_sum(CELLS, is_wrong));
}
