/* control.c - dependences as NVIDIA's hardware handles them since Maxwell: the compiler
 * writes them into control words.
 *
 * An instruction issues in order, not before the stall count of the one before it has
 * run out, and not before the barriers of its wait mask are clear. A barrier counts
 * instructions that named it: up at issue, down when they have read their sources (read
 * barrier) or written their results (write barrier). DEPBAR waits until a barrier has no
 * more than so many left. The yield bit asks the scheduler for another warp.
 *
 * The compiler's counts hold for the latencies of one machine. On another one `interlock`
 * keeps programs right: an instruction also waits for writes under way of its registers;
 * how often it had to is counted, and is 0 where machine and code fit.
 */
#include <string.h>

#include "core/scheme.h"

#define CONTROL_PARAMS(NUM, ENUM, BOOL)                                            \
    NUM(entries, 3, 1, 16, "inst", "instruction buffer of a warp")                 \
    ENUM(refill, 1, "empty|room", "when the buffer is filled: empty, or has room") \
    NUM(wide_stall, 0, 0, 16, "cycle",                                             \
        "more before the next issue after a wide integer product")                 \
    BOOL(interlock, true, "registers with a write under way are waited for as well")
struct control_params {
    CONTROL_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define CONTROL_STATS(STAT)                                                   \
    STAT(interlocked, "warp inst", "",                                        \
         "instructions that the control words let go and the interlock held") \
    STAT(waited, "warp inst", "", "instructions that waited for a barrier")
struct control_stats {
    CONTROL_STATS(STAT_FIELD)
};

struct words {
    unsigned n; /* in the buffer, which is the warp's window, from oldest on */
    uop_id oldest;
    uint64_t ready; /* cycle from which the next may issue */
    uint8_t count[N_SCOREBOARDS];
    bool is_held; /* the oldest was counted as interlocked or waiting */
};

struct control {
    struct scheme base;
    struct words words[];
};

static const struct control_params *params(const struct scheme *s)
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
    s->is_exposed = !params(s)->interlock;
    return 0;
}

static void control_warp_start(struct scheme *s, unsigned warp)
{
    memset(words_of(s, warp), 0, sizeof(struct words));
}

static unsigned control_room(const struct scheme *s, unsigned warp)
{
    const struct words *w = &((const struct control *)s)->words[warp];

    return w->n && !params(s)->refill ? 0 : params(s)->entries - w->n;
}

static void control_insert(struct scheme *s, struct uop *u)
{
    struct words *w = words_of(s, u->warp);

    INVARIANT(w->n < params(s)->entries);
    if (!w->n++)
        w->oldest = u->id;
}

/* Is a scoreboard of the wait mask, or of DEPBAR, not clear? */
static bool waits_for_scoreboard(const struct words *w, const struct inst *i)
{
    unsigned mask = i->control.wait_mask | i->depbar_all;

    for (unsigned k = 0; k < N_SCOREBOARDS; k++)
        if (mask >> k & 1 && w->count[k])
            return true;
    return i->depbar < N_SCOREBOARDS && w->count[i->depbar] > i->depbar_max;
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
        return (struct offer){ u->id, HOLD_scoreboard, false };
    }
    if (params(s)->interlock &&
        regset_meets(&u->dyn.inst->touches, &s->pending[warp].all)) {
        count_once(w, &t->interlocked);
        return offer_data(u->id);
    }
    return (struct offer){ u->id, HOLD_nothing, u->dyn.inst->control.yield };
}

static void raise(struct words *w, unsigned barrier)
{
    if (barrier < N_SCOREBOARDS)
        w->count[barrier]++;
}

static void lower(struct words *w, unsigned barrier)
{
    INVARIANT(barrier >= N_SCOREBOARDS || w->count[barrier]);
    if (barrier < N_SCOREBOARDS)
        w->count[barrier]--;
}

static void control_issued(struct scheme *s, struct uop *u)
{
    struct words *w = words_of(s, u->warp);
    const struct inst_control *c = &u->dyn.inst->control;
    unsigned stall = c->stall ? c->stall : 1;

    /* A warp that gives way is out of the next cycle's choice, alone or not. */
    if (c->yield && stall < 2)
        stall = 2;
    if (u->dyn.inst->class == CLASS_imul_wide)
        stall += params(s)->wide_stall;
    INVARIANT(w->n && w->oldest == u->id);
    w->oldest = u->younger;
    w->n--;
    w->is_held = false;
    w->ready = s->cycle + stall;
    raise(w, c->write_barrier);
    raise(w, c->read_barrier);
}

/* A fence has no sources; what its read barrier waits for is that it is done. */
static bool is_fence(const struct uop *u)
{
    return u->dyn.inst->class == CLASS_fence;
}

static void control_operands_read(struct scheme *s, struct uop *u)
{
    if (!is_fence(u))
        lower(words_of(s, u->warp), u->dyn.inst->control.read_barrier);
    scheme_wake(s, u->warp);
}

static void control_written_back(struct scheme *s, struct uop *u)
{
    struct words *w = words_of(s, u->warp);

    lower(w, u->dyn.inst->control.write_barrier);
    if (is_fence(u))
        lower(w, u->dyn.inst->control.read_barrier);
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
