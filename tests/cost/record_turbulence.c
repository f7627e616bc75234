/* record_turbulence.c - scheme `turbulence.recorded`: turbulence, with a window of it written
 * to a file (window.h). Slots are those of a ring of max_distance + span, from 0 on. More
 * lines:
 *   w W SLOT DST FILED        a result; of its registers from DST on, those with a number
 *   t then per warp OFFER MAY N PENDING BRANCH ROOM   place in the window, or -; places that
 *                             may issue; slots with a pending result; flags
 *   i W PLACE SLOT INST LANES
 *   f W SLOT INST LANES NEAR SOURCES DST FILED RESULT KIND   sources: a byte each, a distance
 *                             where near has a bit; kind: load, store, control, sync
 * The scheme's own file is included, as in record_socgpu.c.
 */
#define scheme_turbulence scheme_turbulence_inside
#include "../../src/scheme/turbulence.c"
#undef scheme_turbulence
#include <stdio.h>
#include <stdlib.h>

#include "window.h"

enum { SOURCES = 6, RESULTS = 4 };

static void record_start(struct scheme *s, unsigned warp)
{
    turbulence_warp_start(s, warp);
    window_start(s, warp);
}

/* Number of a slot in the module, which counts instructions from 0. */
static unsigned ring_slot(const struct scheme *s, uint64_t at)
{
    return (unsigned)((at - 1) % ((const struct turbulence *)s)->ring);
}

static void check_size(const struct inst *i, unsigned n, unsigned most)
{
    if (i->list.is_whole && n <= most)
        return;
    fprintf(stderr, "window: instruction at 0x%llx has more than %u registers\n",
            (unsigned long long)i->pc, most);
    exit(1);
}

/* Its first result; WINDOW_NO_NAME: none. */
static unsigned first_result(const struct inst *i)
{
    return i->list.n_writes ? i->list.reg[i->list.n_reads] : WINDOW_NO_NAME;
}

/* Results with a number, as bits from the first result on. */
static unsigned filed_results(const struct scheme *s, const struct inst *i)
{
    unsigned mask = 0;

    for (unsigned k = i->list.n_reads; k < i->list.n_reads + i->list.n_writes; k++) {
        check_size(i, i->list.reg[k] - first_result(i) + 1, RESULTS);
        if (!is_near(s, i, k))
            mask |= 1u << (i->list.reg[k] - first_result(i));
    }
    return mask;
}

/* Its slot in the hardware, as long as that is its own. */
static unsigned ring_slot_of(struct scheme *s, const struct uop *u)
{
    return ring_slot(s, book_of(s, u->warp)->slot[u->tag].at);
}

/* The core tells that a branch is resolved right after this. */
static void record_written(struct scheme *s, struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    uint64_t branch = book_of(s, u->warp)->branch;

    if (window_is_on(s, u->warp)) {
        if (i->flags & INST_CONTROL && branch && slot_of(branch) == u->tag)
            window_line("r %u\n", window_warp(s, u->warp));
        if (i->list.n_writes)
            window_line("w %u %u %u %x\n", window_warp(s, u->warp), ring_slot_of(s, u),
                        first_result(i), filed_results(s, i));
    }
    turbulence_written_back(s, u);
}

/* What the window keeps of an instruction but for its operands, and its lanes. */
static void write_rest(struct scheme *s, const struct uop *u)
{
    window_line(" %u %x %x", ring_slot_of(s, u),
                (unsigned)(u->dyn.inst->pc * 0x9e3779b97f4a7c15u >> 40), u->dyn.mask);
}

static void record_insert(struct scheme *s, struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    unsigned form = form_of(i), near = 0;
    uint64_t source = 0xffffffffffff;

    turbulence_insert(s, u);
    if (!window_is_on(s, u->warp))
        return;
    check_size(i, i->list.n_reads, SOURCES);
    for (unsigned k = 0; k < i->list.n_reads; k++) {
        uint64_t name = is_near(s, i, k) ? i->distance[k] : i->list.reg[k];

        near |= (unsigned)is_near(s, i, k) << k;
        source ^= (name ^ WINDOW_NO_NAME) << k * WINDOW_NAME;
    }
    window_line("f %u", window_warp(s, u->warp));
    write_rest(s, u);
    window_line(" %x %llx %u %x %u %x\n", near, (unsigned long long)source,
                first_result(i), filed_results(s, i), i->list.n_writes != 0,
                (form & FORM_LOAD) / FORM_LOAD | (form & FORM_STORE) / FORM_STORE << 1 |
                    (form & FORM_BRANCH) / FORM_BRANCH << 2 |
                    (form & FORM_SYNC) / FORM_SYNC << 3);
}

static void record_issued(struct scheme *s, struct uop *u)
{
    unsigned place = 0;

    for (uop_id id = u->older; id != NO_UOP; id = s->pool[id].older)
        place++;
    if (window_is_on(s, u->warp)) {
        window_line("i %u %u", window_warp(s, u->warp), place);
        write_rest(s, u);
        window_line("\n");
    }
    turbulence_issued(s, u);
}

/* Places of the window that may issue, if asked for one after the other. */
static unsigned ready_places(const struct book *b)
{
    unsigned mask = 0, place = 0;

    for (uint64_t m = in_order(b, b->window); m; m &= m - 1, place++) {
        const struct slot *e = slot_in_order(b, bits_first(m));

        if (b->branch && e->at > b->branch)
            break;
        mask |= (unsigned)(!(e->sources | e->names) && !(e->behind & b->window) &&
                           e->turn <= b->turn)
                << place;
    }
    return mask;
}

static unsigned long long pending_slots(const struct scheme *s, const struct book *b)
{
    unsigned long long mask = 0;

    for (uint64_t m = b->unwritten; m; m &= m - 1)
        mask |= 1ull << ring_slot(s, b->slot[__builtin_ctzll(m)].at);
    return mask;
}

static void write_warp(struct scheme *s, unsigned warp)
{
    const struct book *b = book_of(s, warp);
    struct offer o = turbulence_candidate(s, warp);
    unsigned ready = ready_places(b), place = 0;

    if (o.hold == HOLD_nothing) {
        for (uop_id id = s->pool[o.uop].older; id != NO_UOP; id = s->pool[id].older)
            place++;
        window_line(" %u", place);
    } else {
        window_line(" -");
    }
    window_line(" %x %u %llx %u %u", ready, window_size(b), pending_slots(s, b),
                b->branch != 0, turbulence_room(s, warp) != 0);
}

static void record_tick(struct scheme *s, uint64_t cycle)
{
    (void)cycle;
    window_tick(s, write_warp);
}

struct scheme_ops scheme_turbulence_recorded;
__attribute__((constructor)) static void make_table(void)
{
    scheme_turbulence_recorded =
        window_scheme(&scheme_turbulence_inside, "turbulence.recorded",
                      &(struct scheme_ops){ .warp_start = record_start,
                                            .written_back = record_written,
                                            .insert = record_insert,
                                            .issued = record_issued,
                                            .tick = record_tick });
}
