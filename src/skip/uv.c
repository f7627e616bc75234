/* uv.c - uniform vector instructions: a warp reuses a result that another warp has
 * computed.
 *
 * DARSIE's first comparator (ASPLOS 2020, section 5), after Xiang and others (ICS
 * 2013): a buffer keeps results of instructions whose operands are the same in all
 * lanes. An instruction that finds its result there is fetched, decoded and issued, but
 * not executed. Memory operations and values that are not uniform are not reused.
 *
 * A real buffer would compare operands; here the results of instructions with uniform
 * operands at the same PC are compared. Equal operands have equal results. The paper
 * does not give the size of the buffer.
 */
#include "skip/common.h"

enum { UV_MAX_ENTRIES = 1024 };

#define UV_PARAMS(NUM, ENUM, BOOL) \
    NUM(entries, 64, 1, UV_MAX_ENTRIES, "inst", "reuse buffer per SM")
struct uv_params {
    UV_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define UV_STATS(STAT)                                                       \
    STAT(reused, "warp inst", "", "instructions issued but not executed")    \
    STAT(uniform, "warp inst", "",                                           \
         "instructions executed with uniform operands and a uniform result") \
    STAT(early, "warp inst", "", "of these, the reusable result was not available yet")
struct uv_stats {
    UV_STATS(STAT_FIELD)
};

/* An entry of the buffer; its slot in the core has the same number (skip_keep()). */
struct uv_entry {
    uint64_t pc; /* 0: none */
    bool is_written;
    uint16_t warp; /* warp that executed it ... */
    uint64_t seq;
    uint64_t digest; /* ... with this result */
};

struct uv {
    struct skip base;
    unsigned next; /* entry to be replaced next */
    struct uv_entry entry[UV_MAX_ENTRIES];
    struct skip_shapes shapes[MAX_WARP_SLOTS];
};

static struct uv *uv_of(struct skip *s)
{
    return (struct uv *)s;
}

static unsigned uv_entries(const struct skip *s)
{
    return ((const struct uv_params *)s->params)->entries;
}

static int uv_init(struct skip *s, struct err *err)
{
    (void)err;
    s->n_slots = uv_entries(s);
    return 0;
}

/* Results of one launch are meaningless in the next. */
static int uv_kernel_start(struct skip *s, struct err *err)
{
    (void)err;
    for (unsigned k = 0; k < uv_entries(s); k++)
        uv_of(s)->entry[k].pc = 0;
    return 0;
}

static void uv_warp_start(struct skip *s, unsigned warp)
{
    skip_shapes_start(&uv_of(s)->shapes[warp]);
}

static struct uv_entry *uv_find(struct skip *s, uint64_t pc)
{
    for (unsigned k = 0; k < uv_entries(s); k++)
        if (uv_of(s)->entry[k].pc == pc)
            return &uv_of(s)->entry[k];
    return NULL;
}

static struct uv_entry *uv_replace(struct skip *s)
{
    struct uv *v = uv_of(s);

    v->next = (v->next + 1) % uv_entries(s);
    return &v->entry[v->next];
}

static unsigned uv_slot(struct skip *s, const struct uv_entry *e)
{
    return (unsigned)(e - uv_of(s)->entry);
}

static enum skip_verdict uv_look_up(struct skip *s, const struct uop *u)
{
    struct uv_entry *e = uv_find(s, u->dyn.inst->pc);
    struct uv_stats *t = s->stats;
    bool is_same = e && e->digest == u->dyn.value.digest;

    if (is_same && e->is_written) {
        t->reused++;
        skip_claim_equal(s, uv_slot(s, e));
        return SKIP_REUSE;
    }
    t->uniform++;
    t->early += is_same;
    if (is_same)
        return SKIP_EXECUTE;
    if (!e)
        e = uv_replace(s);
    *e = (struct uv_entry){ .pc = u->dyn.inst->pc,
                            .warp = u->warp,
                            .seq = u->dyn.seq,
                            .digest = u->dyn.value.digest };
    skip_keep(s, uv_slot(s, e), u);
    return SKIP_EXECUTE;
}

static enum skip_verdict uv_at_fetch(struct skip *s, const struct uop *u)
{
    struct skip_shapes *shapes = &uv_of(s)->shapes[u->warp];
    bool is_uniform = skip_has_shape(shapes, u, VALUE_UNIFORM);

    skip_shapes_note(shapes, u);
    return is_uniform ? uv_look_up(s, u) : SKIP_EXECUTE;
}

static void uv_written_back(struct skip *s, struct uop *u)
{
    struct uv_entry *e = uv_find(s, u->dyn.inst->pc);

    if (e && e->warp == u->warp && e->seq == u->dyn.seq)
        e->is_written = true;
}

static void uv_parts(const void *params, const struct core_shape *shape,
                     struct part *at)
{
    const struct uv_params *p = params;

    (void)shape;
    *at++ = (struct part){ "reuse buffer", "PC", p->entries, 48 };
    *at++ = (struct part){ "reuse buffer", "operands", p->entries, 3 * 32 };
    *at++ = (struct part){ "reuse buffer", "result", p->entries, 32 };
}

#define PARAM_OF struct uv_params
static const struct param_group uv_param_group =
    PARAM_GROUP("uv", "uniform vector instructions are reused", UV_PARAMS);
#undef PARAM_OF
#define STAT_OF struct uv_stats
static const struct stat_group uv_stat_group =
    STAT_GROUP("uv", "uniform vector instructions", UV_STATS);
#undef STAT_OF

extern const struct skip_ops skip_uv;
const struct skip_ops skip_uv = {
    .name = "uv",
    .summary = "UV: uniform results of other warps are reused at issue",
    .paper = "UV (ICS 2013), as in DARSIE (ASPLOS 2020)",
    .params = &uv_param_group,
    .stats = &uv_stat_group,
    .state_size = sizeof(struct uv),
    .wants_values = true,
    .reuses = true,
    .init = uv_init,
    .at_fetch = uv_at_fetch,
    .kernel_start = uv_kernel_start,
    .warp_start = uv_warp_start,
    .written_back = uv_written_back,
    .parts = uv_parts,
};
