/* crew.c - SMs through a window of cycles, on threads.
 *
 * A part is what an SM runs without a new block. In the first parts all SMs go from the
 * beginning of the window to its end, or to a cycle in which they can take a block. Then
 * blocks are given out in the order of time, and with each begins the next part of its SM.
 * Parts have numbers, in the order in which window.c runs them, and begin in that order.
 *
 * To give out a block in some cycle, it must be certain that no SM can take one before:
 * every part that is running says which cycle its SM has passed without that. So results
 * do not depend on the number of threads, nor on their speed.
 */
#include <stdlib.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "base/team.h"
#include "mem/memory.h"
#include "sim/window.h"

enum { SLICE = 16 }; /* cycles after which a running part says how far it is */

#define IDLE UINT64_MAX

/* An SM in this window. */
struct crew_part {
    _Alignas(
        64) _Atomic uint64_t number; /* of the part that runs or waits; IDLE: none */
    _Atomic uint64_t passed;         /* the SM takes no block before this cycle */
    uint64_t takes;                  /* as sms.takes, while it runs */
    uint64_t next; /* the next block of the kernel, when the part began */
    uint64_t block,
        cycle; /* block < next: begins with this block, given in this cycle */
    uint64_t n_done, last; /* blocks that ended in this window, and when the last did */
};

struct crew {
    struct sms *g;
    struct kernel_turns turns;
    struct team *team;
    struct crew_part *part;         /* by SM */
    struct latency_table **latency; /* by member */
    struct run *r;
    uint64_t end;
    struct err *err;
    uint64_t failed; /* number of the first part that failed; IDLE: none */
    _Alignas(64)
        atomic_uint next_first;       /* of the first parts: the next to begin, ... */
    _Alignas(64) atomic_uint n_first; /* ... and how many have not ended */
    _Alignas(64) atomic_uint changes; /* grows when another block may be given out */
    atomic_bool is_over;
    _Alignas(64) struct team_lock lock; /* for all below, sms.takes, and the run */
    uint64_t n_parts;
    unsigned *active; /* SMs with a later part that has not ended, by its number */
    unsigned n_active;
    unsigned n_waiting; /* of these, the last so many have not begun */
};

static bool is_first(const struct crew *c, const struct crew_part *p)
{
    return atomic_load_explicit(&p->number, memory_order_relaxed) < c->g->n_sms;
}

static void note_change(struct crew *c)
{
    atomic_fetch_add_explicit(&c->changes, 1, memory_order_release);
}

/* The SM up to a cycle, or until a block ends. */
static int run_slices(struct crew *c, unsigned k, uint64_t stop, struct err *err)
{
    struct crew_part *p = &c->part[k];
    struct sm *s = c->g->sm[k];
    unsigned before = sm_blocks(s);
    uint64_t at;

    if (is_first(c, p) || p->takes != UINT64_MAX || p->next >= c->r->kernel->n_blocks)
        return sm_run(s, stop, err);
    for (at = atomic_load_explicit(&p->passed, memory_order_relaxed) + SLICE; at < stop;
         at += SLICE) {
        if (sm_run(s, at, err))
            return -1;
        if (sm_blocks(s) != before)
            return 0;
        atomic_store_explicit(&p->passed, at, memory_order_release);
        note_change(c);
    }
    return sm_run(s, stop, err);
}

/* As in window.c. */
static int run_sm(struct crew *c, unsigned k, struct err *err)
{
    struct crew_part *p = &c->part[k];
    struct sm *s = c->g->sm[k];
    unsigned before;

    do {
        before = sm_blocks(s);
        if (run_slices(c, k, p->takes < c->end ? p->takes + 1 : c->end, err))
            return -1;
        if (sm_blocks(s) == before)
            return 0;
        INVARIANT(sm_blocks(s) < before);
        p->n_done += before - sm_blocks(s);
        p->last = later(sm_cycle(s), p->last);
        if (p->takes == UINT64_MAX && window_has_block(c->g, c->r, k, p->next))
            p->takes = sm_cycle(s);
    } while (sm_blocks(s));
    return 0;
}

/* Begins with the block that the SM was given. */
static int start_block(struct crew *c, unsigned k, struct err *err)
{
    struct crew_part *p = &c->part[k];

    if (window_place(c->g, c->r, k, p->block, p->cycle, err))
        return -1;
    if (!window_has_block(c->g, c->r, k, p->next))
        return 0;
    p->takes = p->cycle + c->g->base.machine->gpu.block_cycles;
    atomic_store_explicit(&p->passed, p->takes, memory_order_release);
    return 0;
}

static void note_failure(struct crew *c, const struct crew_part *p,
                         const struct err *why)
{
    uint64_t number = atomic_load_explicit(&p->number, memory_order_relaxed);

    team_lock(&c->lock);
    if (number < c->failed) {
        c->failed = number;
        *c->err = *why;
    }
    team_unlock(&c->lock);
}

static void run_part(struct crew *c, unsigned k, unsigned member)
{
    struct crew_part *p = &c->part[k];
    struct err why;

    window_begin_part(c->r, k, atomic_load_explicit(&p->number, memory_order_relaxed));
    sm_set_latency(c->g->sm[k], c->latency[member]);
    if (c->g->base.hot)
        sm_set_hot_table(c->g->sm[k], &c->g->hot.thread[member]);
    if ((p->block < p->next && start_block(c, k, &why)) || run_sm(c, k, &why))
        note_failure(c, p, &why);
}

/* Waits until all parts before the one that this SM runs have ended. No part that begins
 * from now on comes before it, so one look at each SM is enough. */
static void await_turn(void *to, unsigned sm)
{
    struct crew *c = to;
    uint64_t own = atomic_load_explicit(&c->part[sm].number, memory_order_relaxed);
    unsigned looks = 0;

    for (unsigned k = 0; k < c->g->n_sms; k++)
        while (atomic_load_explicit(&c->part[k].number, memory_order_acquire) < own)
            team_pause(&looks);
}

static void end_part(struct crew_part *p)
{
    atomic_store_explicit(&p->number, IDLE, memory_order_release);
}

static void run_first(struct crew *c, unsigned k, unsigned member)
{
    run_part(c, k, member);
    c->g->takes[k] = c->part[k].takes;
    end_part(&c->part[k]);
    if (atomic_fetch_sub_explicit(&c->n_first, 1, memory_order_acq_rel) == 1)
        note_change(c);
}

/* True if no part that has not ended can lead to a block in this cycle or before. */
static bool all_have_passed(const struct crew *c, uint64_t cycle)
{
    for (unsigned n = 0; n < c->n_active; n++) {
        const struct crew_part *p = &c->part[c->active[n]];

        if (atomic_load_explicit(&p->passed, memory_order_acquire) <= cycle)
            return false;
    }
    return true;
}

/* The SM has its turn in the cycle in which it stopped: its next part, with a block if one
 * is left. */
static void give_turn(struct crew *c, unsigned k)
{
    struct sms *g = c->g;
    struct crew_part *p = &c->part[k];
    uint64_t cycle = g->takes[k];
    bool has_block = window_has_block(g, c->r, k, c->r->next_block);

    p->cycle = cycle;
    p->block = has_block ? c->r->next_block++ : IDLE;
    p->next = c->r->next_block;
    p->takes = g->takes[k] = UINT64_MAX;
    if (has_block)
        window_pass_turn(g, k);
    atomic_store_explicit(&p->passed, cycle + (g->base.machine->gpu.block_cycles != 0),
                          memory_order_relaxed);
    atomic_store_explicit(&p->number, c->n_parts++, memory_order_relaxed);
    c->active[c->n_active++] = k;
    c->n_waiting++;
}

/* Gives out all blocks that can be. Returns the SM of the first part that has not begun,
 * which now begins; n_sms: none. */
static unsigned begin_part(struct crew *c)
{
    unsigned k;

    while (c->failed == IDLE && (k = window_first_taker(c->g, c->end)) < c->g->n_sms &&
           all_have_passed(c, c->g->takes[k]))
        give_turn(c, k);
    if (c->n_waiting)
        return c->active[c->n_active - c->n_waiting--];
    if (!c->n_active)
        atomic_store(&c->is_over, true);
    return c->g->n_sms;
}

static void run_later(struct crew *c, unsigned k, unsigned member)
{
    unsigned n = 0;

    run_part(c, k, member);
    team_lock(&c->lock);
    c->g->takes[k] = c->part[k].takes;
    while (c->active[n] != k)
        n++;
    for (c->n_active--; n < c->n_active; n++)
        c->active[n] = c->active[n + 1];
    team_unlock(&c->lock);
    end_part(&c->part[k]);
    note_change(c);
}

/* Until no part is left. */
static void run_others(struct crew *c, unsigned member)
{
    unsigned seen, looks = 0, k;

    while (!atomic_load(&c->is_over)) {
        seen = atomic_load_explicit(&c->changes, memory_order_acquire);
        if (!atomic_load_explicit(&c->n_first, memory_order_acquire)) {
            team_lock(&c->lock);
            k = begin_part(c);
            team_unlock(&c->lock);
            if (k < c->g->n_sms) {
                run_later(c, k, member);
                looks = 0;
                continue;
            }
        }
        while (atomic_load_explicit(&c->changes, memory_order_acquire) == seen &&
               !atomic_load(&c->is_over))
            team_pause(&looks);
    }
}

static void run_member(void *to, unsigned member)
{
    struct crew *c = to;
    unsigned k;

    while ((k = atomic_fetch_add_explicit(&c->next_first, 1, memory_order_relaxed)) <
           c->g->n_sms)
        run_first(c, k, member);
    run_others(c, member);
}

static void begin_window(struct crew *c, struct run *r, uint64_t end, struct err *err)
{
    const struct sms *g = c->g;

    c->r = r;
    c->end = end;
    c->err = err;
    c->failed = IDLE;
    c->n_parts = g->n_sms;
    c->n_active = c->n_waiting = 0;
    atomic_store_explicit(&c->next_first, 0, memory_order_relaxed);
    atomic_store_explicit(&c->n_first, g->n_sms, memory_order_relaxed);
    atomic_store_explicit(&c->is_over, false, memory_order_relaxed);
    for (unsigned k = 0; k < g->n_sms; k++) {
        struct crew_part *p = &c->part[k];

        atomic_store_explicit(&p->number, k, memory_order_relaxed);
        p->takes = g->takes[k];
        p->next = r->next_block;
        p->block = IDLE;
        p->n_done = 0;
        p->last = r->last;
    }
}

const struct kernel_turns *crew_turns(const struct crew *c)
{
    return &c->turns;
}

int crew_run(struct crew *c, struct run *r, uint64_t end, uint64_t *last,
             struct err *err)
{
    begin_window(c, r, end, err);
    team_run(c->team, run_member, c);
    for (unsigned k = 0; k < c->g->n_sms; k++) {
        r->n_done += c->part[k].n_done;
        r->last = later(r->last, c->part[k].last);
    }
    *last = c->failed;
    return c->failed == IDLE ? 0 : -1;
}

void crew_end_kernel(struct crew *c)
{
    struct gpu *g = &c->g->base;

    for (unsigned n = 0; n < team_size(c->team); n++)
        latency_move(g->latency, c->latency[n]);
    for (unsigned k = 0; k < c->g->n_sms; k++)
        sm_set_latency(c->g->sm[k], g->latency);
}

struct crew *crew_new(struct sms *g, unsigned threads, struct err *err)
{
    struct crew *c = aligned_alloc(_Alignof(struct crew), sizeof *c);

    if (!c) {
        err_memory(err, "%u threads", threads);
        return NULL;
    }
    *c = (struct crew){ .g = g, .turns = { await_turn, c } };
    c->part = aligned_alloc(_Alignof(struct crew_part), g->n_sms * sizeof *c->part);
    c->active = calloc(g->n_sms, sizeof *c->active);
    c->latency = calloc(threads, sizeof(struct latency_table *));
    c->team = team_new(threads, err);
    for (unsigned n = 0; c->latency && n < threads; n++)
        c->latency[n] = latency_new();
    if (!c->team) {
        crew_free(c);
        return NULL;
    }
    if (!c->part || !c->active || !c->latency || !c->latency[threads - 1]) {
        crew_free(c);
        err_memory(err, "%u threads", threads);
        return NULL;
    }
    if (memory_set_team(g->memory, c->team, err)) {
        crew_free(c);
        return NULL;
    }
    for (unsigned k = 0; k < g->n_sms; k++)
        end_part(&c->part[k]); /* in a window without the crew none waits */
    return c;
}

void crew_free(struct crew *c)
{
    if (!c)
        return;
    for (unsigned n = 0; c->latency && n < team_size(c->team); n++)
        latency_free(c->latency[n]);
    team_free(c->team);
    free(c->latency);
    free(c->active);
    free(c->part);
    free(c);
}
