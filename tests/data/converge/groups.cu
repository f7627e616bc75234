/* groups.cu - random programs whose lanes part and meet in many ways: with recursion, with
 * loops for which the compiler emits YIELD, with calls, with votes after recursive calls.
 * Each lane logs where it is, which lanes run with it, and the clock; tests/unit/groups.h
 * puts the logs together.
 * Built by nvcc -arch=sm_90 -cubin. */
struct ctx {
    unsigned *n;
    unsigned *log;
    const unsigned *in;
};
__device__ __forceinline__ unsigned now() {
    unsigned t;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t));
    return t;
}
#define LOG(id)                                                                                    \
    do {                                                                                           \
        unsigned m_ = __activemask(), t_ = now(), c_ = *c.n;                                       \
        if (c_ < 2000) {                                                                           \
            uint4 e_ = {id, m_, t_, 0};                                                            \
            ((uint4 *)c.log)[c_] = e_;                                                             \
        }                                                                                          \
        *c.n = c_ + 1;                                                                             \
    } while (0)

__device__ __noinline__ unsigned f0_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((x & 7) < 2) {
        LOG(2);
        LOG(3);
        x ^= x >> 3;
        x += c.in[10];
        LOG(4);
        x = x * 3 + 1;
    } else {
        LOG(5);
        LOG(6);
        x = x * 5 + c.in[5];
        LOG(7);
        x = x * 3 + 1;
    }
    if ((x >> 2 & 1)) {
        LOG(8);
        return x;
    }
    LOG(9);
    x = x * 5 + c.in[15];
    if ((x >> 3 & 1)) {
        LOG(10);
        x += f0_0r(c, x * 8 + 1, sh, d - 1);
        LOG(11);
    }
    {
        int k1 = x & 7;
        do {
            LOG(12);
            x ^= x >> 3;
            x += c.in[10];
            LOG(13);
            x = x * 5 + c.in[1];
            if ((c.in[(x + 1) & 15] & 3) == 0) continue;
        } while (--k1 >= 0);
    }
    switch (x & 3) {
    case 0:
        LOG(14);
        x = x * 5 + c.in[0];
        break;
    case 1:
        LOG(15);
        x = x * 5 + c.in[5];
        break;
    case 2:
        LOG(16);
        x ^= x >> 3;
        x += c.in[12];
        break;
    default:
        LOG(17);
        x = x * 5 + c.in[11];
    }
    LOG(18);
    return x;
}
__device__ __noinline__ unsigned f0_1r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(19);
    if (d <= 0) return x;
    LOG(20);
    x = x * 5 + c.in[7];
    LOG(21);
    x = x * 3 + 1;
    if ((c.in[(x + 14) & 15] & 3) == 2) {
        LOG(22);
        x += f0_1r(c, x * 8 + 1, sh, d - 1);
    }
    if ((x >> 3 & 15) > 12) {
        LOG(23);
        LOG(24);
        x ^= x >> 3;
        x += c.in[11];
        LOG(25);
        x ^= x >> 3;
        x += c.in[3];
    }
    LOG(26);
    return x;
}
extern "C" __global__ void g0(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(27);
    x += f0_1r(c, x, sh, 4);
    LOG(28);
    LOG(29);
    x += f0_1r(c, x, sh, 4);
    LOG(30);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f1_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(2);
        x = x * 5 + c.in[4];
        LOG(3);
        x ^= x >> 3;
        x += c.in[3];
        LOG(4);
        x ^= x >> 3;
        x += c.in[12];
        LOG(5);
        x = x * 5 + c.in[6];
    }
    switch (x & 3) {
    case 0:
        LOG(6);
        x = x * 5 + c.in[7];
        break;
    case 1:
        LOG(7);
        x = x * 3 + 1;
        break;
    case 2:
        LOG(8);
        x = x * 3 + 1;
        break;
    default:
        LOG(9);
        x = x * 5 + c.in[3];
    }
    {
        int k2 = x & 7;
        do {
            LOG(10);
            x = x * 3 + 1;
            LOG(11);
            x ^= x >> 3;
            x += c.in[4];
        } while (--k2 >= 0);
    }
    if ((x >> 3 & 15) > 1) {
        LOG(12);
        x += f1_0r(c, x * 5 + 1, sh, d - 1);
    }
    LOG(13);
    return x;
}
__device__ __noinline__ unsigned f1_1r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(14);
    if (d <= 0) return x;
    LOG(15);
    x ^= x >> 3;
    x += c.in[14];
    if ((x >> 3 & 15) > 2) {
        LOG(16);
        LOG(17);
        x = x * 3 + 1;
        LOG(18);
        x ^= x >> 3;
        x += c.in[1];
    }
    if ((c.in[(x + 1) & 15] & 3) == 0) {
        LOG(19);
        x += f1_1r(c, x * 6 + 1, sh, d - 1);
    }
    LOG(20);
    return x;
}
extern "C" __global__ void g1(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    switch (x & 3) {
    case 0:
        LOG(21);
        x ^= x >> 3;
        x += c.in[13];
        break;
    case 1:
        LOG(22);
        x = x * 5 + c.in[5];
        break;
    case 2:
        LOG(23);
        x ^= x >> 3;
        x += c.in[7];
        break;
    default:
        LOG(24);
        x = x * 5 + c.in[6];
    }
    for (int k3 = x & 7; k3 >= 0; k3--) {
        LOG(25);
        x ^= x >> 3;
        x += c.in[8];
        LOG(26);
        x = x * 5 + c.in[5];
        LOG(27);
        x = x * 3 + 1;
        if ((c.in[(x + 1) & 15] & 3) == 1) break;
    }
    for (int k4 = x & 7; k4 >= 0; k4--) {
        LOG(28);
        x ^= x >> 3;
        x += c.in[3];
        LOG(29);
        x = x * 3 + 1;
        LOG(30);
        x ^= x >> 3;
        x += c.in[2];
    }
    LOG(31);
    x += f1_0r(c, x, sh, 3);
    LOG(32);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f2_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x = x * 3 + 1;
    if ((x >> 10 & 1)) {
        LOG(3);
        LOG(4);
        x ^= x >> 3;
        x += c.in[12];
    } else {
        LOG(5);
        LOG(6);
        x = x * 3 + 1;
        LOG(7);
        x ^= x >> 3;
        x += c.in[6];
        LOG(8);
        x = x * 3 + 1;
    }
    if ((x >> 11 & 1)) {
        LOG(9);
        x += f2_0r(c, x * 4 + 1, sh, d - 1);
        LOG(10);
    }
    {
        int k1 = x & 7;
        do {
            LOG(11);
            x ^= x >> 3;
            x += c.in[11];
            LOG(12);
            x = x * 3 + 1;
            if ((x >> 3 & 15) > 9) break;
            if ((x & 7) < 2) continue;
        } while (--k1 >= 0);
    }
    for (int k2 = x & 7; k2 >= 0; k2--) {
        LOG(13);
        x ^= x >> 3;
        x += c.in[3];
        LOG(14);
        x = x * 5 + c.in[4];
        LOG(15);
        x ^= x >> 3;
        x += c.in[1];
        LOG(16);
        x ^= x >> 3;
        x += c.in[10];
    }
    LOG(17);
    return x;
}
extern "C" __global__ void g2(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    {
        int k3 = x & 7;
        do {
            LOG(18);
            x = x * 5 + c.in[10];
            LOG(19);
            x = x * 3 + 1;
            LOG(20);
            x ^= x >> 3;
            x += c.in[9];
            LOG(21);
            x = x * 3 + 1;
            if ((c.in[(x + 6) & 15] & 3) == 2) break;
        } while (--k3 >= 0);
    }
    if ((c.in[(x + 11) & 15] & 3) == 3) {
        LOG(22);
        LOG(23);
        x ^= x >> 3;
        x += c.in[12];
    } else {
        LOG(24);
        LOG(25);
        x = x * 5 + c.in[2];
        LOG(26);
        x = x * 3 + 1;
    }
    LOG(27);
    x = x * 3 + 1;
    LOG(28);
    x += f2_0r(c, x, sh, 3);
    LOG(29);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f3_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((x & 7) < 6) {
        LOG(2);
        LOG(3);
        x ^= x >> 3;
        x += c.in[7];
        LOG(4);
        x ^= x >> 3;
        x += c.in[11];
    }
    if ((x & 7) < 5) {
        LOG(5);
        LOG(6);
        x = x * 3 + 1;
    } else {
        LOG(7);
        LOG(8);
        x = x * 3 + 1;
    }
    if ((x & 7) < 5) {
        LOG(9);
        LOG(10);
        x ^= x >> 3;
        x += c.in[1];
    } else {
        LOG(11);
        LOG(12);
        x = x * 3 + 1;
        LOG(13);
        x = x * 5 + c.in[10];
    }
    if ((x >> 3 & 15) > 3) {
        LOG(14);
        x += f3_0r(c, x * 6 + 1, sh, d - 1);
        LOG(15);
    }
    if ((x >> 9 & 1)) {
        LOG(16);
        x += f3_0r(c, x * 5 + 1, sh, d - 1);
        LOG(17);
    }
    LOG(18);
    return x;
}
extern "C" __global__ void g3(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(19);
    x = x * 3 + 1;
    LOG(20);
    x = x * 3 + 1;
    LOG(21);
    x += f3_0r(c, x, sh, 3);
    LOG(22);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f4_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x = x * 5 + c.in[5];
    if ((x >> 3 & 15) > 15) {
        LOG(3);
        return x;
    }
    {
        int k1 = x & 7;
        do {
            LOG(4);
            x = x * 5 + c.in[10];
            LOG(5);
            x = x * 5 + c.in[0];
            LOG(6);
            x ^= x >> 3;
            x += c.in[14];
            LOG(7);
            x = x * 5 + c.in[5];
            if ((c.in[(x + 3) & 15] & 3) == 2) continue;
        } while (--k1 >= 0);
    }
    if ((x >> 4 & 1)) {
        LOG(8);
        x += f4_0r(c, x * 6 + 1, sh, d - 1);
        LOG(9);
    }
    if ((c.in[(x + 11) & 15] & 3) == 0) {
        LOG(10);
        x += f4_0r(c, x * 7 + 1, sh, d - 1);
        LOG(11);
    }
    switch (x & 3) {
    case 0:
        LOG(12);
        x = x * 3 + 1;
        break;
    case 1:
        LOG(13);
        x = x * 5 + c.in[3];
        break;
    case 2:
        LOG(14);
        x = x * 3 + 1;
        break;
    default:
        LOG(15);
        x = x * 3 + 1;
    }
    if ((x >> 3 & 15) > 3) {
        LOG(16);
        LOG(17);
        x = x * 3 + 1;
        LOG(18);
        x = x * 3 + 1;
        LOG(19);
        x ^= x >> 3;
        x += c.in[11];
    }
    LOG(20);
    return x;
}
__device__ __noinline__ unsigned f4_1r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(21);
    if (d <= 0) return x;
    if ((x & 7) < 7) {
        LOG(22);
        LOG(23);
        x = x * 3 + 1;
    }
    for (int q = 0; q < (int)(x & 3); q++) {
        LOG(24);
        x += f4_1r(c, x + q, sh, d - 1);
    }
    LOG(25);
    return x;
}
extern "C" __global__ void g4(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((c.in[(x + 6) & 15] & 3) == 2) {
        LOG(26);
        LOG(27);
        x = x * 3 + 1;
    }
    LOG(28);
    x += f4_0r(c, x, sh, 3);
    LOG(29);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f5_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    switch (x & 3) {
    case 0:
        LOG(2);
        x = x * 3 + 1;
        break;
    case 1:
        LOG(3);
        x ^= x >> 3;
        x += c.in[12];
        break;
    case 2:
        LOG(4);
        x = x * 3 + 1;
        break;
    default:
        LOG(5);
        x = x * 5 + c.in[14];
    }
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(6);
        x = x * 5 + c.in[2];
        LOG(7);
        x = x * 3 + 1;
    }
    switch (x & 3) {
    case 0:
        LOG(8);
        x = x * 5 + c.in[9];
        break;
    case 1:
        LOG(9);
        x ^= x >> 3;
        x += c.in[3];
        break;
    case 2:
        LOG(10);
        x ^= x >> 3;
        x += c.in[3];
        break;
    default:
        LOG(11);
        x = x * 5 + c.in[3];
    }
    x += f5_0r(c, x * 4 + 1, sh, d - 1);
    LOG(12);
    if ((x >> 5 & 1)) {
        LOG(13);
        x += f5_0r(c, x * 7 + 1, sh, d - 1);
    }
    LOG(14);
    return x;
}
extern "C" __global__ void g5(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((x & 7) < 3) {
        LOG(15);
        LOG(16);
        x = x * 5 + c.in[0];
        LOG(17);
        x ^= x >> 3;
        x += c.in[3];
    }
    for (int k2 = x & 7; k2 >= 0; k2--) {
        LOG(18);
        x = x * 3 + 1;
        LOG(19);
        x = x * 3 + 1;
        LOG(20);
        x ^= x >> 3;
        x += c.in[1];
        LOG(21);
        x ^= x >> 3;
        x += c.in[8];
    }
    if ((c.in[(x + 6) & 15] & 3) == 3) {
        LOG(22);
        LOG(23);
        x ^= x >> 3;
        x += c.in[11];
    }
    LOG(24);
    x += f5_0r(c, x, sh, 4);
    LOG(25);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f6_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((x & 7) < 1) {
        LOG(2);
        LOG(3);
        x ^= x >> 3;
        x += c.in[3];
    } else {
        LOG(4);
        LOG(5);
        x = x * 3 + 1;
        LOG(6);
        x ^= x >> 3;
        x += c.in[8];
        LOG(7);
        x = x * 5 + c.in[7];
    }
    LOG(8);
    x = x * 5 + c.in[13];
    if ((x & 7) < 3) {
        LOG(9);
        x += f6_0r(c, x * 5 + 1, sh, d - 1);
        LOG(10);
    }
    for (int q = 0; q < (int)(x & 3); q++) {
        LOG(11);
        x += f6_0r(c, x + q, sh, d - 1);
    }
    LOG(12);
    return x;
}
extern "C" __global__ void g6(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(13);
    x += f6_0r(c, x, sh, 2);
    LOG(14);
    if ((c.in[(x + 12) & 15] & 3) == 2) {
        LOG(15);
        LOG(16);
        x ^= x >> 3;
        x += c.in[15];
    } else {
        LOG(17);
        LOG(18);
        x = x * 3 + 1;
    }
    LOG(19);
    x += f6_0r(c, x, sh, 3);
    LOG(20);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f7_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    switch (x & 3) {
    case 0:
        LOG(2);
        x = x * 3 + 1;
        break;
    case 1:
        LOG(3);
        x = x * 5 + c.in[1];
        break;
    case 2:
        LOG(4);
        x ^= x >> 3;
        x += c.in[9];
        break;
    default:
        LOG(5);
        x = x * 5 + c.in[2];
    }
    x += f7_0r(c, x * 5 + 1, sh, d - 1);
    LOG(6);
    if ((x >> 1 & 1)) {
        LOG(7);
        x += f7_0r(c, x * 6 + 1, sh, d - 1);
        LOG(8);
    }
    LOG(9);
    x = x * 3 + 1;
    if ((x & 7) < 3) {
        LOG(10);
        LOG(11);
        x = x * 5 + c.in[11];
        LOG(12);
        x = x * 5 + c.in[10];
    } else {
        LOG(13);
        LOG(14);
        x = x * 5 + c.in[1];
        LOG(15);
        x = x * 3 + 1;
    }
    LOG(16);
    x ^= x >> 3;
    x += c.in[14];
    LOG(17);
    return x;
}
extern "C" __global__ void g7(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(18);
    x += f7_0r(c, x, sh, 4);
    LOG(19);
    LOG(20);
    x = x * 3 + 1;
    LOG(21);
    x += f7_0r(c, x, sh, 3);
    LOG(22);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f8_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x = x * 5 + c.in[13];
    LOG(3);
    x ^= x >> 3;
    x += c.in[13];
    LOG(4);
    x ^= x >> 3;
    x += c.in[8];
    if ((c.in[(x + 8) & 15] & 3) == 1) {
        LOG(5);
        x += f8_0r(c, x * 6 + 1, sh, d - 1);
    }
    if ((x & 7) < 7) {
        LOG(6);
        x += f8_0r(c, x * 7 + 1, sh, d - 1);
    }
    LOG(7);
    return x;
}
__device__ __noinline__ unsigned f8_1r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(8);
    if (d <= 0) return x;
    if ((x & 7) < 2) {
        LOG(9);
        LOG(10);
        x = x * 3 + 1;
    }
    x += f8_1r(c, x * 8 + 1, sh, d - 1);
    LOG(11);
    if ((x >> 2 & 1)) {
        LOG(12);
        x += f8_1r(c, x * 5 + 1, sh, d - 1);
        LOG(13);
    }
    if ((x & 7) < 2) {
        LOG(14);
        LOG(15);
        x = x * 5 + c.in[7];
    } else {
        LOG(16);
        LOG(17);
        x ^= x >> 3;
        x += c.in[6];
        LOG(18);
        x = x * 3 + 1;
    }
    LOG(19);
    x = x * 5 + c.in[14];
    if ((x & 7) < 2) {
        LOG(20);
        LOG(21);
        x = x * 3 + 1;
        LOG(22);
        x = x * 5 + c.in[7];
    } else {
        LOG(23);
        LOG(24);
        x = x * 3 + 1;
        LOG(25);
        x = x * 3 + 1;
    }
    LOG(26);
    return x;
}
extern "C" __global__ void g8(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((x >> 3 & 15) > 4) {
        LOG(27);
        LOG(28);
        x = x * 5 + c.in[5];
        LOG(29);
        x = x * 3 + 1;
    } else {
        LOG(30);
        LOG(31);
        x = x * 3 + 1;
        LOG(32);
        x = x * 5 + c.in[7];
        LOG(33);
        x = x * 5 + c.in[15];
    }
    if ((x & 7) < 2) {
        LOG(34);
        LOG(35);
        x = x * 3 + 1;
        LOG(36);
        x ^= x >> 3;
        x += c.in[5];
    }
    {
        int k1 = x & 7;
        do {
            LOG(37);
            x = x * 3 + 1;
            LOG(38);
            x = x * 5 + c.in[10];
        } while (--k1 >= 0);
    }
    LOG(39);
    x += f8_1r(c, x, sh, 4);
    LOG(40);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f9_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((c.in[(x + 1) & 15] & 3) == 1) {
        LOG(2);
        return x;
    }
    switch (x & 3) {
    case 0:
        LOG(3);
        x = x * 3 + 1;
        break;
    case 1:
        LOG(4);
        x ^= x >> 3;
        x += c.in[12];
        break;
    case 2:
        LOG(5);
        x ^= x >> 3;
        x += c.in[0];
        break;
    default:
        LOG(6);
        x = x * 5 + c.in[4];
    }
    if ((c.in[(x + 9) & 15] & 3) == 0) {
        LOG(7);
        x += f9_0r(c, x * 5 + 1, sh, d - 1);
        LOG(8);
    }
    if ((c.in[(x + 11) & 15] & 3) == 1) {
        LOG(9);
        x += f9_0r(c, x * 3 + 1, sh, d - 1);
        LOG(10);
    }
    LOG(11);
    return x;
}
extern "C" __global__ void g9(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(12);
    x += f9_0r(c, x, sh, 3);
    LOG(13);
    LOG(14);
    x += f9_0r(c, x, sh, 3);
    LOG(15);
    if ((x & 7) < 3) {
        LOG(16);
        LOG(17);
        x = x * 3 + 1;
    } else {
        LOG(18);
        LOG(19);
        x ^= x >> 3;
        x += c.in[8];
        LOG(20);
        x ^= x >> 3;
        x += c.in[11];
    }
    LOG(21);
    x += f9_0r(c, x, sh, 4);
    LOG(22);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f10_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((x >> 3 & 15) > 3) {
        LOG(2);
        LOG(3);
        x = x * 5 + c.in[1];
        LOG(4);
        x = x * 5 + c.in[15];
    }
    if ((x >> 9 & 1)) {
        LOG(5);
        return x;
    }
    {
        int k1 = x & 7;
        do {
            LOG(6);
            x = x * 5 + c.in[11];
            LOG(7);
            x = x * 3 + 1;
            LOG(8);
            x ^= x >> 3;
            x += c.in[15];
            if ((x & 7) < 7) continue;
        } while (--k1 >= 0);
    }
    x += f10_0r(c, x * 8 + 1, sh, d - 1);
    LOG(9);
    LOG(10);
    x ^= x >> 3;
    x += c.in[7];
    {
        int k2 = x & 7;
        do {
            LOG(11);
            x = x * 3 + 1;
            LOG(12);
            x = x * 5 + c.in[11];
            LOG(13);
            x ^= x >> 3;
            x += c.in[8];
            LOG(14);
            x = x * 3 + 1;
            if ((c.in[(x + 13) & 15] & 3) == 1) break;
        } while (--k2 >= 0);
    }
    LOG(15);
    return x;
}
__device__ __noinline__ unsigned f10_1r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(16);
    if (d <= 0) return x;
    LOG(17);
    x = x * 5 + c.in[11];
    for (int k3 = x & 7; k3 >= 0; k3--) {
        LOG(18);
        x = x * 5 + c.in[1];
        LOG(19);
        x = x * 3 + 1;
        LOG(20);
        x ^= x >> 3;
        x += c.in[3];
        LOG(21);
        x ^= x >> 3;
        x += c.in[13];
        if ((x & 7) < 7) break;
    }
    switch (x & 3) {
    case 0:
        LOG(22);
        x = x * 5 + c.in[9];
        break;
    case 1:
        LOG(23);
        x = x * 5 + c.in[2];
        break;
    case 2:
        LOG(24);
        x = x * 5 + c.in[3];
        break;
    default:
        LOG(25);
        x = x * 3 + 1;
    }
    for (int q = 0; q < (int)(x & 3); q++) {
        LOG(26);
        x += f10_1r(c, x + q, sh, d - 1);
    }
    if ((x >> 3 & 15) > 0) {
        LOG(27);
        x += f10_1r(c, x * 5 + 1, sh, d - 1);
        LOG(28);
    }
    LOG(29);
    return x;
}
extern "C" __global__ void g10(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    {
        int k4 = x & 7;
        do {
            LOG(30);
            x = x * 5 + c.in[2];
            LOG(31);
            x ^= x >> 3;
            x += c.in[3];
            LOG(32);
            x = x * 3 + 1;
        } while (--k4 >= 0);
    }
    if ((x >> 1 & 1)) {
        LOG(33);
        LOG(34);
        x ^= x >> 3;
        x += c.in[9];
        LOG(35);
        x = x * 3 + 1;
        LOG(36);
        x = x * 5 + c.in[7];
    } else {
        LOG(37);
        LOG(38);
        x = x * 5 + c.in[6];
    }
    LOG(39);
    x += f10_0r(c, x, sh, 4);
    LOG(40);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f11_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((x & 7) < 3) {
        LOG(2);
        LOG(3);
        x = x * 3 + 1;
        LOG(4);
        x = x * 5 + c.in[0];
        LOG(5);
        x = x * 5 + c.in[12];
    }
    if ((c.in[(x + 11) & 15] & 3) == 3) {
        LOG(6);
        x += f11_0r(c, x * 5 + 1, sh, d - 1);
        LOG(7);
    }
    LOG(8);
    return x;
}
__device__ __noinline__ unsigned f11_1r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(9);
    if (d <= 0) return x;
    if ((x & 7) < 6) {
        LOG(10);
        return x;
    }
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(11);
        x = x * 5 + c.in[0];
        LOG(12);
        x ^= x >> 3;
        x += c.in[12];
        if ((c.in[(x + 12) & 15] & 3) == 1) break;
    }
    LOG(13);
    x = x * 3 + 1;
    if ((x >> 3 & 15) > 11) {
        LOG(14);
        x += f11_1r(c, x * 7 + 1, sh, d - 1);
        LOG(15);
    }
    if ((x & 7) < 2) {
        LOG(16);
        x += f11_1r(c, x * 6 + 1, sh, d - 1);
        LOG(17);
    }
    LOG(18);
    return x;
}
extern "C" __global__ void g11(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(19);
    x = x * 5 + c.in[15];
    LOG(20);
    x += f11_0r(c, x, sh, 2);
    LOG(21);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f12_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    switch (x & 3) {
    case 0:
        LOG(2);
        x = x * 3 + 1;
        break;
    case 1:
        LOG(3);
        x ^= x >> 3;
        x += c.in[8];
        break;
    case 2:
        LOG(4);
        x = x * 3 + 1;
        break;
    default:
        LOG(5);
        x ^= x >> 3;
        x += c.in[4];
    }
    x += f12_0r(c, x * 8 + 1, sh, d - 1);
    LOG(6);
    if ((x >> 8 & 1)) {
        LOG(7);
        x += f12_0r(c, x * 8 + 1, sh, d - 1);
        LOG(8);
    }
    LOG(9);
    return x;
}
__device__ __noinline__ unsigned f12_1r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(10);
    if (d <= 0) return x;
    {
        int k1 = x & 7;
        do {
            LOG(11);
            x ^= x >> 3;
            x += c.in[11];
            LOG(12);
            x = x * 3 + 1;
            if ((x >> 0 & 1)) continue;
        } while (--k1 >= 0);
    }
    if ((c.in[(x + 1) & 15] & 3) == 3) {
        LOG(13);
        x += f12_1r(c, x * 5 + 1, sh, d - 1);
        LOG(14);
    }
    if ((x & 7) < 6) {
        LOG(15);
        x += f12_1r(c, x * 8 + 1, sh, d - 1);
        LOG(16);
    }
    LOG(17);
    return x;
}
extern "C" __global__ void g12(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(18);
    x += f12_0r(c, x, sh, 3);
    LOG(19);
    LOG(20);
    x += f12_0r(c, x, sh, 3);
    LOG(21);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f13_0r(ctx c, unsigned x, unsigned *sh, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x ^= x >> 3;
    x += c.in[0];
    {
        int k1 = x & 7;
        do {
            LOG(3);
            x ^= x >> 3;
            x += c.in[7];
            LOG(4);
            x ^= x >> 3;
            x += c.in[0];
            LOG(5);
            x = x * 3 + 1;
        } while (--k1 >= 0);
    }
    LOG(6);
    x = x * 3 + 1;
    if ((c.in[(x + 10) & 15] & 3) == 3) {
        LOG(7);
        x += f13_0r(c, x * 8 + 1, sh, d - 1);
    }
    LOG(8);
    return x;
}
extern "C" __global__ void g13(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(9);
    x += f13_0r(c, x, sh, 4);
    LOG(10);
    LOG(11);
    x = x * 5 + c.in[13];
    LOG(12);
    x += f13_0r(c, x, sh, 4);
    LOG(13);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g14(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    {
        int k1 = x & 7;
        do {
            LOG(1);
            x = x * 5 + c.in[4];
            LOG(2);
            x ^= x >> 3;
            x += c.in[3];
            LOG(3);
            x ^= x >> 3;
            x += c.in[12];
            LOG(4);
            x = x * 5 + c.in[6];
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((c.in[(x + 6) & 15] & 3) == 0) continue;
        } while (--k1 >= 0);
    }
    if ((x >> 3 & 15) > 4) {
        LOG(5);
        LOG(6);
        x ^= x >> 3;
        x += c.in[4];
        LOG(7);
        x = x * 5 + c.in[6];
    }
    LOG(8);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g15(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    {
        int k1 = x & 7;
        do {
            LOG(1);
            x ^= x >> 3;
            x += c.in[6];
            LOG(2);
            x = x * 3 + 1;
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((x >> 3 & 15) > 15) break;
        } while (--k1 >= 0);
    }
    LOG(3);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g16(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    {
        int k1 = x & 7;
        do {
            LOG(1);
            x ^= x >> 3;
            x += c.in[5];
            LOG(2);
            x ^= x >> 3;
            x += c.in[6];
            x += atomicMax(&sh[threadIdx.x], x & 255);
        } while (--k1 >= 0);
    }
    if ((c.in[(x + 0) & 15] & 3) == 1) {
        LOG(3);
        LOG(4);
        x ^= x >> 3;
        x += c.in[8];
        LOG(5);
        x = x * 5 + c.in[11];
        LOG(6);
        x = x * 5 + c.in[13];
    } else {
        LOG(7);
        LOG(8);
        x ^= x >> 3;
        x += c.in[4];
        LOG(9);
        x = x * 5 + c.in[11];
    }
    LOG(10);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g17(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    {
        int k1 = x & 7;
        do {
            LOG(1);
            x ^= x >> 3;
            x += c.in[15];
            LOG(2);
            x = x * 3 + 1;
            LOG(3);
            x = x * 5 + c.in[6];
            LOG(4);
            x = x * 5 + c.in[2];
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((x & 7) < 7) break;
        } while (--k1 >= 0);
    }
    LOG(5);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g18(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((c.in[(x + 8) & 15] & 3) == 1) {
        LOG(1);
        LOG(2);
        x = x * 3 + 1;
        LOG(3);
        x = x * 5 + c.in[15];
        LOG(4);
        x = x * 5 + c.in[10];
    } else {
        LOG(5);
        LOG(6);
        x ^= x >> 3;
        x += c.in[10];
    }
    {
        int k1 = x & 7;
        do {
            LOG(7);
            x ^= x >> 3;
            x += c.in[6];
            LOG(8);
            x = x * 5 + c.in[8];
            LOG(9);
            x = x * 5 + c.in[9];
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((x & 7) < 5) continue;
        } while (--k1 >= 0);
    }
    if ((x & 7) < 3) {
        LOG(10);
        LOG(11);
        x ^= x >> 3;
        x += c.in[10];
    }
    LOG(12);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g19(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(1);
        x = x * 3 + 1;
        LOG(2);
        x ^= x >> 3;
        x += c.in[5];
        x += atomicMax(&sh[threadIdx.x], x & 255);
        if ((c.in[(x + 1) & 15] & 3) == 1) break;
    }
    LOG(3);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g20(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((x >> 3 & 15) > 5) {
        LOG(1);
        if ((x >> 3 & 15) > 15) {
            LOG(2);
            LOG(3);
            x ^= x >> 3;
            x += c.in[9];
        }
        LOG(4);
        x = x * 3 + 1;
    } else {
        LOG(5);
        LOG(6);
        x = x * 3 + 1;
        if ((c.in[(x + 3) & 15] & 3) == 2) {
            LOG(7);
            LOG(8);
            x = x * 5 + c.in[7];
            LOG(9);
            x = x * 5 + c.in[7];
            LOG(10);
            x = x * 3 + 1;
        } else {
            LOG(11);
            LOG(12);
            x = x * 5 + c.in[2];
        }
    }
    if ((x >> 6 & 1)) {
        LOG(13);
        LOG(14);
        x = x * 3 + 1;
        if ((x >> 3 & 15) > 1) {
            LOG(15);
            LOG(16);
            x ^= x >> 3;
            x += c.in[10];
        } else {
            LOG(17);
            LOG(18);
            x = x * 3 + 1;
            LOG(19);
            x ^= x >> 3;
            x += c.in[7];
            LOG(20);
            x = x * 5 + c.in[9];
        }
    } else {
        LOG(21);
        for (int k1 = x & 7; k1 >= 0; k1--) {
            LOG(22);
            x ^= x >> 3;
            x += c.in[15];
            LOG(23);
            x = x * 5 + c.in[7];
            LOG(24);
            x = x * 3 + 1;
            x += atomicMax(&sh[threadIdx.x], x & 255);
        }
        if ((x & 7) < 4) {
            LOG(25);
            LOG(26);
            x = x * 3 + 1;
            LOG(27);
            x ^= x >> 3;
            x += c.in[8];
            LOG(28);
            x ^= x >> 3;
            x += c.in[0];
        }
    }
    LOG(29);
    x = x * 3 + 1;
    LOG(30);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g21(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    {
        int k1 = x & 7;
        do {
            LOG(1);
            x = x * 3 + 1;
            if ((x >> 9 & 1)) {
                LOG(2);
                LOG(3);
                x = x * 5 + c.in[6];
            }
            x += atomicMax(&sh[threadIdx.x], x & 255);
        } while (--k1 >= 0);
    }
    LOG(4);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g22(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(1);
        x = x * 3 + 1;
        for (int k2 = x & 7; k2 >= 0; k2--) {
            LOG(2);
            x = x * 3 + 1;
            LOG(3);
            x = x * 3 + 1;
            LOG(4);
            x = x * 5 + c.in[9];
            LOG(5);
            x ^= x >> 3;
            x += c.in[5];
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((x >> 4 & 1)) continue;
        }
        switch (x & 3) {
        case 0:
            LOG(6);
            x = x * 5 + c.in[14];
            break;
        case 1:
            LOG(7);
            x = x * 5 + c.in[2];
            break;
        case 2:
            LOG(8);
            x ^= x >> 3;
            x += c.in[11];
            break;
        default:
            LOG(9);
            x ^= x >> 3;
            x += c.in[2];
        }
        switch (x & 3) {
        case 0:
            LOG(10);
            x ^= x >> 3;
            x += c.in[13];
            break;
        case 1:
            LOG(11);
            x = x * 3 + 1;
            break;
        case 2:
            LOG(12);
            x = x * 3 + 1;
            break;
        default:
            LOG(13);
            x ^= x >> 3;
            x += c.in[5];
        }
    }
    LOG(14);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g23(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((x & 7) < 6) {
        LOG(1);
        LOG(2);
        x = x * 3 + 1;
        for (int k1 = x & 7; k1 >= 0; k1--) {
            LOG(3);
            x ^= x >> 3;
            x += c.in[4];
            LOG(4);
            x ^= x >> 3;
            x += c.in[9];
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((x >> 3 & 15) > 4) break;
        }
        LOG(5);
        x = x * 5 + c.in[10];
    }
    LOG(6);
    x = x * 5 + c.in[13];
    LOG(7);
    x = x * 3 + 1;
    LOG(8);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g24(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(1);
    x = x * 3 + 1;
    {
        int k1 = x & 7;
        do {
            LOG(2);
            x = x * 3 + 1;
            if ((c.in[(x + 5) & 15] & 3) == 0) {
                LOG(3);
                LOG(4);
                x = x * 5 + c.in[0];
            }
            {
                int k2 = x & 7;
                do {
                    LOG(5);
                    x = x * 5 + c.in[15];
                    LOG(6);
                    x = x * 3 + 1;
                    LOG(7);
                    x = x * 5 + c.in[15];
                    LOG(8);
                    x = x * 3 + 1;
                    if ((x >> 3 & 15) > 10) break;
                    if ((x >> 2 & 1)) continue;
                } while (--k2 >= 0);
            }
            x += atomicMax(&sh[threadIdx.x], x & 255);
        } while (--k1 >= 0);
    }
    LOG(9);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g25(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(1);
    x ^= x >> 3;
    x += c.in[0];
    {
        int k1 = x & 7;
        do {
            LOG(2);
            x ^= x >> 3;
            x += c.in[7];
            if ((x >> 3 & 15) > 1) {
                LOG(3);
                LOG(4);
                x ^= x >> 3;
                x += c.in[7];
                LOG(5);
                x = x * 5 + c.in[15];
            } else {
                LOG(6);
                LOG(7);
                x = x * 5 + c.in[5];
                LOG(8);
                x = x * 3 + 1;
            }
            switch (x & 3) {
            case 0:
                LOG(9);
                x = x * 3 + 1;
                break;
            case 1:
                LOG(10);
                x ^= x >> 3;
                x += c.in[8];
                break;
            case 2:
                LOG(11);
                x ^= x >> 3;
                x += c.in[2];
                break;
            default:
                LOG(12);
                x = x * 5 + c.in[5];
            }
            if ((x & 7) < 4) {
                LOG(13);
                LOG(14);
                x = x * 3 + 1;
                LOG(15);
                x ^= x >> 3;
                x += c.in[3];
                LOG(16);
                x ^= x >> 3;
                x += c.in[13];
            }
        } while (--k1 >= 0);
    }
    {
        int k2 = x & 7;
        do {
            LOG(17);
            x ^= x >> 3;
            x += c.in[11];
            if ((x >> 3 & 15) > 9) {
                LOG(18);
                LOG(19);
                x ^= x >> 3;
                x += c.in[14];
                LOG(20);
                x = x * 5 + c.in[11];
            }
            {
                int k3 = x & 7;
                do {
                    LOG(21);
                    x = x * 3 + 1;
                    LOG(22);
                    x = x * 5 + c.in[14];
                    LOG(23);
                    x ^= x >> 3;
                    x += c.in[13];
                    LOG(24);
                    x = x * 5 + c.in[2];
                } while (--k3 >= 0);
            }
            LOG(25);
            x = x * 3 + 1;
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((x & 7) < 6) continue;
        } while (--k2 >= 0);
    }
    LOG(26);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g26(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((c.in[(x + 6) & 15] & 3) == 2) {
        LOG(1);
        switch (x & 3) {
        case 0:
            LOG(2);
            x ^= x >> 3;
            x += c.in[14];
            break;
        case 1:
            LOG(3);
            x ^= x >> 3;
            x += c.in[15];
            break;
        case 2:
            LOG(4);
            x = x * 3 + 1;
            break;
        default:
            LOG(5);
            x = x * 5 + c.in[6];
        }
        for (int k1 = x & 7; k1 >= 0; k1--) {
            LOG(6);
            x = x * 5 + c.in[2];
            LOG(7);
            x = x * 5 + c.in[6];
            x += atomicMax(&sh[threadIdx.x], x & 255);
        }
        if ((x >> 2 & 1)) {
            LOG(8);
            LOG(9);
            x = x * 5 + c.in[15];
            LOG(10);
            x = x * 5 + c.in[10];
            LOG(11);
            x = x * 3 + 1;
        }
    }
    LOG(12);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

extern "C" __global__ void g27(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    LOG(1);
    x = x * 3 + 1;
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(2);
        x ^= x >> 3;
        x += c.in[1];
        switch (x & 3) {
        case 0:
            LOG(3);
            x ^= x >> 3;
            x += c.in[7];
            break;
        case 1:
            LOG(4);
            x ^= x >> 3;
            x += c.in[3];
            break;
        case 2:
            LOG(5);
            x = x * 5 + c.in[15];
            break;
        default:
            LOG(6);
            x = x * 5 + c.in[8];
        }
        for (int k2 = x & 7; k2 >= 0; k2--) {
            LOG(7);
            x = x * 3 + 1;
            LOG(8);
            x = x * 5 + c.in[14];
            LOG(9);
            x = x * 5 + c.in[14];
            x += atomicMax(&sh[threadIdx.x], x & 255);
            if ((c.in[(x + 12) & 15] & 3) == 3) break;
            if ((x >> 3 & 15) > 13) continue;
        }
        if ((c.in[(x + 11) & 15] & 3) == 3) {
            LOG(10);
            LOG(11);
            x = x * 5 + c.in[11];
        } else {
            LOG(12);
            LOG(13);
            x = x * 5 + c.in[1];
        }
        x += atomicMax(&sh[threadIdx.x], x & 255);
    }
    LOG(14);
    x = x * 5 + c.in[0];
    LOG(15);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f28_0(ctx c, unsigned x, unsigned *sh) {
    LOG(1);
    if ((c.in[(x + 14) & 15] & 3) == 3) {
        LOG(2);
        return x;
    }
    LOG(3);
    x ^= x >> 3;
    x += c.in[8];
    LOG(4);
    return x;
}
__device__ __noinline__ unsigned f28_1(ctx c, unsigned x, unsigned *sh) {
    LOG(5);
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(6);
        x ^= x >> 3;
        x += c.in[3];
        LOG(7);
        x = x * 3 + 1;
        if ((x & 7) < 5) continue;
    }
    LOG(8);
    return x;
}
extern "C" __global__ void g28(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((c.in[(x + 1) & 15] & 3) == 3) {
        LOG(9);
        switch (x & 3) {
        case 0:
            LOG(10);
            x = x * 3 + 1;
            break;
        case 1:
            LOG(11);
            x ^= x >> 3;
            x += c.in[13];
            break;
        case 2:
            LOG(12);
            x ^= x >> 3;
            x += c.in[8];
            break;
        default:
            LOG(13);
            x ^= x >> 3;
            x += c.in[5];
        }
        LOG(14);
        x = x * 3 + 1;
    }
    if ((x & 7) < 2) {
        LOG(15);
        for (int k2 = x & 7; k2 >= 0; k2--) {
            LOG(16);
            x = x * 5 + c.in[0];
            LOG(17);
            x = x * 3 + 1;
            LOG(18);
            x = x * 5 + c.in[5];
        }
        LOG(19);
        x = x * 3 + 1;
    }
    LOG(20);
    x += f28_1(c, x, sh);
    LOG(21);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f29_0(ctx c, unsigned x, unsigned *sh) {
    LOG(1);
    LOG(2);
    x = x * 5 + c.in[7];
    LOG(3);
    x = x * 3 + 1;
    if ((x & 7) < 1) {
        LOG(4);
        LOG(5);
        x ^= x >> 3;
        x += c.in[13];
        for (int k1 = x & 7; k1 >= 0; k1--) {
            LOG(6);
            x = x * 3 + 1;
            LOG(7);
            x ^= x >> 3;
            x += c.in[0];
            LOG(8);
            x = x * 5 + c.in[14];
        }
    } else {
        LOG(9);
        switch (x & 3) {
        case 0:
            LOG(10);
            x ^= x >> 3;
            x += c.in[13];
            break;
        case 1:
            LOG(11);
            x ^= x >> 3;
            x += c.in[5];
            break;
        case 2:
            LOG(12);
            x = x * 3 + 1;
            break;
        default:
            LOG(13);
            x ^= x >> 3;
            x += c.in[4];
        }
    }
    LOG(14);
    return x;
}
extern "C" __global__ void g29(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    switch (x & 3) {
    case 0:
        LOG(15);
        x ^= x >> 3;
        x += c.in[4];
        break;
    case 1:
        LOG(16);
        x ^= x >> 3;
        x += c.in[8];
        break;
    case 2:
        LOG(17);
        x = x * 3 + 1;
        break;
    default:
        LOG(18);
        x ^= x >> 3;
        x += c.in[7];
    }
    for (int k2 = x & 7; k2 >= 0; k2--) {
        LOG(19);
        x = x * 5 + c.in[11];
        if ((x >> 6 & 1)) {
            LOG(20);
            LOG(21);
            x ^= x >> 3;
            x += c.in[14];
            LOG(22);
            x = x * 3 + 1;
            LOG(23);
            x ^= x >> 3;
            x += c.in[12];
        }
        LOG(24);
        x = x * 3 + 1;
        LOG(25);
        x += f29_0(c, x, sh);
        LOG(26);
    }
    LOG(27);
    x += f29_0(c, x, sh);
    LOG(28);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f30_0(ctx c, unsigned x, unsigned *sh) {
    LOG(1);
    if ((x & 7) < 5) {
        LOG(2);
        return x;
    }
    LOG(3);
    return x;
}
__device__ __noinline__ unsigned f30_1(ctx c, unsigned x, unsigned *sh) {
    LOG(4);
    switch (x & 3) {
    case 0:
        LOG(5);
        x ^= x >> 3;
        x += c.in[4];
        break;
    case 1:
        LOG(6);
        x = x * 3 + 1;
        break;
    case 2:
        LOG(7);
        x ^= x >> 3;
        x += c.in[11];
        break;
    default:
        LOG(8);
        x = x * 5 + c.in[9];
    }
    if ((x >> 3 & 15) > 11) {
        LOG(9);
        LOG(10);
        x = x * 3 + 1;
        LOG(11);
        x += f30_0(c, x, sh);
        LOG(12);
        LOG(13);
        x = x * 3 + 1;
    } else {
        LOG(14);
        switch (x & 3) {
        case 0:
            LOG(15);
            x = x * 5 + c.in[6];
            break;
        case 1:
            LOG(16);
            x = x * 3 + 1;
            break;
        case 2:
            LOG(17);
            x = x * 5 + c.in[4];
            break;
        default:
            LOG(18);
            x = x * 3 + 1;
        }
    }
    LOG(19);
    return x;
}
extern "C" __global__ void g30(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    for (int k1 = x & 7; k1 >= 0; k1--) {
        LOG(20);
        x ^= x >> 3;
        x += c.in[3];
        {
            int k2 = x & 7;
            do {
                LOG(21);
                x = x * 3 + 1;
                LOG(22);
                x = x * 3 + 1;
                LOG(23);
                x = x * 3 + 1;
                if ((c.in[(x + 6) & 15] & 3) == 2) continue;
            } while (--k2 >= 0);
        }
        switch (x & 3) {
        case 0:
            LOG(24);
            x ^= x >> 3;
            x += c.in[14];
            break;
        case 1:
            LOG(25);
            x = x * 3 + 1;
            break;
        case 2:
            LOG(26);
            x ^= x >> 3;
            x += c.in[6];
            break;
        default:
            LOG(27);
            x = x * 5 + c.in[13];
        }
    }
    LOG(28);
    x += f30_1(c, x, sh);
    LOG(29);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}

__device__ __noinline__ unsigned f31_0(ctx c, unsigned x, unsigned *sh) {
    LOG(1);
    LOG(2);
    x ^= x >> 3;
    x += c.in[1];
    if ((x & 7) < 3) {
        LOG(3);
        return x;
    }
    if ((c.in[(x + 14) & 15] & 3) == 3) {
        LOG(4);
        LOG(5);
        x = x * 3 + 1;
        switch (x & 3) {
        case 0:
            LOG(6);
            x = x * 5 + c.in[13];
            break;
        case 1:
            LOG(7);
            x = x * 5 + c.in[8];
            break;
        case 2:
            LOG(8);
            x = x * 5 + c.in[15];
            break;
        default:
            LOG(9);
            x ^= x >> 3;
            x += c.in[1];
        }
        LOG(10);
        x = x * 5 + c.in[9];
    }
    LOG(11);
    return x;
}
extern "C" __global__ void g31(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    __shared__ unsigned sh[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    sh[threadIdx.x] = 0;
    __syncwarp();
    if ((x & 7) < 1) {
        LOG(12);
        for (int k1 = x & 7; k1 >= 0; k1--) {
            LOG(13);
            x ^= x >> 3;
            x += c.in[6];
            LOG(14);
            x = x * 5 + c.in[6];
            LOG(15);
            x = x * 5 + c.in[15];
        }
        LOG(16);
        x = x * 3 + 1;
        LOG(17);
        x += f31_0(c, x, sh);
        LOG(18);
    }
    switch (x & 3) {
    case 0:
        LOG(19);
        x = x * 3 + 1;
        break;
    case 1:
        LOG(20);
        x = x * 5 + c.in[13];
        break;
    case 2:
        LOG(21);
        x ^= x >> 3;
        x += c.in[9];
        break;
    default:
        LOG(22);
        x = x * 5 + c.in[7];
    }
    if ((c.in[(x + 11) & 15] & 3) == 3) {
        LOG(23);
        for (int k2 = x & 7; k2 >= 0; k2--) {
            LOG(24);
            x = x * 3 + 1;
            LOG(25);
            x ^= x >> 3;
            x += c.in[7];
            if ((x & 7) < 2) break;
            if ((x >> 1 & 1)) continue;
        }
        LOG(26);
        x ^= x >> 3;
        x += c.in[14];
    }
    LOG(27);
    x += f31_0(c, x, sh);
    LOG(28);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f32_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f32_1(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f32_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x = x * 3 + 1;
    if ((x >> 5 & 1)) {
        LOG(3);
        x = x * 3 + 1;
        LOG(4);
        x = x * 5 + c.in[12];
    }
    if ((x & 7) < 5) {
        LOG(5);
        x = x * 3 + 1;
        LOG(6);
        x = x * 5 + c.in[10];
    } else {
        LOG(7);
        x += f32_1(c, x * 3 + 1, d - 1);
        x += __popc(__ballot_sync(__activemask(), x & 1));
        LOG(8);
    }
    LOG(9);
    x = x * 3 + 1;
    LOG(10);
    return x;
}
__device__ __noinline__ unsigned f32_1(ctx c, unsigned x, int d) {
    LOG(11);
    if (d <= 0) return x;
    LOG(12);
    x += f32_0(c, x * 8 + 1, d - 1);
    x ^= __any_sync(__activemask(), x & 2);
    if ((x >> 3 & 1)) {
        LOG(13);
        x += f32_0(c, x * 4 + 1, d - 1);
        x += __popc(__activemask());
    } else {
        LOG(14);
        x += f32_1(c, x * 8 + 1, d - 1);
        x ^= __any_sync(__activemask(), x & 2);
        LOG(15);
    }
    LOG(16);
    x += f32_0(c, x * 5 + 1, d - 1);
    x += __popc(__activemask());
    LOG(17);
    LOG(18);
    return x;
}
extern "C" __global__ void g32(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    if ((x & 7) < 6) {
        LOG(19);
        x ^= x >> 3; x += c.in[5];
    }
    LOG(20);
    x += f32_0(c, x, 4);
    x += __popc(__ballot_sync(~0u, x & 1));
    LOG(21);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f33_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f33_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    { int k1 = x & 7; do {
        LOG(2);
        x = x * 3 + 1;
        if ((x >> 3 & 15) > 2) continue;
    } while (--k1 >= 0); }
    if ((x >> 3 & 15) > 13) {
        LOG(3);
        return x;
    }
    for (int q3 = 0; q3 < (int)(x & 3); q3++) {
        LOG(4);
        x = x * 5 + c.in[15];
        x += f33_0(c, x + q3, d - 1);
        x += __popc(__activemask());
    }
    { int k4 = x & 7; do {
        LOG(5);
        x ^= x >> 3; x += c.in[7];
        if ((x >> 3 & 15) > 8) continue;
    } while (--k4 >= 0); }
    LOG(6);
    return x;
}
extern "C" __global__ void g33(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    if ((c.in[(x + 2) & 15] & 3) == 2) {
        LOG(7);
        x ^= x >> 3; x += c.in[14];
    }
    LOG(8);
    x += f33_0(c, x, 3);
    x += __popc(__ballot_sync(~0u, x & 1));
    LOG(9);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f34_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f34_1(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f34_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x = x * 3 + 1;
    LOG(3);
    x = x * 3 + 1;
    if ((x >> 4 & 1)) {
        LOG(4);
        x = x * 3 + 1;
        LOG(5);
        x = x * 5 + c.in[9];
    } else {
        LOG(6);
        x += f34_0(c, x * 5 + 1, d - 1);
        x ^= __any_sync(__activemask(), x & 2);
        LOG(7);
    }
    LOG(8);
    x = x * 3 + 1;
    LOG(9);
    return x;
}
__device__ __noinline__ unsigned f34_1(ctx c, unsigned x, int d) {
    LOG(10);
    if (d <= 0) return x;
    if ((c.in[(x + 11) & 15] & 3) == 0) {
        LOG(11);
        return x;
    }
    if ((x >> 3 & 15) > 12) {
        LOG(12);
        x += f34_1(c, x * 2 + 1, d - 1);
        LOG(13);
    }
    if ((x >> 3 & 15) > 5) {
        LOG(14);
        x = x * 3 + 1;
        LOG(15);
        x = x * 5 + c.in[3];
    } else {
        LOG(16);
        x = x * 3 + 1;
    }
    LOG(17);
    return x;
}
extern "C" __global__ void g34(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    LOG(18);
    x += f34_0(c, x, 3);
    x += __popc(__ballot_sync(~0u, x & 1));
    LOG(19);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f35_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f35_1(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f35_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((x & 7) < 7) {
        LOG(2);
        x += f35_0(c, x * 6 + 1, d - 1);
        LOG(3);
    }
    { int k3 = x & 7; do {
        LOG(4);
        x = x * 5 + c.in[7];
        if ((x >> 4 & 1)) continue;
    } while (--k3 >= 0); }
    for (int q4 = 0; q4 < (int)(x & 3); q4++) {
        LOG(5);
        x ^= x >> 3; x += c.in[9];
        x += f35_0(c, x + q4, d - 1);
        x += __popc(__activemask());
    }
    if ((c.in[(x + 13) & 15] & 3) == 1) {
        LOG(6);
        return x;
    }
    LOG(7);
    return x;
}
__device__ __noinline__ unsigned f35_1(ctx c, unsigned x, int d) {
    LOG(8);
    if (d <= 0) return x;
    LOG(9);
    x += f35_1(c, x * 7 + 1, d - 1);
    x ^= __any_sync(__activemask(), x & 2);
    LOG(10);
    x += f35_0(c, x * 8 + 1, d - 1);
    x += __popc(__ballot_sync(__activemask(), x & 1));
    LOG(11);
    { int k11 = x & 7; do {
        LOG(12);
        x = x * 3 + 1;
        if ((x >> 4 & 1)) continue;
    } while (--k11 >= 0); }
    if ((x & 7) < 2) {
        LOG(13);
        return x;
    }
    LOG(14);
    return x;
}
extern "C" __global__ void g35(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    if ((c.in[(x + 1) & 15] & 3) == 1) {
        LOG(15);
        x ^= x >> 3; x += c.in[5];
    }
    LOG(16);
    x += f35_0(c, x, 2);
    x += __popc(__ballot_sync(__activemask(), x & 1));
    LOG(17);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f36_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f36_1(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f36_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x = x * 3 + 1;
    LOG(3);
    x += f36_1(c, x * 7 + 1, d - 1);
    x ^= __any_sync(__activemask(), x & 2);
    LOG(4);
    if ((x & 7) < 7) {
        LOG(5);
        x += f36_1(c, x * 3 + 1, d - 1);
        x ^= __any_sync(__activemask(), x & 2);
    }
    LOG(6);
    return x;
}
__device__ __noinline__ unsigned f36_1(ctx c, unsigned x, int d) {
    LOG(7);
    if (d <= 0) return x;
    for (int q7 = 0; q7 < (int)(x & 3); q7++) {
        LOG(8);
        x = x * 3 + 1;
    }
    LOG(9);
    x = x * 5 + c.in[13];
    if ((c.in[(x + 14) & 15] & 3) == 0) {
        { int k9 = x & 7; do {
            LOG(10);
            x = x * 5 + c.in[10];
            if ((c.in[(x + 13) & 15] & 3) == 1) continue;
        } while (--k9 >= 0); }
        LOG(11);
        x += f36_1(c, x * 2 + 1, d - 1);
        x += __popc(__ballot_sync(__activemask(), x & 1));
    }
    LOG(12);
    return x;
}
extern "C" __global__ void g36(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    LOG(13);
    x += f36_0(c, x, 3);
    x += __popc(__ballot_sync(__activemask(), x & 1));
    LOG(14);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f37_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f37_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    if ((x & 7) < 6) {
        { int k1 = x & 7; do {
            LOG(2);
            x ^= x >> 3; x += c.in[4];
            if ((x & 7) < 3) continue;
        } while (--k1 >= 0); }
        LOG(3);
        x ^= x >> 3; x += c.in[1];
        LOG(4);
        x = x * 5 + c.in[11];
    } else {
        LOG(5);
        x += f37_0(c, x * 8 + 1, d - 1);
        x ^= __any_sync(__activemask(), x & 2);
        LOG(6);
    }
    for (int q6 = 0; q6 < (int)(x & 3); q6++) {
        LOG(7);
        x ^= x >> 3; x += c.in[5];
    }
    if ((x & 7) < 3) {
        LOG(8);
        x += f37_0(c, x * 5 + 1, d - 1);
        x ^= __any_sync(__activemask(), x & 2);
        LOG(9);
    }
    LOG(10);
    return x;
}
extern "C" __global__ void g37(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    LOG(11);
    x += f37_0(c, x, 4);
    x += __popc(__ballot_sync(__activemask(), x & 1));
    LOG(12);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f38_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f38_1(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f38_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    { int k1 = x & 7; do {
        LOG(2);
        x ^= x >> 3; x += c.in[13];
        if ((x >> 3 & 15) > 5) continue;
    } while (--k1 >= 0); }
    if ((c.in[(x + 9) & 15] & 3) == 1) {
        LOG(3);
        x += f38_1(c, x * 7 + 1, d - 1);
        x += __popc(__activemask());
    } else {
        LOG(4);
        x ^= x >> 3; x += c.in[14];
    }
    if ((x >> 1 & 1)) {
        for (int q4 = 0; q4 < (int)(x & 3); q4++) {
            LOG(5);
            x ^= x >> 3; x += c.in[0];
        }
        LOG(6);
        x += f38_0(c, x * 2 + 1, d - 1);
        x ^= __any_sync(__activemask(), x & 2);
    }
    { int k6 = x & 7; do {
        LOG(7);
        x ^= x >> 3; x += c.in[4];
        if ((c.in[(x + 12) & 15] & 3) == 0) continue;
    } while (--k6 >= 0); }
    LOG(8);
    return x;
}
__device__ __noinline__ unsigned f38_1(ctx c, unsigned x, int d) {
    LOG(9);
    if (d <= 0) return x;
    { int k9 = x & 7; do {
        LOG(10);
        x = x * 5 + c.in[15];
        if ((c.in[(x + 0) & 15] & 3) == 1) continue;
    } while (--k9 >= 0); }
    LOG(11);
    x ^= x >> 3; x += c.in[5];
    if ((x & 7) < 3) {
        LOG(12);
        return x;
    }
    if ((c.in[(x + 14) & 15] & 3) == 1) {
        if ((x >> 3 & 15) > 4) {
            LOG(13);
            x = x * 3 + 1;
            LOG(14);
            x = x * 5 + c.in[7];
        }
        LOG(15);
        x += f38_1(c, x * 8 + 1, d - 1);
        x ^= __any_sync(__activemask(), x & 2);
    }
    LOG(16);
    return x;
}
extern "C" __global__ void g38(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    LOG(17);
    x += f38_1(c, x, 4);
    x += __popc(__ballot_sync(__activemask(), x & 1));
    LOG(18);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
__device__ __noinline__ unsigned f39_0(ctx c, unsigned x, int d);
__device__ __noinline__ unsigned f39_0(ctx c, unsigned x, int d) {
    LOG(1);
    if (d <= 0) return x;
    LOG(2);
    x += f39_0(c, x * 2 + 1, d - 1);
    x ^= __any_sync(__activemask(), x & 2);
    LOG(3);
    if ((x >> 3 & 15) > 10) {
        LOG(4);
        x += f39_0(c, x * 5 + 1, d - 1);
        x += __popc(__ballot_sync(__activemask(), x & 1));
    }
    LOG(5);
    return x;
}
extern "C" __global__ void g39(unsigned *log, const unsigned *data, unsigned *out) {
    __shared__ unsigned n[32];
    ctx c = {&n[threadIdx.x], log + 8000 * threadIdx.x, data + 16 * threadIdx.x};
    unsigned x = c.in[0];
    n[threadIdx.x] = 0;
    __syncwarp();
    if ((x & 7) < 7) {
        LOG(6);
        x = x * 3 + 1;
    }
    LOG(7);
    x += f39_0(c, x, 3);
    x += __popc(__ballot_sync(__activemask(), x & 1));
    LOG(8);
    if ((x >> 3 & 15) > 3) {
        LOG(9);
        x += f39_0(c, x, 2);
    }
    LOG(10);
    out[threadIdx.x] = x;
    log[256000 + threadIdx.x] = n[threadIdx.x];
}
