/* host.c - db_gemm_train: the matrix products of training.
 *
 * Size paper has Deepbench's shapes 2048 x 128 x 2048, 1760 x 7133 x 1760 and 2048 x 64 x
 * 2048 (m x n x k), the second with 128 instead of 7133 columns; the others are scaled down.
 */
#include "../deepbench/gemm.h"

static const struct gemm products[] = {
    { "gemm_nn",
      &gemm_large,
      GEMM_FLOAT,
      false,
      true,
      { { 128, 64, 48 }, { 512, 128, 512 }, { 2048, 128, 2048 } } },
    { "gemm_nt",
      &gemm_large,
      GEMM_FLOAT,
      false,
      false,
      { { 136, 64, 32 }, { 440, 128, 440 }, { 1760, 128, 1760 } } },
    { "gemm_tn",
      &gemm_large,
      GEMM_FLOAT,
      true,
      true,
      { { 128, 68, 24 }, { 512, 64, 512 }, { 2048, 64, 2048 } } },
};

static int db_gemm_train_run(struct workload_env *env)
{
    return gemm_run_all(env, products, sizeof products / sizeof *products);
}

const struct workload workload_db_gemm_train = {
    .name = "db_gemm_train",
    .summary = "matrix products of training: pipelined tiles of 128 x 64",
    .suite = "Deepbench",
    .theirs = "gemm_train",
    .papers = "socgpu",
    .sizes = { "three of about 128x64x32", "512x128x512, 440x128x440, 512x64x512",
               "2048x128x2048, 1760x128x1760, 2048x64x2048" },
    .run = db_gemm_train_run,
};
