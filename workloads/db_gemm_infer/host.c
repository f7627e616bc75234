/* host.c - db_gemm_infer: the matrix products of inference.
 *
 * Size paper has Deepbench's shapes 35 x 1500 x 2560, 6144 x 4 x 2048 and 512 x 3000 x 1536
 * (m x n x k); the batch of four is the rows here. The others are scaled down. The tensor
 * cores' input is small whole numbers, so that sums are exact in any order.
 */
#include "../deepbench/gemm.h"

static const struct gemm products[] = {
    { "gemm_nn",
      &gemm_flat,
      GEMM_FLOAT,
      false,
      true,
      { { 35, 132, 40 }, { 35, 300, 640 }, { 35, 1500, 2560 } } },
    { "gemm_skinny",
      &gemm_skinny,
      GEMM_SKINNY,
      false,
      false,
      { { 4, 90, 640 }, { 4, 1536, 512 }, { 4, 6144, 2048 } } },
    { "gemm_tensor",
      &gemm_tensor,
      GEMM_HALF,
      false,
      false,
      { { 80, 96, 96 }, { 256, 752, 384 }, { 512, 3008, 1536 } } },
};

static int db_gemm_infer_run(struct workload_env *env)
{
    return gemm_run_all(env, products, sizeof products / sizeof *products);
}

const struct workload workload_db_gemm_infer = {
    .name = "db_gemm_infer",
    .summary = "matrix products of inference: few rows, and tensor cores",
    .suite = "Deepbench",
    .theirs = "gemm_inference",
    .papers = "socgpu",
    .sizes = { "35x132x40, 4x90x640, 80x96x96", "35x300x640, 4x1536x512, 256x752x384",
               "35x1500x2560, 4x6144x2048, 512x3008x1536" },
    .run = db_gemm_infer_run,
};
