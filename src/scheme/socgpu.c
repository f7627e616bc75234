/* socgpu.c - SOCGPU: out-of-order issue from one instruction buffer, by a dependence
 * matrix in place of a scoreboard.
 *
 * A decoded instruction goes into the first free entry of its warp's buffer and stays
 * there until it is written back. Its row of the matrix has a bit for each older entry
 * that it depends on, whether issued or not; writing back clears a column. Of the entries
 * that may issue the first one, in the order of entries and not of age, is offered.
 *
 * Source: "Simple Out of Order Core for GPGPUs", GPGPU 2023, section 3. An entry may issue
 * when (a1) it is valid and not issued, (a2) its row is clear, (a3) it is not at or past
 * the reconvergence point of its lanes, unless it is the oldest.
 *
 * Decided here, where the paper is silent or says two things (docs/schemes/socgpu.md):
 *   - The reconvergence point is the BSYNC of the innermost convergence barrier; "past it"
 *     is younger than a BSYNC that has not issued, which needs no comparison of PCs.
 *   - The matrix makes a branch wait until all that is older is written back, its reason
 *     asks for their issue only; the same for "the oldest". As the matrix does, unless
 *     `stop_at_issue`.
 *   - A store writes nothing back: it leaves when the LSU has sent all of it, or with
 *     `hold_stores` when it is answered.
 *   - Barriers, fences, atomics and the like wait for all that is older, and nothing
 *     passes them but what rule 3 lets pass a barrier: Leno's machine blocks a warp there.
 *   - A flush comes with the issue of what leads elsewhere. The entries that it throws
 *     away are of the wrong path, which is never fetched here; so nothing is fetched from
 *     the insertion of such an instruction to its issue, even where fetch foresees it.
 *     What has issued keeps its entry until it is written.
 */
#include <string.h>

#include "base/bits.h"
#include "core/scheme.h"

enum { MAX_ENTRIES = 64, NOWHERE = MAX_ENTRIES };

#define SOCGPU_PARAMS(NUM, ENUM, BOOL)                                      \
    NUM(entries, 8, 1, MAX_ENTRIES, "inst", "instruction buffer of a warp") \
    BOOL(oldest, false,                                                     \
         "the oldest ready instruction is offered, not the first entry's")  \
    BOOL(stop_at_issue, false,                                              \
         "branches wait for older instructions' issue, others for theirs")  \
    BOOL(hold_stores, false, "stores leave the buffer when answered, not when sent")
struct socgpu_params {
    SOCGPU_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define SOCGPU_STATS(STAT)                                                               \
    STAT(inserted, "warp inst", "", "instructions that entered the buffer")              \
    STAT(dependent, "warp inst", "", "of them, with something to wait for")              \
    STAT(raw, "pair", "", "older entries whose result they read (figure 5: RAW)")        \
    STAT(war_waw, "pair", "",                                                            \
         "older entries whose operands they overwrite (figure 5: WAW-WAR)")              \
    STAT(stop, "pair", "",                                                               \
         "older entries they wait for as one is a branch (figure 5: Stop)")              \
    STAT(order, "pair", "",                                                              \
         "older memory operations, barriers and the like to follow")                     \
    STAT(waiting_cycles, "inst cycle", "", "entries x cycles from insertion to issue")   \
    STAT(held_cycles, "inst cycle", "", "the same from issue to leaving the buffer")     \
    STAT(                                                                                \
        full_cycles, "warp cycle", "",                                                   \
        "nothing in a full buffer could issue, and issued instructions held part of it") \
    STAT(flushes, "warp inst", "",                                                       \
         "issues of what leads elsewhere: the rest is flushed")                          \
    STAT(squashed, "warp inst", "",                                                      \
         "issued instructions that a flush found, in the buffer until written")
struct socgpu_stats {
    SOCGPU_STATS(STAT_FIELD)
};

/* What is between two instructions, the bits of it. */
enum { DEP_RAW = 1, DEP_NAME = 2, DEP_ORDER = 4, DEP_SYNC = 8, DEP_STOP = 16 };

/* A warp's buffer and matrix. Sets of entries are bits. */
struct buffer {
    uint64_t valid, issued;
    uint64_t ready;      /* a1 and a2 hold */
    uint64_t converge;   /* a BSYNC, not issued */
    bool leads_away;     /* holds one, not issued, behind which a flush comes */
    uint64_t full_since; /* cycle, for full_cycles; 0: not now */
    uop_id uop[MAX_ENTRIES];
    uint64_t row[MAX_ENTRIES];  /* the matrix: cleared by writing back */
    uint64_t turn[MAX_ENTRIES]; /* stop_at_issue: cells that issue clears */
};

struct socgpu {
    struct scheme base;
    struct buffer buffer[];
};

static const struct socgpu_params *params(const struct scheme *s)
{
    return s->params;
}

static struct buffer *buffer_of(struct scheme *s, unsigned warp)
{
    return &((struct socgpu *)s)->buffer[warp];
}

static unsigned first_of(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static bool is_barrier(const struct inst *i)
{
    return i->class == CLASS_barrier;
}

/* The dependence rules: what a new instruction has to wait for an older one for. */
static unsigned depends(const struct uop *older, const struct uop *u)
{
    const struct inst *p = older->dyn.inst, *a = u->dyn.inst;
    unsigned kinds = 0;

    if (regset_meets(&u->dyn.inst->writes, &older->dyn.inst->touches)) /* 1 */
        kinds |= DEP_NAME;
    if (regset_meets(&u->dyn.inst->reads, &older->dyn.inst->writes)) /* 2 */
        kinds |= DEP_RAW;
    if (inst_is_memory(a) && is_barrier(p)) /* 3 */
        kinds |= DEP_ORDER;
    if (inst_writes_memory(a) && inst_is_memory(p)) /* 4 */
        kinds |= DEP_ORDER;
    if (inst_is_load(a) && inst_writes_memory(p)) /* 5 */
        kinds |= DEP_ORDER;
    if (inst_is_branch(a)) /* 6 */
        kinds |= DEP_STOP;
    if (inst_is_branch(p)) /* 7 */
        kinds |= DEP_STOP;
    if (inst_is_sync(a) || (inst_is_sync(p) && !is_barrier(p))) /* Leno's */
        kinds |= DEP_SYNC;
    return kinds;
}

static void count_kinds(struct socgpu_stats *t, unsigned kinds)
{
    t->raw += (kinds & DEP_RAW) != 0;
    t->war_waw += (kinds & DEP_NAME) != 0;
    t->stop += (kinds & DEP_STOP) != 0;
    t->order += (kinds & (DEP_ORDER | DEP_SYNC)) != 0;
}

static int socgpu_init(struct scheme *s, struct err *err)
{
    (void)err;
    s->wants_cycles = true;
    s->wants_checks = !params(s)->hold_stores;
    return 0;
}

static unsigned socgpu_window(const void *p)
{
    const struct socgpu_params *q = p;

    return q->entries;
}

static void socgpu_warp_start(struct scheme *s, unsigned warp)
{
    memset(buffer_of(s, warp), 0, sizeof(struct buffer));
}

static unsigned socgpu_room(const struct scheme *s, unsigned warp)
{
    const struct buffer *b = &((const struct socgpu *)s)->buffer[warp];

    if (b->leads_away)
        return 0;
    return params(s)->entries - (unsigned)__builtin_popcountll(b->valid);
}

/* What a new entry depends on, of those that are in the buffer. */
static void fill_row(struct scheme *s, struct buffer *b, unsigned at)
{
    bool at_issue = params(s)->stop_at_issue;

    b->row[at] = b->turn[at] = 0;
    for (uint64_t m = b->valid; m; m &= m - 1) {
        unsigned k = first_of(m);
        unsigned kinds = depends(&s->pool[b->uop[k]], &s->pool[b->uop[at]]);

        count_kinds(s->stats, kinds);
        if (kinds & (DEP_RAW | DEP_NAME | DEP_ORDER) || (kinds && !at_issue))
            b->row[at] |= bit64(k);
        else if (kinds)
            b->turn[at] |= bit64(k) & ~b->issued;
    }
}

static void socgpu_insert(struct scheme *s, struct uop *u)
{
    struct buffer *b = buffer_of(s, u->warp);
    struct socgpu_stats *t = s->stats;
    unsigned at = first_of(~b->valid);

    INVARIANT(at < params(s)->entries);
    u->tag = at;
    b->uop[at] = u->id;
    fill_row(s, b, at);
    b->valid |= bit64(at);
    if (inst_converges(u->dyn.inst))
        b->converge |= bit64(at);
    b->leads_away = u->redirects;
    t->inserted++;
    if (b->row[at] | b->turn[at]) {
        t->dependent++;
        return;
    }
    b->ready |= bit64(at);
    scheme_wake(s, u->warp); /* its entry may come before the one that is offered */
}

static uint64_t seq_at(const struct scheme *s, const struct buffer *b, unsigned at)
{
    return s->pool[b->uop[at]].dyn.seq;
}

/* The oldest of a set of entries, which is not empty. */
static unsigned oldest(const struct scheme *s, const struct buffer *b, uint64_t set)
{
    unsigned first = first_of(set);

    for (uint64_t m = set & (set - 1); m; m &= m - 1)
        if (seq_at(s, b, first_of(m)) < seq_at(s, b, first))
            first = first_of(m);
    return first;
}

/* Entries that a3 lets issue: those before the first BSYNC, and the oldest. */
static uint64_t before_meeting(const struct scheme *s, const struct buffer *b)
{
    uint64_t left = b->valid & ~b->issued;
    uint64_t set = bit64(oldest(s, b, params(s)->stop_at_issue ? left : b->valid));
    uint64_t meeting = seq_at(s, b, oldest(s, b, b->converge));

    for (uint64_t m = left; m; m &= m - 1)
        if (seq_at(s, b, first_of(m)) < meeting)
            set |= bit64(first_of(m));
    return set;
}

/* What the oldest that has not issued waits for; all that is older has. */
static struct offer hold_oldest(const struct scheme *s, const struct buffer *b)
{
    unsigned at = oldest(s, b, b->valid & ~b->issued);
    const struct uop *u = &s->pool[b->uop[at]];

    if (regset_meets(&u->dyn.inst->touches, &s->pending[u->warp].all))
        return offer_data(u->id);
    for (uint64_t m = b->row[at]; m; m &= m - 1)
        if (depends(&s->pool[b->uop[first_of(m)]], u) & DEP_NAME)
            return offer_none(HOLD_names);
    return offer_none(HOLD_order);
}

static bool is_full(const struct scheme *s, const struct buffer *b)
{
    return (unsigned)__builtin_popcountll(b->valid) == params(s)->entries;
}

static struct offer socgpu_candidate(struct scheme *s, unsigned warp)
{
    struct buffer *b = buffer_of(s, warp);
    uint64_t set = b->converge ? b->ready & before_meeting(s, b) : b->ready;

    if (set)
        return offer_uop(b->uop[params(s)->oldest ? oldest(s, b, set) : first_of(set)]);
    if (b->issued && !b->full_since && is_full(s, b))
        b->full_since = s->cycle;
    if (b->valid != b->issued)
        return hold_oldest(s, b);
    return offer_none(is_full(s, b) ? HOLD_window : HOLD_empty);
}

static void count_full(struct scheme *s, struct buffer *b)
{
    struct socgpu_stats *t = s->stats;

    if (b->full_since)
        t->full_cycles += s->cycle - b->full_since;
    b->full_since = 0;
}

/* Clears the column of an entry in one of the two parts of the matrix. */
static void clear_column(struct buffer *b, uint64_t *rows, unsigned at)
{
    for (uint64_t m = b->valid & ~b->issued; m; m &= m - 1) {
        unsigned k = first_of(m);

        rows[k] &= ~bit64(at);
        if (!(b->row[k] | b->turn[k]))
            b->ready |= bit64(k);
    }
}

/* The instruction leads elsewhere: what follows it is fetched from now on. */
static void flush(struct scheme *s, struct buffer *b)
{
    struct socgpu_stats *t = s->stats;

    b->leads_away = false;
    t->flushes++;
    t->squashed += (unsigned)__builtin_popcountll(b->issued);
}

static void socgpu_issued(struct scheme *s, struct uop *u)
{
    struct buffer *b = buffer_of(s, u->warp);
    struct socgpu_stats *t = s->stats;
    unsigned at = (unsigned)u->tag;

    INVARIANT(b->valid & ~b->issued & bit64(at) && b->uop[at] == u->id);
    if (u->redirects)
        flush(s, b);
    b->issued |= bit64(at);
    b->ready &= ~bit64(at);
    b->converge &= ~bit64(at);
    if (params(s)->stop_at_issue)
        clear_column(b, b->turn, at);
    t->waiting_cycles += s->cycle - u->fetched;
}

static void leave(struct scheme *s, struct uop *u)
{
    struct buffer *b = buffer_of(s, u->warp);
    struct socgpu_stats *t = s->stats;
    unsigned at = (unsigned)u->tag;

    if (at == NOWHERE)
        return;
    count_full(s, b);
    b->valid &= ~bit64(at);
    b->issued &= ~bit64(at);
    clear_column(b, b->row, at);
    t->held_cycles += s->cycle - u->issued;
    u->tag = NOWHERE;
    scheme_wake(s, u->warp);
}

static void socgpu_written_back(struct scheme *s, struct uop *u)
{
    leave(s, u);
}

/* The LSU has sent all of it. */
static void socgpu_checked(struct scheme *s, struct uop *u)
{
    if (u->dyn.inst->list.is_whole && !u->dyn.inst->list.n_writes)
        leave(s, u);
}

static void socgpu_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct buffer *b = &((const struct socgpu *)s)->buffer[warp];

    buf_printf(out, "    buffer: valid %#llx, issued %#llx%s\n",
               (unsigned long long)b->valid, (unsigned long long)b->issued,
               b->leads_away ? ", no fetch before a flush" : "");
    for (uint64_t m = b->valid & ~b->issued; m; m &= m - 1) {
        unsigned k = first_of(m);

        buf_printf(out, "      instruction %llu in entry %u waits for entries %#llx\n",
                   (unsigned long long)seq_at(s, b, k), k,
                   (unsigned long long)(b->row[k] | b->turn[k]));
    }
}

/* The fields of figure 2. Registers and the rest of an instruction are 64 bits, as in
 * every scheme; an entry does not depend on itself. */
static void socgpu_parts(const void *p, const struct core_shape *shape, struct part *at)
{
    const struct socgpu_params *q = p;
    uint64_t n = (uint64_t)shape->n_warps * q->entries;

    *at++ = (struct part){ "instruction buffer", "valid", n, 1 };
    *at++ = (struct part){ "instruction buffer", "PC", n, 32 };
    *at++ = (struct part){ "instruction buffer", "sources", n, 3 * 8 };
    *at++ = (struct part){ "instruction buffer", "destination", n, 8 };
    *at++ = (struct part){ "instruction buffer", "rest", n, 32 };
    *at++ = (struct part){ "instruction buffer", "type", n, 5 };
    *at++ = (struct part){ "instruction buffer", "issued", n, 1 };
    *at++ = (struct part){ "instruction buffer", "seniority", n, bits_for(q->entries) };
    *at++ = (struct part){ "instruction buffer", "next PC", n, 32 };
    *at++ = (struct part){ "dependence matrix", "cell", n * (q->entries - 1), 1 };
}

#define PARAM_OF struct socgpu_params
static const struct param_group socgpu_param_group = PARAM_GROUP(
    "socgpu", "SOCGPU: out-of-order issue by a dependence matrix", SOCGPU_PARAMS);
#undef PARAM_OF
#define STAT_OF struct socgpu_stats
static const struct stat_group socgpu_stat_group =
    STAT_GROUP("socgpu", "SOCGPU", SOCGPU_STATS);
#undef STAT_OF

const struct scheme_ops scheme_socgpu = {
    .name = "socgpu",
    .summary = "SOCGPU: out-of-order issue by a dependence matrix, no renaming",
    .paper = "SOCGPU (GPGPU 2023)",
    .params = &socgpu_param_group,
    .stats = &socgpu_stat_group,
    .state_size = sizeof(struct socgpu),
    .warp_size = sizeof(struct buffer),
    .init = socgpu_init,
    .window = socgpu_window,
    .room = socgpu_room,
    .insert = socgpu_insert,
    .candidate = socgpu_candidate,
    .issued = socgpu_issued,
    .written_back = socgpu_written_back,
    .checked = socgpu_checked,
    .warp_start = socgpu_warp_start,
    .dump = socgpu_dump,
    .parts = socgpu_parts,
};
