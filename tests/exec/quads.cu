/* quads.cu - products of 8 x 8 x 4 by two quads of lanes (mma.m8n8k4), in both orders and
 * with sums of both types; sums are exact. sm_75 has an instruction for it, later
 * architectures a function of the compiler's. */
#include <cuda_fp16.h>

#include "check.h"

typedef unsigned u32;

#define FACTORS "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1])
#define F32_SUMS                                                                        \
    "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), \
        "+f"(c[7])
#define F16_SUMS "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define PRODUCT32(order)                                                          \
    asm volatile("mma.sync.aligned.m8n8k4." order ".f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}," \
                 "{%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};" : F32_SUMS : FACTORS)
#define PRODUCT16(order)                                                             \
    asm volatile("mma.sync.aligned.m8n8k4." order ".f16.f16.f16.f16 {%0, %1, %2, %3}," \
                 "{%4, %5}, {%6, %7}, {%0, %1, %2, %3};" : F16_SUMS : FACTORS)

template <bool A_COL, bool B_COL> __global__ void wide(const u32 *in, float *sums)
{
    u32 a[2] = { in[4 * threadIdx.x], in[4 * threadIdx.x + 1] };
    u32 b[2] = { in[4 * threadIdx.x + 2], in[4 * threadIdx.x + 3] };
    float *c = sums + 8 * threadIdx.x;

    if (A_COL && B_COL) PRODUCT32("col.col");
    if (A_COL && !B_COL) PRODUCT32("col.row");
    if (!A_COL && B_COL) PRODUCT32("row.col");
    if (!A_COL && !B_COL) PRODUCT32("row.row");
}

template <bool A_COL, bool B_COL> __global__ void narrow(const u32 *in, u32 *sums)
{
    u32 a[2] = { in[4 * threadIdx.x], in[4 * threadIdx.x + 1] };
    u32 b[2] = { in[4 * threadIdx.x + 2], in[4 * threadIdx.x + 3] };
    u32 *c = sums + 4 * threadIdx.x;

    if (A_COL && B_COL) PRODUCT16("col.col");
    if (A_COL && !B_COL) PRODUCT16("col.row");
    if (!A_COL && B_COL) PRODUCT16("row.col");
    if (!A_COL && !B_COL) PRODUCT16("row.row");
}

static int element(int kind, int q, int row, int col)
{
    return (kind * 7 + q * 5 + row * 3 + col * 11) % 13 - 6;
}

/* Row and column of element i of a lane, as the PTX manual has them. */
static void factor_place(bool is_b, bool by_columns, int lane, int i, int *row, int *col)
{
    int t = lane % 4, u = lane & 16 ? 4 : 0;

    if (!is_b) {
        *row = by_columns ? i + u : t + u;
        *col = by_columns ? t : i;
    } else {
        *row = by_columns ? i : t;
        *col = by_columns ? t + u : i + u;
    }
}

static float expected(int q, int row, int col)
{
    float sum = (float)element(2, q, row, col);

    for (int k = 0; k < 4; k++)
        sum += (float)(element(0, q, row, k) * element(1, q, k, col));
    return sum;
}

static void run(bool a_col, bool b_col, bool is_f32)
{
    static __half factors[32][8], halves[32][8];
    static float floats[32][8];
    void *in, *sums, *host = is_f32 ? (void *)floats : (void *)halves;
    size_t size = is_f32 ? sizeof floats : sizeof halves;

    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 8; i++) {
            int q = lane / 4 % 4, u = lane & 16 ? 4 : 0, row, col;

            factor_place(i >= 4, i >= 4 ? b_col : a_col, lane, i % 4, &row, &col);
            factors[lane][i] = __float2half((float)element(i >= 4, q, row, col));
            halves[lane][i] = __float2half((float)element(2, q, lane % 4 + u, i));
            floats[lane][i] = (float)element(2, q, (lane & 1) + (i & 2) + u,
                                             (i & 4) + (lane & 2) + (i & 1));
        }
    GOOD(cudaMalloc(&in, sizeof factors));
    GOOD(cudaMalloc(&sums, size));
    GOOD(cudaMemcpy(in, factors, sizeof factors, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy(sums, host, size, cudaMemcpyHostToDevice));
    switch (a_col * 4 + b_col * 2 + is_f32) {
    case 0: narrow<false, false><<<1, 32>>>((u32 *)in, (u32 *)sums); break;
    case 1: wide<false, false><<<1, 32>>>((u32 *)in, (float *)sums); break;
    case 2: narrow<false, true><<<1, 32>>>((u32 *)in, (u32 *)sums); break;
    case 3: wide<false, true><<<1, 32>>>((u32 *)in, (float *)sums); break;
    case 4: narrow<true, false><<<1, 32>>>((u32 *)in, (u32 *)sums); break;
    case 5: wide<true, false><<<1, 32>>>((u32 *)in, (float *)sums); break;
    case 6: narrow<true, true><<<1, 32>>>((u32 *)in, (u32 *)sums); break;
    default: wide<true, true><<<1, 32>>>((u32 *)in, (float *)sums);
    }
    GOOD(cudaGetLastError());
    GOOD(cudaMemcpy(host, sums, size, cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 8; i++) {
            int q = lane / 4 % 4, u = lane & 16 ? 4 : 0;

            if (is_f32)
                CHECK(floats[lane][i] == expected(q, (lane & 1) + (i & 2) + u,
                                                  (i & 4) + (lane & 2) + (i & 1)));
            else
                CHECK(__half2float(halves[lane][i]) == expected(q, lane % 4 + u, i));
        }
    GOOD(cudaFree(in));
    GOOD(cudaFree(sums));
}

int main()
{
    for (int k = 0; k < 8; k++)
        run(k & 4, k & 2, k & 1);
    printf("quads: good\n");
    return 0;
}
