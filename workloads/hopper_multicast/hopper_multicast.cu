/* hopper_multicast.cu - matrix products by clusters of blocks: two or four blocks, one above
 * the other, need the same columns of B, and each copies a part of them into the memory of all.
 */
#include "../hopper/gemm.cuh"

GEMM_KERNEL_IN_CLUSTERS(gemm_f16_pair, 2, f16, 128, 128, 4, 2)
GEMM_KERNEL_IN_CLUSTERS(gemm_e4m3_four, 4, e4m3, 64, 256, 4, 4)
