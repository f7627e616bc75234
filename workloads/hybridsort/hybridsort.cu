/* hybridsort.cu - floats sorted into buckets, then each bucket by merging.
 *
 * histogram counts how the numbers are spread, from which the host takes the limits of
 * the buckets. bucket_count finds the bucket of each number by binary search in a texture
 * of limits, and its place among the block's numbers there; bucket_prefix makes places in
 * the bucket of them; bucket_scatter moves the numbers. Buckets begin at multiples of
 * four numbers, filled up with zeros. merge_first sorts each four, merge_pass has a
 * thread merge two runs, four numbers at a time, the lists read through a texture;
 * merge_pack leaves out the zeros.
 *
 * Numbers of one bucket get their places by lane, so that nothing depends on the order
 * in which a GPU does the atomics of a warp.
 */
enum { BINS = 1024, HISTOGRAM_THREADS = 96, MAX_BUCKETS = 1024, WARP = 32 };

#define FULL 0xffffffffu

extern "C" __global__ void histogram(const float *in, unsigned *bins, float least,
                                     float range, int n)
{
    __shared__ unsigned count[BINS];

    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        count[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x) {
        unsigned bin = (unsigned)((in[i] - least) / range * (float)BINS);

        atomicAdd(&count[bin % BINS], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], count[i]);
}

/* How many limits are not above v. */
static __device__ int find_bucket(cudaTextureObject_t limits, float v, int n_buckets)
{
    int at = n_buckets / 2 - 1;
    float limit = tex1Dfetch<float>(limits, at);

    for (int jump = n_buckets / 4; jump >= 1; jump /= 2) {
        at = v < limit ? at - jump : at + jump;
        limit = tex1Dfetch<float>(limits, at);
    }
    return v < limit ? at : at + 1;
}

/* Takes a place in its bucket for each lane of the warp, which are all here; returns the
 * place. A lane without a number has bucket -1. */
static __device__ unsigned take_place(unsigned *count, int bucket)
{
    unsigned same = __match_any_sync(FULL, bucket), place = 0;
    int lane = threadIdx.x, first = __ffs(same) - 1;

    if (lane == first && bucket >= 0)
        place = atomicAdd(&count[bucket], __popc(same));
    place = __shfl_sync(FULL, place, first);
    return place + __popc(same & ((1u << lane) - 1));
}

/* A block is one warp. place: of each number, its bucket and its place among the block's
 * numbers there. */
extern "C" __global__ void bucket_count(cudaTextureObject_t limits, const float *in,
                                        uint2 *place, unsigned *counts, int n,
                                        int n_buckets)
{
    __shared__ unsigned count[MAX_BUCKETS];

    for (int i = threadIdx.x; i < n_buckets; i += WARP)
        count[i] = 0;
    __syncwarp();
    for (int first = blockIdx.x * WARP; first < n; first += gridDim.x * WARP) {
        int i = first + threadIdx.x;
        int bucket = i < n ? find_bucket(limits, in[i], n_buckets) : -1;
        unsigned at = take_place(count, bucket);

        if (i < n)
            place[i] = make_uint2(bucket, at);
    }
    __syncwarp();
    for (int i = threadIdx.x; i < n_buckets; i += WARP)
        counts[blockIdx.x * n_buckets + i] = count[i];
}

/* A thread per bucket: the blocks' counts become the places where their numbers begin. */
extern "C" __global__ void bucket_prefix(unsigned *counts, unsigned *totals,
                                         int n_blocks, int n_buckets)
{
    int bucket = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;

    if (bucket >= n_buckets)
        return;
    for (int i = bucket; i < n_blocks * n_buckets; i += n_buckets) {
        unsigned here = counts[i];

        counts[i] = sum;
        sum += here;
    }
    totals[bucket] = sum;
}

extern "C" __global__ void bucket_scatter(const float *in, const uint2 *place,
                                          const unsigned *counts,
                                          const unsigned *starts, float *out, int n,
                                          int n_buckets)
{
    __shared__ unsigned start[MAX_BUCKETS];

    for (int i = threadIdx.x; i < n_buckets; i += WARP)
        start[i] = starts[i] + counts[blockIdx.x * n_buckets + i];
    __syncwarp();
    for (int i = blockIdx.x * WARP + threadIdx.x; i < n; i += gridDim.x * WARP) {
        uint2 to = place[i];

        out[start[to.x] + to.y] = in[i];
    }
}

static __device__ void order(float &a, float &b)
{
    float low = a > b ? b : a;

    b = b > a ? b : a;
    a = low;
}

static __device__ float4 sort_four(float4 v)
{
    order(v.x, v.y);
    order(v.z, v.w);
    order(v.x, v.z);
    order(v.y, v.w);
    order(v.y, v.z);
    return v;
}

/* Leaves the four lowest of two sorted fours in a, the others in b, both sorted. */
static __device__ void merge_fours(float4 &a, float4 &b)
{
    order(a.x, b.w);
    order(a.y, b.z);
    order(a.z, b.y);
    order(a.w, b.x);
    a = sort_four(a);
    b = sort_four(b);
}

extern "C" __global__ void merge_first(cudaTextureObject_t list, float4 *out,
                                       int n_fours)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n_fours)
        out[i] = sort_four(tex1Dfetch<float4>(list, i));
}

/* Where buckets begin in fours, and the last ends; where their numbers go in the result;
 * how many zeros come before them. */
__constant__ int bucket_start[MAX_BUCKETS + 1];
__constant__ int packed_start[MAX_BUCKETS + 1];
__constant__ int bucket_zeros[MAX_BUCKETS];

/* A thread merges two runs of fours, each half of run, into one; per_bucket threads do so
 * in a bucket. */
extern "C" __global__ void merge_pass(cudaTextureObject_t list, float4 *out, int run,
                                      int per_bucket, int n_buckets)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x, bucket = tid / per_bucket;

    if (bucket >= n_buckets)
        return;
    int end = bucket_start[bucket + 1];
    int at_a = bucket_start[bucket] + (tid - bucket * per_bucket) * run, at = at_a;
    int at_b = at_a + run / 2, end_a = at_b, end_b = min(at_a + run, end);

    if (at_a >= end)
        return;
    if (at_b >= end) {
        for (; at < end; at++)
            out[at] = tex1Dfetch<float4>(list, at);
        return;
    }
    float4 a = tex1Dfetch<float4>(list, at_a), b = tex1Dfetch<float4>(list, at_b);
    while (true) {
        float4 next_a = tex1Dfetch<float4>(list, at_a + 1);
        float4 next_b = tex1Dfetch<float4>(list, at_b + 1);
        bool has_a = at_a + 1 < end_a, has_b = at_b + 1 < end_b;

        merge_fours(a, b);
        out[at++] = a;
        if (has_a && (!has_b || next_a.x < next_b.x)) {
            at_a++;
            a = next_a;
        } else if (has_b) {
            at_b++;
            a = next_b;
        } else {
            break;
        }
    }
    out[at] = b;
}

extern "C" __global__ void merge_pack(const float *list, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, bucket = blockIdx.y;

    if (packed_start[bucket] + i >= packed_start[bucket + 1])
        return;
    out[packed_start[bucket] + i] =
        list[bucket_start[bucket] * 4 + bucket_zeros[bucket] + i];
}
