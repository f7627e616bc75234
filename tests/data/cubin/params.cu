/* Parameter records: blocks over 4 KB, launch bounds, clusters. */
struct large {
    int a[2500];
};
struct packed {
    char c;
    short s;
    double d[3];
};

__global__ void __launch_bounds__(128, 2)
    big(int *out, large a, packed b, char x)
{
    out[threadIdx.x] = a.a[threadIdx.x] + b.c + b.s + (int)b.d[1] + x;
}

#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 2, 1) cluster(int *out)
{
    out[0] = 1;
}
#endif

__global__ void empty()
{
}
