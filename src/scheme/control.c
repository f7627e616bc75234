/* control.c - dependences as NVIDIA's hardware handles them since Maxwell: the compiler
 * writes them into control words.
 *
 * Instructions issue in order: each waits until the stall count of its predecessor has
 * run out and the barriers of its wait mask are clear. A barrier counts the
 * instructions that name it: up when one issues, down when it has read its sources
 * (read barrier) or written its results (write barrier). DEPBAR waits until the count
 * of a barrier is at most its operand. The yield bit asks the scheduler for another
 * warp.
 *
 * The compiler's counts are correct for the latencies of one machine. On any other
 * machine `interlock` keeps programs correct: an instruction also waits for pending
 * writes to its registers, except those that the core orders by itself (core_shape). A
 * statistic counts how often it had to; it is 0 where machine and code match.
 */
#include <string.h>

#include "core/scheme.h"

#define CONTROL_PARAMS(NUM, ENUM, BOOL)                                      \
    NUM(entries, 3, 1, 16, "inst", "instruction buffer per warp")            \
    ENUM(refill, 1, "empty|room",                                            \
         "when the buffer is refilled: once empty, or whenever it has room") \
    NUM(wide_stall, 0, 0, 16, "cycle",                                       \
        "extra delay before the next issue after a wide integer product")    \
    NUM(indexed_stall, 0, 0, 64, "cycle",                                    \
        "extra delay after a uniform load of a constant at an index")        \
    BOOL(interlock, true, "instructions also wait for registers with a pending write")
struct control_params {
    CONTROL_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define CONTROL_STATS(STAT)                                                    \
    STAT(interlocked, "warp inst", "",                                         \
         "instructions that the control words allowed and the interlock held") \
    STAT(waited, "warp inst", "", "instructions that waited for a barrier")
struct control_stats {
    CONTROL_STATS(STAT_FIELD)
};

struct words {
    unsigned n; /* instructions in the buffer (the warp's window), starting at oldest */
    uop_id oldest;
    uint64_t ready; /* first cycle in which the next instruction may issue */
    uint8_t count[N_SCOREBOARDS];
    bool is_held; /* the oldest has already been counted as interlocked or waiting */
};

struct control {
    struct scheme base;
    struct words words[];
};

static const struct control_params *params_of(const struct scheme *s)
{
    return s->params;
}

static struct words *words_of(struct scheme *s, unsigned warp)
{
    return &((struct control *)s)->words[warp];
}

static int control_init(struct scheme *s, struct err *err)
{
    (void)err;
    s->wants_reads = true;
    s->needs_control_words = true;
    s->is_exposed = !params_of(s)->interlock;
    return 0;
}

static void control_warp_start(struct scheme *s, unsigned warp)
{
    memset(words_of(s, warp), 0, sizeof(struct words));
}

static unsigned control_room(const struct scheme *s, unsigned warp)
{
    const struct words *w = &((const struct control *)s)->words[warp];

    return w->n && !params_of(s)->refill ? 0 : params_of(s)->entries - w->n;
}

static void control_insert(struct scheme *s, struct uop *u)
{
    struct words *w = words_of(s, u->warp);

    INVARIANT(w->n < params_of(s)->entries);
    if (!w->n++)
        w->oldest = u->id;
}

/* True if a scoreboard that the wait mask or DEPBAR names is not clear. */
static bool waits_for_scoreboard(const struct words *w, const struct inst *i)
{
    unsigned mask = i->control.wait_mask | i->depbar_all;

    for (unsigned k = 0; k < N_SCOREBOARDS; k++)
        if (mask >> k & 1 && w->count[k])
            return true;
    return i->depbar < N_SCOREBOARDS && w->count[i->depbar] > i->depbar_max;
}

/* The interlock: does it read, or without ports also write, a register with a pending
 * write? */
static bool waits_for_register(const struct scheme *s, const struct uop *u)
{
    const struct regset *pending = &s->pending[u->warp].all;
    const struct inst *i = u->dyn.inst;
    struct regset late = { 0 }, reads = i->reads;

    if (!regset_meets(&i->touches, pending) || !s->shape->has_ports)
        return regset_meets(&i->touches, pending);
    if (s->shape->has_late_half && inst_late_source(i) < N_REGID) {
        regset_add(&late, inst_late_source(i));
        regset_drop(&reads, &late);
    }
    return regset_meets(&reads, pending);
}

static void count_once(struct words *w, uint64_t *counter)
{
    *counter += !w->is_held;
    w->is_held = true;
}

static struct offer control_candidate(struct scheme *s, unsigned warp)
{
    struct words *w = words_of(s, warp);
    struct control_stats *t = s->stats;
    const struct uop *u;

    if (!w->n)
        return offer_none(HOLD_empty);
    u = &s->pool[w->oldest];
    if (s->cycle < w->ready) {
        scheme_wake_at(s, warp, w->ready);
        return offer_none(HOLD_stall_count);
    }
    if (waits_for_scoreboard(w, u->dyn.inst)) {
        count_once(w, &t->waited);
        return (struct offer){ .uop = u->id, .hold = HOLD_scoreboard };
    }
    if (params_of(s)->interlock && waits_for_register(s, u)) {
        count_once(w, &t->interlocked);
        return offer_data(u->id);
    }
    return (struct offer){ .uop = u->id, .yield = u->dyn.inst->control.yield };
}

static void raise_barrier(struct words *w, unsigned barrier)
{
    if (barrier < N_SCOREBOARDS)
        w->count[barrier]++;
}

static void lower_barrier(struct words *w, unsigned barrier)
{
    INVARIANT(barrier >= N_SCOREBOARDS || w->count[barrier]);
    if (barrier < N_SCOREBOARDS)
        w->count[barrier]--;
}

/* ULDC c[3][UR4], not c[0][0x10]. */
static bool is_indexed_constant(const struct inst *i)
{
    return i->class == CLASS_uniform_move && i->space == SPACE_CONST && i->list.n_reads;
}

static void control_issued(struct scheme *s, struct uop *u)
{
    struct words *w = words_of(s, u->warp);
    const struct inst_control *c = &u->dyn.inst->control;
    unsigned stall = c->stall ? c->stall : 1;

    /* A yielding warp is excluded from the next cycle's choice, even if it is the only
     * one. */
    if (c->yield && stall < 2)
        stall = 2;
    if (u->dyn.inst->class == CLASS_imul_wide)
        stall += params_of(s)->wide_stall;
    if (is_indexed_constant(u->dyn.inst))
        stall += params_of(s)->indexed_stall;
    INVARIANT(w->n && w->oldest == u->id);
    w->oldest = u->younger;
    w->n--;
    w->is_held = false;
    w->ready = s->cycle + stall;
    raise_barrier(w, c->write_barrier);
    raise_barrier(w, c->read_barrier);
}

/* A fence has no sources; its read barrier is cleared when the fence is done. */
static bool is_fence(const struct uop *u)
{
    return u->dyn.inst->class == CLASS_fence;
}

static void control_operands_read(struct scheme *s, struct uop *u)
{
    if (!is_fence(u))
        lower_barrier(words_of(s, u->warp), u->dyn.inst->control.read_barrier);
    scheme_wake_offer(s, u->warp);
}

static void control_written_back(struct scheme *s, struct uop *u)
{
    struct words *w = words_of(s, u->warp);

    lower_barrier(w, u->dyn.inst->control.write_barrier);
    if (is_fence(u))
        lower_barrier(w, u->dyn.inst->control.read_barrier);
}

#define PARAM_OF struct control_params
static const struct param_group control_param_group = PARAM_GROUP(
    "control", "in-order issue by the compiler's control words", CONTROL_PARAMS);
#undef PARAM_OF
#define STAT_OF struct control_stats
static const struct stat_group control_stat_group =
    STAT_GROUP("control", "control words", CONTROL_STATS);
#undef STAT_OF

static void control_parts(const void *p, const struct core_shape *shape,
                          struct part *at)
{
    const struct control_params *q = p;
    uint64_t warps = shape->n_warps, entries = warps * q->entries;

    *at++ = (struct part){ "instruction buffer", "valid", entries, 1 };
    *at++ = (struct part){ "instruction buffer", "instruction", entries, 64 };
    *at++ = (struct part){ "warp", "barrier counter", warps * N_SCOREBOARDS, 6 };
    *at++ = (struct part){ "warp", "stall count", warps, 4 };
}

const struct scheme_ops scheme_control = {
    .name = "control",
    .summary = "in-order issue by the control words of the machine code",
    .paper = "",
    .params = &control_param_group,
    .stats = &control_stat_group,
    .state_size = sizeof(struct control),
    .warp_size = sizeof(struct words),
    .may_be_exposed = true,
    .init = control_init,
    .room = control_room,
    .insert = control_insert,
    .candidate = control_candidate,
    .issued = control_issued,
    .operands_read = control_operands_read,
    .written_back = control_written_back,
    .warp_start = control_warp_start,
    .parts = control_parts,
};
