/* host.c - db_conv_infer: convolution layers in inference, batch of one.
 *
 * Size paper has Deepbench's shapes in full: speech, 341 x 79 with 32 channels and 32 filters
 * of 10 x 5 at every second place, in float; and images, 14 x 14 with 256 channels and 256
 * filters of 3 x 3, in half precision. The others are scaled down.
 */
#include "../deepbench/conv.h"

/* n, h, w, c, k, r, s, pad, stride */
static const struct conv speech[N_WORKLOAD_SIZE] = {
    { 1, 23, 27, 8, 20, 3, 4, 1, 2, 0, 0 },
    { 1, 23, 85, 32, 32, 5, 10, 0, 2, 0, 0 },
    { 1, 79, 341, 32, 32, 5, 10, 0, 2, 0, 0 },
};
static const struct conv images[N_WORKLOAD_SIZE] = {
    { 1, 6, 5, 32, 80, 3, 3, 1, 1, 0, 0 },
    { 1, 14, 14, 128, 128, 3, 3, 1, 1, 0, 0 },
    { 1, 14, 14, 256, 256, 3, 3, 1, 1, 0, 0 },
};

static int db_conv_infer_run(struct workload_env *env)
{
    struct rig r = rig_begin(env);

    conv_run_forward(&r, &speech[env->size], &gemm_tall);
    conv_run_tensor(&r, &images[env->size]);
    return rig_end(&r);
}

const struct workload workload_db_conv_infer = {
    .name = "db_conv_infer",
    .summary = "convolution layers in inference, in float and on tensor cores",
    .suite = "Deepbench",
    .theirs = "conv_inference",
    .papers = "socgpu",
    .sizes = { "27x23x8, 4x3x20; 5x6x32, 3x3x80",
               "85x23x32, 10x5x32; 14x14x128, 3x3x128",
               "341x79x32, 10x5x32; 14x14x256, 3x3x256" },
    .run = db_conv_infer_run,
};
