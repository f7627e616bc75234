/* trace_schedule.h - schedules for a pipeline view, made from a seed: warps of two
 * kernels on two SMs, in order or not, with flushes.
 */
#ifndef LENO_TESTS_TRACE_SCHEDULE_H
#define LENO_TESTS_TRACE_SCHEDULE_H

#include "trace_rig.h"

/* What a schedule is made of: like a machine's, but from a seed. */
enum { TOY_MOST = 4096, TOY_BLOCKS = 4, TOY_WARPS = 3, TOY_KERNELS = 2 };
enum toy_kind { TOY_STAGE, TOY_WAIT, TOY_DEPEND, TOY_RETIRE, TOY_FLUSH };

struct toy_event {
    uint64_t cycle, order;
    unsigned inst;
    enum toy_kind kind;
    enum trace_stage stage;
    const char *cause;
};

struct toy_run {
    struct toy_inst inst[TOY_MOST];
    unsigned n_insts;
    struct toy_event event[16 * TOY_MOST];
    unsigned n_events;
    uint64_t random;
    bool in_order;
};

static inline unsigned toy_random(struct toy_run *r, unsigned below)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(r->random >> 33) % below;
}

static inline struct toy_event *toy_add(struct toy_run *r, enum toy_kind kind,
                                        uint64_t cycle)
{
    struct toy_event *e = &r->event[r->n_events];

    *e = (struct toy_event){
        .cycle = cycle, .order = r->n_events++, .inst = r->n_insts, .kind = kind
    };
    return e;
}

static inline uint64_t toy_waits(struct toy_run *r, uint64_t cycle)
{
    static const char *const causes[] = { "memory", "compute", "war", NULL };
    unsigned n = toy_random(r, 4);

    for (unsigned k = 0; k < n; k++) {
        toy_add(r, TOY_WAIT, cycle)->cause = causes[toy_random(r, 4)];
        cycle += toy_random(r, 4);
    }
    return cycle;
}

/* One instruction's way; returns when it was issued. */
static inline uint64_t toy_way(struct toy_run *r, uint64_t fetch, uint64_t issue)
{
    uint64_t c = fetch;

    toy_add(r, TOY_STAGE, c)->stage = TRACE_FETCH;
    toy_add(r, TOY_STAGE, c += toy_random(r, 2))->stage = TRACE_DECODE;
    toy_add(r, TOY_STAGE, c += toy_random(r, 2))->stage = TRACE_WINDOW;
    c = toy_waits(r, c);
    if (r->in_order && c < issue)
        c = issue;
    toy_add(r, TOY_STAGE, c)->stage = TRACE_ISSUE;
    issue = c;
    toy_add(r, TOY_DEPEND, c);
    if (!r->in_order && toy_random(r, 20) == 0) {
        toy_add(r, TOY_FLUSH, c + toy_random(r, 3));
        return issue;
    }
    toy_add(r, TOY_STAGE, c += toy_random(r, 2))->stage = TRACE_COLLECT;
    toy_add(r, TOY_STAGE, c += toy_random(r, 4))->stage = TRACE_EXECUTE;
    toy_add(r, TOY_STAGE, c += toy_random(r, 9))->stage = TRACE_MEMORY;
    toy_add(r, TOY_STAGE, c += toy_random(r, 60))->stage = TRACE_WRITE;
    toy_add(r, TOY_RETIRE, c + toy_random(r, 2));
    return issue;
}

static inline int toy_by_cycle(const void *a, const void *b)
{
    const struct toy_event *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* A warp's instructions depend on who it is only, its schedule and place on the seed. */
static inline void toy_warp(struct toy *toy, struct toy_run *r, unsigned kernel,
                            unsigned block, unsigned warp)
{
    unsigned n = 5 + (kernel * 5 + block * 7 + warp * 3) % 9;
    unsigned sm = (unsigned)((block + r->random) % 2);
    uint64_t fetch = 1 + 40 * kernel + toy_random(r, 9), issue = 0;

    for (unsigned seq = 0; seq < n; seq++) {
        struct toy_inst *x = &r->inst[r->n_insts];
        const struct toy_event *end;

        toy_make(toy, x, block, warp, seq);
        x->i.kernel = kernel;
        x->i.sm = (uint16_t)sm;
        /* Kernels overlap, so their warps have slots of their own. */
        x->i.warp = (uint16_t)((kernel * TOY_BLOCKS + block) * TOY_WARPS + warp);
        issue = toy_way(r, fetch, issue);
        r->n_insts++;
        fetch += toy_random(r, 3);
        end = &r->event[r->n_events - 1];
        if (end->kind == TOY_FLUSH) {
            fetch = end->cycle + 1;
            seq--; /* again */
        }
    }
}

static inline struct toy_run *toy_schedule(struct toy *toy, bool in_order,
                                           unsigned seed)
{
    struct toy_run *r = calloc(1, sizeof *r);

    r->random = seed * 7919u + 1;
    r->in_order = in_order;
    for (unsigned k = 0; k < TOY_KERNELS; k++)
        for (unsigned b = 0; b < TOY_BLOCKS; b++)
            for (unsigned w = 0; w < TOY_WARPS; w++)
                toy_warp(toy, r, k, b, w);
    qsort(r->event, r->n_events, sizeof *r->event, toy_by_cycle);
    return r;
}

/* Reports a schedule; keys are the lowest free ones, as a core would have them. */
static inline void toy_report(struct toy_run *r, struct trace *t)
{
    bool used[TOY_MOST] = { false }, known[TOY_MOST] = { false };

    for (unsigned n = 0; n < r->n_events; n++) {
        const struct toy_event *e = &r->event[n];
        struct toy_inst *x = &r->inst[e->inst];
        uint64_t seq = x->dyn.seq;

        if (!known[e->inst]) {
            x->i.key = 0;
            while (used[x->i.key])
                x->i.key++;
            used[x->i.key] = known[e->inst] = true;
        }
        if (e->kind == TOY_STAGE)
            trace_stage(t, &x->i, e->stage, e->cycle);
        else if (e->kind == TOY_WAIT)
            trace_wait(t, &x->i, e->cause, e->cycle);
        else if (e->kind == TOY_DEPEND && seq > 1)
            trace_depend(t, &x->i, seq - 1 - seq % 2, e->cycle);
        if (e->kind == TOY_RETIRE || e->kind == TOY_FLUSH) {
            trace_retire(t, &x->i, e->kind == TOY_FLUSH, e->cycle);
            used[x->i.key] = false;
        }
    }
}

#endif
