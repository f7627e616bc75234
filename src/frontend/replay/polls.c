/* polls.c - waits for phases that are repeated; see polls.h. */
#include "frontend/replay/polls.h"

#include <stdlib.h>

#include "frontend/replay/async_bytes.h"

void polls_free(struct polls *p)
{
    free(p->at);
    *p = (struct polls){ 0 };
}

struct poll *polls_find(const struct polls *p, uint32_t number)
{
    for (uint32_t k = 0; k < p->n; k++)
        if (p->at[k].number == number)
            return &p->at[k];
    return NULL;
}

struct poll *polls_next(const struct polls *p, const struct poll *first,
                        const struct poll *at)
{
    struct poll *next = at->fail.is_known ? polls_find(p, at->next) : NULL;

    return next && (next == first || (first->done.is_known && next->done.is_known))
               ? next
               : NULL;
}

static struct poll *add_poll(struct polls *p, uint32_t number)
{
    if (p->n == p->cap) {
        uint32_t cap = p->cap ? 2 * p->cap : 8;
        struct poll *more = realloc(p->at, cap * sizeof *more);

        if (!more)
            err_memory_exit("the waits of a recording");
        p->at = more;
        p->cap = cap;
    }
    p->at[p->n] = (struct poll){ .number = number };
    return &p->at[p->n++];
}

static void put_path(const struct poll_path *p, struct buf *out)
{
    put_varint(out, p->is_known ? p->n + 1u : 0);
    for (uint32_t k = 0; k < p->n; k++)
        put_varint(out, (uint64_t)p->step[k].number << 1 | p->step[k].runs);
}

void polls_put(const struct polls *p, struct buf *out)
{
    put_varint(out, p->n);
    for (uint32_t k = 0; k < p->n; k++) {
        put_varint(out, p->at[k].number);
        put_varint(out, p->at[k].fail.is_known ? p->at[k].next : p->at[k].number);
        put_path(&p->at[k].fail, out);
        put_path(&p->at[k].done, out);
    }
}

/* What a step cannot be: it would have facts that a path does not hold. */
static bool can_step(const struct inst *i)
{
    return !(i->flags & (INST_EXIT | INST_TIME | INST_PHASE | INST_COPIES));
}

static void get_path(struct poll_path *p, struct reader *r, const struct inst_table *t)
{
    uint64_t n = read_below(r, POLL_STEPS + 2);

    p->is_known = n;
    p->n = (uint8_t)(n - p->is_known);
    for (uint32_t k = 0; k < p->n; k++) {
        uint64_t step = read_below(r, (uint64_t)t->n << 1);
        const struct inst *i;

        if (r->is_short)
            return;
        i = t->inst[step >> 1];
        p->step[k] = (struct poll_step){ (uint32_t)(step >> 1), step & 1 };
        r->is_short = !can_step(i) || (i->space != SPACE_NONE && step & 1);
    }
}

static uint32_t get_try(struct reader *r, const struct inst_table *t)
{
    uint32_t number = (uint32_t)read_below(r, t->n);

    if (!r->is_short && !(t->inst[number]->flags & INST_PHASE))
        r->is_short = true;
    return number;
}

int polls_get(struct polls *p, struct reader *r, const struct inst_table *t,
              struct err *err)
{
    uint64_t n = read_below(r, POLLS_MAX + 1);

    for (uint64_t k = 0; k < n && !r->is_short; k++) {
        struct poll *at = add_poll(p, get_try(r, t));

        at->next = get_try(r, t);
        get_path(&at->fail, r, t);
        get_path(&at->done, r, t);
    }
    return r->is_short ? err_set(err, "waits for phases damaged") : 0;
}

void poll_fill(const struct poll_path *p, uint32_t step, const struct inst_table *t,
               uint64_t leads_to, const struct dyn *w, struct dyn *d)
{
    const struct inst *i = t->inst[p->step[step].number];

    d->inst = i;
    d->next_pc = step + 1 < p->n ? t->inst[p->step[step + 1].number]->pc : leads_to;
    d->active = w->active;
    d->mask = p->step[step].runs ? w->active : 0;
    d->space = i->space;
    d->barrier = 0;
    d->bar_kind = BAR_NONE;
    d->bar_warps = 0;
}

/* ---- writing ---- */

static void keep(struct poll_trail *t, uint32_t number, const struct dyn *d)
{
    t->number[t->n] = number;
    t->dyn[t->n++] = *d;
}

static void keep_try(struct poll_trail *t, uint32_t number, const struct dyn *d)
{
    t->last = t->n;
    keep(t, number, d);
    t->dyn[t->last].addr.list = t->list;
}

void poll_begin(struct poll_trail *t, uint32_t number, const struct dyn *d,
                const struct buf *async)
{
    t->n = 0;
    t->is_done = t->is_over = false;
    keep_try(t, number, d);
    if (d->addr.stride == UNEVEN)
        memcpy(t->list, d->addr.list, sizeof t->list);
    buf_clear(&t->async);
    buf_add(&t->async, async->data, async->len);
}

const struct buf *poll_async(struct poll_trail *t, uint32_t k)
{
    static const struct buf nothing;
    bool succeeds = t->is_over || (t->is_done && k == t->last);
    int first;

    if (!(t->dyn[k].inst->flags & INST_PHASE))
        return &nothing;
    first = t->async.data[0] & ~ASYNC_GAVE_UP;
    t->async.data[0] = (char)(succeeds ? first : first | ASYNC_GAVE_UP);
    return &t->async;
}

static bool gave_up(const struct buf *async)
{
    return async->len && async->data[0] & ASYNC_GAVE_UP;
}

/* Another try of the same wait? Its bytes differ at most in whether it gave up. */
static bool is_same_wait(const struct poll_trail *t, const struct dyn *d,
                         const struct buf *async)
{
    const struct dyn *w = &t->dyn[0];

    return d->inst->flags & INST_PHASE && d->active == w->active &&
           d->mask == w->mask && async->len && async->len == t->async.len &&
           !((async->data[0] ^ t->async.data[0]) & ~ASYNC_GAVE_UP) &&
           !memcmp(async->data + 1, t->async.data + 1, async->len - 1);
}

/* Of other lanes of the warp, which had their turn meanwhile? */
static bool is_of_others(const struct poll_trail *t, uint32_t k)
{
    return !(t->dyn[k].active & t->dyn[0].active);
}

/* The next instruction after k in the lanes of the wait. */
static uint32_t next_own(const struct poll_trail *t, uint32_t k)
{
    do
        k++;
    while (k < t->n && is_of_others(t, k));
    return k;
}

/* Does each instruction since the last try lead to the next one, and the last to pc? */
static bool leads_to(const struct poll_trail *t, uint64_t pc)
{
    for (uint32_t k = t->last; k < t->n; k++)
        if (t->dyn[k].next_pc != (k + 1 < t->n ? t->dyn[k + 1].inst->pc : pc))
            return false;
    return true;
}

/* Notes the instructions after one and before another, or compares them with those known. */
static bool learn(struct poll_path *p, const struct poll_trail *t, uint32_t after,
                  uint32_t end)
{
    struct poll_path seen = { .is_known = true };

    for (uint32_t k = next_own(t, after); k < end; k = next_own(t, k)) {
        if (seen.n == POLL_STEPS)
            return false;
        seen.step[seen.n++] = (struct poll_step){ t->number[k], t->dyn[k].mask != 0 };
    }
    if (!p->is_known)
        *p = seen;
    for (uint32_t k = 0; k < seen.n && k < p->n; k++)
        if (p->step[k].number != seen.step[k].number ||
            p->step[k].runs != seen.step[k].runs)
            return false;
    return p->n == seen.n;
}

static struct poll *find_or_add(struct polls *p, uint32_t number)
{
    struct poll *at = polls_find(p, number);

    return at || p->n == POLLS_MAX ? at : add_poll(p, number);
}

static uint64_t pc_after(const struct dyn *d)
{
    return d->inst->pc + d->inst->length;
}

/* The branch that the first try takes if it fails; 0: there is none. */
static uint32_t find_branch(const struct poll_trail *t)
{
    uint32_t k = next_own(t, 0);

    while (k < t->n && !(t->dyn[k].inst->flags & INST_PHASE)) {
        const struct dyn *d = &t->dyn[k];
        uint32_t next = next_own(t, k);

        if (d->mask && next < t->n && t->dyn[next].inst->pc != pc_after(d))
            return k;
        k = next;
    }
    return 0;
}

/* Where the wait ends: after that branch, if it is not taken. */
static uint64_t end_of(const struct poll_trail *t)
{
    uint32_t k = find_branch(t);

    return k ? pc_after(&t->dyn[k]) : 0;
}

static bool has_others(const struct poll_trail *t, uint32_t from)
{
    for (uint32_t k = from; k < t->n; k++)
        if (is_of_others(t, k))
            return true;
    return false;
}

/* Drops all from one on but what other lanes did. */
static void drop_own(struct poll_trail *t, uint32_t from)
{
    uint32_t own = t->dyn[0].active, n = from;

    for (uint32_t k = from; k < t->n; k++)
        if (!(t->dyn[k].active & own)) {
            t->number[n] = t->number[k];
            t->dyn[n++] = t->dyn[k];
        }
    t->n = n;
}

/* What is executed if the first try succeeds takes the place of the trail; other lanes have
 * their turn after it. */
static bool replace(struct poll_trail *t, struct polls *p)
{
    uint32_t n = find_branch(t) + 1;
    struct poll *first = polls_find(p, t->number[0]);
    uint64_t end = end_of(t);
    bool is_known;

    t->dyn[n - 1].mask = 0;
    is_known = learn(&first->done, t, 0, n);
    drop_own(t, n);
    for (uint32_t k = 0; k < t->n; k++)
        t->dyn[k].next_pc = k + 1 < t->n ? t->dyn[k + 1].inst->pc : end;
    t->is_over = true;
    return is_known;
}

/* The wait is tried again: notes what lies between. */
static bool take_try(struct poll_trail *t, uint32_t number, const struct dyn *d,
                     bool fails, struct polls *p)
{
    struct poll *at = find_or_add(p, t->number[t->last]);

    if (!at || !leads_to(t, d->inst->pc) || (at->fail.is_known && at->next != number) ||
        !learn(&at->fail, t, t->last, t->n))
        return false;
    at->next = number;
    if (!fails && !t->last && number == t->number[0]) {
        drop_own(t, 0);
        if (t->n)
            t->dyn[t->n - 1].next_pc = d->inst->pc;
        return false;
    }
    if (number == t->number[t->last] && !has_others(t, t->last))
        t->n = t->last; /* once is enough */
    if (t->n >= POLL_TRAIL - 1)
        return false;
    keep_try(t, number, d);
    t->is_done = !fails;
    return true;
}

/* The end of the wait is reached after a try that has succeeded. */
static void end_trail(struct poll_trail *t, struct polls *p)
{
    struct poll *at = find_or_add(p, t->number[t->last]);

    if (at && find_branch(t) && leads_to(t, end_of(t)) &&
        learn(&at->done, t, t->last, t->n))
        replace(t, p);
}

static bool add_step(struct poll_trail *t, uint32_t number, const struct dyn *d)
{
    const struct inst *i = d->inst;

    bool is_own = d->active == t->dyn[0].active;

    if (t->n == POLL_TRAIL || !can_step(i) ||
        (!is_own && d->active & t->dyn[0].active) ||
        (is_own && d->mask && d->mask != d->active) || d->bar_kind != BAR_NONE ||
        d->barrier || d->bar_warps || d->space != i->space ||
        (d->space != SPACE_NONE && d->mask))
        return false;
    keep(t, number, d);
    return true;
}

enum poll_verdict poll_pass(struct poll_trail *t, uint32_t number, const struct dyn *d,
                            const struct buf *async, struct polls *p)
{
    if (t->is_done && d->inst->pc == end_of(t)) {
        end_trail(t, p);
        return POLL_ENDS;
    }
    if (!t->is_done && is_same_wait(t, d, async))
        return take_try(t, number, d, gave_up(async), p) ? POLL_GOES_ON : POLL_ENDS;
    return add_step(t, number, d) ? POLL_GOES_ON : POLL_ENDS;
}
