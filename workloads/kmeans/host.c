/* host.c - kmeans: points of 34 features sorted into five clusters, some rounds.
 *
 * The device finds the nearest centre of each point, the host moves the centres to the
 * means. Distances are checked through what they decide: with the same operations in the
 * same order every point has to have the same centre. */
#include <float.h>
#include <math.h>

#include "../workload.h"

enum { THREADS = 256, MAX_CENTRES = 32, MAX_FEATURES = 34, FEATURES = 34, CENTRES = 5 };

struct shape {
    unsigned n;
    int rounds;
};

static int nearest(const float *point, const float *centres)
{
    float least = FLT_MAX;
    int index = -1;

    for (int c = 0; c < CENTRES; c++) {
        float distance = 0.0f;

        for (int i = 0; i < FEATURES; i++) {
            float away = point[i] - centres[c * FEATURES + i];

            distance = fmaf(away, away, distance);
        }
        if (distance < least) {
            least = distance;
            index = c;
        }
    }
    return index;
}

/* Each centre to the mean of its points, if it has any. */
static void move_centres(const float *points, const int *membership, unsigned n,
                         float *centres)
{
    double sum[CENTRES][FEATURES] = { 0 };
    unsigned count[CENTRES] = { 0 };

    for (unsigned p = 0; p < n; p++) {
        count[membership[p]]++;
        for (int i = 0; i < FEATURES; i++)
            sum[membership[p]][i] += (double)points[p * FEATURES + (unsigned)i];
    }
    for (int c = 0; c < CENTRES; c++)
        for (int i = 0; i < FEATURES && count[c]; i++)
            centres[c * FEATURES + i] = (float)(sum[c][i] / count[c]);
}

/* Points around CENTRES places, close enough for some to change sides. */
static void points_make(struct workload_env *env, float *points, unsigned n)
{
    struct rng rng = rng_start(env, 108);
    float place[CENTRES][FEATURES];

    for (int c = 0; c < CENTRES; c++)
        for (int i = 0; i < FEATURES; i++)
            place[c][i] = rng_unit(&rng);
    for (unsigned p = 0; p < n; p++) {
        uint32_t c = rng_below(&rng, CENTRES);

        for (int i = 0; i < FEATURES; i++)
            points[p * FEATURES + (unsigned)i] = place[c][i] + rng_unit(&rng);
    }
}

/* Side of the smallest square of so many blocks. */
static unsigned side_of(unsigned blocks)
{
    unsigned side = 1;

    while (side * side < blocks)
        side++;
    return side;
}

static int kmeans_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 500, 2 },
        { 20000, 2 },
        { 494020, 2 },
    };
    const struct shape *s = &shapes[env->size];
    unsigned blocks = div_up(s->n, THREADS), side = side_of(blocks);
    size_t n = s->n, bytes = n * FEATURES * sizeof(float);
    int n_points = (int)s->n, n_features = FEATURES, n_centres = CENTRES;
    float centres[MAX_CENTRES * MAX_FEATURES] = { 0 };
    struct rig r = rig_begin(env);
    float *points = rig_host(&r, n * FEATURES, sizeof *points);
    int *want = rig_host(&r, n, sizeof *want);
    struct launch invert = { "invert", { blocks }, { THREADS }, 0 };
    struct launch near = { "nearest", { side, side }, { THREADS }, 0 };

    if (r.failed)
        return rig_end(&r);
    points_make(env, points, s->n);
    for (int i = 0; i < CENTRES * FEATURES; i++)
        centres[i] = points[i]; /* the first points */
    CUdeviceptr d_points = rig_upload(&r, points, bytes),
                inverted = rig_alloc(&r, bytes);
    CUdeviceptr membership = rig_alloc(&r, n * sizeof(int));
    CUdeviceptr d_centres = rig_global(&r, "centres", sizeof centres);
    CUtexObject texture = rig_texture_floats(&r, inverted, 1, n * FEATURES);

    rig_launch(&r, &invert,
               RIG_ARGS(RIG_ARG(d_points), RIG_ARG(inverted), RIG_ARG(n_points),
                        RIG_ARG(n_features)));
    for (int round = 0; round < s->rounds && !r.failed; round++) {
        static const char *const names[] = { "first", "second" };

        rig_write(&r, d_centres, centres, sizeof centres);
        rig_launch(&r, &near,
                   RIG_ARGS(RIG_ARG(texture), RIG_ARG(membership), RIG_ARG(n_points),
                            RIG_ARG(n_features), RIG_ARG(n_centres)));
        for (size_t p = 0; p < n; p++)
            want[p] = nearest(points + p * FEATURES, centres);
        rig_result(&r, names[round], membership, want, n);
        move_centres(points, want, s->n, centres);
    }
    return rig_end(&r);
}

const struct workload workload_kmeans = {
    .name = "kmeans",
    .summary = "nearest centres: points by a texture, centres in constant memory",
    .suite = "Rodinia",
    .papers = "socgpu",
    .sizes = { "500 points, 2 rounds", "20000 points, 2 rounds",
               "494020 points, 2 rounds" },
    .run = kmeans_run,
};
