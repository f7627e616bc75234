/* host.c - db_conv_train: two convolution layers in training.
 *
 * Size paper has Deepbench's 7 x 7 images with 512 channels and 512 filters of 1 x 1 (batch
 * of 8), and those of 3 x 3 with 128 channels and filters instead of 512. The others are
 * scaled down further.
 */
#include "../deepbench/conv.h"

enum { LAYERS = 2 };

/* n, h, w, c, k, r, s, pad, stride */
static const struct conv layers[N_WORKLOAD_SIZE][LAYERS] = {
    { { 3, 4, 4, 8, 8, 3, 3, 1, 1, 0, 0 }, { 3, 6, 4, 8, 16, 1, 1, 0, 1, 0, 0 } },
    { { 8, 7, 7, 64, 64, 3, 3, 1, 1, 0, 0 }, { 8, 7, 7, 128, 128, 1, 1, 0, 1, 0, 0 } },
    { { 8, 7, 7, 128, 128, 3, 3, 1, 1, 0, 0 },
      { 8, 7, 7, 512, 512, 1, 1, 0, 1, 0, 0 } },
};

static int db_conv_train_run(struct workload_env *env)
{
    struct rig r = rig_begin(env);

    for (int i = 0; i < LAYERS; i++)
        conv_run_train(&r, &layers[env->size][i], &gemm_square);
    return rig_end(&r);
}

const struct workload workload_db_conv_train = {
    .name = "db_conv_train",
    .summary = "convolution layers in training: implicit products, 64 x 64",
    .suite = "Deepbench",
    .theirs = "conv_train",
    .papers = "socgpu",
    .sizes = { "3 of 4x4x8, 3x3x8; 3 of 6x4x8, 1x1x16",
               "8 of 7x7x64, 3x3x64; 8 of 7x7x128, 1x1x128",
               "8 of 7x7x128, 3x3x128; 8 of 7x7x512, 1x1x512" },
    .run = db_conv_train_run,
};
