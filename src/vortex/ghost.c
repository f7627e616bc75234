/* ghost.c - GhOST on Vortex as its RTL (VX_ibuffer of vortex_ghost) has it: an issue buffer
 * for all warps between decode and the baseline's instruction buffers.
 *
 * An instruction enters in the cycle after it came from the cache, one every second
 * cycle, into the lowest free entry. A cycle later it notes which others of its warp it
 * has to wait for: in the buffer (RAW, WAW, WAR), or in flight, that is with a result and
 * not written back (RAW, WAW). One a cycle leaves: the lowest entry that waits for nobody
 * (a memory operation: nor has an older one before it), or, when there is none, the lowest
 * of the warps' oldest. It must have room in its warp's instruction buffer, and in the
 * table of those in flight if it has a result; if it has not, nobody leaves. The
 * scoreboard and the operand stage follow unchanged: they keep what left too early.
 *
 * As coded: the entry that was looked at last counts as waiting until another has come;
 * what left in the cycle in which it was noted is waited for until its entry is used and
 * left again.
 */
#include "base/bits.h"
#include "vortex/scoreboard.h"

enum {
    GHOST_MAX = 64,
    ENTRY_CYCLES = 2,
    FREE_CYCLES = 2, /* until an entry, or a place in flight, is seen to be free */
};

#define GHOST_PARAMS(NUM, ENUM, BOOL)                                              \
    NUM(entries, 8, 1, GHOST_MAX, "inst", "issue buffer of a core [ISB_INSTRS]")   \
    NUM(in_flight, 8, 1, GHOST_MAX, "inst",                                        \
        "with a result, that have left it and are not written back [INFL_INSTRS]") \
    NUM(interval, 2, 1, 8, "cycle", "between entries; RTL")
struct ghost_params {
    GHOST_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define GHOST_STATS(STAT)                                                        \
    STAT(entered, "warp inst", "", "instructions that entered the issue buffer") \
    STAT(reordered, "warp inst", "", "left before an older one of the warp")     \
    STAT(full, "cycle", "", "a decoded instruction found it full")
struct ghost_stats {
    GHOST_STATS(STAT_FIELD)
};

struct ghost_entry {
    uop_id uop;                /* NO_UOP: left, or never used */
    uint64_t order;            /* of entering */
    uint64_t at;               /* may leave from this cycle on */
    uint64_t free_at;          /* may be used again */
    uint64_t buffered, flying; /* waited for, by entry and by place in flight */
};

struct ghost {
    struct scoreboard board; /* must come first */
    struct ghost_entry entry[GHOST_MAX];
    struct {
        uop_id uop; /* NO_UOP: written back */
        uint64_t free_at;
    } flight[GHOST_MAX];
    uint8_t place[VX_POOL]; /* of an instruction in flight */
    uint64_t n_entered;
    uint64_t clearing;   /* places written back in this cycle */
    int newest;          /* entry that came last; -1: none */
    bool is_to_be_noted; /* what it waits for */
    uint64_t
        ready_at; /* the instruction at decode may enter; VX_NEVER: none is there */
    uint64_t next_entry;
    bool is_full; /* for the instruction at decode */
};

static struct ghost *self(struct vx_issue *s)
{
    return (struct ghost *)s;
}

static const struct ghost_params *params_of(const struct ghost *s)
{
    return s->board.base.params;
}

static struct ghost_stats *stats_of(struct ghost *s)
{
    return s->board.base.stats;
}

static const struct vx_flight *flight_of(const struct ghost *s, uop_id uop)
{
    return &s->board.base.core->flight[uop];
}

static unsigned warp_of(const struct ghost *s, uop_id uop)
{
    return s->board.base.core->pool[uop].warp;
}

static int ghost_init(struct vx_issue *base, struct err *err)
{
    struct ghost *s = self(base);

    if (scoreboard_init(base, err))
        return -1;
    s->board.entry_cycles = ENTRY_CYCLES;
    s->ready_at = VX_NEVER;
    s->newest = -1;
    for (unsigned n = 0; n < GHOST_MAX; n++)
        s->entry[n].uop = s->flight[n].uop = NO_UOP;
    return 0;
}

/* ---- entering ---- */

/* The lowest free entry; -1: none. */
static int free_entry(const struct ghost *s)
{
    for (unsigned n = 0; n < params_of(s)->entries; n++)
        if (s->entry[n].uop == NO_UOP &&
            s->entry[n].free_at <= s->board.base.core->cycle)
            return (int)n;
    return -1;
}

static bool ghost_accepts(struct vx_issue *base, unsigned warp)
{
    struct ghost *s = self(base);
    uint64_t cycle = base->core->cycle;

    (void)warp;
    if (s->ready_at == VX_NEVER)
        s->ready_at = vx_later(cycle + 1, s->next_entry);
    if (s->ready_at > cycle)
        return false;
    s->is_full = free_entry(s) < 0;
    stats_of(s)->full += s->is_full;
    return !s->is_full;
}

static void ghost_slept(struct vx_issue *base, uint64_t cycles)
{
    if (self(base)->is_full)
        stats_of(self(base))->full += cycles;
}

static void ghost_insert(struct vx_issue *base, struct uop *u)
{
    struct ghost *s = self(base);

    s->newest = free_entry(s);
    s->entry[s->newest] = (struct ghost_entry){ .uop = u->id,
                                                .order = s->n_entered++,
                                                .at = base->core->cycle + 1 };
    s->is_to_be_noted = true;
    s->next_entry = base->core->cycle + params_of(s)->interval;
    s->ready_at = VX_NEVER;
    s->is_full = false;
    stats_of(s)->entered++;
}

/* ---- waiting ---- */

static bool reads(const struct vx_flight *f, unsigned reg)
{
    for (unsigned n = 0; n < f->n_src; n++)
        if (f->src[n] == reg)
            return true;
    return false;
}

/* RAW and WAW. */
static bool needs_result(const struct vx_flight *f, const struct vx_flight *of)
{
    return of->rd && (reads(f, of->rd) || f->rd == of->rd);
}

static void note(struct ghost *s, struct ghost_entry *e)
{
    const struct vx_flight *f = flight_of(s, e->uop);
    unsigned warp = warp_of(s, e->uop);

    s->is_to_be_noted = false;
    for (unsigned n = 0; n < params_of(s)->in_flight; n++) {
        uop_id other = s->flight[n].uop;

        if (other != NO_UOP && warp_of(s, other) == warp &&
            needs_result(f, flight_of(s, other)))
            e->flying |= (uint64_t)1 << n;
    }
    for (unsigned n = 0; n < params_of(s)->entries; n++) {
        const struct ghost_entry *o = &s->entry[n];

        if (o->uop == NO_UOP || o == e || warp_of(s, o->uop) != warp)
            continue;
        if (needs_result(f, flight_of(s, o->uop)) ||
            (f->rd && reads(flight_of(s, o->uop), f->rd)))
            e->buffered |= (uint64_t)1 << n;
    }
}

/* An older one of its warp is in the buffer, of memory operations only or of all. */
static bool has_older(const struct ghost *s, const struct ghost_entry *e, bool of_lsu)
{
    for (unsigned n = 0; n < params_of(s)->entries; n++) {
        const struct ghost_entry *o = &s->entry[n];

        if (o->uop != NO_UOP && o->order < e->order &&
            warp_of(s, o->uop) == warp_of(s, e->uop) &&
            (!of_lsu || flight_of(s, o->uop)->ex == VX_LSU))
            return true;
    }
    return false;
}

static bool waits(const struct ghost *s, const struct ghost_entry *e)
{
    return e->buffered || e->flying || e == &s->entry[s->newest] ||
           (flight_of(s, e->uop)->ex == VX_LSU && has_older(s, e, true));
}

/* Who is to leave: the lowest that does not wait, or the lowest that is its warp's oldest;
 * NULL: nobody. */
static struct ghost_entry *next_to_leave(struct ghost *s)
{
    struct ghost_entry *oldest = NULL;

    for (unsigned n = 0; n < params_of(s)->entries; n++) {
        struct ghost_entry *e = &s->entry[n];

        if (e->uop == NO_UOP || e->at > s->board.base.core->cycle)
            continue;
        if (!waits(s, e))
            return e;
        if (!oldest && !has_older(s, e, false))
            oldest = e;
    }
    return oldest;
}

/* ---- leaving ---- */

static int free_place(const struct ghost *s)
{
    for (unsigned n = 0; n < params_of(s)->in_flight; n++)
        if (s->flight[n].uop == NO_UOP &&
            s->flight[n].free_at <= s->board.base.core->cycle)
            return (int)n;
    return -1;
}

/* Those who waited for an entry wait for its result in flight now, if it has one. */
static void hand_on(struct ghost *s, unsigned n, int place,
                    const struct ghost_entry *noted)
{
    const struct vx_flight *of = flight_of(s, s->entry[n].uop);
    uint64_t bit = (uint64_t)1 << n;

    for (unsigned i = 0; i < params_of(s)->entries; i++) {
        struct ghost_entry *e = &s->entry[i];

        if (e->uop == NO_UOP || e == noted || !(e->buffered & bit) ||
            warp_of(s, e->uop) != warp_of(s, s->entry[n].uop))
            continue;
        e->buffered &= ~bit;
        if (place >= 0 && needs_result(flight_of(s, e->uop), of))
            e->flying |= (uint64_t)1 << place;
    }
}

static void leave_one(struct ghost *s, const struct ghost_entry *noted)
{
    struct vx_core *k = s->board.base.core;
    struct ghost_entry *e = next_to_leave(s);
    int place = -1;
    struct uop *u;

    if (!e)
        return;
    u = &k->pool[e->uop];
    if (!scoreboard_accepts(&s->board.base, u->warp))
        return;
    if (vx_flight(k, u)->rd && (place = free_place(s)) < 0)
        return;
    stats_of(s)->reordered += has_older(s, e, false);
    scoreboard_insert(&s->board.base, u);
    hand_on(s, (unsigned)(e - s->entry), place, noted);
    if (place >= 0) {
        s->flight[place].uop = u->id;
        s->place[u->id] = (uint8_t)place;
    }
    e->uop = NO_UOP;
    e->free_at = k->cycle + FREE_CYCLES;
    k->progress = true;
}

static enum stall ghost_tick(struct vx_issue *base)
{
    enum stall cause = scoreboard_tick(base);
    struct ghost *s = self(base);
    struct ghost_entry *noted = s->is_to_be_noted ? &s->entry[s->newest] : NULL;

    if (noted)
        note(s, noted);
    leave_one(s, noted);
    for (unsigned n = 0; s->clearing && n < params_of(s)->entries; n++)
        s->entry[n].flying &= ~s->clearing;
    base->core->progress |= noted || s->clearing;
    s->clearing = 0;
    return cause;
}

static void ghost_written(struct vx_issue *base, struct uop *u)
{
    struct ghost *s = self(base);

    if (vx_flight(base->core, u)->rd) {
        unsigned n = s->place[u->id];

        s->flight[n].uop = NO_UOP;
        s->flight[n].free_at = base->core->cycle + FREE_CYCLES;
        s->clearing |= (uint64_t)1 << n;
    }
    scoreboard_written(base, u);
}

static uint64_t ghost_next(const struct vx_issue *base)
{
    const struct ghost *s = (const struct ghost *)base;
    uint64_t now = base->core->cycle, next = scoreboard_next(base);

    if (s->ready_at != VX_NEVER && s->ready_at > now)
        next = vx_earlier(next, s->ready_at);
    for (unsigned n = 0; n < GHOST_MAX; n++) {
        if (s->entry[n].uop != NO_UOP && s->entry[n].at > now)
            next = vx_earlier(next, s->entry[n].at);
        if (s->entry[n].free_at > now)
            next = vx_earlier(next, s->entry[n].free_at);
        if (s->flight[n].free_at > now)
            next = vx_earlier(next, s->flight[n].free_at);
    }
    return next;
}

static void ghost_dump(const struct vx_issue *base, struct buf *out)
{
    const struct ghost *s = (const struct ghost *)base;

    for (unsigned n = 0; n < params_of(s)->entries; n++) {
        const struct ghost_entry *e = &s->entry[n];

        if (e->uop != NO_UOP)
            buf_printf(out,
                       "  entry %u: warp %u, waits for entries 0x%llx, flight 0x%llx\n",
                       n, warp_of(s, e->uop), (unsigned long long)e->buffered,
                       (unsigned long long)e->flying);
    }
    scoreboard_dump(base, out);
}

/* An entry's dependences: a bit for every other one, and for those in flight. */
static void ghost_parts(const struct vortex_config *c, struct part *at)
{
    const struct ghost_params *p = c->issue_params;
    unsigned warp = bits_for(c->core.warps), reg = bits_for(VX_REGS);

    at = vx_inst_parts(c, "issue buffer", p->entries, at);
    *at++ = (struct part){ "issue buffer", "warp", p->entries, warp };
    *at++ = (struct part){ "issue buffer", "dependences", p->entries,
                           p->entries + p->in_flight };
    *at++ = (struct part){ "in flight", "valid", p->in_flight, 1 };
    *at++ = (struct part){ "in flight", "warp", p->in_flight, warp };
    *at++ = (struct part){ "in flight", "result", p->in_flight, reg };
    vx_scoreboard_parts(c, at);
}

#define PARAM_OF struct ghost_params
static const struct param_group ghost_param_group =
    PARAM_GROUP("vxghost", "Vortex: GhOST's issue buffer", GHOST_PARAMS);
#undef PARAM_OF
#define STAT_OF struct ghost_stats
static const struct stat_group ghost_stat_group =
    STAT_GROUP("vxghost", "Vortex: GhOST", GHOST_STATS);
#undef STAT_OF

const struct vx_issue_ops vx_issue_ghost = {
    .name = "ghost",
    .summary = "an issue buffer for all warps before the scoreboard",
    .paper = "GhOST: a GPU Out-of-Order Scheduling Technique for Stall Reduction",
    .params = &ghost_param_group,
    .stats = &ghost_stat_group,
    .state_size = sizeof(struct ghost),
    .init = ghost_init,
    .fini = scoreboard_fini,
    .accepts = ghost_accepts,
    .insert = ghost_insert,
    .written = ghost_written,
    .tick = ghost_tick,
    .slept = ghost_slept,
    .next = ghost_next,
    .dump = ghost_dump,
    .parts = ghost_parts,
};
