/* skip_darsie.c - eliminator `darsie.recorded`: darsie, with a window of it written to a file
 * (window.h). B is a block of the SM, W a warp of the block; masks are hexadecimal. Lines, in
 * the order in which things happen:
 *   n B MASK USABLE    a block starts; warps on the path, registers that it has
 *   m B MASK           warps on the majority path after a barrier, or when a warp starts
 *   a B W TAKEN        a branch is resolved at which the warps of the path wait
 *   w B HELD LED       an instruction is written back: registers that it held, and 1 + the
 *                      register that it led into
 *   e B W, o B W       a warp leaves the path; stops sharing registers
 *   q PC GRANTED       a PC is to be looked up: is there a port?
 *   l B W PC ANSWER    it is looked up before fetch: 0 no entry, 1 the warp waits, 2 it skips
 *   d B W PC SHARES DST SOURCES PAST LOAD GLOBAL ANSWER LED HELD   it is decoded; answers 3 it
 *                      executes alone, 4 it leads; warps that are past it
 *   r B GLOBAL         loads, or loads of global memory, are forgotten
 *   t then per block B PATH FREE VALID WRITTEN   the end of the cycle
 * Functions that darsie.c calls are wrapped, then the file itself is included.
 */
#include <stdio.h>
#include <stdlib.h>

#define darsie_take_port      take_port_inside
#define darsie_open_barrier   open_barrier_inside
#define darsie_enter_barrier  enter_barrier_inside
#define darsie_leave_majority leave_majority_inside
#define darsie_has_copied     has_copied_inside
#define darsie_own_all        own_all_inside
#define darsie_forget_loads   forget_loads_inside
#define darsie_sweep          sweep_inside
#include "skip/darsie_path.h"
#undef darsie_take_port
#undef darsie_open_barrier
#undef darsie_enter_barrier
#undef darsie_leave_majority
#undef darsie_has_copied
#undef darsie_own_all
#undef darsie_forget_loads
#undef darsie_sweep
#include "window.h"

enum { MAX_UOPS = 1 << 16, NO_REGISTER = 511, SOURCES = 4 };
enum { ANSWER_none, ANSWER_waits, ANSWER_skips, ANSWER_alone, ANSWER_leads };

static struct {
    struct darsie *d; /* whose hook is called */
    bool is_on;
    uint64_t cycle; /* of the lines since the last t */
    bool has_lines;
    const struct uop *decoded; /* at_fetch() is asked about it */
    const struct uop *looked;  /* before_fetch() is asked about it */
    uint64_t n_skipped, n_led; /* before that */
    uint8_t led[MAX_UOPS];     /* 1 + register that it leads into */
} recorder;

static bool line_is_on(void)
{
    recorder.has_lines |= recorder.is_on;
    return recorder.is_on;
}

static unsigned block_number(unsigned warp)
{
    return recorder.d->base.block_of[warp];
}

static unsigned warp_number(unsigned warp)
{
    return recorder.d->base.index_of[warp];
}

static uint32_t warp_mask(struct warpset m)
{
    uint32_t mask = 0;

    while (warpset_any(&m))
        mask |= 1u << warp_number(warpset_take(&m));
    return mask;
}

static void write_warp(char kind, unsigned warp)
{
    if (line_is_on())
        window_line("%c %u %u\n", kind, block_number(warp), warp_number(warp));
}

static void write_path(unsigned warp)
{
    if (line_is_on())
        window_line("m %u %x\n", block_number(warp),
                    warp_mask(darsie_block(recorder.d, warp)->majority));
}

/* The next register of a set that can be shared: a general one, or a uniform one unless
 * these are not shared. */
static unsigned next_shared(const struct regset *set, unsigned r)
{
    bool uniform = darsie_params(recorder.d)->uniform;

    for (r = regset_next(set, r); r < N_REGID; r = regset_next(set, r + 1))
        if (r < REGID_UR || (uniform && (r < REGID_P || r >= REGID_UR_HIGH)))
            return r;
    return N_REGID;
}

static unsigned result_of(const struct inst *i)
{
    unsigned r = next_shared(&i->writes, 0);

    if (r >= N_REGID)
        return NO_REGISTER;
    if (next_shared(&i->writes, r + 1) < N_REGID) {
        fprintf(stderr, "window: more than one result at 0x%llx\n",
                (unsigned long long)i->pc);
        exit(1);
    }
    return r;
}

static uint64_t sources_of(const struct inst *i)
{
    uint64_t names = 0xfffffffff;
    unsigned k = 0;

    for (unsigned r = 0; (r = next_shared(&i->reads, r)) < N_REGID; r++, k++) {
        if (k == SOURCES) {
            fprintf(stderr, "window: more than %u sources at 0x%llx\n", SOURCES,
                    (unsigned long long)i->pc);
            exit(1);
        }
        names ^= (uint64_t)(r ^ NO_REGISTER) << 9 * k;
    }
    return names;
}

/* Warps of its block that are past the instruction that it leads. */
static uint32_t warps_past(const struct uop *u)
{
    const struct darsie *d = recorder.d;
    struct warpset past = { 0 };

    for (struct warpset m = darsie_block(recorder.d, u->warp)->warps;
         warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        if (k != u->warp && d->warp[k].position >= d->warp[u->warp].position)
            warpset_add(&past, k);
    }
    return warp_mask(past);
}

static bool darsie_take_port(struct darsie *d, uint64_t pc)
{
    bool has_port = take_port_inside(d, pc);

    if (line_is_on())
        window_line("q %llx %u\n", (unsigned long long)pc, has_port);
    return has_port;
}

static void darsie_open_barrier(struct darsie *d, struct darsie_block *b,
                                uint8_t barrier)
{
    open_barrier_inside(d, b, barrier);
    write_path((recorder.decoded ? recorder.decoded : recorder.looked)->warp);
}

static void darsie_leave_majority(struct darsie *d, struct darsie_block *b,
                                  unsigned warp)
{
    if (warpset_has(&b->majority, warp))
        write_warp('e', warp);
    leave_majority_inside(d, b, warp);
}

static void darsie_enter_barrier(struct darsie *d, struct darsie_block *b,
                                 const struct uop *u)
{
    if (warpset_has(&b->majority, u->warp))
        write_warp('e', u->warp);
    enter_barrier_inside(d, b, u);
}

static bool darsie_has_copied(struct darsie *d, struct darsie_block *b, unsigned warp)
{
    bool had = d->warp[warp].has_copies, has = has_copied_inside(d, b, warp);

    if (had && has)
        write_warp('o', warp);
    return has;
}

static void darsie_own_all(struct darsie_block *b, struct darsie_warp *w)
{
    own_all_inside(b, w);
    write_warp('o', (unsigned)(w - recorder.d->warp));
}

static void darsie_forget_loads(struct darsie *d, struct darsie_block *b,
                                bool only_global)
{
    forget_loads_inside(d, b, only_global);
    if (warpset_any(&b->warps) && line_is_on())
        window_line("r %u %u\n", (unsigned)(b - d->block), only_global);
}

static void write_decoded(unsigned answer);
static void write_looked(unsigned answer);

/* A warp is past an instruction: what has become of it is known. */
static void darsie_sweep(struct darsie *d, struct darsie_block *b)
{
    const struct darsie_stats *t = darsie_stats(d);
    bool is_skipped = t->definitely + t->conditionally != recorder.n_skipped;

    if (recorder.looked)
        write_looked(ANSWER_skips);
    else
        write_decoded(is_skipped                 ? ANSWER_skips
                      : t->led != recorder.n_led ? ANSWER_leads
                                                 : ANSWER_alone);
    sweep_inside(d, b);
}

#define skip_darsie skip_darsie_inside
#include "../../src/skip/darsie.c"
#undef skip_darsie

static void write_looked(unsigned answer)
{
    const struct uop *u = recorder.looked;

    if (line_is_on())
        window_line("l %u %u %llx %u\n", block_number(u->warp), warp_number(u->warp),
                    (unsigned long long)u->dyn.inst->pc, answer);
}

static void write_decoded(unsigned answer)
{
    const struct uop *u = recorder.decoded;
    const struct inst *i = u->dyn.inst;
    const struct darsie_warp *w = &recorder.d->warp[u->warp];
    unsigned dst = result_of(i), led = 0;

    if (answer == ANSWER_leads) {
        led = dst == NO_REGISTER ? 0 : w->map[dst];
        if (!led)
            fprintf(stderr, "window: a leader without a register\n"), exit(1);
        recorder.led[u->id] = (uint8_t)led;
    }
    if (!line_is_on())
        return;
    window_line("d %u %u %llx %u %u %llx %x %u %u %u %u", block_number(u->warp),
                warp_number(u->warp), (unsigned long long)i->pc,
                !darsie_unshared_count(recorder.d, u), dst,
                (unsigned long long)sources_of(i), warps_past(u), inst_is_load(i),
                is_global_memory(u), answer, led);
    window_line(" %llx\n", answer >= ANSWER_alone
                               ? (unsigned long long)recorder.d->held[u->id]
                               : 0ull);
}

static void write_block(const struct darsie *d, unsigned k)
{
    const struct darsie_block *b = &d->block[k];
    unsigned valid = 0, written = 0;

    for (unsigned n = 0; n < darsie_entries(d); n++) {
        if (b->entry[n].state > DARSIE_SHARED) {
            fprintf(stderr, "window: warps wait for registers: no module does this\n");
            exit(1);
        }
        valid |= (unsigned)(b->entry[n].state != DARSIE_EMPTY) << n;
        written |= (unsigned)(b->entry[n].state == DARSIE_SHARED) << n;
    }
    window_line(" %u %x %llx %x %x", k, warp_mask(b->majority),
                (unsigned long long)b->free, valid, written);
}

/* A hook is called: ends the cycle before, if this is another. */
static void begin_hook(struct skip *s)
{
    struct darsie *d = (struct darsie *)s;

    recorder.d = d;
    recorder.is_on = window_is_on_skip(s) && !d->is_off;
    recorder.decoded = recorder.looked = NULL;
    recorder.n_skipped = darsie_stats(d)->definitely + darsie_stats(d)->conditionally;
    recorder.n_led = darsie_stats(d)->led;
    if (!recorder.is_on || s->cycle == recorder.cycle)
        return;
    recorder.cycle = s->cycle;
    if (!recorder.has_lines)
        return;
    recorder.has_lines = false;
    window_line("t");
    for (unsigned k = 0; k < MAX_WARP_SLOTS; k++)
        if (warpset_any(&d->block[k].warps))
            write_block(d, k);
    window_end_line(false);
    recorder.is_on = window_is_on_skip(s);
}

static void record_start(struct skip *s, unsigned warp)
{
    struct darsie_block *b = darsie_block(darsie_of(s), warp);

    begin_hook(s);
    darsie_warp_start(s, warp);
    if (!s->index_of[warp] && line_is_on())
        window_line("n %u 1 %llx\n", block_number(warp), (unsigned long long)b->free);
    else
        write_path(warp);
}

static enum skip_verdict record_before(struct skip *s, const struct uop *u)
{
    const struct darsie_warp *w = &darsie_of(s)->warp[u->warp];
    enum skip_verdict v;

    begin_hook(s);
    recorder.looked = u;
    v = darsie_before_fetch(s, u);
    if (v != SKIP_DROP && w->is_looked_up)
        write_looked(v == SKIP_WAIT ? ANSWER_waits : ANSWER_none);
    return v;
}

static enum skip_verdict record_fetch(struct skip *s, const struct uop *u)
{
    enum skip_verdict v;

    begin_hook(s);
    recorder.decoded = u;
    v = darsie_at_fetch(s, u);
    if (v == SKIP_WAIT && darsie_of(s)->warp[u->warp].waits)
        write_decoded(ANSWER_waits);
    return v;
}

static void record_written(struct skip *s, struct uop *u)
{
    struct darsie *d = darsie_of(s);
    const struct darsie_warp *w = &d->warp[u->warp];

    begin_hook(s);
    if ((d->held[u->id] || recorder.led[u->id]) && line_is_on())
        window_line("w %u %llx %u\n", block_number(u->warp),
                    (unsigned long long)d->held[u->id], recorder.led[u->id]);
    if (w->sync == DARSIE_BRANCHING && w->branch == u->dyn.seq && line_is_on())
        window_line("a %u %u %u\n", block_number(u->warp), warp_number(u->warp),
                    w->target != u->dyn.inst->pc + u->dyn.inst->length);
    recorder.led[u->id] = 0;
    darsie_written_back(s, u);
}

static void record_end(struct skip *s, unsigned warp)
{
    begin_hook(s);
    darsie_warp_end(s, warp);
}

struct skip_ops skip_darsie_recorded;
__attribute__((constructor)) static void make_table(void)
{
    skip_darsie_recorded = skip_darsie_inside;
    skip_darsie_recorded.name = "darsie.recorded";
    skip_darsie_recorded.warp_start = record_start;
    skip_darsie_recorded.before_fetch = record_before;
    skip_darsie_recorded.at_fetch = record_fetch;
    skip_darsie_recorded.written_back = record_written;
    skip_darsie_recorded.warp_end = record_end;
}
