__device__ int arr[10]; __device__ int arri[10]={1,2,3};
__device__ int *p1=&arr[3]; __device__ int *p2[4]={arri+2,arr,arri+9,0};
struct Q{int a; int*b; char c;};
__device__ Q q={1,arr+7,'x'}; __constant__ Q cq={2,arri+1,'y'};
__device__ int f(int x){return x*7;} __device__ int g(int x){return x*9;}
typedef int(*F)(int); __device__ F tab[2]={f,g};
__device__ const char *msg[2]={"hello","world"};
__shared__ int sh[4];
__global__ void k(int*o,int n){ F h=n>3?f:g; sh[threadIdx.x]=n; o[0]=h(n)+tab[n&1](n)+*p1+*p2[n]+*q.b+*cq.b+msg[n][1]+arr[n+4]+sh[n]; }
