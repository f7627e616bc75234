/* host.c - flash2: attention in the style of FlashAttention-2, all keys and causal. */
#include "../attention/attention.h"

enum { ROWS = 64, THREADS = 128 };

static void attend(struct rig *r, const char *kernel, struct attention_shape shape,
                   bool is_causal)
{
    struct attention a = { .name = kernel, .shape = shape, .is_causal = is_causal };
    float scale = attention_scale();

    attention_begin(r, &a, is_causal);
    rig_launch(r,
               &(struct launch){
                   .kernel = kernel,
                   .grid = { (unsigned)(shape.queries / ROWS), (unsigned)shape.heads },
                   .block = { THREADS },
               },
               RIG_ARGS(RIG_ARG(a.q), RIG_ARG(a.k), RIG_ARG(a.v), RIG_ARG(a.o),
                        RIG_ARG(shape.queries), RIG_ARG(shape.keys), RIG_ARG(scale)));
    attention_end(r, &a);
}

static int flash2_run(struct workload_env *env)
{
    static const struct attention_shape all[N_WORKLOAD_SIZE] = { { 2, 64, 192 },
                                                                 { 4, 256, 512 },
                                                                 { 16, 512, 1024 } };
    static const struct attention_shape causal[N_WORKLOAD_SIZE] = {
        { 1, 128, 128 }, { 4, 512, 512 }, { 16, 1024, 1024 }
    };
    struct rig r = rig_begin(env);

    attend(&r, "flash2", all[env->size], false);
    attend(&r, "flash2_causal", causal[env->size], true);
    return rig_end(&r);
}

const struct workload workload_flash2 = {
    .name = "flash2",
    .summary = "attention in the style of FlashAttention-2: cp.async, mma.sync",
    .sizes = { "2 heads, 64x192; 1 head, 128x128 causal",
               "4 heads, 256x512 and 512x512 causal",
               "16 heads, 512x1024 and 1024x1024 causal" },
    .sm = { 80, 120 },
    .run = flash2_run,
};
