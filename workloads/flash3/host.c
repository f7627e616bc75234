/* host.c - flash3: attention in the style of FlashAttention-3, all keys and causal. */
#include "../attention/attention.h"

enum { ROWS = 128, KEYS = 128, STAGES = 2, THREADS = 384, ALIGNMENT = 1024 };

/* Of tiles, of the rings' barriers and of that for the queries. */
enum {
    SHARED = (ROWS + 2 * STAGES * KEYS) * RIG_LINE + 2 * STAGES * 16 + 8 + ALIGNMENT
};

static void map_rows(struct rig *r, CUtensorMap *map, CUdeviceptr at, int rows)
{
    const struct rig_matrix m = { RIG_F16, (unsigned)rows, ATTENTION_DEPTH, ROWS };

    rig_tensor_map(r, map, at, &m);
}

static void attend(struct rig *r, const char *kernel, struct attention_shape shape,
                   bool is_causal)
{
    struct attention a = { .name = kernel, .shape = shape, .is_causal = is_causal };
    float scale = attention_scale();
    CUtensorMap q, k, v;

    attention_begin(r, &a, is_causal);
    map_rows(r, &q, a.q, shape.heads * shape.queries);
    map_rows(r, &k, a.k, shape.heads * shape.keys);
    map_rows(r, &v, a.v, shape.heads * shape.keys);
    rig_launch(r,
               &(struct launch){
                   .kernel = kernel,
                   .grid = { (unsigned)(shape.queries / ROWS), (unsigned)shape.heads },
                   .block = { THREADS },
                   .shared = SHARED,
               },
               RIG_ARGS(RIG_ARG(q), RIG_ARG(k), RIG_ARG(v), RIG_ARG(a.o),
                        RIG_ARG(shape.queries), RIG_ARG(shape.keys), RIG_ARG(scale)));
    attention_end(r, &a);
}

static int flash3_run(struct workload_env *env)
{
    static const struct attention_shape all[N_WORKLOAD_SIZE] = { { 1, 128, 384 },
                                                                 { 4, 256, 512 },
                                                                 { 16, 512, 1024 } };
    static const struct attention_shape causal[N_WORKLOAD_SIZE] = {
        { 1, 128, 128 }, { 4, 512, 512 }, { 16, 1024, 1024 }
    };
    struct rig r = rig_begin(env);

    attend(&r, "flash3", all[env->size], false);
    attend(&r, "flash3_causal", causal[env->size], true);
    return rig_end(&r);
}

const struct workload workload_flash3 = {
    .name = "flash3",
    .summary = "attention in the style of FlashAttention-3: TMA, WGMMA",
    .sizes = { "1 head, 128x384; 1 head, 128x128 causal",
               "4 heads, 256x512 and 512x512 causal",
               "16 heads, 512x1024 and 1024x1024 causal" },
    .sm = { 90, 90 },
    .run = flash3_run,
};
