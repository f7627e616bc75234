/* host.c - hopper_gemm: matrix products by tensor copies and products of warpgroups.
 *
 * At size tiny the first takes the ring of buffers round more than once, and some extents are
 * no multiples of the tile.
 */
#include "../hopper/gemm.h"

static const struct hopper_gemm gemms[] = {
    { "gemm_f16_128x128",
      RIG_F16,
      128,
      128,
      4,
      1,
      { { 128, 128, 264 }, { 256, 256, 512 }, { 1024, 2048, 512 } } },
    { "gemm_f16_64x256",
      RIG_F16,
      64,
      256,
      4,
      1,
      { { 64, 256, 128 }, { 256, 256, 512 }, { 1024, 1024, 512 } } },
    { "gemm_f16_128x256",
      RIG_F16,
      128,
      256,
      3,
      1,
      { { 136, 200, 64 }, { 256, 256, 512 }, { 1024, 1024, 512 } } },
    { "gemm_bf16_128x128",
      RIG_BF16,
      128,
      128,
      4,
      1,
      { { 100, 72, 128 }, { 256, 256, 512 }, { 1024, 1024, 512 } } },
    { "gemm_bf16_64x256",
      RIG_BF16,
      64,
      256,
      4,
      1,
      { { 64, 256, 64 }, { 256, 256, 512 }, { 1024, 1024, 512 } } },
    { "gemm_tf32_128x128",
      RIG_TF32,
      128,
      128,
      4,
      1,
      { { 128, 128, 96 }, { 256, 256, 256 }, { 1024, 1024, 512 } } },
    { "gemm_tf32_64x256",
      RIG_TF32,
      64,
      256,
      4,
      1,
      { { 50, 254, 64 }, { 256, 256, 256 }, { 1024, 1024, 512 } } },
    { "gemm_e4m3_128x128",
      RIG_E4M3,
      128,
      128,
      4,
      1,
      { { 128, 128, 256 }, { 256, 256, 1024 }, { 1024, 1024, 1024 } } },
    { "gemm_e4m3_128x256",
      RIG_E4M3,
      128,
      256,
      3,
      1,
      { { 128, 256, 128 }, { 256, 256, 1024 }, { 1024, 1024, 1024 } } },
};

static int hopper_gemm_all(struct workload_env *env)
{
    return hopper_gemm_run(env, gemms, sizeof gemms / sizeof *gemms);
}

const struct workload workload_hopper_gemm = {
    .name = "hopper_gemm",
    .summary = "matrix products by TMA and WGMMA, four types, three tiles",
    .sizes = { "nine, up to 128x128x264", "nine, about 256x256x512",
               "nine, about 1024x1024x512" },
    .sm = { 90, 90 },
    .run = hopper_gemm_all,
};
