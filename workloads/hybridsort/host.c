/* host.c - hybridsort: numbers sorted by buckets and merging.
 *
 * The histogram is counted on the CPU too, and the sorted numbers must be those that a
 * sort on the CPU gives, bit for bit; all are positive. */
#include <stdlib.h>
#include <string.h>

#include "../workload.h"

enum { BINS = 1024, HISTOGRAM_THREADS = 96, MAX_BUCKETS = 1024 };
enum {
    WARP = 32,
    BAND = 128,
    PREFIX_THREADS = 128,
    MERGE_THREADS = 256,
    PASS_THREADS = 208
};

struct shape {
    unsigned n, buckets, histogram_blocks;
};

struct sort {
    unsigned n, buckets, histogram_blocks;
    unsigned blocks;           /* of the kernels that sort into buckets */
    unsigned n_fours, largest; /* with the zeros; in the largest bucket */
    float least, range;
    unsigned bins[BINS];
    int start[MAX_BUCKETS + 1], packed[MAX_BUCKETS + 1], zeros[MAX_BUCKETS];
    CUdeviceptr in, place, counts, lists[2];
    CUtexObject textures[2];
};

/* Limits that would leave each bucket the same number, if bins were filled evenly. */
static void limits_of(const struct sort *s, const unsigned bins[BINS], float *limits)
{
    float share = (float)s->n / (float)s->buckets, passed = 0.0f,
          width = s->range / BINS;
    unsigned bucket = 0;

    for (unsigned i = 0; i < BINS; i++) {
        float here = (float)bins[i];

        while (bucket < s->buckets && (float)(bucket + 1) * share <= passed + here &&
               here > 0) {
            float part = ((float)(bucket + 1) * share - passed) / here;

            limits[bucket++] = s->least + ((float)i + part) * width;
        }
        passed += here;
    }
    for (; bucket < s->buckets; bucket++)
        limits[bucket] = s->least + s->range;
}

static void count_on_device(struct rig *r, struct sort *s, unsigned bins[BINS])
{
    int n = (int)s->n;
    CUdeviceptr d_bins = rig_alloc(r, BINS * sizeof(unsigned));
    struct launch l = {
        "histogram", { s->histogram_blocks }, { HISTOGRAM_THREADS }, 0
    };

    rig_fill(r, d_bins, 0, BINS);
    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(s->in), RIG_ARG(d_bins), RIG_ARG(s->least),
                        RIG_ARG(s->range), RIG_ARG(n)));
    rig_result(r, "bins", d_bins, s->bins, BINS);
    rig_download(r, bins, d_bins, BINS * sizeof *bins);
}

/* Where buckets begin, with and without the zeros before their numbers. */
static void place_buckets(struct sort *s, const unsigned totals[MAX_BUCKETS])
{
    for (unsigned i = 0; i < s->buckets; i++) {
        unsigned fours = div_up(totals[i], 4);

        s->zeros[i] = (int)(fours * 4 - totals[i]);
        s->start[i + 1] = s->start[i] + (int)fours;
        s->packed[i + 1] = s->packed[i] + (int)totals[i];
        if (fours > s->largest)
            s->largest = fours;
    }
    s->n_fours = (unsigned)s->start[s->buckets];
}

static void bucket_on_device(struct rig *r, struct sort *s, const unsigned bins[BINS])
{
    int n = (int)s->n, buckets = (int)s->buckets, blocks = (int)s->blocks;
    unsigned totals[MAX_BUCKETS] = { 0 }, starts[MAX_BUCKETS] = { 0 };
    float limits[MAX_BUCKETS] = { 0 };
    CUdeviceptr d_totals = rig_alloc(r, sizeof totals),
                d_starts = rig_alloc(r, sizeof starts);
    CUdeviceptr d_limits;
    struct launch l = { "bucket_count", { s->blocks }, { WARP }, 0 };
    struct launch prefix = {
        "bucket_prefix", { div_up(s->buckets, PREFIX_THREADS) }, { PREFIX_THREADS }, 0
    };

    limits_of(s, bins, limits);
    d_limits = rig_upload(r, limits, sizeof limits);
    CUtexObject texture = rig_texture_floats(r, d_limits, 1, MAX_BUCKETS);
    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(texture), RIG_ARG(s->in), RIG_ARG(s->place),
                        RIG_ARG(s->counts), RIG_ARG(n), RIG_ARG(buckets)));
    rig_launch(r, &prefix,
               RIG_ARGS(RIG_ARG(s->counts), RIG_ARG(d_totals), RIG_ARG(blocks),
                        RIG_ARG(buckets)));
    rig_download(r, totals, d_totals, s->buckets * sizeof *totals);
    place_buckets(s, totals);
    for (unsigned i = 0; i < s->buckets; i++)
        starts[i] = (unsigned)s->start[i] * 4;
    rig_write(r, d_starts, starts, sizeof starts);
    l.kernel = "bucket_scatter";
    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(s->in), RIG_ARG(s->place), RIG_ARG(s->counts),
                        RIG_ARG(d_starts), RIG_ARG(s->lists[0]), RIG_ARG(n),
                        RIG_ARG(buckets)));
}

/* Returns which list has the result. */
static int merge_on_device(struct rig *r, struct sort *s)
{
    int n_fours = (int)s->n_fours, buckets = (int)s->buckets, from = 0, run = 2;
    unsigned per_bucket;
    struct launch first = {
        "merge_first", { div_up(s->n_fours, MERGE_THREADS) }, { MERGE_THREADS }, 0
    };
    struct launch pass = { "merge_pass", { 0 }, { PASS_THREADS }, 0 };
    struct launch pack = { "merge_pack",
                           { div_up(4 * s->largest, MERGE_THREADS), s->buckets },
                           { MERGE_THREADS },
                           0 };

    rig_write(r, rig_global(r, "bucket_start", sizeof s->start), s->start,
              sizeof s->start);
    rig_write(r, rig_global(r, "packed_start", sizeof s->packed), s->packed,
              sizeof s->packed);
    rig_write(r, rig_global(r, "bucket_zeros", sizeof s->zeros), s->zeros,
              sizeof s->zeros);
    rig_launch(
        r, &first,
        RIG_ARGS(RIG_ARG(s->textures[0]), RIG_ARG(s->lists[1]), RIG_ARG(n_fours)));
    do {
        from = !from;
        per_bucket = div_up(s->largest, (unsigned)run);
        pass.grid[0] = div_up(per_bucket * s->buckets, PASS_THREADS);
        rig_launch(r, &pass,
                   RIG_ARGS(RIG_ARG(s->textures[from]), RIG_ARG(s->lists[!from]),
                            RIG_ARG(run), RIG_ARG(per_bucket), RIG_ARG(buckets)));
        run *= 2;
    } while (per_bucket > 1);
    rig_launch(r, &pack, RIG_ARGS(RIG_ARG(s->lists[!from]), RIG_ARG(s->lists[from])));
    return from;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return x < y ? -1 : x > y;
}

/* More small numbers than large ones. */
static void numbers_make(struct workload_env *env, struct sort *s, float *in)
{
    struct rng rng = rng_start(env, 109);
    float most = 0.0f;

    s->least = 1.0f;
    for (unsigned i = 0; i < s->n; i++) {
        float unit = rng_unit(&rng) + 0x1p-24f;

        in[i] = unit * unit;
        s->least = in[i] < s->least ? in[i] : s->least;
        most = in[i] > most ? in[i] : most;
    }
    s->range = most - s->least;
    for (unsigned i = 0; i < s->n; i++) {
        unsigned bin = (unsigned)((in[i] - s->least) / s->range * (float)BINS);

        s->bins[bin % BINS]++;
    }
}

static int hybridsort_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 3000, 64, 4 },
        { 100000, 1024, 64 },
        { 1u << 22, 1024, 64 },
    };
    const struct shape *shape = &shapes[env->size];
    struct sort s = { .n = shape->n,
                      .buckets = shape->buckets,
                      .histogram_blocks = shape->histogram_blocks };
    size_t n = s.n, room = n + 4 * (size_t)s.buckets, n_counts;
    struct rig r = rig_begin(env);
    float *in = rig_host(&r, n, sizeof *in);
    unsigned bins[BINS] = { 0 };

    if (r.failed)
        return rig_end(&r);
    numbers_make(env, &s, in);
    s.blocks = div_up(s.n, WARP * BAND);
    n_counts = (size_t)s.blocks * s.buckets;
    s.in = rig_upload(&r, in, n * sizeof *in);
    s.place = rig_alloc(&r, n * 2 * sizeof(unsigned));
    s.counts = rig_alloc(&r, n_counts * sizeof(unsigned));
    for (int i = 0; i < 2; i++) {
        s.lists[i] = rig_alloc(&r, room * sizeof(float));
        rig_fill(&r, s.lists[i], 0, room);
        s.textures[i] = rig_texture_floats(&r, s.lists[i], 4, room);
    }
    count_on_device(&r, &s, bins);
    bucket_on_device(&r, &s, bins);
    int sorted = merge_on_device(&r, &s);

    qsort(in, n, sizeof *in, compare_floats);
    rig_result(&r, "sorted", s.lists[sorted], in, n);
    return rig_end(&r);
}

const struct workload workload_hybridsort = {
    .name = "hybridsort",
    .summary = "floats sorted into buckets and merged within them",
    .suite = "Rodinia",
    .papers = "socgpu",
    .sizes = { "3000 numbers, 64 buckets", "100000 numbers, 1024 buckets",
               "4194304 numbers, 1024 buckets" },
    .run = hybridsort_run,
};
