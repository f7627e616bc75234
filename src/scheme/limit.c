/* limit.c - an upper bound for out-of-order issue: the limit study of the GhOST paper
 * (section VI-F, table V; section II-A, figure 4).
 *
 * A warp issues the oldest instruction of a deep window that waits for nothing. Each
 * kind of dependence can be idealised separately: with `rename` every write gets a
 * register of its own (no WAR, no WAW; a write under a partial mask still needs the
 * value it merges with); with `alias` memory operations stay in order only where they
 * touch the same bytes (without it, all pairs but two loads do); with `branch` nothing
 * waits for a branch, neither fetch nor issue; without it younger instructions wait
 * until the branch is resolved, as the paper says, or issued, as in its artifact
 * (`release_at_issue`). `ideal` is all three with the deepest window: the bound of
 * figure 4. No instruction passes a barrier, fence, atomic or exit.
 *
 * An instruction has a name (an index) from insertion until its result is written. At
 * insertion it is added to the list of each instruction that it must wait for, and is
 * released when that one issues or is written; once all have released it, it is ready.
 *
 * This is not a hardware design: finding the oldest costs nothing, and there are no
 * ports or free lists. LIMIT: a warp has NAMES names, so at most that many instructions
 * in flight.
 */
#include <stddef.h>
#include <string.h>

#include "core/scheme.h"

enum { MAX_WINDOW = 256, NAMES = 512, WORDS = NAMES / 64, NO_NAME = NAMES };

#define LIMIT_PARAMS(NUM, ENUM, BOOL)                                                  \
    NUM(window, 64, 1, MAX_WINDOW, "inst", "instructions per warp to choose from")     \
    BOOL(rename, false, "unbounded renaming: no WAR, no WAW")                          \
    BOOL(alias, false, "memory operations wait only for older ones on the same bytes") \
    BOOL(branch, false, "perfect branch prediction: nothing waits for a branch")       \
    BOOL(release_at_issue, false,                                                      \
         "artifact: instructions after a branch may issue once the branch has "        \
         "issued")                                                                     \
    BOOL(ideal, false, "rename, alias and branch with the deepest window")
struct limit_params {
    LIMIT_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define LIMIT_STATS(STAT)                                                                 \
    STAT(inserted, "warp inst", "", "instructions that entered the window")               \
    STAT(inserted_dependent, "warp inst", "",                                             \
         "of these, with a dependence on an older one")                                   \
    STAT(                                                                                 \
        renamed, "warp inst", "",                                                         \
        "of these, with a pending write to the destination: a WAW that renaming removed") \
    STAT(unordered, "pair", "",                                                           \
         "pairs of memory operations that the alias check left unordered")
struct limit_stats {
    LIMIT_STATS(STAT_FIELD)
};

struct names {
    uint64_t w[WORDS];
};

struct entry {
    uop_id uop;
    uint16_t waits; /* releases that it still needs */
    struct names on_issue,
        on_write; /* instructions that its issue, or its result, releases */
};

/* A warp's instructions, from insertion to result. */
struct book {
    struct names used, window, ready; /* in flight; not issued; not issued and ready */
    struct names memory;              /* memory operations in the window */
    unsigned n_words; /* words of a set that hold all names in use (perf) */
    unsigned n_used, n_window;
    uop_id oldest; /* of the window, if it is not empty */
    uint16_t sync; /* youngest barrier, fence, atomic or exit in the window */
    /* youngest branch not yet resolved (release_at_issue: not yet issued) */
    uint16_t control;
    uint16_t writer[N_REGID]; /* youngest instruction that will write the register */
    struct entry entry[NAMES];
    /* of each uop (perf: many are looked at) its number and its registers */
    uint64_t seq[NAMES];
    const struct inst *inst[NAMES];
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

static void names_add(struct names *n, unsigned name)
{
    n->w[name / 64] |= (uint64_t)1 << name % 64;
}

static void names_remove(struct names *n, unsigned name)
{
    n->w[name / 64] &= ~((uint64_t)1 << name % 64);
}

static bool names_has(const struct names *n, unsigned name)
{
    return n->w[name / 64] >> name % 64 & 1;
}

static inline bool names_are_none(const struct book *b, const struct names *set)
{
    for (unsigned k = 0; k < b->n_words; k++)
        if (set->w[k])
            return false;
    return true;
}

/* Every name of a set, as n. */
#define EACH_NAME(n, b, set)                                                    \
    for (unsigned word_ = 0; word_ < (b)->n_words; word_++)                     \
        for (uint64_t left_ = (set)->w[word_];                                  \
             left_ && ((n) = word_ * 64 + (unsigned)__builtin_ctzll(left_), 1); \
             left_ &= left_ - 1)

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
    b->n_words = 1;
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

static void add_wait(struct book *b, struct names *list, unsigned name)
{
    if (names_has(list, name))
        return;
    names_add(list, name);
    b->entry[name].waits++;
}

static void wait_for_issue(struct book *b, unsigned older, unsigned name)
{
    add_wait(b, &b->entry[older].on_issue, name);
}

static void wait_for_write(struct book *b, unsigned older, unsigned name)
{
    add_wait(b, &b->entry[older].on_write, name);
}

/* Registers of an instruction, most often a part of its list; `all` has those that are too
 * many for one. */
struct registers {
    const uint16_t *at;
    unsigned n;
    uint16_t all[N_REGID];
};

static inline void take_registers(struct registers *r, const struct inst *i,
                                  bool written)
{
    const struct reglist *l = &i->list;
    const struct regset *set = written ? &i->writes : &i->reads;

    r->at = l->reg + (written ? l->n_reads : 0);
    r->n = written ? l->n_writes : l->n_reads;
    if (l->is_whole)
        return;
    r->at = r->all;
    r->n = 0;
    for (unsigned id = 0; (id = regset_next(set, id)) < N_REGID; id++)
        r->all[r->n++] = (uint16_t)id;
}

/* Makes the instruction wait for the pending writers of these registers. */
static void wait_for_writers(struct book *b, const struct registers *r, unsigned name)
{
    for (unsigned k = 0; k < r->n; k++)
        if (b->writer[r->at[k]] != NO_NAME)
            wait_for_write(b, b->writer[r->at[k]], name);
}

static void set_writer(struct book *b, const struct registers *r, unsigned from,
                       unsigned to)
{
    for (unsigned k = 0; k < r->n; k++) {
        uint16_t *writer = &b->writer[r->at[k]];

        if (from == NO_NAME || *writer == from)
            *writer = (uint16_t)to;
    }
}

static bool meets_writers(const struct book *b, const struct registers *r)
{
    for (unsigned k = 0; k < r->n; k++)
        if (b->writer[r->at[k]] != NO_NAME)
            return true;
    return false;
}

static void order_registers(struct scheme *s, struct book *b, const struct uop *u,
                            unsigned name)
{
    const struct limit *l = limit_of(s);
    struct limit_stats *t = s->stats;
    const struct inst *r = u->dyn.inst;
    struct registers reads, writes;
    unsigned n;

    take_registers(&reads, r, false);
    take_registers(&writes, r, true);
    wait_for_writers(b, &reads, name);
    if (!l->rename || u->partial)
        wait_for_writers(b, &writes, name);
    else
        t->renamed += meets_writers(b, &writes);
    if (!l->rename && writes.n)
        EACH_NAME(n, b, &b->window)
            if (regset_meets(&b->inst[n]->reads, &r->writes))
                wait_for_issue(b, n, name);
    if (l->rename &&
        !r->list.is_whole) /* versions of unlisted registers are not tracked */
        EACH_NAME(n, b, &b->used)
            wait_for_write(b, n, name);
    set_writer(b, &writes, NO_NAME, name);
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
    unsigned n;

    EACH_NAME(n, b, &b->memory) {
        const struct uop *older = uop_of(s, b, n);

        if (!inst_may_conflict(older->dyn.inst, u->dyn.inst))
            continue;
        if (is_ordered(limit_of(s), older, u))
            wait_for_issue(b, n, name);
        else
            t->unordered++;
    }
    names_add(&b->memory, name);
}

/* Calls and returns are marked as sync too, but they can be predicted like branches. */
static bool is_sync(const struct limit *l, const struct inst *i)
{
    bool jumps = i->class == CLASS_branch && !(i->flags & INST_EXIT);

    return inst_is_sync(i) && !(l->branch && jumps);
}

static void order_control(const struct limit *l, struct book *b, const struct inst *i,
                          unsigned name)
{
    unsigned n;

    if (b->control != NO_NAME)
        (l->released_early ? wait_for_issue : wait_for_write)(b, b->control, name);
    if (i->flags & INST_CONTROL && !l->branch)
        b->control = (uint16_t)name;
    if (b->sync != NO_NAME)
        wait_for_issue(b, b->sync, name);
    if (!is_sync(l, i))
        return;
    EACH_NAME(n, b, &b->window)
        wait_for_issue(b, n, name);
    b->sync = (uint16_t)name;
}

static void limit_insert(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    struct limit_stats *t = s->stats;
    unsigned name = free_name(b);
    struct entry *e = &b->entry[name];

    INVARIANT(name < NAMES && b->n_used < NAMES);
    if (b->n_words <= name / 64)
        b->n_words = name / 64 + 1;
    INVARIANT(names_are_none(b, &e->on_issue) && names_are_none(b, &e->on_write));
    b->inst[name] = u->dyn.inst;
    b->seq[name] = u->dyn.seq;
    e->uop = u->id;
    e->waits = 0;
    u->tag = (uint16_t)name;
    order_registers(s, b, u, name);
    if (inst_is_memory(u->dyn.inst))
        order_memory(s, b, u, name);
    order_control(limit_of(s), b, u->dyn.inst, name);
    names_add(&b->used, name);
    names_add(&b->window, name);
    if (!e->waits)
        names_add(&b->ready, name);
    b->n_used++;
    if (!b->n_window++)
        b->oldest = u->id;
    t->inserted++;
    t->inserted_dependent += e->waits != 0;
}

static unsigned limit_find_oldest(const struct book *b, const struct names *set)
{
    unsigned first = NO_NAME, n;
    uint64_t least = UINT64_MAX;

    EACH_NAME(n, b, set)
        if (b->seq[n] < least) {
            least = b->seq[n];
            first = n;
        }
    return first;
}

/* True if one of the instructions that the oldest one waits for, all of which have issued,
 * writes a register that it uses. */
static bool waits_for_registers(const struct scheme *s, const struct book *b,
                                unsigned name)
{
    const struct uop *u = &s->pool[b->oldest];
    unsigned n;

    if (!s->renames)
        return regset_meets(&u->dyn.inst->touches, &s->pending[u->warp].all);
    EACH_NAME(n, b, &b->used)
        if (names_has(&b->entry[n].on_write, name) &&
            regset_meets(&b->inst[n]->writes, &b->inst[name]->touches))
            return true;
    return false;
}

/* If none is ready, the oldest tells the reason: everything older has issued. */
static struct offer limit_candidate(struct scheme *s, unsigned warp)
{
    const struct book *b = book_of(s, warp);
    unsigned name = limit_find_oldest(b, &b->ready);

    if (name != NO_NAME)
        return offer_uop(b->entry[name].uop);
    if (!b->n_window)
        return offer_none(HOLD_empty);
    name = s->pool[b->oldest].tag;
    return waits_for_registers(s, b, name) ? offer_data(b->entry[name].uop)
                                           : offer_none(HOLD_order);
}

/* Releases the instructions of a list, which is empty afterwards. */
static void limit_release_names(struct scheme *s, unsigned warp, struct names *set)
{
    struct book *b = book_of(s, warp);

    for (unsigned k = 0; k < b->n_words; k++)
        for (; set->w[k]; set->w[k] &= set->w[k] - 1) {
            unsigned n = k * 64 + (unsigned)__builtin_ctzll(set->w[k]);

            if (--b->entry[n].waits)
                continue;
            names_add(&b->ready, n);
            scheme_wake_offer(s, warp);
        }
}

static void limit_issued(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    unsigned name = u->tag;

    INVARIANT(b->n_window && b->entry[name].uop == u->id);
    names_remove(&b->window, name);
    names_remove(&b->ready, name);
    names_remove(&b->memory, name);
    b->n_window--;
    if (b->oldest == u->id)
        b->oldest = u->younger;
    if (b->sync == name)
        b->sync = NO_NAME;
    if (b->control == name && limit_of(s)->released_early)
        b->control = NO_NAME;
    limit_release_names(s, u->warp, &b->entry[name].on_issue);
}

static void limit_written_back(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    unsigned name = u->tag;
    struct registers writes;

    INVARIANT(b->n_used && b->entry[name].uop == u->id);
    names_remove(&b->used, name);
    if (b->n_used-- == NAMES)
        scheme_wake(s, u->warp);
    take_registers(&writes, u->dyn.inst, true);
    set_writer(b, &writes, name, NO_NAME);
    if (b->control == name)
        b->control = NO_NAME;
    limit_release_names(s, u->warp, &b->entry[name].on_write);
    while (b->n_words > 1 && !b->used.w[b->n_words - 1])
        b->n_words--;
}

static void limit_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct book *b = &((const struct limit *)s)->book[warp];
    unsigned first = limit_find_oldest(b, &b->window);

    buf_printf(out, "    window %u, issued and in flight %u", b->n_window,
               b->n_used - b->n_window);
    if (first != NO_NAME)
        buf_printf(out, ", the oldest waits for %u others", b->entry[first].waits);
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

/* Only the window counts, at 64 bits per instruction and a valid bit; the rest is no
 * design. */
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
    .may_rename = true,
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
