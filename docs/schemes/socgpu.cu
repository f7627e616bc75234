/* socgpu.cu - programs for the question where SOCGPU's gain comes from (socgpu.md).
 *
 * A product of matrices as libraries write it, with few warps and much to do in each:
 * tiles in shared memory, 8 x 8 or 4 x 4 sums a thread. `pipelined` loads the next tile
 * before it works on this one and moves its pointers on behind the loads; `plain` loads,
 * waits and works. `stream` is a recurrent step: rows of weights times a vector, where
 * all there is to do is to have many loads under way. Inputs are zeros, as no value
 * matters to time.
 *
 * usage: socgpu pipelined32|pipelined64|pipelined128|plain64|stream
 */
#include <cstdio>
#include <cstring>

template <int TILE, int EACH, bool AHEAD> struct shape {
    static constexpr int DEPTH = 8, ACROSS = TILE / EACH, THREADS = ACROSS * ACROSS;
    static constexpr int LOADS = TILE * DEPTH / THREADS, ROWS = THREADS / TILE;
};

template <class S, int N> __device__ void load(float (&to)[N], const float *from, int n)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        to[i] = from[i * S::ROWS * n];
}

template <int TILE, int EACH, bool AHEAD>
__global__ void __launch_bounds__(TILE *TILE / EACH / EACH)
    product(const float *a, const float *b, float *c, int n, int depth)
{
    using S = shape<TILE, EACH, AHEAD>;
    __shared__ float as[2][S::DEPTH][TILE], bs[2][S::DEPTH][TILE];
    int t = threadIdx.x, x = t % S::ACROSS * EACH, y = t / S::ACROSS * EACH;
    int row = t / TILE, col = t % TILE, buf = 0;
    float sum[EACH][EACH] = {}, next_a[S::LOADS], next_b[S::LOADS];

    a += blockIdx.y * TILE + col + row * n;
    b += blockIdx.x * TILE + col + row * n;
    c += (blockIdx.y * TILE + y) * n + blockIdx.x * TILE + x;
    if (AHEAD) {
        load<S>(next_a, a, n);
        load<S>(next_b, b, n);
    }
    for (int k = 0; k < depth; k += S::DEPTH, buf ^= 1) {
        if (!AHEAD) {
            load<S>(next_a, a, n);
            load<S>(next_b, b, n);
        }
#pragma unroll
        for (int i = 0; i < S::LOADS; i++) {
            as[buf][row + i * S::ROWS][col] = next_a[i];
            bs[buf][row + i * S::ROWS][col] = next_b[i];
        }
        __syncthreads();
        a += S::DEPTH * n;
        b += S::DEPTH * n;
        if (AHEAD && k + S::DEPTH < depth) {
            load<S>(next_a, a, n);
            load<S>(next_b, b, n);
        }
#pragma unroll
        for (int d = 0; d < S::DEPTH; d++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += as[buf][d][y + i] * bs[buf][d][x + j];
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            c[i * n + j] = sum[i][j];
}

__global__ void stream(const float *weights, const float *vector, float *out, int n)
{
    float gate[3] = {};

    weights += threadIdx.x + blockIdx.x * blockDim.x;
#pragma unroll 8
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int g = 0; g < 3; g++)
            gate[g] += weights[(g * n + i) * n] * vector[i];
    out[threadIdx.x + blockIdx.x * blockDim.x] = gate[0] * gate[1] + gate[2];
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";
    const size_t bytes = 4 << 20;
    float *a, *b, *c;

    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    if (!strcmp(name, "pipelined32"))
        product<32, 4, true><<<dim3(2, 2), 64>>>(a, b, c, 64, 256);
    else if (!strcmp(name, "pipelined64"))
        product<64, 8, true><<<dim3(2, 2), 64>>>(a, b, c, 128, 128);
    else if (!strcmp(name, "pipelined128"))
        product<128, 8, true><<<dim3(2, 2), 256>>>(a, b, c, 256, 128);
    else if (!strcmp(name, "plain64"))
        product<64, 8, false><<<dim3(2, 2), 64>>>(a, b, c, 128, 128);
    else if (!strcmp(name, "stream"))
        stream<<<4, 64>>>(a, b, c, 256);
    else {
        fprintf(stderr, "usage: socgpu pipelined32|pipelined64|pipelined128|plain64|stream\n");
        return 1;
    }
    cudaError_t e = cudaDeviceSynchronize();
    if (e)
        fprintf(stderr, "socgpu: %s\n", cudaGetErrorString(e));
    return e ? 1 : 0;
}
