/* printing.cu - printf from kernels, in order with the host's. */
#include "check.h"

__global__ void hello(const char *what, double x)
{
    if (threadIdx.x < 2)
        printf("block %d thread %u: %s %5.2f %c 0x%08x %lld%%\n", blockIdx.x,
               threadIdx.x, what, x + threadIdx.x, 'a' + threadIdx.x, 48879,
               (long long)threadIdx.x << 40);
}

__global__ void plain()
{
    printf("a kernel without arguments\n");
}

/* What CUDA knows of the formats of C, and what it prints as it stands. */
__global__ void formats(const char *null, int *returned)
{
    returned[0] =
        printf("%+d|% d|%-6d|%06d|%#x|%#o|%6.3d|%.0d|\n", 5, 5, 5, 5, 255, 8, 7, 0);
    printf("%a|%A|%.3a|%g|%G|%e|%F|%010.3f|%+.1f|\n", 1.5, -0.1, 3.14159, 1e-10, 1e20,
           1.5, 2.5, -3.5, 2.0);
    printf("%p|%p|%20p|%-20p|\n", (void *)0, (void *)0x7fffdeadbeef, (void *)0x1234,
           (void *)0x1234);
    printf("[%s|%10s|%.2s|%-12s|%.3s]\n", null, null, null, "left", "device");
    printf("%lld|%llu|%llx|%ld|%hd|%hhd|%hhx|\n", -5000000000ll, 5000000000ull,
           0xdeadbeefcafell, -7000000000l, (short)-3, (signed char)-4, 0x1234);
    printf("%*d|%-*d|%c%c|%5c|\n", 8, 42, 8, 42, 'x', 'y', 'z');
    printf("%.*f|%zu|%jd|%td|%5%|%y|%'d|%%|%d\n", 7);
    printf("lone percent %");
    printf("\n");
    returned[1] = printf((const char *)null);
    returned[2] = printf("%s %d %f\n", "three", 1, 2.0);
}

int main()
{
    int *returned, n[3];
    char *d, text[] = "from the device";

    GOOD(cudaMalloc(&d, sizeof text));
    GOOD(cudaMemcpy(d, text, sizeof text, cudaMemcpyHostToDevice));
    printf("before\n");
    hello<<<2, 32>>>(d, 1.5);
    GOOD(cudaDeviceSynchronize());
    printf("between\n");
    plain<<<1, 1>>>();
    GOOD(cudaDeviceSynchronize());
    printf("after\n");
    GOOD(cudaMalloc(&returned, sizeof n));
    formats<<<1, 1>>>(NULL, returned);
    GOOD(cudaMemcpy(n, returned, sizeof n, cudaMemcpyDeviceToHost));
    printf("%d %d %d\n", n[0], n[1], n[2]);
    return 0;
}
