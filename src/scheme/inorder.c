/* inorder.c - the baseline of every paper: the oldest instruction of a warp issues when
 * none of its registers has a pending write.
 *
 * Each warp has a buffer of a few instructions and a scoreboard. An instruction waits
 * for pending writes to its sources (RAW) and destinations (WAW). With `war` it also
 * waits for older instructions that have not yet read a register it writes; with
 * `war_written`, as in SOCGPU's baseline (its section 4), until those are written back.
 * Buffers are refilled when empty, as in Accel-Sim, or whenever there is room, so that
 * the gain from buffering can be told from the gain from reordering. As in Accel-Sim,
 * the instruction after a branch that is not taken issues right after it; with
 * `resolve` it waits until the branch is resolved, as it must in hardware that does not
 * speculate.
 *
 * Without `war` no WAR check is needed: a warp's operands are read in issue order
 * (core/collect.c).
 */
#include <stdlib.h>
#include <string.h>

#include "core/scheme.h"

#define INORDER_PARAMS(NUM, ENUM, BOOL)                                         \
    NUM(entries, 2, 1, 64, "inst", "instruction buffer per warp")               \
    ENUM(refill, 0, "empty|room",                                               \
         "when the buffer is refilled: once empty, or whenever it has room")    \
    BOOL(war, false, "writes also wait for reads of older instructions")        \
    BOOL(war_written, false,                                                    \
         "with war: until those instructions are written back, as in SOCGPU's " \
         "baseline")                                                            \
    BOOL(resolve, false,                                                        \
         "nothing issues after a branch until it is resolved, as in ghost")
struct inorder_params {
    INORDER_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
enum { REFILL_EMPTY, REFILL_ROOM };

#define INORDER_STATS(STAT)                                                 \
    STAT(inserted, "warp inst", "", "instructions that entered the buffer") \
    STAT(inserted_dependent, "warp inst", "",                               \
         "of these, with a register that had a pending write")
struct inorder_stats {
    INORDER_STATS(STAT_FIELD)
};

/* A warp's buffer: the warp's window itself, which the core links. (perf: eight of them
 * fit one host cache line) */
struct board {
    uint32_t n; /* instructions in the buffer, starting at oldest */
    uop_id oldest;
    /* with resolve: branch that has issued but not resolved; NO_UOP: none */
    uop_id branch;
};

/* With war: registers that issued instructions have yet to read, and by how many. */
struct readers {
    struct regset unread;
    uint16_t n[N_REGID];
};

struct inorder {
    struct scheme base;
    struct readers *readers; /* one per warp; NULL without war */
    struct board board[];
};

static const struct inorder_params *params_of(const struct scheme *s)
{
    return s->params;
}

static struct inorder *inorder_of(struct scheme *s)
{
    return (struct inorder *)s;
}

static struct board *board_of(struct scheme *s, unsigned warp)
{
    return &inorder_of(s)->board[warp];
}

static struct readers *readers_of(struct scheme *s, unsigned warp)
{
    return &inorder_of(s)->readers[warp];
}

static int inorder_init(struct scheme *s, struct err *err)
{
    struct inorder *o = inorder_of(s);

    s->wants_reads = params_of(s)->war && !params_of(s)->war_written;
    s->wants_checks = params_of(s)->war && params_of(s)->war_written;
    if (!params_of(s)->war)
        return 0;
    o->readers = calloc(s->shape->n_warps, sizeof *o->readers);
    return o->readers ? 0 : err_memory(err, "the read counters of inorder");
}

static void inorder_fini(struct scheme *s)
{
    free(inorder_of(s)->readers);
}

static unsigned inorder_window(const void *values)
{
    const struct inorder_params *p = values;

    return p->entries;
}

static void inorder_warp_start(struct scheme *s, unsigned warp)
{
    memset(board_of(s, warp), 0, sizeof(struct board));
    board_of(s, warp)->branch = NO_UOP;
    if (params_of(s)->war)
        memset(readers_of(s, warp), 0, sizeof(struct readers));
}

static unsigned inorder_room(const struct scheme *s, unsigned warp)
{
    const struct board *b = &((const struct inorder *)s)->board[warp];

    if (b->n && params_of(s)->refill == REFILL_EMPTY)
        return 0;
    return params_of(s)->entries - b->n;
}

static void inorder_insert(struct scheme *s, struct uop *u)
{
    struct board *b = board_of(s, u->warp);
    struct inorder_stats *t = s->stats;

    INVARIANT(b->n < params_of(s)->entries);
    if (!b->n++)
        b->oldest = u->id;
    if (params_of(s)->war)
        u->tag = 0;
    t->inserted++;
    t->inserted_dependent +=
        regset_meets(&u->dyn.inst->touches, &s->pending[u->warp].all);
}

static struct offer inorder_candidate(struct scheme *s, unsigned warp)
{
    const struct board *b = board_of(s, warp);
    const struct inst *i;

    if (!b->n)
        return offer_none(HOLD_empty);
    i = s->pool[b->oldest].dyn.inst;
    if (b->branch != NO_UOP)
        return offer_none(HOLD_order);
    if (regset_meets(&i->touches, &s->pending[warp].all))
        return offer_data(b->oldest);
    if (params_of(s)->war && regset_meets(&i->writes, &readers_of(s, warp)->unread))
        return offer_none(HOLD_names);
    return offer_uop(b->oldest);
}

static void count_readers(struct readers *to, const struct uop *u, bool in)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = u->dyn.inst->reads.w[k]; m; m &= m - 1) {
            unsigned r = k * 64 + (unsigned)__builtin_ctzll(m);

            to->n[r] = (uint16_t)(to->n[r] + (in ? 1 : -1));
            if (in)
                regset_add(&to->unread, r);
            else if (!to->n[r])
                to->unread.w[k] &= ~((uint64_t)1 << (r & 63));
        }
}

static void inorder_issued(struct scheme *s, struct uop *u)
{
    struct board *b = board_of(s, u->warp);

    INVARIANT(b->n && b->oldest == u->id);
    b->oldest = u->younger;
    b->n--;
    if (params_of(s)->war)
        count_readers(readers_of(s, u->warp), u, true);
    if (params_of(s)->resolve && inst_is_branch(u->dyn.inst))
        b->branch = u->id;
}

static void inorder_resolved(struct scheme *s, struct uop *u)
{
    struct board *b = board_of(s, u->warp);

    if (b->branch == u->id)
        b->branch = NO_UOP;
}

/* The sources of u may be overwritten from now on; the tag marks that this was done. */
static void release_sources(struct scheme *s, struct uop *u)
{
    if (!params_of(s)->war || u->tag)
        return;
    u->tag = 1;
    count_readers(readers_of(s, u->warp), u, false);
    scheme_wake_offer(s, u->warp);
}

/* A store writes nothing back: it is done when it has been sent. */
static void inorder_checked(struct scheme *s, struct uop *u)
{
    if (u->dyn.inst->list.is_whole && !u->dyn.inst->list.n_writes)
        release_sources(s, u);
}

static inline void inorder_written_back(struct scheme *s, struct uop *u)
{
    release_sources(s, u);
}

#define PARAM_OF struct inorder_params
static const struct param_group inorder_param_group =
    PARAM_GROUP("inorder", "in-order issue with a scoreboard", INORDER_PARAMS);
#undef PARAM_OF
#define STAT_OF struct inorder_stats
static const struct stat_group inorder_stat_group =
    STAT_GROUP("inorder", "in-order issue", INORDER_STATS);
#undef STAT_OF

static void inorder_parts(const void *p, const struct core_shape *shape,
                          struct part *at)
{
    const struct inorder_params *q = p;
    uint64_t entries = (uint64_t)shape->n_warps * q->entries;
    uint64_t regs = (uint64_t)shape->n_warps * N_REGID;

    *at++ = (struct part){ "instruction buffer", "valid", entries, 1 };
    *at++ = (struct part){ "instruction buffer", "instruction", entries, 64 };
    *at++ = (struct part){ "scoreboard", "pending write", regs, 1 };
    if (q->war)
        *at++ = (struct part){ "scoreboard", "reads to come", regs, 8 };
}

const struct scheme_ops scheme_inorder = {
    .name = "inorder",
    .summary = "in-order issue with a scoreboard (RAW, WAW, optional WAR)",
    .paper = "",
    .params = &inorder_param_group,
    .stats = &inorder_stat_group,
    .state_size = sizeof(struct inorder),
    .warp_size = sizeof(struct board),
    .init = inorder_init,
    .fini = inorder_fini,
    .window = inorder_window,
    .room = inorder_room,
    .insert = inorder_insert,
    .candidate = inorder_candidate,
    .issued = inorder_issued,
    .operands_read = release_sources,
    .checked = inorder_checked,
    .written_back = inorder_written_back,
    .resolved = inorder_resolved,
    .warp_start = inorder_warp_start,
    .parts = inorder_parts,
};
