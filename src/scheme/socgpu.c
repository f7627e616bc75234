/* socgpu.c - SOCGPU: out-of-order issue from one instruction buffer, by a dependence
 * matrix in place of a scoreboard.
 *
 * A decoded instruction goes into the first free entry of its warp's buffer and stays
 * there until it is written back. Its row of the matrix has one bit per older entry
 * that it depends on, issued or not; a writeback clears a column. Of the entries that
 * may issue, the one with the lowest index is offered, regardless of age.
 *
 * Source: "Simple Out of Order Core for GPGPUs", GPGPU 2023, section 3. An entry may
 * issue when (a1) it is valid and not issued, (a2) its row is clear, (a3) it is not at
 * or past the reconvergence point of its lanes, unless it is the oldest.
 *
 * Decided here, where the paper is silent or contradicts itself
 * (docs/schemes/socgpu.md):
 *   - The reconvergence point is the BSYNC of the innermost convergence barrier; "past
 *     it" means younger than a BSYNC that has not issued, which needs no comparison of
 *     PCs.
 *   - With the matrix, a branch waits until all older instructions are written back,
 *     although the paper's reason for the rule requires only that they have issued; the
 *     same holds for "the oldest". We follow the matrix, unless `stop_at_issue` is set.
 *   - Section 3 keeps an entry until writeback; section 5.1 looks only at instructions that
 *     have not issued. With `release = issue` an entry is free when its instruction issues.
 *     What the matrix knew of it is gone, except for its registers, which scoreboards keep
 *     until writeback, as those of the paper's baseline do.
 *   - A store writes nothing back: it leaves the buffer when the LSU has sent all of it
 *     or, with `hold_stores`, when it is acknowledged.
 *   - Barriers, fences, atomics and the like wait for all older instructions, and only
 *     instructions that rule 3 lets pass a barrier pass them: Leno's core blocks a warp
 *     there.
 *   - The issue of a redirect (a taken branch or the like) flushes the buffer. The
 *     flushed entries belong to the wrong path, which is never fetched here; so the
 *     warp fetches nothing between insertion and issue of a redirect, even where fetch
 *     knows the target. Issued instructions keep their entries until they are written
 *     back.
 */
#include <string.h>

#include "base/bits.h"
#include "core/scheme.h"

enum { MAX_ENTRIES = 64, NOWHERE = MAX_ENTRIES };

#define SOCGPU_PARAMS(NUM, ENUM, BOOL)                                               \
    NUM(entries, 8, 1, MAX_ENTRIES, "inst", "instruction buffer per warp")           \
    BOOL(oldest, false,                                                              \
         "offer the oldest ready instruction, not the ready one in the first entry") \
    ENUM(release, 0, "writeback|issue", "when an instruction's entry becomes free")  \
    BOOL(stop_at_issue, false,                                                       \
         "branches wait until older instructions have issued, and younger ones "     \
         "until the branch has")                                                     \
    BOOL(hold_stores, false, "stores leave the buffer when acknowledged, not when sent")
struct socgpu_params {
    SOCGPU_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define SOCGPU_STATS(STAT)                                                               \
    STAT(inserted, "warp inst", "", "instructions that entered the buffer")              \
    STAT(dependent, "warp inst", "", "of these, with a dependence on an older one")      \
    STAT(raw, "pair", "", "older entries whose result they read (figure 5: RAW)")        \
    STAT(war_waw, "pair", "",                                                            \
         "older entries whose operands they overwrite (figure 5: WAW-WAR)")              \
    STAT(stop, "pair", "",                                                               \
         "older entries that they wait for because one of the two is a branch "          \
         "(figure 5: Stop)")                                                             \
    STAT(order, "pair", "",                                                              \
         "older memory operations, barriers and the like that they must follow")         \
    STAT(waiting_cycles, "inst cycle", "", "entries x cycles from insertion to issue")   \
    STAT(held_cycles, "inst cycle", "",                                                  \
         "entries x cycles from issue to leaving the buffer")                            \
    STAT(                                                                                \
        full_cycles, "warp cycle", "",                                                   \
        "nothing in a full buffer could issue, and issued instructions held part of it") \
    STAT(flushes, "warp inst", "",                                                       \
         "redirects issued (taken branches and the like); the rest of the buffer "       \
         "is flushed")                                                                   \
    STAT(squashed, "warp inst", "",                                                      \
         "issued instructions in the buffer at a flush, kept until written back")
struct socgpu_stats {
    SOCGPU_STATS(STAT_FIELD)
};

/* Kinds of instructions that order others. */
enum { KIND_MEMORY, KIND_WRITE, KIND_BARRIER, KIND_BRANCH, KIND_SYNC, N_KINDS };

/* A warp's buffer and matrix. Sets of entries are bits. The first `entries` of them are
 * the buffer's; the others are for instructions that have issued and left it, with
 * `release = issue`: the registers that scoreboards keep for them.
 * LIMIT: an instruction for which there is none stays in the buffer. */
struct buffer {
    uint64_t valid, issued;
    uint64_t ready;    /* conditions a1 and a2 hold */
    uint64_t converge; /* BSYNCs that have not issued */
    uint64_t kind[N_KINDS];
    uint64_t full_since; /* first full cycle, for full_cycles; 0: not full now */
    uop_id oldest;       /* that has not issued, if there are any */
    /* contains a redirect that has not issued; its issue flushes the buffer */
    bool leads_away;
    uop_id uop[MAX_ENTRIES];
    const struct inst
        *inst[MAX_ENTRIES];     /* of its uop (perf: without its cache line) */
    uint64_t row[MAX_ENTRIES];  /* the matrix: cleared by writeback */
    uint64_t turn[MAX_ENTRIES]; /* with stop_at_issue: cells that issue clears */
};

struct socgpu {
    struct scheme base;
    uint64_t own; /* the entries of a buffer */
    struct buffer buffer[];
};

static const struct socgpu_params *params_of(const struct scheme *s)
{
    return s->params;
}

static struct buffer *buffer_of(struct scheme *s, unsigned warp)
{
    return &((struct socgpu *)s)->buffer[warp];
}

static bool releases_at_issue(const struct scheme *s)
{
    return params_of(s)->release != 0;
}

/* Stop dependences end when the older instruction issues. */
static bool stops_at_issue(const struct scheme *s)
{
    return params_of(s)->stop_at_issue || releases_at_issue(s);
}

/* Of a set of entries, those in the buffer. */
static uint64_t in_buffer(const struct scheme *s, uint64_t set)
{
    return set & ((const struct socgpu *)s)->own;
}

static unsigned count_in_buffer(const struct scheme *s, uint64_t set)
{
    return (unsigned)__builtin_popcountll(in_buffer(s, set));
}

static unsigned first_of(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static int socgpu_init(struct scheme *s, struct err *err)
{
    (void)err;
    s->wants_checks = !params_of(s)->hold_stores;
    ((struct socgpu *)s)->own = UINT64_MAX >> (MAX_ENTRIES - params_of(s)->entries);
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
    return params_of(s)->entries - count_in_buffer(s, b->valid);
}

static void note_kinds(struct buffer *b, const struct inst *i, uint64_t bit)
{
    b->kind[KIND_MEMORY] |= inst_is_memory(i) ? bit : 0;
    b->kind[KIND_WRITE] |= inst_writes_memory(i) ? bit : 0;
    b->kind[KIND_BARRIER] |= i->class == CLASS_barrier ? bit : 0;
    b->kind[KIND_BRANCH] |= inst_is_branch(i) ? bit : 0;
    b->kind[KIND_SYNC] |= inst_is_sync(i) ? bit : 0;
}

static void forget_kinds(struct buffer *b, uint64_t bit)
{
    for (unsigned k = 0; k < N_KINDS; k++)
        b->kind[k] &= ~bit;
}

/* Rules 3 to 5: the older memory operations and barriers that it must follow. */
static uint64_t find_order(const struct buffer *b, const struct inst *i)
{
    if (!inst_is_memory(i))
        return 0;
    return b->kind[KIND_BARRIER] |
           b->kind[inst_writes_memory(i) ? KIND_MEMORY : KIND_WRITE];
}

/* Our own rule: barriers and the like, but what rule 3 lets pass a barrier. */
static uint64_t find_sync(const struct buffer *b, const struct inst *i)
{
    return inst_is_sync(i) ? b->valid : b->kind[KIND_SYNC] & ~b->kind[KIND_BARRIER];
}

/* Rules 6 and 7: branches, and all before one. */
static uint64_t find_stop(const struct buffer *b, const struct inst *i)
{
    return inst_is_branch(i) ? b->valid : b->kind[KIND_BRANCH];
}

/* Rules 1 and 2: the older instructions whose registers it overwrites, or whose results it
 * reads. */
static uint64_t find_registers(struct scheme *s, const struct buffer *b,
                               const struct inst *i)
{
    struct socgpu_stats *t = s->stats;
    uint64_t set = 0;

    for (uint64_t m = b->valid; m; m &= m - 1) {
        const struct inst *older = b->inst[first_of(m)];
        bool names, reads;

        if (!regset_meets(&i->touches, &older->touches)) /* perf: most often */
            continue;
        names = regset_meets(&i->writes, &older->touches);
        reads = regset_meets(&i->reads, &older->writes);
        if (in_buffer(s, m & -m)) {
            t->war_waw += names;
            t->raw += reads;
        }
        set |= names || reads ? m & -m : 0;
    }
    return set;
}

/* Fills the row of a new entry with the entries that it depends on, most often until they
 * are written back. */
static void fill_row(struct scheme *s, struct buffer *b, unsigned at)
{
    const struct inst *i = b->inst[at];
    struct socgpu_stats *t = s->stats;
    uint64_t order = find_order(b, i), sync = find_sync(b, i), stop = find_stop(b, i);

    t->order += count_in_buffer(s, order | sync);
    t->stop += count_in_buffer(s, stop);
    b->row[at] = find_registers(s, b, i) | (releases_at_issue(s) ? 0 : order) |
                 (stops_at_issue(s) ? 0 : stop | sync);
    b->turn[at] = (order | sync | stop) & ~(b->row[at] | b->issued);
}

static void socgpu_insert(struct scheme *s, struct uop *u)
{
    struct buffer *b = buffer_of(s, u->warp);
    struct socgpu_stats *t = s->stats;
    unsigned at = first_of(~b->valid);

    INVARIANT(at < params_of(s)->entries);
    u->tag = (uint16_t)at;
    b->uop[at] = u->id;
    b->inst[at] = u->dyn.inst;
    fill_row(s, b, at);
    note_kinds(b, u->dyn.inst, bit64(at));
    if (b->valid == b->issued)
        b->oldest = u->id;
    b->valid |= bit64(at);
    if (inst_converges(u->dyn.inst))
        b->converge |= bit64(at);
    b->leads_away = u->dyn.redirects;
    t->inserted++;
    if (b->row[at] | b->turn[at]) {
        t->dependent++;
        return;
    }
    b->ready |= bit64(at);
    scheme_wake_offer(s, u->warp); /* its entry may precede the one that is offered */
}

static uint64_t seq_at(const struct scheme *s, const struct buffer *b, unsigned at)
{
    return s->pool[b->uop[at]].dyn.seq;
}

/* The oldest of a non-empty set of entries. */
static unsigned socgpu_find_oldest(const struct scheme *s, const struct buffer *b,
                                   uint64_t set)
{
    unsigned first = first_of(set);

    for (uint64_t m = set & (set - 1); m; m &= m - 1)
        if (seq_at(s, b, first_of(m)) < seq_at(s, b, first))
            first = first_of(m);
    return first;
}

/* Entries that condition a3 lets issue: those before the first BSYNC, and the
 * oldest. */
static uint64_t before_reconvergence(const struct scheme *s, const struct buffer *b)
{
    uint64_t left = b->valid & ~b->issued;
    uint64_t set = bit64(socgpu_find_oldest(s, b, stops_at_issue(s) ? left : b->valid));
    uint64_t meeting = seq_at(s, b, socgpu_find_oldest(s, b, b->converge));

    for (uint64_t m = left; m; m &= m - 1)
        if (seq_at(s, b, first_of(m)) < meeting)
            set |= bit64(first_of(m));
    return set;
}

/* The reason why the oldest unissued instruction waits; everything older has issued. */
static struct offer hold_oldest(const struct scheme *s, const struct buffer *b)
{
    const struct uop *u = &s->pool[b->oldest];

    if (regset_meets(&u->dyn.inst->touches, &s->pending[u->warp].all))
        return offer_data(u->id);
    for (uint64_t m = b->row[u->tag]; m; m &= m - 1)
        if (regset_meets(&u->dyn.inst->writes, &b->inst[first_of(m)]->touches))
            return offer_none(HOLD_names);
    return offer_none(HOLD_order);
}

static bool is_full(const struct scheme *s, const struct buffer *b)
{
    return count_in_buffer(s, b->valid) == params_of(s)->entries;
}

static struct offer socgpu_candidate(struct scheme *s, unsigned warp)
{
    struct buffer *b = buffer_of(s, warp);
    uint64_t set = b->converge ? b->ready & before_reconvergence(s, b) : b->ready;

    if (set)
        return offer_uop(b->uop[params_of(s)->oldest ? socgpu_find_oldest(s, b, set)
                                                     : first_of(set)]);
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

/* Clears the column of an entry in one of the two matrices; the rows of those that are ready
 * are clear. */
static void clear_column(struct buffer *b, uint64_t *rows, unsigned at)
{
    for (uint64_t m = b->valid & ~(b->issued | b->ready); m; m &= m - 1) {
        unsigned k = first_of(m);

        rows[k] &= ~bit64(at);
        if (!(b->row[k] | b->turn[k]))
            b->ready |= bit64(k);
    }
}

/* A redirect issues: the warp fetches again from here on. */
static void socgpu_flush_buffer(struct scheme *s, struct buffer *b)
{
    struct socgpu_stats *t = s->stats;

    b->leads_away = false;
    t->flushes++;
    t->squashed += count_in_buffer(s, b->issued);
}

/* Moves an instruction that has issued out of the buffer, if it can be: dependences on its
 * registers move with it. */
static void release_entry(struct scheme *s, struct buffer *b, struct uop *u)
{
    uint64_t room = ~b->valid & ~in_buffer(s, ~(uint64_t)0);
    uint64_t from = bit64(u->tag), to = room & -room;

    if (!room)
        return;
    u->tag = (uint16_t)first_of(to);
    b->uop[u->tag] = u->id;
    b->inst[u->tag] = u->dyn.inst;
    forget_kinds(b, from);
    b->valid ^= from | to;
    b->issued ^= from | to;
    for (uint64_t m = b->valid & ~b->issued; m; m &= m - 1)
        if (b->row[first_of(m)] & from)
            b->row[first_of(m)] ^= from | to;
}

static void socgpu_issued(struct scheme *s, struct uop *u)
{
    struct buffer *b = buffer_of(s, u->warp);
    struct socgpu_stats *t = s->stats;
    unsigned at = u->tag;

    INVARIANT(b->valid & ~b->issued & bit64(at) && b->uop[at] == u->id);
    if (u->dyn.redirects)
        socgpu_flush_buffer(s, b);
    if (b->oldest == u->id)
        b->oldest = u->younger;
    b->issued |= bit64(at);
    b->ready &= ~bit64(at);
    b->converge &= ~bit64(at);
    if (stops_at_issue(s))
        clear_column(b, b->turn, at);
    if (releases_at_issue(s))
        release_entry(s, b, u);
    t->waiting_cycles += s->cycle - u->fetched;
}

static void socgpu_leave_buffer(struct scheme *s, struct uop *u)
{
    struct buffer *b = buffer_of(s, u->warp);
    struct socgpu_stats *t = s->stats;
    unsigned at = u->tag;

    if (at == NOWHERE)
        return;
    count_full(s, b);
    b->valid &= ~bit64(at);
    b->issued &= ~bit64(at);
    forget_kinds(b, bit64(at));
    clear_column(b, b->row, at);
    if (in_buffer(s, bit64(at)))
        t->held_cycles += s->cycle - u->issued;
    u->tag = NOWHERE;
    scheme_wake(s, u->warp);
}

static void socgpu_written_back(struct scheme *s, struct uop *u)
{
    socgpu_leave_buffer(s, u);
}

/* The LSU has sent all of its transactions. */
static void socgpu_checked(struct scheme *s, struct uop *u)
{
    if (u->dyn.inst->list.is_whole && !u->dyn.inst->list.n_writes)
        socgpu_leave_buffer(s, u);
}

static void socgpu_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct buffer *b = &((const struct socgpu *)s)->buffer[warp];

    buf_printf(out, "    buffer: valid %#llx, issued %#llx%s\n",
               (unsigned long long)b->valid, (unsigned long long)b->issued,
               b->leads_away ? ", no fetch until a flush" : "");
    for (uint64_t m = b->valid & ~b->issued; m; m &= m - 1) {
        unsigned k = first_of(m);

        buf_printf(out, "      instruction %llu in entry %u waits for entries %#llx\n",
                   (unsigned long long)seq_at(s, b, k), k,
                   (unsigned long long)(b->row[k] | b->turn[k]));
    }
}

/* The fields of figure 2. Registers and the rest of an instruction take 64 bits, as in
 * every scheme; an entry has no bit for a dependence on itself. */
static void socgpu_parts(const void *p, const struct core_shape *shape, struct part *at)
{
    const struct socgpu_params *q = p;
    uint64_t n = (uint64_t)shape->n_warps * q->entries;
    uint64_t regs = (uint64_t)shape->n_warps * N_REGID;

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
    if (!q->release)
        return;
    *at++ = (struct part){ "scoreboard", "pending write", regs, 1 };
    *at++ = (struct part){ "scoreboard", "reads to come", regs, 8 };
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
    .wants_cycles = true,
    .flushes = true,
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
