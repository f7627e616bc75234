// wide.cu - loads and stores of 32 bytes per thread, from sm_100 on; of some, not all words
// are wanted.
#include "check.h"

__global__ void change(double4_32a *to, const double4_32a *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        double4_32a v = from[i];

        v.x += 1;
        v.w *= 2;
        to[i] = v;
    }
}

__global__ void take_words(unsigned *to, const ulonglong4_32a *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        ulonglong4_32a v = from[i];

        to[2 * i] = (unsigned)(v.y >> 32);
        to[2 * i + 1] = (unsigned)v.w;
    }
}

int main()
{
    enum { N = 1000, BLOCK = 128, BLOCKS = (N + BLOCK - 1) / BLOCK };
    double4_32a *from, *to;
    unsigned *words;
    int n_wrong = 0;

    GOOD(cudaMallocManaged(&from, N * sizeof *from));
    GOOD(cudaMallocManaged(&to, N * sizeof *to));
    GOOD(cudaMallocManaged(&words, 2 * N * sizeof *words));
    for (int i = 0; i < N; i++)
        from[i] = double4_32a{ i + 0.5, i * 2.0, i * 3.0, i / 3.0 };
    change<<<BLOCKS, BLOCK>>>(to, from, N);
    take_words<<<BLOCKS, BLOCK>>>(words, (const ulonglong4_32a *)from, N);
    GOOD(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        const unsigned *w = (const unsigned *)&from[i];

        n_wrong += to[i].x != from[i].x + 1 || to[i].y != from[i].y ||
                   to[i].z != from[i].z || to[i].w != from[i].w * 2;
        n_wrong += words[2 * i] != w[3] || words[2 * i + 1] != w[6];
    }
    printf("wide: %s\n", n_wrong ? "wrong" : "good");
    return n_wrong != 0;
}
