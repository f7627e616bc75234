/* histogram.cu - counts of byte values.
 *
 * hist_shared: a sub-histogram a block in shared memory, merged by global atomics.
 * hist_global: every byte counted by a global atomic in a module variable.
 * Both read four bytes at a time in a grid-stride loop.
 */
enum { BINS = 256 };

__device__ unsigned global_bins[BINS];

extern "C" __global__ void hist_shared(const unsigned *data, unsigned *bins, unsigned n)
{
    __shared__ unsigned part[BINS];

    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        part[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x) {
        unsigned word = data[i];

        atomicAdd(&part[word & 0xff], 1u);
        atomicAdd(&part[word >> 8 & 0xff], 1u);
        atomicAdd(&part[word >> 16 & 0xff], 1u);
        atomicAdd(&part[word >> 24], 1u);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], part[i]);
}

extern "C" __global__ void hist_global(const unsigned *data, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x) {
        unsigned word = data[i];

        atomicAdd(&global_bins[word & 0xff], 1u);
        atomicAdd(&global_bins[word >> 8 & 0xff], 1u);
        atomicAdd(&global_bins[word >> 16 & 0xff], 1u);
        atomicAdd(&global_bins[word >> 24], 1u);
    }
}
