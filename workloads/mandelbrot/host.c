/* host.c - mandelbrot: escape times over the whole set.
 *
 * The seed moves the view a little. The orbit is repeated operation by operation on
 * the CPU, so the check is exact.
 */
#include <math.h>

#include "../workload.h"

enum { SIDE = 16 };

/* As in the kernel's constant memory. */
struct view {
    float x0, y0, dx, dy;
    int width, height, limit, pad;
};

static int orbit(const struct view *v, int px, int py)
{
    float cx = fmaf((float)px, v->dx, v->x0), cy = fmaf((float)py, v->dy, v->y0);
    float x = 0.0f, y = 0.0f;
    int n = 0;

    while (n < v->limit && fmaf(x, x, y * y) <= 4.0f) {
        float next = fmaf(-y, y, fmaf(x, x, cx));

        y = fmaf(x + x, y, cy);
        x = next;
        n++;
    }
    return n;
}

static int mandelbrot_run(struct workload_env *env)
{
    static const int shapes[N_WORKLOAD_SIZE][3] = {
        { 60, 40, 64 },
        { 640, 480, 128 },
        { 800, 600, 512 },
    };
    const int *shape = shapes[env->size];
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 12);
    struct view view = { .width = shape[0], .height = shape[1], .limit = shape[2] };
    size_t n = (size_t)(view.width * view.height);
    int *want = rig_host(&r, n, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    view.x0 = -2.2f + 0.05f * rng_unit(&rng);
    view.y0 = -1.2f + 0.05f * rng_unit(&rng);
    view.dx = 3.0f / (float)view.width;
    view.dy = 2.4f / (float)view.height;
    for (int py = 0; py < view.height; py++)
        for (int px = 0; px < view.width; px++)
            want[py * view.width + px] = orbit(&view, px, py);

    CUdeviceptr steps = rig_alloc(&r, n * sizeof *want);
    rig_write(&r, rig_global(&r, "view", sizeof view), &view, sizeof view);
    rig_launch(&r,
               &(struct launch){
                   .kernel = "mandelbrot",
                   .grid = { div_up((unsigned)view.width, SIDE),
                             div_up((unsigned)view.height, SIDE) },
                   .block = { SIDE, SIDE },
               },
               RIG_ARGS(RIG_ARG(steps)));
    rig_result(&r, "steps", steps, want, n);
    return rig_end(&r);
}

const struct workload workload_mandelbrot = {
    .name = "mandelbrot",
    .summary = "escape times of the Mandelbrot set, divergent loops",
    .suite = "CUDA SDK",
    .theirs = "Mandelbrot",
    .sizes = { "60x40, limit 64", "640x480, limit 128", "800x600, limit 512" },
    .run = mandelbrot_run,
};
