__device__ int ext_var=5;
__device__ double big[100];
__device__ __noinline__ int ext_fn(int x){ return x/ext_var; }
__global__ void kc(double*a, cudaTextureObject_t t){ a[0]=big[threadIdx.x]+tex2D<float>(t,a[1],a[2]); }
