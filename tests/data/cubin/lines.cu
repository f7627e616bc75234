
__device__ __noinline__ float helper(float x, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x * i + __sinf(s);
    return s;
}
static __device__ __forceinline__ float inl(float x) {
    return x * x
        + 3.0f;
}
__global__ void k1(float *p, const float *q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float t[64];
    t[threadIdx.x & 63] = q[i];
    __syncthreads();
    float s = 0;
    for (int k = 0; k < n; k++)
        s += inl(t[(threadIdx.x * 32 + k) & 63]) * q[(i * 7 + k) & 1023];
    p[i] = s + helper(s, n);
}
__global__ void k2(int *p) { atomicAdd(p, 1); }
