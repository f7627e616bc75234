/* converge.cu - loops that lanes leave after so many rounds each. How often a warp executes
 * an instruction shows which lanes ran together. Built by nvcc -arch=sm_90 -cubin. */
#define KERNEL(name) extern "C" __global__ void name(const int *leave, float *out, const float *in, int n)

/* Out of the middle of a loop. */
KERNEL(k0)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    for (; i < n; i++) {
        if (x > 1e30f || i == l)
            break;
        x = x * 1.5f + 0.25f;
    }
    out[threadIdx.x] = x + i;
}

/* The same with a volatile load, for which the compiler puts YIELD into the loop. */
KERNEL(k1)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    for (; i < n; i++) {
        if (x > 1e30f || i == l)
            break;
        x = x * 1.5f + ((volatile const float *)in)[(int)x & 31];
    }
    out[threadIdx.x] = x + i;
}

/* At the end of a loop. */
KERNEL(k2)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    do {
        x = x * 1.5f + 0.25f;
        i++;
    } while (i < l);
    out[threadIdx.x] = x + i;
}

/* The same with a volatile load. */
KERNEL(k3)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    do {
        x = x * 1.5f + ((volatile const float *)in)[(int)x & 31];
        i++;
    } while (i < l);
    out[threadIdx.x] = x + i;
}

/* A loop the compiler unrolls, so that lanes go through a short loop to a barrier, then
 * through a long one to EXIT, with loads that depend on loads and guarded stores. */
KERNEL(k4)
{
    int l = leave[threadIdx.x];
    const int *next = (const int *)in;

    for (int i = 0; i < l; i++) {
        int other = next[i & 31] & 31;

        if (next[other] > n)
            out[other] = in[threadIdx.x] + 1.0f;
    }
}

/* Out of a loop to the end of the program. */
KERNEL(k5)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x = x * 1.5f + in[i & 31];
        if (i == l) {
            out[threadIdx.x] = x;
            return;
        }
    }
}

/* Atomics whose result is waited for. */
KERNEL(k6)
{
    int l = leave[threadIdx.x];
    int x = 0, i = 0;
#pragma unroll 1
    for (; i < n; i++) {
        if (i == l)
            break;
        x ^= atomicAdd((int *)out + (i & 31), x | 1);
    }
    atomicAdd((int *)out + threadIdx.x, x + i);
}

/* A tree of branches. */
KERNEL(k7)
{
    float x = in[threadIdx.x];

    switch (leave[threadIdx.x] & 7) {
    case 0:
        x = sqrtf(x);
        break;
    case 1:
        x = in[(int)x & 31] * 2.0f;
        out[1] = x;
        break;
    case 2:
        x = x / 3.1f;
        out[2] = x;
        break;
    case 3:
        x = atomicAdd(out + 3, x);
        break;
    case 4:
        x = __sinf(x);
        out[4] = x;
        break;
    case 5:
        x = in[((int)x + 1) & 31] / x;
        break;
    case 6:
        x = x * in[5];
        out[7] = 1;
        break;
    case 7:
        x = atomicAdd(out + 9, x) * 3;
        break;
    }
    out[threadIdx.x] = x;
}

/* An indirect branch: a lane may go to any of four places. */
KERNEL(k8)
{
    float x = in[threadIdx.x];

    asm volatile("{\n"
                 "ts: .branchtargets l0, l1, l2, l3;\n"
                 "brx.idx %1, ts;\n"
                 "l0: sqrt.approx.f32 %0, %0; bra done;\n"
                 "l1: ex2.approx.f32 %0, %0; rcp.approx.f32 %0, %0; bra done;\n"
                 "l2: lg2.approx.f32 %0, %0; bra done;\n"
                 "l3: sin.approx.f32 %0, %0; cos.approx.f32 %0, %0;\n"
                 "done:\n"
                 "}"
                 : "+f"(x)
                 : "r"(leave[threadIdx.x] & 3));
    out[threadIdx.x] = x;
}

/* Lanes wait for others that end instead. */
KERNEL(k9)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x = x * 1.5f + in[i & 31];
        if (i == l) {
            if (l & 1)
                return;
            break;
        }
    }
    out[threadIdx.x] = x;
}

/* An indirect call. */
typedef float (*function)(float);

static __device__ __noinline__ float f0(float x)
{
    return x * 2.0f + 1.0f;
}

static __device__ __noinline__ float f1(float x)
{
    return __sinf(x) * __cosf(x);
}

static __device__ __noinline__ float f2(float x)
{
    return x * x + x;
}

static __device__ __noinline__ float f3(float x)
{
    return x < 0.1f ? __expf(x) : __logf(x) * 3.0f;
}

static __device__ const function table[4] = { f0, f1, f2, f3 };

KERNEL(k10)
{
    out[threadIdx.x] = table[leave[threadIdx.x] & 3](in[threadIdx.x]) + 1.0f;
}

/* A tree of branches in a loop, out of which some lanes break, return or go round. */
KERNEL(k11)
{
    unsigned l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    for (; i < 6; i++) {
        unsigned s = (l * 2654435761u) >> (i * 4);

        switch (s & 7) {
        case 0:
            x = x * 1.5f + in[i];
            out[1] = x;
            break;
        case 1:
            x = in[(int)x & 31] * 2.0f;
            out[1] = x;
            continue;
        case 2:
            x = __fdividef(x, 3.1f);
            out[2] = x;
            break;
        case 3:
            x += ((volatile float *)out)[3];
            break;
        case 4:
            x = __sinf(x);
            out[4] = x;
            goto done;
        case 5:
            if (l & 16) {
                x = in[((int)x + 1) & 31];
                out[6] = x;
            } else {
                out[8] = x;
                x = __cosf(x);
            }
            break;
        case 6:
            x = x * in[5];
            out[7] = 1;
            return;
        case 7:
            x += ((volatile float *)out)[(s >> 3) & 15];
            continue;
        }
        if (l & (1 << i)) {
            out[9] = x;
            x += in[7];
        } else {
            x = __sinf(x);
            out[10] = x;
        }
    }
done:
    out[threadIdx.x] = x + i;
}

/* Two loops and two ways out of each. */
KERNEL(k12)
{
    unsigned l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    while (i < (int)(l & 15)) {
        i++;
        if ((l >> (i & 3)) & 1) {
#pragma unroll 1
            for (int k = 0; k < (int)(l & 3); k++) {
                x = x * 1.5f + in[k];
                out[k] = x;
                if (k == (i & 3))
                    goto next;
            }
            x += 2.0f;
            out[5] = x;
        } else if (((l * 7) >> (i & 3)) & 1) {
            out[6] = x;
            x *= 2.0f;
            if ((l ^ i) & 4)
                break;
            out[7] = x;
        } else {
            out[8] = __sinf(x);
        }
    next:
        x += 1.0f;
    }
    out[threadIdx.x] = x + i;
}

/* A loop in a loop and two sides in the inner one, where the compiler puts YIELD. */
KERNEL(k13)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
#pragma unroll 1
    for (int i = 0; i <= (l & 3); i++) {
#pragma unroll 1
        for (int k = 0; k < (l >> i); k++) {
            if ((k ^ l) & 1) {
                x = x * 1.5f + in[k & 31];
                out[k & 31] = 0;
            } else {
                x = sqrtf(x);
                if (x > 3.0f)
                    atomicAdd((int *)out + 1, 2);
            }
        }
    }
    out[threadIdx.x] = x;
}
