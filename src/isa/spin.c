/* spin.c - executes stopped warps a little further and says what they do. */
#include "isa/spin.h"

#include <stdlib.h>
#include <string.h>

enum {
    TURN = 32,      /* instructions of a warp at a time */
    SETTLE = 8,     /* turns before anything is noted */
    TURNS = 32,     /* in all */
    LOOP = 24,      /* instructions of a loop at most */
    TIMES = 4,      /* executions of each that make it one */
    SHOWN = 6,      /* kinds of places */
    NO_VALUES = 255 /* a shape that no value has */
};

/* An instruction that a warp executes, and what it wrote last. */
struct spot {
    uint64_t pc, digest;
    uint32_t times;
};

enum place { PLACE_ENDED, PLACE_WAITS, PLACE_SPINS, PLACE_LOOPS, PLACE_RUNS };

struct follow {
    uint64_t at;        /* PC of the first instruction, where the run was stopped */
    uint64_t low, high; /* PCs noted */
    const struct inst *first, *lowest; /* at these; NULL: none */
    uint32_t n_all, n;                 /* instructions executed; noted */
    uint8_t n_spots;                   /* LOOP + 1: more than fit */
    bool has_ended, moved, differs, has_values;
    struct spot spot[LOOP];
};

struct spin {
    const struct spin_block *block;
    size_t n_blocks;
    struct follow *warp; /* of all blocks, one block after another */
    struct err err;      /* what stopped it */
};

/* Does it do something that another warp may wait for? Atomics are what warps spin with. */
static bool is_progress(const struct dyn *d)
{
    bool is_store = inst_writes_memory(d->inst) && !inst_is_atomic(d->inst);

    return (d->mask && (is_store || d->inst->class == CLASS_exit)) || dyn_waits(d);
}

static void spin_note_inst(struct follow *f, const struct dyn *d)
{
    uint64_t pc = d->inst->pc;
    unsigned at = 0, n_known = f->n_spots < LOOP ? f->n_spots : LOOP;
    struct spot *s;

    f->moved |= is_progress(d);
    f->has_values |= d->value.shape != NO_VALUES;
    if (!f->n || pc < f->low)
        f->lowest = d->inst;
    f->low = f->n && f->low < pc ? f->low : pc;
    f->high = f->high > pc ? f->high : pc;
    f->n++;
    while (at < n_known && f->spot[at].pc != pc)
        at++;
    if (at == LOOP) {
        f->n_spots = LOOP + 1;
        return;
    }
    s = &f->spot[at];
    if (at == n_known) {
        f->n_spots++;
        *s = (struct spot){ .pc = pc, .digest = d->value.digest };
    }
    f->differs |= s->digest != d->value.digest;
    s->digest = d->value.digest;
    s->times++;
}

/* -1: the program failed. */
static int take_turn(struct spin *p, struct stream *s, unsigned warp, struct follow *f,
                     bool notes)
{
    uint64_t list[WARP_LANES];

    for (unsigned n = 0; n < TURN && !f->has_ended; n++) {
        struct dyn d = { .addr.list = list,
                         .bar_kind = BAR_NONE,
                         .value.shape = NO_VALUES };

        switch (stream_next(s, warp, &d, &p->err)) {
        case STREAM_INST:
            if (!f->n_all++) {
                f->at = d.inst->pc;
                f->first = d.inst;
            }
            if (notes)
                spin_note_inst(f, &d);
            break;
        case STREAM_WAIT:
            return 0;
        case STREAM_END:
            f->has_ended = true;
            f->moved |= notes;
            break;
        case STREAM_ERROR:
            return -1;
        }
    }
    return 0;
}

static int follow_all(struct spin *p)
{
    for (unsigned turn = 0; turn < TURNS; turn++) {
        struct follow *f = p->warp;

        for (size_t b = 0; b < p->n_blocks; b++)
            for (unsigned w = 0; w < p->block[b].stream->n_warps; w++)
                if (take_turn(p, p->block[b].stream, w, f++, turn >= SETTLE))
                    return -1;
    }
    return 0;
}

static enum place place_of(const struct follow *f)
{
    bool loops = f->n_spots <= LOOP && f->n >= (uint32_t)TIMES * f->n_spots;

    if (f->has_ended)
        return f->n_all ? PLACE_RUNS : PLACE_ENDED;
    if (!f->n)
        return f->n_all ? PLACE_RUNS : PLACE_WAITS;
    if (!loops)
        return PLACE_RUNS;
    return f->has_values && !f->differs && !f->moved ? PLACE_SPINS : PLACE_LOOPS;
}

/* Warps in the same kind of place. */
struct group {
    enum place place;
    uint64_t low, high;
    uint64_t at; /* of the first */
    const struct spin_block *block;
    const struct inst *inst; /* whose line is told; NULL: none */
    unsigned warp, n_spots;
    size_t n;
    bool moved;
};

struct groups {
    struct group at[SHOWN];
    size_t n, n_warps;
    bool all_spin; /* or have ended, or wait for those that spin */
    bool any_spins;
};

static void add_warp(struct groups *g, const struct follow *f,
                     const struct spin_block *block, unsigned warp)
{
    enum place place = place_of(f);
    struct group *a = g->at;

    g->any_spins |= place == PLACE_SPINS;
    g->all_spin &= place == PLACE_SPINS || place == PLACE_WAITS || place == PLACE_ENDED;
    g->all_spin &= !f->moved;
    if (place == PLACE_ENDED)
        return;
    g->n_warps++;
    while (a < g->at + g->n &&
           !(a->place == place && (place >= PLACE_RUNS || place == PLACE_WAITS ||
                                   (a->low == f->low && a->high == f->high))))
        a++;
    if (a == g->at + SHOWN)
        return;
    if (a == g->at + g->n) {
        *a = (struct group){ .place = place,
                             .low = f->low,
                             .high = f->high,
                             .at = f->n_all ? f->at : 0,
                             .block = block,
                             .inst = place == PLACE_RUNS ? f->first : f->lowest,
                             .warp = warp,
                             .n_spots = f->n_spots,
                             .moved = f->moved };
        g->n++;
    }
    a->n++;
}

static void put_group(const struct group *a, uint64_t first_pc, struct buf *out)
{
    unsigned long long low = a->low - first_pc, high = a->high - first_pc;

    buf_printf(out, "%zu warp%s (%sblock %llu, warp %u) ", a->n, a->n > 1 ? "s" : "",
               a->n > 1 ? "first: " : "", (unsigned long long)a->block->number,
               a->warp);
    if (a->place == PLACE_WAITS)
        buf_puts(out, "waiting for other warps");
    else if (a->place == PLACE_RUNS)
        buf_printf(out, "executing, at pc 0x%llx",
                   (unsigned long long)(a->at - first_pc));
    else
        buf_printf(out, "in a loop of %u instruction%s, pc 0x%llx to 0x%llx",
                   a->n_spots, a->n_spots > 1 ? "s" : "", low, high);
    if (a->inst && a->block->source)
        kernel_put_line(a->block->source, a->inst, out);
    if (a->place == PLACE_SPINS || a->place == PLACE_LOOPS)
        buf_puts(out, a->place == PLACE_SPINS
                          ? ", with the same results each time: spinning"
                      : a->moved ? ", with stores, barriers or exits"
                                 : ", without a store, barrier or exit");
    buf_putc(out, '\n');
}

static void put_report(const struct spin *p, uint64_t first_pc, struct buf *out)
{
    struct groups g = { .all_spin = true };
    const struct follow *f = p->warp;

    for (size_t b = 0; b < p->n_blocks; b++)
        for (unsigned w = 0; w < p->block[b].stream->n_warps; w++)
            add_warp(&g, f++, &p->block[b], w);
    for (size_t i = 0; i < g.n; i++)
        put_group(&g.at[i], first_pc, out);
    if (p->err.code)
        buf_printf(out, "executed further, the program fails: %s\n", p->err.text);
    else if (g.all_spin && g.any_spins)
        buf_puts(out, "no warp stores anything, passes a barrier or ends: this looks "
                      "like a livelock\n");
}

void spin_report(const struct spin_block *block, size_t n, uint64_t first_pc,
                 struct buf *out)
{
    struct spin p = { .block = block, .n_blocks = n };
    size_t n_warps = 0;

    for (size_t b = 0; b < n; b++) {
        n_warps += block[b].stream->n_warps;
        block[b].stream->wants_values = true;
    }
    p.warp = calloc(n_warps ? n_warps : 1, sizeof *p.warp);
    if (!p.warp)
        return;
    follow_all(&p);
    put_report(&p, first_pc, out);
    free(p.warp);
}

void spin_say(struct err *err, const struct spin_launch *l,
              const struct spin_block *block, size_t n)
{
    struct buf where = { 0 };

    spin_report(block, n, l->first_pc, &where);
    if (where.len)
        where.data[--where.len] = '\0'; /* the last end of a line */
    if (l->kernel)
        err_prefix(err, "kernel %s", l->kernel);
    if (l->blocks)
        err_suffix(err, ", %llu of %llu blocks done",
                   (unsigned long long)l->blocks_done, (unsigned long long)l->blocks);
    for (const char *line = buf_text(&where); *line; line += *line == '\n') {
        int length = (int)strcspn(line, "\n");

        err_suffix(err, "%s%.*s", line == where.data ? ": " : "; ", length, line);
        line += length;
    }
    buf_free(&where);
}
