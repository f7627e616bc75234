/* skip_planted.c - redundancy eliminators that are wrong, each in one way: for tests only.
 *
 * Every rule of core/skip.h has one here that breaks it and nothing else; the core must end
 * the run and blame it (tests/cli/claims.sh).
 */
#include "core/skip.h"

/* In the order of PLANTED_HOW. */
enum planted_how {
    HOW_integers,
    HOW_source,
    HOW_silent,
    HOW_itself,
    HOW_early,
    HOW_lanes,
    HOW_launch,
    HOW_affine,
    HOW_uniform,
    HOW_base,
    HOW_store,
    HOW_branch,
    HOW_load,
    HOW_slot,
    HOW_other,
};
#define PLANTED_HOW                                                                           \
    "integers|source|silent|itself|early|lanes|launch|affine|uniform|base|store|branch|load|" \
    "slot|other"

#define PLANTED_PARAMS(NUM, ENUM, BOOL)                            \
    ENUM(how, 0, PLANTED_HOW, "what is wrong with the eliminator") \
    NUM(after, 0, 0, 1000000, "warp inst", "it is sound until then")
struct planted_params {
    PLANTED_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

enum { N_SLOTS = 2 };
struct planted {
    struct skip base;
    uint64_t n_asked;
    unsigned launch;  /* of how many kernels, and ... */
    unsigned kept;    /* ... in which it kept something */
    bool is_kept;     /* slot 0 has an instruction, with: */
    uint64_t digest;  /* ... its value */
    uint32_t mask;    /* ... the lanes it wrote */
    struct uop other; /* a forged instruction */
};

static struct planted *planted_of(struct skip *s)
{
    return (struct planted *)s;
}

static int planted_init(struct skip *s, struct err *err)
{
    if ((uintptr_t)planted_of(s) % _Alignof(struct planted))
        return err_set(err, "planted: its state is not aligned");
    s->n_slots = N_SLOTS;
    return 0;
}

static int planted_kernel_start(struct skip *s, struct err *err)
{
    (void)err;
    planted_of(s)->launch++;
    return 0;
}

static bool is_integer(const struct inst *i)
{
    return inst_computes(i) && (i->class == CLASS_int || i->class == CLASS_imul ||
                                i->class == CLASS_imul_wide);
}

/* Executes an instruction, the next one of its kind is said to be equal to it. */
static enum skip_verdict keep(struct planted *p, const struct uop *u)
{
    skip_keep(&p->base, 0, u);
    p->is_kept = true;
    p->kept = p->launch;
    p->digest = u->dyn.value.digest;
    p->mask = u->dyn.mask;
    return SKIP_EXECUTE;
}

static enum skip_verdict claim_kept(struct planted *p, enum skip_verdict v)
{
    skip_claim_equal(&p->base, 0);
    return v;
}

/* Equality with an instruction that is kept, where that is wrong in one way. */
static enum skip_verdict equal(struct planted *p, const struct uop *u)
{
    const struct planted_params *params = p->base.params;
    bool is_same = p->is_kept && p->digest == u->dyn.value.digest;

    switch (params->how) {
    case HOW_integers:
        return p->is_kept ? claim_kept(p, SKIP_REUSE) : keep(p, u);
    case HOW_source:
        return p->is_kept && !is_same ? claim_kept(p, SKIP_DROP) : keep(p, u);
    case HOW_itself:
        skip_keep(&p->base, 1, u);
        skip_claim_equal(&p->base, 1);
        return SKIP_DROP;
    case HOW_launch:
        if (!p->is_kept)
            return keep(p, u);
        return is_same && p->kept != p->launch ? claim_kept(p, SKIP_DROP)
                                               : SKIP_EXECUTE;
    case HOW_early:
        return is_same ? claim_kept(p, SKIP_DROP) : keep(p, u);
    default: /* HOW_lanes */
        return is_same && p->mask != u->dyn.mask ? claim_kept(p, SKIP_DROP)
                                                 : keep(p, u);
    }
}

static enum skip_verdict drop_affine(struct skip *s, bool drops, uint64_t digest)
{
    skip_claim_affine(s, digest);
    return drops ? SKIP_DROP : SKIP_EXECUTE;
}

static enum skip_verdict planted_at_fetch(struct skip *s, const struct uop *u)
{
    struct planted *p = planted_of(s);
    const struct planted_params *params = s->params;
    const struct value *v = &u->dyn.value;
    const struct inst *i = u->dyn.inst;
    bool is_affine = is_integer(i) && v->shape != VALUE_OTHER;

    if (p->n_asked++ < params->after)
        return SKIP_EXECUTE;
    switch (params->how) {
    case HOW_silent:
        return is_integer(i) ? SKIP_DROP : SKIP_EXECUTE;
    case HOW_affine: /* says so of everything, without numbers */
        return drop_affine(s, is_integer(i), v->digest);
    case HOW_uniform:
        return drop_affine(s, is_integer(i), value_line(v->first, 0));
    case HOW_base: /* of another one */
        return drop_affine(s, is_affine, v->digest + 1);
    case HOW_store:
        return drop_affine(s, inst_writes_memory(i), v->digest);
    case HOW_branch:
        return drop_affine(s, i->flags & INST_CONTROL, v->digest);
    case HOW_load:
        skip_claim_affine(s, v->digest);
        return inst_is_load(i) ? SKIP_REUSE : SKIP_EXECUTE;
    case HOW_slot:
        skip_keep(s, N_SLOTS, u);
        return SKIP_EXECUTE;
    case HOW_other:
        p->other = *u;
        skip_keep(s, 0, &p->other);
        return SKIP_EXECUTE;
    default:
        return is_integer(i) ? equal(p, u) : SKIP_EXECUTE;
    }
}

#define PARAM_OF struct planted_params
static const struct param_group planted_param_group =
    PARAM_GROUP("planted", "wrong elimination, for tests", PLANTED_PARAMS);
#undef PARAM_OF

extern const struct skip_ops skip_planted;
const struct skip_ops skip_planted = {
    .name = "planted",
    .summary = "wrong in one way, for tests",
    .paper = "",
    .params = &planted_param_group,
    .state_size = sizeof(struct planted),
    .wants_values = true,
    .renames = true,
    .reuses = true,
    .init = planted_init,
    .kernel_start = planted_kernel_start,
    .at_fetch = planted_at_fetch,
};

/* Does not rename, and does not wait until older instructions have written. Its claims are
 * right. */
static enum skip_verdict hasty_at_fetch(struct skip *s, const struct uop *u)
{
    return drop_affine(s, is_integer(u->dyn.inst) && u->dyn.value.shape != VALUE_OTHER,
                       u->dyn.value.digest);
}

extern const struct skip_ops skip_hasty;
const struct skip_ops skip_hasty = {
    .name = "hasty",
    .summary = "drops what older instructions are still to write, for tests",
    .paper = "",
    .state_size = sizeof(struct skip),
    .at_fetch = hasty_at_fetch,
};

/* Reuses, and its table does not say so. */
static enum skip_verdict undeclared_at_fetch(struct skip *s, const struct uop *u)
{
    return hasty_at_fetch(s, u) == SKIP_DROP ? SKIP_REUSE : SKIP_EXECUTE;
}

extern const struct skip_ops skip_undeclared;
const struct skip_ops skip_undeclared = {
    .name = "undeclared",
    .summary = "reuses, and its table does not say so, for tests",
    .paper = "",
    .state_size = sizeof(struct skip),
    .at_fetch = undeclared_at_fetch,
};

/* Reuses what has not been fetched. */
extern const struct skip_ops skip_unfetched;
const struct skip_ops skip_unfetched = {
    .name = "unfetched",
    .summary = "reuses what has not been fetched, for tests",
    .paper = "",
    .state_size = sizeof(struct skip),
    .reuses = true,
    .before_fetch = undeclared_at_fetch,
    .at_fetch = undeclared_at_fetch,
};

/* Has an instruction recorded before it is fetched, and then drops it as equal to itself. */
static int foretold_init(struct skip *s, struct err *err)
{
    (void)err;
    s->n_slots = 1;
    return 0;
}

static enum skip_verdict foretold_before_fetch(struct skip *s, const struct uop *u)
{
    skip_keep(s, 0, u);
    return SKIP_EXECUTE;
}

static enum skip_verdict foretold_at_fetch(struct skip *s, const struct uop *u)
{
    if (!is_integer(u->dyn.inst))
        return SKIP_EXECUTE;
    skip_claim_equal(s, 0);
    return SKIP_DROP;
}

extern const struct skip_ops skip_foretold;
const struct skip_ops skip_foretold = {
    .name = "foretold",
    .summary = "drops what it has recorded before, for tests",
    .paper = "",
    .state_size = sizeof(struct skip),
    .wants_values = true,
    .renames = true,
    .init = foretold_init,
    .before_fetch = foretold_before_fetch,
    .at_fetch = foretold_at_fetch,
};

/* Reuses every integer instruction, and declares that nobody can check that. */
static enum skip_verdict guess_at_fetch(struct skip *s, const struct uop *u)
{
    (void)s;
    return is_integer(u->dyn.inst) ? SKIP_REUSE : SKIP_EXECUTE;
}

extern const struct skip_ops skip_guess;
const struct skip_ops skip_guess = {
    .name = "guess",
    .summary = "reuses integer instructions unchecked, for tests",
    .paper = "",
    .unchecked = "it guesses",
    .state_size = sizeof(struct skip),
    .reuses = true,
    .at_fetch = guess_at_fetch,
};
