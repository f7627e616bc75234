/* host.c - histogram: 256 bins, by shared and by global atomics.
 *
 * Bytes are the AND of two random bytes, so low counts are rare, zero bits common and
 * some bins contended. Integer atomics: the order does not matter.
 */
#include "../workload.h"

enum { BINS = 256, THREADS = 256 };

static int histogram_run(struct workload_env *env)
{
    static const unsigned shapes[N_WORKLOAD_SIZE][2] = {
        { 1u << 14, 8 },
        { 1u << 21, 136 },
        { 1u << 24, 240 },
    };
    unsigned n = shapes[env->size][0], blocks = shapes[env->size][1];
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 5);
    uint32_t *data = rig_host(&r, n, sizeof *data), want[BINS] = { 0 };

    if (r.failed)
        return rig_end(&r);
    for (unsigned i = 0; i < n; i++) {
        uint64_t bits = rng_next(&rng);

        data[i] = (uint32_t)(bits & bits >> 32);
        for (unsigned shift = 0; shift < 32; shift += 8)
            want[data[i] >> shift & 0xff]++;
    }
    CUdeviceptr d_data = rig_upload(&r, data, n * sizeof *data);
    CUdeviceptr bins = rig_alloc(&r, sizeof want);
    CUdeviceptr global_bins = rig_global(&r, "global_bins", sizeof want);
    rig_fill(&r, bins, 0, BINS);
    rig_fill(&r, global_bins, 0, BINS);
    rig_launch(&r, &(struct launch){ "hist_shared", { blocks }, { THREADS }, 0 },
               RIG_ARGS(RIG_ARG(d_data), RIG_ARG(bins), RIG_ARG(n)));
    rig_launch(&r, &(struct launch){ "hist_global", { blocks }, { THREADS }, 0 },
               RIG_ARGS(RIG_ARG(d_data), RIG_ARG(n)));
    rig_result(&r, "bins", bins, want, BINS);
    rig_result(&r, "global_bins", global_bins, want, BINS);
    return rig_end(&r);
}

const struct workload workload_histogram = {
    .name = "histogram",
    .summary = "256-bin byte histogram by shared and global atomics",
    .suite = "CUDA SDK",
    .sizes = { "64 KiB", "8 MiB", "64 MiB" },
    .run = histogram_run,
};
