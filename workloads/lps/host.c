/* host.c - lps: Jacobi steps of Laplace's equation on a cube of nodes.
 *
 * The surface is held at random values. Sums are taken in the kernel's order: exact.
 */
#include "../workload.h"

enum { WIDE = 32, HIGH = 4 };

/* As the kernel has it. */
struct cube {
    int nx, ny, nz;
};

struct shape {
    struct cube cube;
    int steps;
};

static void step_expect(const struct cube *c, const float *u, float *out)
{
    int row = c->nx, plane = c->nx * c->ny;

    for (int i = 0; i < plane * c->nz; i++) {
        int x = i % row, y = i / row % c->ny, z = i / plane;

        if (x > 0 && x < c->nx - 1 && y > 0 && y < c->ny - 1 && z > 0 && z < c->nz - 1)
            out[i] = (u[i - 1] + u[i + 1] + u[i - row] + u[i + row] + u[i - plane] +
                      u[i + plane]) *
                     (1.0f / 6.0f);
        else
            out[i] = u[i];
    }
}

static int lps_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { { 40, 10, 8 }, 2 },
        { { 100, 100, 100 }, 1 },
        { { 100, 100, 100 }, 1 },
    };
    const struct cube *c = &shapes[env->size].cube;
    size_t n = (size_t)(c->nx * c->ny * c->nz);
    struct launch l = { "laplace_step",
                        { div_up((unsigned)c->nx, WIDE),
                          div_up((unsigned)c->ny, HIGH) },
                        { WIDE, HIGH },
                        0 };
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 122);
    float *now = rig_host(&r, n, sizeof *now), *then = rig_host(&r, n, sizeof *then);

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < n; i++)
        now[i] = rng_unit(&rng);

    CUdeviceptr from = rig_upload(&r, now, n * sizeof *now);
    CUdeviceptr to = rig_alloc(&r, n * sizeof *now);
    for (int i = 0; i < shapes[env->size].steps; i++) {
        CUdeviceptr device_swap = from;
        float *swap = now;

        rig_launch(&r, &l, RIG_ARGS(RIG_ARG(from), RIG_ARG(to), RIG_ARG(*c)));
        step_expect(c, now, then);
        from = to;
        to = device_swap;
        now = then;
        then = swap;
    }
    rig_result(&r, "potential", from, now, n);
    return rig_end(&r);
}

const struct workload workload_lps = {
    .name = "lps",
    .summary = "3D Laplace solver, three planes in shared memory",
    .suite = "ISPASS",
    .theirs = "LPS",
    .papers = "ghost",
    .sizes = { "40x10x8, 2 steps", "100x100x100, 1 step", "100x100x100, 1 step" },
    .run = lps_run,
};
