/* ghost.c - GhOST on Vortex as its RTL (vortex_ghost) behaves: an issue buffer for all
 * warps between decode and the baseline's instruction buffers.
 *
 * An instruction enters in the cycle after it came from the cache, one every second
 * cycle, and leaves a cycle later at the earliest: when its warp's instruction buffer has
 * room and the table of instructions in flight has, too. The scoreboard and the operand
 * stage follow unchanged.
 *
 * The RTL means to keep behind whatever depends on an older instruction, in the buffer or
 * in flight, and to let others of the warp pass. The chains measured on it are the
 * baseline's to the cycle and lw, add, lw, add gains nothing, so nothing waits for a
 * result there; then nothing is ever passed by an instruction of its own warp, for both
 * wait for the same room, and there is no rule to keep here.
 */
#include "base/bits.h"
#include "vortex/scoreboard.h"

enum { GHOST_MAX = 64, ENTRY_CYCLES = 2 };

#define GHOST_PARAMS(NUM, ENUM, BOOL)                                            \
    NUM(entries, 8, 1, GHOST_MAX, "inst", "issue buffer of a core [ISB_INSTRS]") \
    NUM(in_flight, 8, 1, 255, "inst",                                            \
        "that have left it and are not written back [INFL_INSTRS]")              \
    NUM(interval, 2, 1, 8, "cycle", "between entries; RTL")
struct ghost_params {
    GHOST_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define GHOST_STATS(STAT)                                                        \
    STAT(entered, "warp inst", "", "instructions that entered the issue buffer") \
    STAT(full, "cycle", "", "a decoded instruction found it full")
struct ghost_stats {
    GHOST_STATS(STAT_FIELD)
};

struct ghost {
    struct scoreboard board; /* must come first */
    unsigned n;
    struct {
        uop_id uop;
        uint64_t at;    /* may leave from this cycle on */
    } entry[GHOST_MAX]; /* oldest first */
    uint64_t
        ready_at; /* the instruction at decode may enter; VX_NEVER: none is there */
    uint64_t next_entry;
    unsigned n_flying; /* have left, not written back */
    bool is_full;      /* for the instruction at decode */
};

static struct ghost *self(struct vx_issue *s)
{
    return (struct ghost *)s;
}

static int ghost_init(struct vx_issue *base, struct err *err)
{
    struct ghost *s = self(base);

    if (scoreboard_init(base, err))
        return -1;
    s->board.entry_cycles = ENTRY_CYCLES;
    s->ready_at = VX_NEVER;
    return 0;
}

static bool ghost_accepts(struct vx_issue *base, unsigned warp)
{
    struct ghost *s = self(base);
    const struct ghost_params *p = base->params;
    uint64_t cycle = base->core->cycle;

    (void)warp;
    if (s->ready_at == VX_NEVER)
        s->ready_at = vx_later(cycle + 1, s->next_entry);
    if (s->ready_at > cycle)
        return false;
    s->is_full = s->n >= p->entries;
    ((struct ghost_stats *)base->stats)->full += s->is_full;
    return !s->is_full;
}

static void ghost_slept(struct vx_issue *base, uint64_t cycles)
{
    if (self(base)->is_full)
        ((struct ghost_stats *)base->stats)->full += cycles;
}

static void ghost_insert(struct vx_issue *base, struct uop *u)
{
    struct ghost *s = self(base);
    const struct ghost_params *p = base->params;

    s->entry[s->n].uop = u->id;
    s->entry[s->n++].at = base->core->cycle + 1;
    s->next_entry = base->core->cycle + p->interval;
    s->ready_at = VX_NEVER;
    s->is_full = false;
    ((struct ghost_stats *)base->stats)->entered++;
}

static void leave(struct ghost *s, unsigned n)
{
    struct vx_core *k = s->board.base.core;

    scoreboard_insert(&s->board.base, &k->pool[s->entry[n].uop]);
    s->n_flying++;
    for (s->n--; n < s->n; n++)
        s->entry[n] = s->entry[n + 1];
    k->progress = true;
}

/* The oldest whose warp has room leaves. */
static void leave_one(struct ghost *s)
{
    struct vx_core *k = s->board.base.core;
    const struct ghost_params *p = s->board.base.params;

    if (s->n_flying >= p->in_flight)
        return;
    for (unsigned n = 0; n < s->n && s->entry[n].at <= k->cycle; n++)
        if (scoreboard_accepts(&s->board.base, k->pool[s->entry[n].uop].warp)) {
            leave(s, n);
            return;
        }
}

static enum stall ghost_tick(struct vx_issue *base)
{
    enum stall cause = scoreboard_tick(base);

    leave_one(self(base));
    return cause;
}

static void ghost_written(struct vx_issue *base, struct uop *u)
{
    self(base)->n_flying--;
    scoreboard_written(base, u);
}

static uint64_t ghost_next(const struct vx_issue *base)
{
    const struct ghost *s = (const struct ghost *)base;
    uint64_t now = base->core->cycle, next = scoreboard_next(base);

    if (s->ready_at != VX_NEVER && s->ready_at > now)
        next = vx_earlier(next, s->ready_at);
    for (unsigned n = 0; n < s->n; n++)
        if (s->entry[n].at > now)
            next = vx_earlier(next, s->entry[n].at);
    return next;
}

static void ghost_dump(const struct vx_issue *base, struct buf *out)
{
    const struct ghost *s = (const struct ghost *)base;

    buf_printf(out, "  issue buffer: %u, in flight %u\n", s->n, s->n_flying);
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
