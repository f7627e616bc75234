#include <cstdio>
#include <cstdlib>
#include <cassert>
extern __device__ int ext_var;
extern __device__ int ext_fn(int);
typedef int (*fp)(int);
__device__ int f1(int x){return x*3;}
__device__ int f2(int x){return x^7;}
__device__ fp table[3] = {f1,f2,ext_fn};
__device__ int *pv = &ext_var;
__constant__ int cdat[4]={1,2,3,4};
__constant__ int *cptr = &ext_var;
struct B{ __device__ virtual int g(int)=0; };
struct D:B{ int z; __device__ int g(int x) override {return x+z;} };
struct E2:B{ int z; __device__ int g(int x) override {return x*z;} };
extern __shared__ int dyn[];
__global__ void ka(int*a,int n){ int i=threadIdx.x; dyn[i]=a[i]; __syncthreads(); a[i]=table[n](dyn[i^1])+ext_fn(i)+*pv+cdat[n&3]+*cptr; }
__global__ void kb(int*a,int n){ D d; d.z=n; E2 e; e.z=a[3]; B*b=n>3?(B*)&d:(B*)&e; a[0]=b->g(a[1]); if(n==77) printf("hi %d %s\n",n,"abc"); int*p=(int*)malloc(n); p[0]=1; assert(a[2]==3); free(p);}
