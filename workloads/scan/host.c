/* host.c - scan: exclusive prefix sums over several levels.
 *
 * Level 0 is the input, level k + 1 the totals of level k's blocks, until one block
 * holds a level; then the offsets are added on the way back.
 */
#include "../workload.h"

enum { THREADS = 256, PER_BLOCK = 4 * THREADS, MAX_LEVELS = 4 };

struct level {
    unsigned n; /* elements, a multiple of four */
    CUdeviceptr in, out;
};

static unsigned blocks_of(const struct level *l)
{
    return div_up(l->n, PER_BLOCK);
}

/* Totals need zeros up to the next multiple of four: the level is filled first. */
static void make_totals(struct rig *r, const struct level *below, struct level *l)
{
    l->n = div_up(blocks_of(below), 4) * 4;
    l->in = rig_alloc(r, l->n * sizeof(unsigned));
    l->out = rig_alloc(r, l->n * sizeof(unsigned));
    rig_fill(r, l->in, 0, l->n);
}

static void scan_levels(struct rig *r, struct level *level)
{
    unsigned n4, depth = 0;

    for (;; depth++) {
        struct level *l = &level[depth];

        make_totals(r, l, l + 1);
        n4 = l->n / 4;
        rig_launch(
            r, &(struct launch){ "scan_block", { blocks_of(l) }, { THREADS }, 0 },
            RIG_ARGS(RIG_ARG(l->in), RIG_ARG(l->out), RIG_ARG(l[1].in), RIG_ARG(n4)));
        if (blocks_of(l) == 1)
            break;
    }
    while (depth-- > 0) {
        struct level *l = &level[depth];

        n4 = l->n / 4;
        rig_launch(r, &(struct launch){ "scan_add", { blocks_of(l) }, { THREADS }, 0 },
                   RIG_ARGS(RIG_ARG(l->out), RIG_ARG(l[1].out), RIG_ARG(n4)));
    }
}

static int scan_run(struct workload_env *env)
{
    static const unsigned sizes[N_WORKLOAD_SIZE] = { 20004, 1u << 20, 6815744 };
    unsigned n = sizes[env->size], sum = 0;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 4);
    unsigned *in = rig_host(&r, n, sizeof *in), *want = rig_host(&r, n, sizeof *want);
    struct level level[MAX_LEVELS + 1] = { { .n = n } };

    if (r.failed)
        return rig_end(&r);
    for (unsigned i = 0; i < n; i++) {
        in[i] = rng_below(&rng, 1000);
        want[i] = sum;
        sum += in[i];
    }
    level[0].in = rig_upload(&r, in, n * sizeof *in);
    level[0].out = rig_alloc(&r, n * sizeof *in);
    scan_levels(&r, level);
    rig_result(&r, "scan", level[0].out, want, n);
    return rig_end(&r);
}

const struct workload workload_scan = {
    .name = "scan",
    .summary = "exclusive prefix sums: block scan, then add",
    .suite = "CUDA SDK",
    .sizes = { "20004 elements", "1048576 elements", "6815744 elements" },
    .run = scan_run,
};
