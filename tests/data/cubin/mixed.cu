#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>
__constant__ float ctab[64];
__device__ int gcount;
__device__ float gtab[4] = {1,2,3,4};
__device__ __noinline__ int fact(int n){ return n<2?1:n*fact(n-1); }
__global__ void k1(float*a,const float*b,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; __shared__ float s[128]; s[threadIdx.x]=b[i]; __syncthreads(); if(i<n) a[i]=s[127-threadIdx.x]/ctab[i&63]+sqrtf(b[i])+sinf(b[i])+gtab[i&3]; }
__global__ void k2(int*a,int n){ int i=threadIdx.x; a[i]=fact(a[i]); if(a[i]>5) printf("x %d\n",a[i]); atomicAdd(&gcount,1); a[i]+=__shfl_xor_sync(~0u,a[i],3)+__ballot_sync(~0u,a[i]>3); 
 switch(n){case 0:a[1]=3;break;case 1:a[2]=4;break;case 2:a[7]=a[1]*5;break;case 3:a[9]/=a[4];break;case 4: a[11]%=7;break; case 5: a[12]=a[1]^a[2];break;} }
__global__ void k3(double*a,unsigned long long*b){ int i=threadIdx.x; a[i]=sqrt(a[i])/a[i+1]+exp(a[i]); atomicAdd(a,1.0); b[i]=b[i]/b[i+1]+__brevll(b[i]); while(b[i]>3){ b[i]=b[i]>>1; if(b[i]==77) break; } }
__global__ void k4(half*a,half*b,float*c){ using namespace nvcuda; wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major>fa; wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major>fb; wmma::fragment<wmma::accumulator,16,16,16,float>fc; wmma::fill_fragment(fc,0.f); wmma::load_matrix_sync(fa,a,16); wmma::load_matrix_sync(fb,b,16); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(c,fc,16,wmma::mem_row_major);}
