/* ghost.c - GhOST on Vortex as in its RTL (VX_ibuffer of vortex_ghost): an issue buffer for
 * all warps between decode and the baseline's instruction buffers.
 *
 * An instruction enters in the cycle after it came from the cache, one every second cycle,
 * into the lowest free entry. A cycle later it notes which instructions of its warp it has
 * to wait for: in the buffer (RAW, WAW, WAR), or in flight, that is with a result that is
 * not written back (RAW, WAW). One entry leaves per cycle: the lowest that waits for none (a
 * memory operation also waits for older ones in the buffer) or, if there is none, the
 * lowest of the warps' oldest. It needs room in its warp's instruction buffer and, if it
 * has a result, in the table of those in flight; otherwise no entry leaves. The scoreboard
 * and the operand stage follow unchanged: they hold instructions that left too early.
 *
 * As coded in the RTL: the newest entry counts as waiting until another has entered; an
 * instruction that leaves in the cycle in which a younger one notes it is waited for until
 * its entry is used and left again.
 *
 * The dependences of an entry are a vector, made as it enters from a table of the warp's
 * registers, and updated as instructions leave or are written back. Making it one cycle
 * early gives the same vector: results that are written back in that cycle are removed
 * before it is used. So one form serves both models of a core.
 */
#include "base/bits.h"
#include "vortex/scoreboard.h"

enum {
    GHOST_MAX = 64,
    COME_CYCLES = 1, /* from the cache to the buffer */
    ENTRY_CYCLES = 2,
    FREE_CYCLES = 2, /* until an entry or a place in flight is seen to be free */
};

#define GHOST_PARAMS(NUM, ENUM, BOOL)                                           \
    NUM(entries, 8, 1, GHOST_MAX, "inst", "issue buffer per core [ISB_INSTRS]") \
    NUM(in_flight, 8, 1, GHOST_MAX, "inst",                                     \
        "instructions with a result that have left it and are not yet written " \
        "back [INFL_INSTRS]")                                                   \
    NUM(interval, 2, 1, 8, "cycle", "between entries; RTL")
struct ghost_params {
    GHOST_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define GHOST_STATS(STAT)                                                        \
    STAT(entered, "warp inst", "", "instructions that entered the issue buffer") \
    STAT(reordered, "warp inst", "",                                             \
         "instructions that left before an older one of their warp")             \
    STAT(full, "cycle", "", "a decoded instruction found the issue buffer full")
struct ghost_stats {
    GHOST_STATS(STAT_FIELD)
};

struct ghost_entry {
    uop_id uop;
    uint32_t warp, rd;         /* 0: it writes nothing */
    uint64_t touches;          /* registers that it reads or writes */
    uint64_t older;            /* entries of its warp */
    uint64_t buffered, flying; /* dependences, by entry and by place in flight */
};

/* An entry or place that was left in one of the last two cycles. */
struct ghost_left {
    uint64_t bit, free_at; /* may be used again */
};

/* Readers and writers of a register of a warp, by entry; its writers in flight. */
struct ghost_users {
    uint64_t readers, writers, flying;
};

/* Sets of entries, and of places in flight, are bits. */
struct ghost {
    struct scoreboard board; /* must come first */
    struct ghost_entry entry[GHOST_MAX];
    uint64_t all, used;
    uint64_t of_warp[VX_MAX_WARPS];
    struct ghost_users users[VX_MAX_WARPS][VX_REGS];
    uint64_t lsu;     /* memory operations */
    uint64_t writing; /* with a result */
    uint64_t oldest;  /* of their warps */
    uint64_t waiting; /* have dependences ... */
    uint64_t behind;  /* ... or are memory operations with an older one in the buffer */
    uint64_t newest;  /* the entry that entered last; 0: none */
    uint64_t came;    /* the same, only in the cycle after it entered; else 0 */
    struct ghost_left left[2];

    uint64_t all_places, flying;
    uint8_t place[VX_POOL]; /* of an instruction in flight */
    struct ghost_left written[2];
    uint64_t place_at; /* a place is free from this cycle on; NEVER: not known */
    uint64_t released; /* entries that no longer wait, from the next cycle on */

    unsigned interval; /* of entries, at least two cycles ... */
    uint64_t enter_at; /* ... so that the next one enters from this cycle on */
    bool is_full;      /* for the instruction at decode */
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

/* The set, or nothing (perf: without a branch). */
static uint64_t only_if(bool condition, uint64_t set)
{
    return -(uint64_t)condition & set;
}

static unsigned lowest_bit(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static int ghost_init(struct vx_issue *base, struct err *err)
{
    struct ghost *s = self(base);

    if (scoreboard_init(base, err))
        return -1;
    s->board.entry_cycles = ENTRY_CYCLES;
    base->come_cycles = COME_CYCLES;
    s->interval = params_of(s)->interval > 2 ? params_of(s)->interval : 2;
    s->all = ~(uint64_t)0 >> (GHOST_MAX - params_of(s)->entries);
    s->all_places = ~(uint64_t)0 >> (GHOST_MAX - params_of(s)->in_flight);
    return 0;
}

/* ---- what is free ---- */

/* At most one is left per cycle. */
static void note_left(struct ghost_left left[2], uint64_t what, uint64_t cycle)
{
    left[cycle % 2] = (struct ghost_left){ what, cycle + FREE_CYCLES };
}

static uint64_t not_free_yet(const struct ghost_left left[2], uint64_t cycle)
{
    return only_if(left[0].free_at > cycle, left[0].bit) |
           only_if(left[1].free_at > cycle, left[1].bit);
}

static uint64_t free_entries(const struct ghost *s)
{
    return s->all & ~s->used & ~not_free_yet(s->left, s->board.base.core->cycle);
}

/* The lowest; 0: none. */
static uint64_t free_place(const struct ghost *s)
{
    uint64_t any = s->all_places & ~s->flying &
                   ~not_free_yet(s->written, s->board.base.core->cycle);

    return any & -any;
}

/* ---- entering ---- */

/* One every second cycle, a cycle after it came from the cache. */
static bool is_time_to_enter(const struct ghost *s)
{
    const struct vx_core *k = s->board.base.core;

    return k->fetch.arriving.at + COME_CYCLES <= k->cycle && s->enter_at <= k->cycle;
}

static bool ghost_accepts(const struct vx_issue *base, unsigned warp)
{
    const struct ghost *s = (const struct ghost *)base;

    (void)warp;
    return is_time_to_enter(s) && free_entries(s);
}

static void ghost_refused(struct vx_issue *base)
{
    struct ghost *s = self(base);

    s->is_full = is_time_to_enter(s);
    stats_of(s)->full += s->is_full;
}

static void ghost_slept(struct vx_issue *base, uint64_t cycles)
{
    if (self(base)->is_full)
        stats_of(self(base))->full += cycles;
}

static void update_waiting(struct ghost *s, unsigned n)
{
    const struct ghost_entry *e = &s->entry[n];

    s->waiting =
        (s->waiting & ~bit64(n)) | only_if((e->buffered | e->flying) != 0, bit64(n));
}

/* The dependences of the newest entry; all others of its warp are older. An absent source
 * is x0, which is never written. */
static void note_dependences(struct ghost *s, struct ghost_entry *e,
                             const struct vx_flight *f)
{
    const struct ghost_users *of = s->users[e->warp];

    e->buffered = of[e->rd].writers | only_if(e->rd != 0, of[e->rd].readers);
    e->flying = of[e->rd].flying;
    for (unsigned n = 0; n < 3; n++) {
        e->buffered |= of[f->src[n]].writers;
        e->flying |= of[f->src[n]].flying;
    }
}

/* Adds the entry to the table of registers. */
static void add_users(struct ghost *s, unsigned n, const struct vx_flight *f)
{
    struct ghost_users *of = s->users[s->entry[n].warp];

    of[f->rd].writers |= only_if(f->rd != 0, bit64(n));
    for (unsigned i = 0; i < 3; i++)
        of[f->src[i]].readers |= bit64(n);
}

static void remove_users(struct ghost *s, unsigned n)
{
    struct ghost_users *of = s->users[s->entry[n].warp];
    const struct vx_flight *f = &s->board.base.core->flight[s->entry[n].uop];

    of[f->rd].writers &= ~bit64(n);
    for (unsigned i = 0; i < 3; i++)
        of[f->src[i]].readers &= ~bit64(n);
}

static void ghost_insert(struct vx_issue *base, struct uop *u)
{
    struct ghost *s = self(base);
    unsigned n = lowest_bit(free_entries(s));
    struct ghost_entry *e = &s->entry[n];
    const struct vx_flight *f = vx_flight(base->core, u);
    bool is_lsu = f->ex == VX_LSU;

    e->uop = u->id;
    e->warp = u->warp;
    e->rd = f->rd;
    e->touches = u->dyn.inst->reads.w[0] | u->dyn.inst->writes.w[0];
    e->older = s->of_warp[u->warp];
    note_dependences(s, e, f);
    add_users(s, n, f);
    update_waiting(s, n);
    s->oldest |= only_if(!e->older, bit64(n));
    s->behind |= only_if(is_lsu & ((e->older & s->lsu) != 0), bit64(n));
    s->lsu |= only_if(is_lsu, bit64(n));
    s->writing |= only_if(f->rd != 0, bit64(n));
    s->used |= bit64(n);
    s->of_warp[u->warp] |= bit64(n);
    s->newest = s->came = bit64(n);
    base->room_at = s->enter_at = base->core->cycle + s->interval;
    s->is_full = false;
    stats_of(s)->entered++;
}

/* ---- leaving ---- */

/* Entries that may leave: those without dependences or, if none, the oldest of warps. */
static uint64_t entries_able(const struct ghost *s)
{
    uint64_t ready = s->used & ~(s->waiting | s->behind | s->newest);

    return ready | only_if(!ready, s->oldest);
}

/* An entry that waited for one that left now waits for its result in flight, if any. */
static void hand_on_wait(struct ghost *s, unsigned to, unsigned left, uint64_t place)
{
    struct ghost_entry *e = &s->entry[to];

    if (s->came & bit64(to) || !(e->buffered & bit64(left)))
        return;
    e->buffered &= ~bit64(left);
    if (e->touches >> s->entry[left].rd & 1) /* RAW and WAW */
        e->flying |= place;
    update_waiting(s, to);
}

/* Empties an entry; others no longer count it as older. */
static void drop_entry(struct ghost *s, unsigned n, uint64_t place)
{
    unsigned warp = s->entry[n].warp;

    s->used &= ~bit64(n);
    s->of_warp[warp] &= ~bit64(n);
    s->lsu &= ~bit64(n);
    s->writing &= ~bit64(n);
    s->oldest &= ~bit64(n);
    s->waiting &= ~bit64(n);
    s->behind &= ~bit64(n);
    remove_users(s, n);
    for (uint64_t m = s->of_warp[warp]; m; m &= m - 1) {
        struct ghost_entry *e = &s->entry[lowest_bit(m)];

        e->older &= ~bit64(n);
        s->oldest |= only_if(!e->older, m & -m);
        s->behind &= ~only_if(!(e->older & s->lsu), m & -m);
        hand_on_wait(s, lowest_bit(m), n, place);
    }
    note_left(s->left, bit64(n), s->board.base.core->cycle);
}

/* When the next place can be taken, after one was. */
static uint64_t next_free_place(const struct ghost *s)
{
    uint64_t now = s->board.base.core->cycle, next = NEVER;

    if (free_place(s))
        return 0;
    for (unsigned i = 0; i < 2; i++)
        if (s->written[i].free_at > now)
            next = earlier(next, s->written[i].free_at);
    return next;
}

static uint64_t take_place(struct ghost *s, const struct uop *u, unsigned rd)
{
    uint64_t place = free_place(s);

    s->flying |= place;
    s->users[u->warp][rd].flying |= place;
    s->place[u->id] = (uint8_t)lowest_bit(place);
    s->place_at = next_free_place(s);
    return place;
}

/* perf: out of line, so that cycles without a leaving entry are short. */
__attribute__((noinline)) static void leave_buffer(struct ghost *s, unsigned n)
{
    struct vx_core *k = s->board.base.core;
    struct uop *u = &k->pool[s->entry[n].uop];
    unsigned rd = s->entry[n].rd;

    if (!scoreboard_accepts(&s->board.base, u->warp))
        return;
    stats_of(s)->reordered += s->entry[n].older != 0;
    scoreboard_insert(&s->board.base, u);
    drop_entry(s, n, rd ? take_place(s, u, rd) : 0);
    k->progress = true;
}

/* The first entry that may leave, if there is a place for its result; 0: none. */
static uint64_t next_to_leave(const struct ghost *s)
{
    uint64_t able = entries_able(s);
    bool has_place = s->place_at <= s->board.base.core->cycle;

    return able & -able & ~only_if(!has_place, s->writing);
}

static enum stall ghost_tick(struct vx_issue *base)
{
    enum stall cause = scoreboard_tick(base);
    struct ghost *s = self(base);
    uint64_t next = next_to_leave(s);

    if (next)
        leave_buffer(s, lowest_bit(next));
    s->came = 0;
    s->waiting &= ~s->released;
    s->released = 0;
    return cause;
}

/* A result is written back; entries that wait for it may leave from the next cycle on. */
static void land_result(struct ghost *s, const struct uop *u, unsigned rd)
{
    uint64_t place = bit64(s->place[u->id]), cycle = s->board.base.core->cycle;

    s->flying &= ~place;
    s->users[u->warp][rd].flying &= ~place;
    note_left(s->written, place, cycle);
    s->place_at = earlier(s->place_at, cycle + FREE_CYCLES);
    for (uint64_t m = s->of_warp[u->warp]; m; m &= m - 1) {
        struct ghost_entry *e = &s->entry[lowest_bit(m)];

        e->flying &= ~place;
        s->released |= only_if(!(e->buffered | e->flying), m & -m);
    }
}

static void ghost_written(struct vx_issue *base, struct uop *u)
{
    unsigned rd = vx_flight(base->core, u)->rd;

    if (rd)
        land_result(self(base), u, rd);
    scoreboard_written(base, u);
}

static uint64_t ghost_next(const struct vx_issue *base)
{
    const struct ghost *s = (const struct ghost *)base;
    uint64_t now = base->core->cycle, next = scoreboard_next(base);

    for (unsigned i = 0; i < 2; i++) {
        if (s->left[i].free_at > now)
            next = earlier(next, s->left[i].free_at);
        if (s->written[i].free_at > now)
            next = earlier(next, s->written[i].free_at);
    }
    return next;
}

static void ghost_dump(const struct vx_issue *base, struct buf *out)
{
    const struct ghost *s = (const struct ghost *)base;

    for (uint64_t m = s->used; m; m &= m - 1) {
        const struct ghost_entry *e = &s->entry[lowest_bit(m)];

        buf_printf(out,
                   "  entry %u: warp %u, waits for entries 0x%llx, flight 0x%llx\n",
                   lowest_bit(m), e->warp, (unsigned long long)e->buffered,
                   (unsigned long long)e->flying);
    }
    scoreboard_dump(base, out);
}

/* Dependences have one bit per entry and per place in flight. */
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
    .bars_pass = true,
    .init = ghost_init,
    .fini = scoreboard_fini,
    .accepts = ghost_accepts,
    .refused = ghost_refused,
    .insert = ghost_insert,
    .written = ghost_written,
    .checked = scoreboard_checked,
    .tick = ghost_tick,
    .slept = ghost_slept,
    .next = ghost_next,
    .dump = ghost_dump,
    .parts = ghost_parts,
};
