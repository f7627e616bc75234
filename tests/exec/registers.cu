/* registers.cu - warps that give registers to their block and take them; as "registers stuck"
 * too few are given back, and a GPU would try for ever.
 */
#include <cstdio>
#include <cstring>

enum { THREADS = 384, PRODUCERS = 128 };

__global__ void __launch_bounds__(THREADS, 1) fits(unsigned *out)
{
    if (threadIdx.x < PRODUCERS)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    else
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    out[threadIdx.x] = threadIdx.x;
}

__global__ void __launch_bounds__(THREADS, 1) stuck(unsigned *out)
{
    if (threadIdx.x < PRODUCERS)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 160;");
    else
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    out[threadIdx.x] = threadIdx.x;
}

int main(int argc, char **argv)
{
    unsigned *out, got[THREADS], n_wrong = 0;

    cudaMalloc(&out, sizeof got);
    if (argc > 1 && !strcmp(argv[1], "stuck"))
        stuck<<<1, THREADS>>>(out);
    else
        fits<<<1, THREADS>>>(out);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (unsigned k = 0; k < THREADS; k++)
        n_wrong += got[k] != k;
    puts(n_wrong ? "registers: wrong" : "registers: good");
    return n_wrong != 0;
}
