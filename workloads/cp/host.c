/* host.c - cp: potential of random charges on a plane, in batches of constant memory.
 *
 * The check has the same operations in the same order, except that the kernel's reciprocal
 * square root is the GPU's own, right to 2^-22. Terms are up to 20 (a charge of 2 one grid
 * spacing away) and have both signs; sums are off by up to 4 * 2^-22.
 */
#include <math.h>

#include "../workload.h"

enum { ACROSS = 16, DOWN = 8, MOST_CHARGES = 256 };

static const float spacing = 0.1f, bound = 10 * 0x1p-22f;

struct charge {
    float x, y, dz2, amount; /* dz2: distance from the plane, squared */
};

struct shape {
    unsigned side, charges, batch; /* batch: charges per launch */
};

/* Charges lie above the plane, none nearer than one grid spacing. */
static void charges_make(struct rig *r, struct charge *charges, const struct shape *s)
{
    struct rng rng = rng_start(r->env, 24);
    float width = spacing * (float)s->side;

    for (unsigned i = 0; i < s->charges; i++) {
        float dz = spacing + width * rng_unit(&rng);

        charges[i] = (struct charge){
            .x = width * rng_unit(&rng),
            .y = width * rng_unit(&rng),
            .dz2 = dz * dz,
            .amount = 4.0f * rng_unit(&rng) - 2.0f,
        };
    }
}

static float potential_of(const struct charge *c, unsigned n, float x, float y,
                          float apart)
{
    float sum = 0.0f;

    for (unsigned i = 0; i < n; i++) {
        float dy = y - c[i].y, dx = x - c[i].x + apart;
        float d2 = fmaf(dx, dx, fmaf(dy, dy, c[i].dz2));

        sum = fmaf(c[i].amount, 1.0f / sqrtf(d2), sum);
    }
    return sum;
}

/* Adds the batch's potential at all points. A point in the right half of a block is computed
 * from the one sixteen columns before it. */
static void add_batch(const struct charge *c, unsigned n, unsigned side,
                      float *potential)
{
    for (unsigned row = 0; row < side; row++) {
        for (unsigned column = 0; column < side; column++) {
            bool right = column / ACROSS % 2;
            unsigned from = right ? column - ACROSS : column;
            float apart = right ? spacing * (float)ACROSS : 0.0f;

            potential[row * side + column] +=
                potential_of(c, n, spacing * (float)from, spacing * (float)row, apart);
        }
    }
}

static int cp_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 64, 30, 20 },
        { 192, 100, 100 },
        { 256, 200, 200 },
    };
    const struct shape *s = &shapes[env->size];
    size_t n = (size_t)s->side * s->side;
    struct launch l = {
        "cp", { s->side / (2 * ACROSS), s->side / DOWN }, { ACROSS, DOWN }, 0
    };
    struct rig r = rig_begin(env);
    struct charge *charges = rig_host(&r, s->charges, sizeof *charges);
    float *want = rig_host(&r, n, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    charges_make(&r, charges, s);
    CUdeviceptr constant = rig_global(&r, "charges", MOST_CHARGES * sizeof *charges);
    CUdeviceptr potential = rig_upload(&r, want, n * sizeof *want);

    for (unsigned first = 0; first < s->charges; first += s->batch) {
        unsigned left = s->charges - first, batch = left < s->batch ? left : s->batch;

        rig_write(&r, constant, charges + first, batch * sizeof *charges);
        rig_launch(&r, &l,
                   RIG_ARGS(RIG_ARG(potential), RIG_ARG(batch), RIG_ARG(spacing)));
        add_batch(charges + first, batch, s->side, want);
    }
    rig_near(&r, "potential", potential, want, n, bound);
    return rig_end(&r);
}

const struct workload workload_cp = {
    .name = "cp",
    .summary = "electrostatic potential of charges in constant memory",
    .suite = "ISPASS",
    .theirs = "CP",
    .papers = "darsie",
    .sizes = { "64x64, 30 charges", "192x192, 100 charges", "256x256, 200 charges" },
    .run = cp_run,
};
