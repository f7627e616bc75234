/* products.cu - products of a warpgroup, in groups that are waited for: a recording of them takes
 * the cycles of executing them. All factors are 1.
 */
#include <cstdio>
#include <cuda_fp16.h>

__device__ unsigned long long describe(const void *p)
{
    unsigned a = (unsigned)__cvta_generic_to_shared(p);

    return (unsigned long long)((a & 0x3ffff) >> 4) | 8ull << 16 | 8ull << 32;
}

__global__ void __launch_bounds__(128) products(float *out)
{
    __shared__ __align__(128) half a[64 * 16], b[16 * 8];
    float d[4] = { 0, 0, 0, 0 };

    for (int k = threadIdx.x; k < 64 * 16; k += 128)
        a[k] = __float2half(1.0f);
    b[threadIdx.x] = __float2half(1.0f);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int n = 0; n < 3; n++)
            asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(describe(a)), "l"(describe(b)));
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
    for (int k = 0; k < 4; k++)
        out[threadIdx.x * 4 + k] = d[k];
}

int main()
{
    static float host[512];
    float *out;
    int wrong = 0;

    cudaMalloc(&out, sizeof host);
    products<<<1, 128>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 512; k++)
        wrong += host[k] != 4 * 3 * 16;
    printf("products: %s\n", wrong ? "wrong" : "good");
    return wrong != 0;
}
