/* bounds.cu - accesses outside of allocations: a GPU faults only where no page of 2 MiB is
 * mapped. The rest of a page keeps what is written there.
 */
#include "check.h"

__global__ void shift(int *to, const int *from, int by)
{
    to[threadIdx.x] = from[(int)threadIdx.x + by];
}

__global__ void overrun(int *a, int n)
{
    a[n + threadIdx.x] = 100 + threadIdx.x;
}

__global__ void add(int *a, int at)
{
    atomicAdd(a + at, 5);
}

static void show(const char *what, const int *device, int n)
{
    int v[8];

    GOOD(cudaMemcpy(v, device, n * sizeof *v, cudaMemcpyDeviceToHost));
    printf("%s:", what);
    for (int i = 0; i < n; i++)
        printf(" %d", v[i]);
    printf("\n");
}

int main()
{
    const int bytes = 3 << 20, n = bytes / 4;
    int *small, *large, *out, host[4] = { 1, 2, 3, 4 };

    GOOD(cudaMalloc(&small, sizeof host));
    GOOD(cudaMalloc(&out, 8 * sizeof *out));
    GOOD(cudaMalloc(&large, bytes));
    GOOD(cudaMemcpy(small, host, sizeof host, cudaMemcpyHostToDevice));
    printf("layout: %d %d\n", (int)((char *)out - (char *)small),
           (int)((size_t)large % (2 << 20)));
    shift<<<1, 6>>>(out, small, -2);
    GOOD(cudaDeviceSynchronize());
    show("after reading before", out + 2, 4);
    overrun<<<1, 4>>>(small, 128);
    GOOD(cudaDeviceSynchronize());
    show("the neighbour", out, 4);
    overrun<<<1, 4>>>(large, n);
    add<<<1, 1>>>(large, n + 1);
    shift<<<1, 4>>>(out, large, n);
    GOOD(cudaDeviceSynchronize());
    show("the rest of a page", out, 4);
    /* Calls check the exact size. */
    GIVES(cudaErrorInvalidValue, cudaMemset(large, 0, bytes + 1));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpy(host, small + 1, sizeof host, cudaMemcpyDeviceToHost));
    overrun<<<1, 4>>>(large, n + (1 << 18));
    printf("the next page: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
