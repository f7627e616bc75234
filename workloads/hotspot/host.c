/* host.c - hotspot: heat on a chip after some time steps.
 *
 * The check repeats the kernel's cell arithmetic operation by operation, so it is
 * exact; only the order of cells differs, which a Jacobi step does not see.
 */
#include <math.h>

#include "../workload.h"

enum { SIDE = 16 };

struct chip {
    float rx, ry, rz, step;
};

struct shape {
    int side, steps, height; /* height: steps a launch */
};

/* Constants of the thermal model: a silicon chip of 16 mm, 0.5 mm thick. */
static struct chip chip_make(int side)
{
    const float thick = 0.0005f, width = 0.016f, conductivity = 100.0f;
    const float heat = 1.75e6f, most_power = 3.0e6f, precision = 0.001f;
    float cell = width / (float)side;
    float capacity = 0.5f * heat * thick * cell * cell;
    float across = cell / (2.0f * conductivity * thick * cell);
    float through = thick / (conductivity * cell * cell);
    float slope = most_power / (0.5f * thick * heat);

    return (struct chip){
        .rx = 1.0f / across,
        .ry = 1.0f / across,
        .rz = 1.0f / through,
        .step = precision / slope / capacity,
    };
}

static float cell_next(const struct chip *chip, float power, float mid,
                       const float around[4])
{
    const float ambient = 80.0f;
    double down = fma(-2.0, (double)mid, (double)(around[1] + around[0]));
    double along = fma(-2.0, (double)mid, (double)(around[3] + around[2]));
    double sum = fma(down, (double)chip->ry, (double)power);

    sum = fma(along, (double)chip->rx, sum);
    sum += (double)((ambient - mid) * chip->rz);
    return (float)fma((double)chip->step, sum, (double)mid);
}

static void step(const struct chip *chip, int side, const float *power,
                 const float *now, float *then)
{
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            int at = y * side + x;
            const float around[4] = {
                now[y > 0 ? at - side : at],
                now[y < side - 1 ? at + side : at],
                now[x > 0 ? at - 1 : at],
                now[x < side - 1 ? at + 1 : at],
            };

            then[at] = cell_next(chip, power[at], now[at], around);
        }
    }
}

/* Returns the buffer that holds the last step. */
static CUdeviceptr heat_on_device(struct rig *r, const struct shape *s,
                                  const float *power, const float *start)
{
    size_t bytes = (size_t)(s->side * s->side) * sizeof *power;
    struct chip chip = chip_make(s->side);
    unsigned blocks = div_up((unsigned)s->side, (unsigned)(SIDE - 2 * s->height));
    int side = s->side, halo = s->height;
    struct launch l = { "hotspot", { blocks, blocks }, { SIDE, SIDE }, 0 };
    CUdeviceptr d_power = rig_upload(r, power, bytes);
    CUdeviceptr from = rig_upload(r, start, bytes), to = rig_alloc(r, bytes);

    for (int done = 0; done < s->steps; done += s->height) {
        int left = s->steps - done, steps = left < s->height ? left : s->height;
        CUdeviceptr swap = from;

        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(d_power), RIG_ARG(from), RIG_ARG(to), RIG_ARG(side),
                            RIG_ARG(side), RIG_ARG(steps), RIG_ARG(halo),
                            RIG_ARG(chip)));
        from = to;
        to = swap;
    }
    return from;
}

static int hotspot_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 40, 3, 2 },
        { 256, 4, 2 },
        { 512, 2, 2 },
    };
    const struct shape *s = &shapes[env->size];
    size_t n = (size_t)(s->side * s->side);
    struct chip chip = chip_make(s->side);
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 8);
    float *power = rig_host(&r, n, sizeof *power);
    float *now = rig_host(&r, n, sizeof *now), *then = rig_host(&r, n, sizeof *then);

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < n; i++) {
        now[i] = 323.0f + 20.0f * rng_unit(&rng);
        power[i] = 0.01f * rng_unit(&rng);
    }
    CUdeviceptr last = heat_on_device(&r, s, power, now);
    for (int i = 0; i < s->steps; i++) {
        float *swap = now;

        step(&chip, s->side, power, now, then);
        now = then;
        then = swap;
    }
    rig_result(&r, "temperature", last, now, n);
    return rig_end(&r);
}

const struct workload workload_hotspot = {
    .name = "hotspot",
    .summary = "2D thermal stencil, two steps a launch",
    .suite = "Rodinia",
    .papers = "socgpu darsie",
    .sizes = { "40x40, 3 steps", "256x256, 4 steps", "512x512, 2 steps" },
    .run = hotspot_run,
};
