/* meets.cu - lanes part in a recursive function that loops, come back at different times,
 * and exchange values after that: the compiler leaves it to convergence barriers, which
 * the function saves and restores, that all lanes are there. Loads of 16 bytes, too. */
#include "check.h"

enum { THREADS = 64, BLOCKS = 4, WORDS = 1024 };

__host__ __device__ inline unsigned mix(unsigned h, unsigned v)
{
    h = (h ^ v) * 0x9E3779B1u;
    return h ^ h >> 15;
}

__host__ __device__ __noinline__ unsigned walk(unsigned x, unsigned y, int depth,
                                               unsigned lane)
{
    unsigned sum = x, other = x ^ y;
    int fuel = 40;

    do
        fuel--;
    while (fuel > 0 && y >> 9 & 2);
    if (depth > 0 && lane < 11)
        sum += walk(y, other + 1, depth - 1, lane);
    if (depth > 0 && (other * sum >> (sum & 31)) > sum + x)
        other ^= walk(sum, x * 3, depth - 1, lane);
    return mix(mix(mix(sum, other), y), (unsigned)fuel);
}
__host__ __device__ void part(unsigned *u, unsigned t)
{
    unsigned lane = t & 31;

    for (unsigned i = 0, n = t % 5; i < n; i++)
        u[1] += walk(u[0], mix(u[1], i), 2, lane);
    for (int fuel = 60; fuel > 0; fuel--) {
        for (unsigned k = 0; k < (lane & 3); k++, fuel--)
            u[2] = mix(u[2], u[1] % (k + u[0] % 7 + 1));
        if (!((u[1] ^ lane) & 6))
            break;
    }
}

__global__ void meet(const unsigned *__restrict__ in, unsigned *out)
{
    unsigned t = threadIdx.x, g = blockIdx.x * THREADS + t;
    uint4 v = ((const uint4 *)in)[g % (WORDS / 4)];
    unsigned u[3] = { v.x, v.y + v.z, v.w };

    part(u, t);
    out[g] = u[2] + 3 * __shfl_down_sync(0xffffffff, u[1] + u[2], 15);
}

int main()
{
    static unsigned in[WORDS], got[BLOCKS * THREADS], u[BLOCKS * THREADS][3];
    unsigned *from, *to, x = 12345;

    for (int i = 0; i < WORDS; i++) {
        x = x * 1664525 + 1013904223;
        in[i] = i % 5 ? x : x >> i % 29;
    }
    GOOD(cudaMalloc(&from, sizeof in));
    GOOD(cudaMalloc(&to, sizeof got));
    GOOD(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    meet<<<BLOCKS, THREADS>>>(from, to);
    GOOD(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost));
    for (unsigned g = 0; g < BLOCKS * THREADS; g++) {
        const unsigned *v = in + 4 * (g % (WORDS / 4));

        u[g][0] = v[0], u[g][1] = v[1] + v[2], u[g][2] = v[3];
        part(u[g], g % THREADS);
    }
    for (unsigned g = 0; g < BLOCKS * THREADS; g++) {
        unsigned other = g % 32 + 15 < 32 ? g + 15 : g;

        CHECK(got[g] == u[g][2] + 3 * (u[other][1] + u[other][2]));
    }
    puts("good");
    return 0;
}
