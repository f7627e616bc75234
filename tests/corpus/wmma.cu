/* wmma.cu - warp matrix fragments through the C++ interface, every type and layout. */
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;
#define K extern "C" __global__ void
#define W(NAME, M, N, KK, TA, TC, LA, LB, SA) \
    K NAME(SA *a, SA *b, TC *c) { wmma::fragment<wmma::matrix_a, M, N, KK, TA, wmma::LA> fa; wmma::fragment<wmma::matrix_b, M, N, KK, TA, wmma::LB> fb; wmma::fragment<wmma::accumulator, M, N, KK, TC> fc; wmma::load_matrix_sync(fa, a, 32); wmma::load_matrix_sync(fb, b, 32); wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major); for (int k = 0; k < 3; k++) wmma::mma_sync(fc, fa, fb, fc); wmma::store_matrix_sync(c + 64, fc, 32, wmma::mem_col_major); }
W(w0, 16, 16, 16, __half, float, row_major, col_major, __half)
W(w1, 32, 8, 16, __half, __half, col_major, row_major, __half)
W(w2, 8, 32, 16, __half, float, col_major, col_major, __half)
W(w3, 16, 16, 16, signed char, int, row_major, col_major, signed char)
W(w4, 16, 16, 16, unsigned char, int, col_major, row_major, unsigned char)
#if __CUDA_ARCH__ >= 800
W(w5, 16, 16, 16, __nv_bfloat16, float, row_major, row_major, __nv_bfloat16)
W(w6, 16, 16, 8, wmma::precision::tf32, float, row_major, col_major, float)
W(w7, 8, 8, 4, double, double, row_major, col_major, double)
#endif
K gemm(const __half *a, const __half *b, float *c, int n) { __shared__ __half sa[64 * 40], sb[64 * 40]; wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc[2][2]; for (int i = 0; i < 4; i++) wmma::fill_fragment(fc[i / 2][i & 1], 0.f); for (int k = 0; k < n; k += 32) { for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x) { sa[i / 32 * 40 + i % 32] = a[i / 32 * n + k + i % 32]; sb[i / 32 * 40 + i % 32] = b[i / 32 * n + k + i % 32]; } __syncthreads(); for (int kk = 0; kk < 32; kk += 16) for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) { wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa; wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb; wmma::load_matrix_sync(fa, sa + i * 16 * 40 + kk, 40); wmma::load_matrix_sync(fb, sb + j * 16 * 40 + kk, 40); wmma::mma_sync(fc[i][j], fa, fb, fc[i][j]); } __syncthreads(); } for (int i = 0; i < 4; i++) wmma::store_matrix_sync(c + i * 256, fc[i / 2][i & 1], 16, wmma::mem_row_major); }
