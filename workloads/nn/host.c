/* host.c - nn: the ten records nearest to a place.
 *
 * The square root is correctly rounded on both sides, so distances are exact. Of
 * equal distances the lower record number wins.
 */
#include <math.h>

#include "../workload.h"

enum { THREADS = 256, NEAREST = 10 };

struct place {
    float lat, lng;
};

/* Insertion into a list of the nearest so far. */
static void pick_nearest(const float *distance, unsigned n, unsigned nearest[NEAREST])
{
    unsigned count = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned at = count;

        while (at > 0 && distance[i] < distance[nearest[at - 1]])
            at--;
        if (at == NEAREST)
            continue;
        if (count < NEAREST)
            count++;
        for (unsigned k = count - 1; k > at; k--)
            nearest[k] = nearest[k - 1];
        nearest[at] = i;
    }
}

static int nn_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE] = { 20000, 42764, 42764 };
    int n = sizes[env->size];
    size_t count = (size_t)n;
    struct place from = { 30.0f, 90.0f };
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 10);
    struct place *records = rig_host(&r, count, sizeof *records);
    float *want = rig_host(&r, count, sizeof *want);
    float *got = rig_host(&r, count, sizeof *got);
    unsigned best[NEAREST], want_best[NEAREST];

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < count; i++) {
        records[i].lat = 7.0f + 57.0f * rng_unit(&rng);
        records[i].lng = 358.0f * rng_unit(&rng);

        float dx = from.lat - records[i].lat, dy = from.lng - records[i].lng;
        want[i] = sqrtf(fmaf(dx, dx, dy * dy));
    }
    CUdeviceptr d_records = rig_upload(&r, records, count * sizeof *records);
    CUdeviceptr distances = rig_alloc(&r, count * sizeof *got);
    rig_launch(&r,
               &(struct launch){ .kernel = "euclid",
                                 .grid = { div_up((unsigned)n, THREADS) },
                                 .block = { THREADS } },
               RIG_ARGS(RIG_ARG(d_records), RIG_ARG(distances), RIG_ARG(n),
                        RIG_ARG(from.lat), RIG_ARG(from.lng)));
    rig_download(&r, got, distances, count * sizeof *got);
    pick_nearest(got, (unsigned)n, best);
    pick_nearest(want, (unsigned)n, want_best);
    rig_output(&r, "distances", got, want, count);
    rig_output(&r, "nearest", best, want_best, NEAREST);
    return rig_end(&r);
}

const struct workload workload_nn = {
    .name = "nn",
    .summary = "nearest neighbours of a place",
    .suite = "Rodinia",
    .papers = "ghost socgpu",
    .sizes = { "20000 records", "42764 records", "42764 records" },
    .run = nn_run,
};
