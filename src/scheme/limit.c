/* limit.c - how much out-of-order issue could give: the limit study of the GhOST paper
 * (section VI-F, table V; section II-A, figure 4).
 *
 * A warp issues the oldest instruction of a deep window that waits for nothing. What it
 * waits for can be idealised, each apart: with `rename` every write gets a register of
 * its own (no WAR, no WAW; a write that leaves lanes alone still needs the value it
 * merges with); with `alias` memory operations are ordered only where they touch the same
 * bytes, and else all but pairs of loads are; with `branch` nothing waits for a branch,
 * neither fetch nor issue; without it younger instructions wait until it is resolved, as
 * the paper says, or as in its artifact (`release_at_issue`) issued. `ideal` is all three
 * and the deepest window: the bound of figure 4. Barriers, fences, atomics and exits are
 * never passed.
 *
 * An instruction has a name, an index, from its arrival until its result is written. At
 * arrival it is entered with each instruction that it must wait for, to be released when
 * that one issues or is written; with none left it is ready.
 *
 * This is no design: there is no cost of finding the oldest, no port, no free list.
 * LIMIT: a warp has NAMES names, so as many instructions under way.
 */
#include <stddef.h>
#include <string.h>

#include "core/scheme.h"

enum { MAX_WINDOW = 256, NAMES = 512, WORDS = NAMES / 64, NO_NAME = NAMES };

#define LIMIT_PARAMS(NUM, ENUM, BOOL)                                               \
    NUM(window, 64, 1, MAX_WINDOW, "inst", "instructions of a warp to choose from") \
    BOOL(rename, false, "unbounded renaming: no WAR, no WAW")                       \
    BOOL(alias, false, "memory operations wait only for those of the same bytes")   \
    BOOL(branch, false, "perfect branch prediction: nothing waits for a branch")    \
    BOOL(release_at_issue, false,                                                   \
         "artifact: a branch lets younger instructions go when it issues")          \
    BOOL(ideal, false, "all three, and the deepest window")
struct limit_params {
    LIMIT_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define LIMIT_STATS(STAT)                                                             \
    STAT(inserted, "warp inst", "", "instructions that entered the window")           \
    STAT(inserted_dependent, "warp inst", "", "of them, with something to wait for")  \
    STAT(renamed, "warp inst", "",                                                    \
         "of them, whose destination was being written: a WAW that renaming removed") \
    STAT(unordered, "pair", "", "memory operations that the alias check left unordered")
struct limit_stats {
    LIMIT_STATS(STAT_FIELD)
};

struct names {
    uint64_t w[WORDS];
};

struct entry {
    uop_id uop;
    uint16_t waits;                  /* releases that it still needs */
    struct names on_issue, on_write; /* whom its issue, its result releases */
};

/* A warp's instructions from arrival to result. */
struct book {
    struct names used, window, ready; /* window: not issued; ready: of those */
    struct names memory;              /* of those, memory operations */
    unsigned n_used, n_window;
    uint16_t sync;            /* youngest barrier or the like in the window */
    uint16_t control;         /* youngest branch not resolved, or not issued */
    uint16_t writer[N_REGID]; /* youngest that will write it */
    struct entry entry[NAMES];
};

struct limit {
    struct scheme base;
    bool rename, alias, branch, released_early;
    unsigned window;
    struct book book[];
};

static struct limit *limit_of(struct scheme *s)
{
    return (struct limit *)s;
}

static struct book *book_of(struct scheme *s, unsigned warp)
{
    return &limit_of(s)->book[warp];
}

static void put(struct names *n, unsigned name)
{
    n->w[name / 64] |= (uint64_t)1 << name % 64;
}

static void take(struct names *n, unsigned name)
{
    n->w[name / 64] &= ~((uint64_t)1 << name % 64);
}

static bool has(const struct names *n, unsigned name)
{
    return n->w[name / 64] >> name % 64 & 1;
}

/* The first of a set from one on; NO_NAME: none. */
static unsigned next(const struct names *n, unsigned from)
{
    for (unsigned k = from / 64; k < WORDS; k++) {
        uint64_t left = n->w[k];

        if (k == from / 64)
            left &= UINT64_MAX << from % 64;
        if (left)
            return k * 64 + (unsigned)__builtin_ctzll(left);
    }
    return NO_NAME;
}

static unsigned free_name(const struct book *b)
{
    unsigned k = 0;

    while (b->used.w[k] == UINT64_MAX)
        k++;
    return k * 64 + (unsigned)__builtin_ctzll(~b->used.w[k]);
}

static const struct uop *uop_of(const struct scheme *s, const struct book *b,
                                unsigned name)
{
    return &s->pool[b->entry[name].uop];
}

static int limit_init(struct scheme *s, struct err *err)
{
    const struct limit_params *p = s->params;
    struct limit *l = limit_of(s);

    (void)err;
    l->rename = s->renames = p->rename || p->ideal;
    l->alias = p->alias || p->ideal;
    l->branch = s->predicts = p->branch || p->ideal;
    l->released_early = p->release_at_issue;
    l->window = p->ideal ? MAX_WINDOW : p->window;
    return 0;
}

static unsigned limit_window(const void *params)
{
    const struct limit_params *p = params;

    return p->ideal ? MAX_WINDOW : p->window;
}

static void limit_warp_start(struct scheme *s, unsigned warp)
{
    struct book *b = book_of(s, warp);

    memset(b, 0, offsetof(struct book, entry));
    b->sync = b->control = NO_NAME;
    for (unsigned r = 0; r < N_REGID; r++)
        b->writer[r] = NO_NAME;
}

static unsigned limit_room(const struct scheme *s, unsigned warp)
{
    const struct limit *l = (const struct limit *)s;
    const struct book *b = &l->book[warp];
    unsigned room = l->window - b->n_window;

    return room < NAMES - b->n_used ? room : NAMES - b->n_used;
}

static void enter(struct book *b, struct names *list, unsigned name)
{
    if (has(list, name))
        return;
    put(list, name);
    b->entry[name].waits++;
}

static void after_issue(struct book *b, unsigned older, unsigned name)
{
    enter(b, &b->entry[older].on_issue, name);
}

static void after_write(struct book *b, unsigned older, unsigned name)
{
    enter(b, &b->entry[older].on_write, name);
}

/* Waits for the results of those that write these registers. */
static void after_writers(struct book *b, const struct regset *set, unsigned name)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = set->w[k]; m; m &= m - 1) {
            unsigned writer = b->writer[k * 64 + (unsigned)__builtin_ctzll(m)];

            if (writer != NO_NAME)
                after_write(b, writer, name);
        }
}

static void set_writer(struct book *b, const struct regset *set, unsigned from,
                       unsigned to)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = set->w[k]; m; m &= m - 1) {
            uint16_t *writer = &b->writer[k * 64 + (unsigned)__builtin_ctzll(m)];

            if (from == NO_NAME || *writer == from)
                *writer = (uint16_t)to;
        }
}

static bool meets_writers(const struct book *b, const struct regset *set)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = set->w[k]; m; m &= m - 1)
            if (b->writer[k * 64 + (unsigned)__builtin_ctzll(m)] != NO_NAME)
                return true;
    return false;
}

static void order_registers(struct scheme *s, struct book *b, const struct uop *u,
                            unsigned name)
{
    const struct limit *l = limit_of(s);
    struct limit_stats *t = s->stats;
    const struct inst *r = u->dyn.inst;

    after_writers(b, &r->reads, name);
    if (!l->rename || u->partial)
        after_writers(b, &r->writes, name);
    else
        t->renamed += meets_writers(b, &r->writes);
    if (!l->rename)
        for (unsigned n = next(&b->window, 0); n < NAMES; n = next(&b->window, n + 1))
            if (regset_meets(&uop_of(s, b, n)->dyn.inst->reads, &r->writes))
                after_issue(b, n, name);
    if (l->rename && !r->list.is_whole) /* its versions are not told apart */
        for (unsigned n = next(&b->used, 0); n < NAMES; n = next(&b->used, n + 1))
            after_write(b, n, name);
    set_writer(b, &r->writes, NO_NAME, name);
}

/* With perfect aliasing only operations on the same bytes stay in order. */
static bool is_ordered(const struct limit *l, const struct uop *older,
                       const struct uop *u)
{
    return !l->alias || dyn_overlap(&older->dyn, &u->dyn);
}

static void order_memory(struct scheme *s, struct book *b, const struct uop *u,
                         unsigned name)
{
    struct limit_stats *t = s->stats;

    for (unsigned n = next(&b->memory, 0); n < NAMES; n = next(&b->memory, n + 1)) {
        const struct uop *older = uop_of(s, b, n);

        if (!inst_may_conflict(older->dyn.inst, u->dyn.inst))
            continue;
        if (is_ordered(limit_of(s), older, u))
            after_issue(b, n, name);
        else
            t->unordered++;
    }
    put(&b->memory, name);
}

/* Of the branches, calls and returns are marked as well; those can be predicted. */
static bool is_sync(const struct limit *l, const struct inst *i)
{
    bool jumps = i->class == CLASS_branch && !(i->flags & INST_EXIT);

    return inst_is_sync(i) && !(l->branch && jumps);
}

static void order_control(const struct limit *l, struct book *b, const struct inst *i,
                          unsigned name)
{
    if (b->control != NO_NAME)
        (l->released_early ? after_issue : after_write)(b, b->control, name);
    if (i->flags & INST_CONTROL && !l->branch)
        b->control = (uint16_t)name;
    if (b->sync != NO_NAME)
        after_issue(b, b->sync, name);
    if (!is_sync(l, i))
        return;
    for (unsigned n = next(&b->window, 0); n < NAMES; n = next(&b->window, n + 1))
        after_issue(b, n, name);
    b->sync = (uint16_t)name;
}

static void limit_insert(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    struct limit_stats *t = s->stats;
    unsigned name = free_name(b);
    struct entry *e = &b->entry[name];

    INVARIANT(name < NAMES && b->n_used < NAMES);
    *e = (struct entry){ .uop = u->id };
    u->tag = name;
    order_registers(s, b, u, name);
    if (inst_is_memory(u->dyn.inst))
        order_memory(s, b, u, name);
    order_control(limit_of(s), b, u->dyn.inst, name);
    put(&b->used, name);
    put(&b->window, name);
    if (!e->waits)
        put(&b->ready, name);
    b->n_used++;
    b->n_window++;
    t->inserted++;
    t->inserted_dependent += e->waits != 0;
}

static unsigned oldest(const struct scheme *s, const struct book *b,
                       const struct names *set)
{
    unsigned first = next(set, 0);

    for (unsigned n = first; n < NAMES; n = next(set, n + 1))
        if (uop_of(s, b, n)->dyn.seq < uop_of(s, b, first)->dyn.seq)
            first = n;
    return first;
}

/* Does it wait for a register of any of those that it is to be released by? */
static bool waits_for_registers(const struct scheme *s, const struct book *b,
                                unsigned name)
{
    for (unsigned n = next(&b->used, 0); n < NAMES; n = next(&b->used, n + 1))
        if (has(&b->entry[n].on_write, name) &&
            regset_meets(&uop_of(s, b, n)->dyn.inst->writes,
                         &uop_of(s, b, name)->dyn.inst->touches))
            return true;
    return false;
}

/* If nothing is ready, it is the oldest that says why: all that is older has issued. */
static struct offer limit_candidate(struct scheme *s, unsigned warp)
{
    const struct book *b = book_of(s, warp);
    unsigned name = oldest(s, b, &b->ready);

    if (name != NO_NAME)
        return offer_uop(b->entry[name].uop);
    if (!b->n_window)
        return offer_none(HOLD_empty);
    name = oldest(s, b, &b->window);
    return waits_for_registers(s, b, name) ? offer_data(b->entry[name].uop)
                                           : offer_none(HOLD_order);
}

static void release(struct scheme *s, unsigned warp, const struct names *set)
{
    struct book *b = book_of(s, warp);

    for (unsigned n = next(set, 0); n < NAMES; n = next(set, n + 1)) {
        if (--b->entry[n].waits)
            continue;
        put(&b->ready, n);
        scheme_wake(s, warp);
    }
}

static void limit_issued(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    unsigned name = (unsigned)u->tag;

    INVARIANT(b->n_window && b->entry[name].uop == u->id);
    take(&b->window, name);
    take(&b->ready, name);
    take(&b->memory, name);
    b->n_window--;
    if (b->sync == name)
        b->sync = NO_NAME;
    if (b->control == name && limit_of(s)->released_early)
        b->control = NO_NAME;
    release(s, u->warp, &b->entry[name].on_issue);
}

static void limit_written_back(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    unsigned name = (unsigned)u->tag;

    INVARIANT(b->n_used && b->entry[name].uop == u->id);
    take(&b->used, name);
    if (b->n_used-- == NAMES)
        scheme_wake(s, u->warp);
    set_writer(b, &u->dyn.inst->writes, name, NO_NAME);
    if (b->control == name)
        b->control = NO_NAME;
    release(s, u->warp, &b->entry[name].on_write);
}

static void limit_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct book *b = &((const struct limit *)s)->book[warp];
    unsigned first = oldest(s, b, &b->window);

    buf_printf(out, "    window %u, under way %u", b->n_window,
               b->n_used - b->n_window);
    if (first != NO_NAME)
        buf_printf(out, ", the oldest waits for %u", b->entry[first].waits);
    buf_putc(out, '\n');
}

#define PARAM_OF struct limit_params
static const struct param_group limit_param_group =
    PARAM_GROUP("limit", "out-of-order issue without cost: a bound", LIMIT_PARAMS);
#undef PARAM_OF
#define STAT_OF struct limit_stats
static const struct stat_group limit_stat_group =
    STAT_GROUP("limit", "limit study", LIMIT_STATS);
#undef STAT_OF

/* Only the window, of 64-bit instructions and a valid bit: the rest is not a design. */
static void limit_parts(const void *p, const struct core_shape *shape, struct part *at)
{
    uint64_t entries = (uint64_t)shape->n_warps * limit_window(p);

    *at++ = (struct part){ "window", "valid", entries, 1 };
    *at++ = (struct part){ "window", "instruction", entries, 64 };
}

const struct scheme_ops scheme_limit = {
    .name = "limit",
    .summary = "out-of-order issue without cost: the limit study",
    .paper = "GhOST (ISCA 2024), table V and figure 4",
    .params = &limit_param_group,
    .stats = &limit_stat_group,
    .state_size = sizeof(struct limit),
    .warp_size = sizeof(struct book),
    .init = limit_init,
    .window = limit_window,
    .room = limit_room,
    .insert = limit_insert,
    .candidate = limit_candidate,
    .issued = limit_issued,
    .written_back = limit_written_back,
    .warp_start = limit_warp_start,
    .dump = limit_dump,
    .parts = limit_parts,
};
