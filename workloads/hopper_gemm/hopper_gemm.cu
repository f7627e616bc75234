/* hopper_gemm.cu - matrix products by tensor copies and products of warpgroups: four types of
 * elements, tiles of 128 x 128, 64 x 256 and 128 x 256. The numbers of buffers fill the shared
 * memory of an SM only in part, so that a short depth uses them all.
 */
#include "../hopper/gemm.cuh"

GEMM_KERNEL(gemm_f16_128x128, f16, 128, 128, 4)
GEMM_KERNEL(gemm_f16_64x256, f16, 64, 256, 4)
GEMM_KERNEL(gemm_f16_128x256, f16, 128, 256, 3)
GEMM_KERNEL(gemm_bf16_128x128, bf16, 128, 128, 4)
GEMM_KERNEL(gemm_bf16_64x256, bf16, 64, 256, 4)
GEMM_KERNEL(gemm_tf32_128x128, tf32, 128, 128, 4)
GEMM_KERNEL(gemm_tf32_64x256, tf32, 64, 256, 4)
GEMM_KERNEL(gemm_e4m3_128x128, e4m3, 128, 128, 4)
GEMM_KERNEL(gemm_e4m3_128x256, e4m3, 128, 256, 3)
