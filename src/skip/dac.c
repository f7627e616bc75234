/* dac.c - decoupled affine computation, idealised: affine instructions are executed
 * once per block, at no cost to the other warps.
 *
 * DARSIE's second comparator (ASPLOS 2020, section 5), after Wang and Lin (ISCA 2017).
 * As there, affine instructions are detected as they execute, redundant or not:
 * operands and result grow by a constant from lane to lane, or are equal in all lanes.
 * The first warp of a block that reaches the n-th execution of an instruction executes
 * it, and the others drop it at fetch; the two streams of the real design and their
 * queues cost nothing. Memory operations and loaded values are not affine.
 *
 * A dropped instruction is claimed to be affine, with base and stride taken from its
 * own lanes 0 and 1 (the arithmetic of the affine stream is assumed to be right); the
 * claim that is checked is that all other lanes follow.
 */
#include <stdlib.h>
#include <string.h>

#include "skip/common.h"

#define DAC_STATS(STAT)                                                    \
    STAT(uniform, "warp inst", "", "dropped: the same value in all lanes") \
    STAT(affine, "warp inst", "",                                          \
         "dropped: values that grow by a constant from lane to lane")      \
    STAT(executed, "warp inst", "",                                        \
         "executed: affine or uniform, and the first of its block")        \
    STAT(                                                                  \
        name_waits, "warp inst", "",                                       \
        "waits for older instructions that touch the register (reservation stations)")
struct dac_stats {
    DAC_STATS(STAT_FIELD)
};

struct dac {
    struct skip base;
    uint64_t n_code;
    /* How often each instruction was executed, modulo 2^16: by a warp, and the most by
     * any warp of its block. */
    uint16_t *own[MAX_WARP_SLOTS], *most[MAX_WARP_SLOTS];
    uint16_t *counts; /* one allocation for all of them */
    bool waits[MAX_WARP_SLOTS];
    struct skip_shapes shapes[MAX_WARP_SLOTS];
    struct skip_use use[MAX_WARP_SLOTS];
};

static struct dac *dac_of(struct skip *s)
{
    return (struct dac *)s;
}

static void dac_fini(struct skip *s)
{
    free(dac_of(s)->counts);
}

static int dac_kernel_start(struct skip *s, struct err *err)
{
    struct dac *d = dac_of(s);
    uint64_t n = s->kernel->n_marks;

    free(d->counts);
    d->n_code = n;
    d->counts = calloc(2 * MAX_WARP_SLOTS * (n + 1), sizeof *d->counts);
    if (!d->counts)
        return err_memory(err, "the execution counts of dac");
    for (unsigned k = 0; k < MAX_WARP_SLOTS; k++) {
        d->own[k] = d->counts + 2 * k * n;
        d->most[k] = d->own[k] + n;
    }
    return 0;
}

static void dac_warp_start(struct skip *s, unsigned warp)
{
    struct dac *d = dac_of(s);
    size_t size = d->n_code * sizeof *d->counts;

    memset(d->own[warp], 0, size);
    if (!s->index_of[warp])
        memset(d->most[s->block_of[warp]], 0, size);
    skip_shapes_start(&d->shapes[warp]);
    memset(&d->use[warp], 0, sizeof d->use[warp]);
}

/* Has another warp of the block already executed it as often as this warp is about
 * to? */
static bool is_done(const struct dac *d, const struct uop *u, uint64_t n)
{
    uint16_t own = d->own[u->warp][n], most = d->most[d->base.block_of[u->warp]][n];

    return (int16_t)(uint16_t)(most - own) > 0;
}

static void dac_count(struct dac *d, const struct uop *u, uint64_t n)
{
    uint16_t *own = &d->own[u->warp][n], *most = &d->most[d->base.block_of[u->warp]][n];

    ++*own;
    if ((int16_t)(uint16_t)(*own - *most) > 0)
        *most = *own;
}

static enum skip_verdict dac_look(struct dac *d, const struct uop *u, bool is_fetched)
{
    struct dac_stats *t = d->base.stats;
    uint64_t n = kernel_place(d->base.kernel, u->dyn.inst);

    if (n >= d->n_code || !skip_has_shape(&d->shapes[u->warp], u, VALUE_AFFINE))
        return SKIP_EXECUTE;
    if (!is_done(d, u, n)) {
        if (is_fetched)
            dac_count(d, u, n);
        t->executed += is_fetched;
        return SKIP_EXECUTE;
    }
    if (d->base.is_strict && skip_is_used(&d->use[u->warp], u->dyn.inst)) {
        t->name_waits++;
        return SKIP_WAIT;
    }
    dac_count(d, u, n);
    *(u->dyn.value.shape == VALUE_UNIFORM ? &t->uniform : &t->affine) += 1;
    skip_claim_affine(&d->base, u->dyn.value.digest);
    return SKIP_DROP;
}

static enum skip_verdict dac_judge(struct skip *s, const struct uop *u, bool is_fetched)
{
    struct dac *d = dac_of(s);
    enum skip_verdict v = dac_look(d, u, is_fetched);

    d->waits[u->warp] = v == SKIP_WAIT;
    if (v == SKIP_WAIT || (v == SKIP_EXECUTE && !is_fetched))
        return v;
    skip_shapes_note(&d->shapes[u->warp], u);
    if (v == SKIP_EXECUTE)
        skip_use(&d->use[u->warp], u->dyn.inst, 1);
    return v;
}

static enum skip_verdict dac_before_fetch(struct skip *s, const struct uop *u)
{
    return dac_judge(s, u, false);
}

static enum skip_verdict dac_at_fetch(struct skip *s, const struct uop *u)
{
    return dac_judge(s, u, true);
}

static void dac_written_back(struct skip *s, struct uop *u)
{
    struct dac *d = dac_of(s);

    skip_use(&d->use[u->warp], u->dyn.inst, -1);
    if (d->waits[u->warp])
        skip_wake(s, u->warp);
}

#define STAT_OF struct dac_stats
static const struct stat_group dac_stat_group =
    STAT_GROUP("dac", "affine instructions", DAC_STATS);
#undef STAT_OF

extern const struct skip_ops skip_dac;
const struct skip_ops skip_dac = {
    .name = "dac",
    .summary = "DAC-IDEAL: affine instructions are executed once per block",
    .paper = "DAC (ISCA 2017), idealised as in DARSIE (ASPLOS 2020)",
    .stats = &dac_stat_group,
    .state_size = sizeof(struct dac),
    .wants_values = true,
    .renames = true,
    .fini = dac_fini,
    .before_fetch = dac_before_fetch,
    .at_fetch = dac_at_fetch,
    .kernel_start = dac_kernel_start,
    .warp_start = dac_warp_start,
    .written_back = dac_written_back,
};
