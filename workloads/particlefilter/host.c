/* host.c - particlefilter: an object that moves through a noisy video is followed.
 *
 * Checked frame by frame. What comes of log(), cos(), pow() and exp() is compared within
 * a bound and then taken as the device has it; everything between is repeated operation
 * by operation and must be the same: so a particle on the edge of two pixels, or one
 * whose turn it just is, cannot make the check differ from the device.
 */
#include <math.h>

#include "../reference.h"
#include "../workload.h"

enum { MAX_DISK = 128, N_ARRAYS = 9, N_SCRATCH = 8 };

/* Relative error of positions, likelihoods and weights; measured: below 1e-15. */
static const double bound = 1.0e-14;

struct shape {
    int side, frames, n;
    unsigned threads;
    int radius;
};

/* As the kernels know them. */
struct particles {
    CUdeviceptr x, y, chosen_x, chosen_y, likelihood, raw, weight, running, wanted,
        sums, seed;
    int n;
};

struct scene {
    CUdeviceptr video, disk;
    int side, frames, n_disk;
};

/* What the device had after a frame, and what the CPU knows before it. */
struct follow {
    const struct shape *shape;
    int n_disk, disk[MAX_DISK][2];
    uint8_t *video;
    uint32_t *seed;
    double *from_x, *from_y; /* chosen ones of the frame before */
    double *x, *y, *chosen_x, *chosen_y, *likelihood, *raw, *weight, *running, *wanted;
    double total;
};

static double draw_uniform(uint32_t *seed)
{
    const uint32_t modulus = 2147483647u;

    *seed = (1103515245u * *seed + 12345u) % modulus;
    return ((double)*seed + 1.0) / (double)modulus;
}

static double draw_normal(uint32_t *seed)
{
    const double pi = 3.14159265358979323846;
    double u = draw_uniform(seed), v = draw_uniform(seed);

    return sqrt(-2.0 * reference_log(u)) * reference_cos(2.0 * pi * v);
}

static void expect(struct rig *r, const char *what, int i, double got, double want,
                   double error)
{
    if (!(fabs(got - want) <= error))
        rig_fail(r, "%s of particle %d is %.17g, expected %.17g", what, i, got, want);
}

static double likelihood_of(const struct follow *f, int frame, double x, double y)
{
    const struct shape *s = f->shape;
    double sum = 0.0;

    for (int i = 0; i < f->n_disk; i++) {
        int px = (int)floor(x + 0.5) + f->disk[i][0];
        int py = (int)floor(y + 0.5) + f->disk[i][1];
        int at = (px * s->side + py) * s->frames + frame;
        double pixel, behind, object;

        at = at < 0 ? -at : at;
        pixel = f->video[at < s->side * s->side * s->frames ? at : 0];
        behind = pixel - 100.0;
        object = pixel - 228.0;
        sum += (behind * behind - object * object) / 50.0;
    }
    return sum / f->n_disk;
}

/* Steps and weights: the device's, if they are near enough. */
static void check_weights(struct rig *r, struct follow *f, int frame)
{
    int n = f->shape->n;

    for (int i = 0; i < n; i++) {
        double x = f->from_x[i] + 1.0 + 5.0 * draw_normal(&f->seed[i]);
        double y = f->from_y[i] - 2.0 + 2.0 * draw_normal(&f->seed[i]);
        double likelihood = likelihood_of(f, frame, f->x[i], f->y[i]);
        double raw = 1.0 / (double)n * reference_exp(f->likelihood[i]);

        expect(r, "x", i, f->x[i], x, bound * fmax(1.0, fabs(x)));
        expect(r, "y", i, f->y[i], y, bound * fmax(1.0, fabs(y)));
        expect(r, "likelihood", i, f->likelihood[i], likelihood,
               bound * fmax(1.0, fabs(likelihood)));
        expect(r, "raw weight", i, f->raw[i], raw, bound * raw);
    }
}

/* Sum in the order of the kernels: a tree per block, then block after block. */
static double total_weight(const struct follow *f)
{
    int n = f->shape->n, threads = (int)f->shape->threads;
    double total = 0.0;

    for (int first = 0; first < n; first += threads) {
        double sum[512] = { 0 };

        for (int i = 0; i < threads && first + i < n; i++)
            sum[i] = f->raw[first + i];
        for (int step = threads / 2; step > 0; step /= 2)
            for (int i = 0; i < step; i++)
                sum[i] += sum[i + step];
        total += sum[0];
    }
    return total;
}

/* The rest of a frame: exact. */
static void check_choice(struct rig *r, struct follow *f, double first)
{
    int n = f->shape->n;
    double running = 0.0;

    f->total = total_weight(f);
    for (int i = 0; i < n; i++) {
        running += f->raw[i];
        expect(r, "weight", i, f->weight[i], f->raw[i] / f->total, 0.0);
        expect(r, "running sum", i, f->running[i], running, 0.0);
        expect(r, "wanted sum", i, f->wanted[i], (first + i / (double)n) * f->total,
               0.0);
    }
    for (int i = 0; i < n; i++) {
        int found = 0;

        while (found < n - 1 && f->running[found] < f->wanted[i])
            found++;
        expect(r, "chosen x", i, f->chosen_x[i], f->x[found], 0.0);
        expect(r, "chosen y", i, f->chosen_y[i], f->y[found], 0.0);
        f->from_x[i] = f->chosen_x[i];
        f->from_y[i] = f->chosen_y[i];
    }
}

/* Brings back everything a frame left on the device. */
static void download_frame(struct rig *r, const struct particles *p,
                           const struct follow *f)
{
    const struct {
        CUdeviceptr from;
        double *to;
    } arrays[N_ARRAYS] = {
        { p->x, f->x },
        { p->y, f->y },
        { p->chosen_x, f->chosen_x },
        { p->chosen_y, f->chosen_y },
        { p->likelihood, f->likelihood },
        { p->raw, f->raw },
        { p->weight, f->weight },
        { p->running, f->running },
        { p->wanted, f->wanted },
    };

    for (int i = 0; i < N_ARRAYS; i++)
        rig_download(r, arrays[i].to, arrays[i].from, (size_t)p->n * sizeof(double));
}

static void follow_on_device(struct rig *r, const struct particles *p, struct follow *f,
                             struct rng *rng)
{
    const struct shape *s = f->shape;
    struct launch l = { "", { div_up((unsigned)s->n, s->threads) }, { s->threads }, 0 };
    struct scene scene = {
        .video = rig_upload(r, f->video, (size_t)(s->side * s->side * s->frames)),
        .disk = rig_upload(r, f->disk, sizeof f->disk),
        .side = s->side,
        .frames = s->frames,
        .n_disk = f->n_disk,
    };
    CUdeviceptr pixels = rig_alloc(r, (size_t)(s->n * f->n_disk) * sizeof(int));

    for (int frame = 1; frame < s->frames && !r->failed; frame++) {
        double first = (double)rng_unit(rng) / s->n;

        l.kernel = "likelihood";
        rig_launch(
            r, &l,
            RIG_ARGS(RIG_ARG(*p), RIG_ARG(scene), RIG_ARG(pixels), RIG_ARG(frame)));
        l.kernel = "sum";
        rig_launch(r, &l, RIG_ARGS(RIG_ARG(*p)));
        l.kernel = "normalize";
        rig_launch(r, &l, RIG_ARGS(RIG_ARG(*p), RIG_ARG(first)));
        l.kernel = "find";
        rig_launch(r, &l, RIG_ARGS(RIG_ARG(*p)));
        download_frame(r, p, f);
        if (r->failed)
            return;
        check_weights(r, f, frame);
        check_choice(r, f, first);
    }
}

/* A bright disk that moves by (1, -2) per frame from the middle, in noise. */
static void video_make(struct follow *f, struct rng *rng)
{
    const struct shape *s = f->shape;

    for (int i = 0; i < s->side * s->side * s->frames; i++)
        f->video[i] = (uint8_t)(98 + rng_below(rng, 5));
    for (int frame = 0; frame < s->frames; frame++) {
        for (int i = 0; i < f->n_disk; i++) {
            int x = s->side / 2 + frame + f->disk[i][0];
            int y = s->side / 2 - 2 * frame + f->disk[i][1];

            if (x >= 0 && x < s->side && y >= 0 && y < s->side)
                f->video[(x * s->side + y) * s->frames + frame] =
                    (uint8_t)(226 + rng_below(rng, 5));
        }
    }
}

static void disk_make(struct follow *f)
{
    int radius = f->shape->radius;

    for (int x = 1 - radius; x < radius; x++) {
        for (int y = 1 - radius; y < radius; y++) {
            if (x * x + y * y < radius * radius && f->n_disk < MAX_DISK) {
                f->disk[f->n_disk][0] = x;
                f->disk[f->n_disk++][1] = y;
            }
        }
    }
}

static void follow_make(struct rig *r, struct follow *f, struct rng *rng)
{
    const struct shape *s = f->shape;
    size_t n = (size_t)s->n;
    double **arrays[] = { &f->from_x,   &f->from_y,   &f->x,         &f->y,
                          &f->chosen_x, &f->chosen_y, &f->raw,       &f->weight,
                          &f->running,  &f->wanted,   &f->likelihood };

    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = rig_host(r, n, sizeof(double));
    f->seed = rig_host(r, n, sizeof *f->seed);
    f->video = rig_host(r, (size_t)(s->side * s->side * s->frames), 1);
    if (r->failed)
        return;
    for (size_t i = 0; i < n; i++) {
        f->seed[i] = rng_below(rng, 2147483647u);
        f->from_x[i] = f->from_y[i] = s->side / 2;
    }
    disk_make(f);
    video_make(f, rng);
}

static int particlefilter_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 48, 3, 150, 64, 2 },
        { 128, 3, 1000, 512, 5 },
        { 128, 10, 1000, 512, 5 },
    };
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 105);
    struct follow f = { .shape = &shapes[env->size] };
    size_t n = (size_t)f.shape->n, bytes = n * sizeof(double), words = 2 * n;
    CUdeviceptr d[N_SCRATCH];

    follow_make(&r, &f, &rng);
    if (r.failed)
        return rig_end(&r);
    for (int i = 0; i < N_SCRATCH; i++)
        d[i] = rig_alloc(&r, bytes);
    const struct particles p = {
        .x = d[0],
        .y = d[1],
        .chosen_x = rig_upload(&r, f.from_x, bytes),
        .chosen_y = rig_upload(&r, f.from_y, bytes),
        .likelihood = d[2],
        .raw = d[3],
        .weight = d[4],
        .running = d[5],
        .wanted = d[6],
        .sums = d[7],
        .seed = rig_upload(&r, f.seed, n * sizeof *f.seed),
        .n = f.shape->n,
    };

    follow_on_device(&r, &p, &f, &rng);
    rig_result(&r, "x", p.x, NULL, words);
    rig_result(&r, "y", p.y, NULL, words);
    rig_result(&r, "weight", p.weight, NULL, words);
    rig_result(&r, "chosen_x", p.chosen_x, NULL, words);
    rig_result(&r, "chosen_y", p.chosen_y, NULL, words);
    rig_result(&r, "seed", p.seed, f.seed, n);
    return rig_end(&r);
}

const struct workload workload_particlefilter = {
    .name = "particlefilter",
    .summary = "particles that follow an object through a video, in double",
    .suite = "Rodinia",
    .theirs = "particlefilter_float",
    .papers = "ghost socgpu",
    .sizes = { "48x48x3, 150 particles", "128x128x3, 1000 particles",
               "128x128x10, 1000 particles" },
    .run = particlefilter_run,
};
