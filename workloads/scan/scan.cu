/* scan.cu - exclusive prefix sums of any length, level by level.
 *
 * scan_block: 256 threads take four consecutive words each; the warps scan by
 * shuffle-up, the first warp scans the warps' totals. The blocks' totals form the
 * next level. scan_add: adds the scanned total of all blocks before to each element.
 * The length is a multiple of four.
 */
#define FULL 0xffffffffu

enum { THREADS = 256, WARPS = THREADS / 32 };

/* Inclusive scan over the warp's lanes. */
static __device__ unsigned warp_scan(unsigned v, unsigned lane)
{
    for (unsigned step = 1; step < 32; step *= 2) {
        unsigned below = __shfl_up_sync(FULL, v, step);

        if (lane >= step)
            v += below;
    }
    return v;
}

extern "C" __global__ void scan_block(const uint4 *in, uint4 *out, unsigned *totals,
                                      unsigned n4)
{
    __shared__ unsigned warp_total[WARPS];
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint4 v = i < n4 ? in[i] : make_uint4(0, 0, 0, 0);
    unsigned own = v.x + v.y + v.z + v.w;
    unsigned upto = warp_scan(own, lane);

    if (lane == 31)
        warp_total[warp] = upto;
    __syncthreads();
    if (warp == 0) {
        unsigned t = lane < WARPS ? warp_total[lane] : 0;

        t = warp_scan(t, lane);
        if (lane < WARPS)
            warp_total[lane] = t;
    }
    __syncthreads();
    if (warp > 0)
        upto += warp_total[warp - 1];
    if (threadIdx.x == THREADS - 1)
        totals[blockIdx.x] = upto;
    if (i < n4) {
        unsigned first = upto - own;

        out[i] = make_uint4(first, first + v.x, first + v.x + v.y,
                            first + v.x + v.y + v.z);
    }
}

extern "C" __global__ void scan_add(uint4 *data, const unsigned *before, unsigned n4)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n4) {
        unsigned add = before[blockIdx.x];
        uint4 v = data[i];

        data[i] = make_uint4(v.x + add, v.y + add, v.z + add, v.w + add);
    }
}
