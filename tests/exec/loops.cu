/* loops.cu - lanes leave loops inside loops at different times, with atomics in between,
 * and all threads of the block meet at a barrier after that. The compiler puts YIELD into
 * such loops; whichever lanes run first, every thread must come to the barrier. */
#include "check.h"

enum { THREADS = 96, WORDS = 8, SEEDS = 60 };

/* What a thread does to its own words; the same on the host. */
struct host_words {
    unsigned *w;
    unsigned max(int i, unsigned v)
    {
        unsigned old = w[i];

        w[i] = v > old ? v : old;
        return old;
    }
    unsigned add(int i, unsigned v)
    {
        w[i] += v;
        return w[i] - v;
    }
};
struct shared_words {
    unsigned *w;
    __device__ unsigned max(int i, unsigned v) { return atomicMax(w + i, v); }
    __device__ unsigned add(int i, unsigned v) { return atomicAdd(w + i, v); }
};

template <class words> __host__ __device__ unsigned walk(words w, const unsigned *in)
{
    unsigned x = in[0], y = in[1];
    int k, n;

    if (in[2] & 1) {
        k = in[3] & 7;
        do
            x += w.max(0, x & 255);
        while (--k >= 0);
    } else {
        y = y / (in[4] | 1);
    }
    n = x & 7;
    do {
        k = y & 7;
        do {
            y ^= w.add(1, k);
            if ((y & 31) == 5)
                break;
        } while (--k >= 0);
        if ((x ^ y) & 64)
            continue;
        for (k = in[5] & 3; k; k--)
            x += w.max(2, y & 1023);
    } while (--n >= 0);
    return x + w.add(1, x) * 3 + y;
}

__global__ void loops(const unsigned *in, unsigned *out)
{
    __shared__ unsigned all[THREADS * WORDS];
    unsigned t = threadIdx.x;
    shared_words w = { all + t * WORDS };
    unsigned x;

    for (int i = 0; i < WORDS; i++)
        w.w[i] = in[t * WORDS + i];
    __syncthreads();
    x = walk(w, in + t * WORDS);
    __syncthreads();
    out[t] = x + all[(t + 1) % THREADS * WORDS + 1];
}

int main(void)
{
    static unsigned host[THREADS * WORDS], words[THREADS * WORDS], x[THREADS];
    unsigned *in, *out;
    unsigned long long r = 88172645463325252ull;

    GOOD(cudaMallocManaged(&in, sizeof host));
    GOOD(cudaMallocManaged(&out, THREADS * sizeof *out));
    for (int seed = 0; seed < SEEDS; seed++) {
        for (int i = 0; i < THREADS * WORDS; i++) {
            r ^= r << 13;
            r ^= r >> 7;
            r ^= r << 17;
            in[i] = host[i] = words[i] = (unsigned)(r >> 20);
        }
        loops<<<1, THREADS>>>(in, out);
        GOOD(cudaDeviceSynchronize());
        for (int t = 0; t < THREADS; t++)
            x[t] = walk(host_words{ words + t * WORDS }, host + t * WORDS);
        for (int t = 0; t < THREADS; t++)
            CHECK(out[t] == x[t] + words[(t + 1) % THREADS * WORDS + 1]);
    }
    printf("good\n");
}
