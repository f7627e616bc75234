/* host.c - hopper_multicast: matrix products by clusters of blocks, with copies to all of them. */
#include "../hopper/gemm.h"

static const struct hopper_gemm gemms[] = {
    { "gemm_f16_pair",
      RIG_F16,
      128,
      128,
      4,
      2,
      { { 200, 128, 328 }, { 512, 256, 512 }, { 1024, 1024, 512 } } },
    { "gemm_e4m3_four",
      RIG_E4M3,
      64,
      256,
      4,
      4,
      { { 256, 192, 128 }, { 512, 256, 1024 }, { 1024, 1024, 1024 } } },
};

static int hopper_multicast_run(struct workload_env *env)
{
    return hopper_gemm_run(env, gemms, sizeof gemms / sizeof *gemms);
}

const struct workload workload_hopper_multicast = {
    .name = "hopper_multicast",
    .summary = "matrix products by clusters, TMA to all their blocks, WGMMA",
    .sizes = { "200x128x328, 256x192x128", "512x256x512, 512x256x1024",
               "1024x1024x512, 1024x1024x1024" },
    .sm = { 90, 90 },
    .run = hopper_multicast_run,
};
