/* phases.c - asynchronous work of a replayed block; see phases.h.
 *
 * NOTE: of a wait whose poll is not known, and that was over when it was recorded, the pipeline
 * is told to ask again: it never fails. One that failed, but led elsewhere than back to
 * itself, is replayed so, whether its phase is over by then or not.
 */
#include "frontend/replay/phases.h"

#include <stdlib.h>

#include "base/hash.h"
#include "frontend/replay/async_bytes.h"
#include "isa/mbarrier.h"

struct replayed_copy {
    struct copy base; /* first */
    struct replayed_copy *next;
    bool is_taken;
};

struct replayed_phase {
    uint32_t n_registers; /* per thread of the warp */
    struct replayed_copy
        *pending; /* has issued in program order, but has no effect yet */
    /* Of the wait below: its first try, and the last one; NULL: not known. */
    struct poll *first, *at;
    const struct poll_path *path; /* that the warp is in, after at; NULL: none */
    uint32_t step;                /* of it: the next one */
    uint32_t skip;                /* recorded instructions that it has replaced */
    struct codec_async bytes;     /* of the wait */
    struct dyn wait;
    uint64_t list[WARP_LANES]; /* its lanes' addresses */
};

struct replayed_async {
    struct replayed_copy *copies; /* that have not ended */
    uint64_t *word;               /* of barriers, by address / 8 */
    uint32_t free_registers;      /* per thread of one warp, given back */
    struct replayed_phase warp[];
};

static const uint32_t offsets = (1u << BARRIER_RANK) - 1;

static struct replayed_async *async_of(struct replayed_block *b)
{
    if (b->async)
        return b->async;
    b->async =
        calloc(1, sizeof *b->async + b->stream.n_warps * sizeof(struct replayed_phase));
    if (b->async)
        b->async->word = calloc(ASYNC_MAX_SHARED / 8, sizeof *b->async->word);
    if (!b->async || !b->async->word)
        err_memory_exit("the barriers of a block");
    for (unsigned w = 0; w < b->stream.n_warps; w++)
        b->async->warp[w].n_registers = (b->of->base.registers + 7) & ~7u;
    return b->async;
}

static void free_copy(struct replayed_copy *c)
{
    if (c)
        async_release(&c->base);
    free(c);
}

void phases_free(struct replayed_block *b)
{
    if (!b->async)
        return;
    while (b->async->copies) {
        struct replayed_copy *c = b->async->copies;

        b->async->copies = c->next;
        free_copy(c);
    }
    for (unsigned w = 0; w < b->stream.n_warps; w++)
        free_copy(b->async->warp[w].pending);
    free(b->async->word);
    free(b->async);
}

/* ---- blocks of a cluster ---- */

static uint32_t rank_of(const struct kernel *k, uint64_t block)
{
    uint32_t rank = 0, weight = 1;

    for (unsigned i = 0; i < 3; i++) {
        rank += weight * (uint32_t)(block % k->grid[i] % k->cluster_shape[i]);
        weight *= k->cluster_shape[i];
        block /= k->grid[i];
    }
    return rank;
}

/* The block with a rank in the cluster of another. */
static uint64_t block_of_rank(const struct kernel *k, uint64_t block, uint32_t rank)
{
    uint64_t there = 0, weight = 1;

    for (unsigned i = 0; i < 3; i++) {
        uint64_t at = block % k->grid[i], size = k->cluster_shape[i];

        there += weight * (at - at % size + rank % size);
        weight *= k->grid[i];
        rank /= (uint32_t)size;
        block /= k->grid[i];
    }
    return there;
}

/* NULL: it has ended. */
static struct replayed_block *find_block(struct replayed_block *b, uint32_t rank)
{
    uint64_t number = block_of_rank(&b->of->base, b->number, rank);
    struct replayed_block *o = b;

    if (number == b->number)
        return b;
    for (o = b->of->open; o && o->number != number; o = o->next)
        ;
    return o;
}

/* ---- barriers ---- */

static void apply(struct replayed_block *b, const struct barrier_op *o)
{
    struct replayed_block *there = find_block(b, o->barrier >> BARRIER_RANK);
    uint64_t *word;

    if (!there)
        return;
    word = &async_of(there)->word[(o->barrier & offsets) / 8];
    if (o->kind == BARRIER_SET)
        *word = o->word;
    for (unsigned n = 0; n < o->times && o->kind == BARRIER_CHANGE; n++)
        *word = mbarrier_update(*word, o->change);
}

static bool is_phase_over(struct replayed_block *b, const struct barrier_op *o)
{
    struct replayed_block *there = find_block(b, o->barrier >> BARRIER_RANK);

    return !there || mbarrier_is_over(async_of(there)->word[(o->barrier & offsets) / 8],
                                      o->parity);
}

/* Registers that the warp lacks of those it tries to take. */
static uint32_t missing_registers(const struct replayed_block *b, const struct copy *c,
                                  const struct barrier_op *o)
{
    uint32_t has = b->async->warp[c->warp].n_registers;

    return o->barrier > has ? o->barrier - has : 0;
}

/* Has it got all that it waits for? */
static bool is_over(struct replayed_block *b, const struct copy *c)
{
    for (uint32_t k = 0; k < c->n_ops; k++) {
        const struct barrier_op *o = &c->op[k];

        if (o->kind == BARRIER_WAIT && !is_phase_over(b, o))
            return false;
        if (o->kind == REGISTERS_TAKE &&
            missing_registers(b, c, o) > b->async->free_registers)
            return false;
    }
    return true;
}

static void move_registers(struct replayed_block *b, const struct copy *c,
                           const struct barrier_op *o)
{
    struct replayed_async *a = b->async;
    uint32_t *has = &a->warp[c->warp].n_registers, missing = missing_registers(b, c, o);

    if (o->kind == REGISTERS_GIVE && o->barrier < *has) {
        a->free_registers += *has - o->barrier;
        *has = o->barrier;
    }
    if (o->kind == REGISTERS_TAKE && missing <= a->free_registers) {
        a->free_registers -= missing;
        *has += missing;
    }
}

/* Arrivals at a barrier of another block become one, which takes a while. */
static void send_later(struct copy *c, struct barrier_op o)
{
    uint32_t k = 0;

    o.change.arrivals *= o.times;
    o.change.bytes *= o.times;
    o.times = 1;
    c->to |= (uint16_t)(1u << (o.barrier >> BARRIER_RANK));
    while (k < c->n_ops && c->op[k].barrier != o.barrier)
        k++;
    if (k == c->n_ops) {
        c->op[c->n_ops++] = o;
        return;
    }
    c->op[k].change.arrivals += o.change.arrivals;
    c->op[k].change.bytes += o.change.bytes;
    c->op[k].change.drops |= o.change.drops;
}

static void add_copy(struct replayed_async *a, struct replayed_copy *c)
{
    c->next = a->copies;
    a->copies = c;
}

/* The instruction takes effect. */
static void end_phase(struct replayed_block *b, struct replayed_copy *own)
{
    struct copy *c = &own->base;
    uint32_t n = c->n_ops, rank = rank_of(&b->of->base, b->number);

    c->n_ops = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct barrier_op o = c->op[k];

        if (o.kind == REGISTERS_GIVE || o.kind == REGISTERS_TAKE)
            move_registers(b, c, &o);
        else if (o.kind == BARRIER_CHANGE && o.barrier >> BARRIER_RANK != rank)
            send_later(c, o);
        else
            apply(b, &o);
    }
    if (!c->n_ops) {
        free_copy(own);
        return;
    }
    c->kind = COPY_SENT;
    add_copy(b->async, own);
}

/* ---- instructions ---- */

static bool waits(const struct copy *c)
{
    for (uint32_t k = 0; k < c->n_ops; k++)
        if (c->op[k].kind == BARRIER_WAIT || c->op[k].kind == REGISTERS_TAKE)
            return true;
    return false;
}

/* A try to take registers never suspends its warp: it has failed, or not. */
static bool takes_registers(const struct copy *c)
{
    return c->n_ops && c->op[0].kind == REGISTERS_TAKE;
}

static void keep_wait(struct replayed_block *b, struct replayed_phase *p,
                      struct codec_async bytes, const struct dyn *d)
{
    p->bytes = bytes;
    p->wait = *d;
    p->wait.addr.list = p->list;
    if (d->addr.stride == UNEVEN)
        memcpy(p->list, d->addr.list, sizeof p->list);
    p->first = p->at =
        polls_find(&b->of->polls, table_find(&b->of->table, d->inst->pc));
}

/* The warp takes the path that follows a failed try, if that is known. */
static bool enter_fail(const struct replayed_block *b, struct replayed_phase *p)
{
    if (!p->at || !polls_next(&b->of->polls, p->first, p->at))
        return false;
    p->path = &p->at->fail;
    p->step = 0;
    return true;
}

/* The wait has ended: not as recorded, if not with its first try. */
static void enter_done(struct replayed_phase *p)
{
    if (p->at == p->first)
        return;
    p->path = p->at->done.n ? &p->at->done : NULL;
    p->step = 0;
    p->skip = p->first->done.n;
}

/* When a replay is recorded, the recording gets once what follows each failed try, as if it
 * were executed. */
static void show_poll(const struct replayed_block *b, struct replayed_phase *p,
                      struct copy *c)
{
    if (p->at && !p->at->is_told && !c->gave_up && enter_fail(b, p))
        p->at->is_told = c->gave_up = true;
    else
        enter_done(p);
}

static bool begin(struct replayed_block *b, unsigned warp, struct codec_async bytes,
                  const struct dyn *d)
{
    struct replayed_phase *p = &async_of(b)->warp[warp];
    struct reader r = { bytes.p, bytes.p + bytes.n, false };
    struct replayed_copy *c;

    if (!bytes.n)
        return false;
    c = calloc(1, sizeof *c);
    if (!c)
        err_memory_exit("a copy");
    if (p->pending || !async_get(&r, d->inst, b->of->base.cluster, &c->base)) {
        free(c);
        return true;
    }
    c->base.warp = (uint16_t)warp;
    c->base.seq = d->seq;
    if (waits(&c->base)) {
        if (d != &p->wait)
            keep_wait(b, p, bytes, d);
        if (b->stream.wants_async)
            show_poll(b, p, &c->base);
    }
    if (c->base.kind == COPY_PHASE && b->stream.is_timed)
        p->pending = c;
    else
        add_copy(b->async, c);
    return false;
}

bool phases_begin(struct replayed_block *b, unsigned warp, const struct dyn *d)
{
    struct codec_async *bytes = &b->warps[warp].d.async;

    bytes->is_there = false;
    return (b->stream.is_timed || b->stream.wants_async) && begin(b, warp, *bytes, d);
}

/* The try that comes after the last one, by the lanes of the first. */
static void next_try(struct replayed_block *b, unsigned warp, struct dyn *d)
{
    struct replayed_phase *p = &b->async->warp[warp];
    uint64_t *list = d->addr.list;

    p->at = polls_next(&b->of->polls, p->first, p->at);
    p->wait.inst = b->of->table.inst[p->at->number];
    p->wait.next_pc = p->wait.inst->pc + p->wait.inst->length;
    *d = p->wait;
    d->addr.list = list;
    if (p->wait.addr.stride == UNEVEN)
        memcpy(list, p->list, sizeof p->list);
}

/* Its results are equal to no others. */
static void set_value(const struct replayed_block *b, unsigned warp, struct dyn *d)
{
    uint64_t apart = hash_mix(b->number * b->stream.n_warps + warp + 1);

    d->value = (struct value){ .digest = hash_mix(apart ^ ~d->seq),
                               .shape = VALUE_OTHER,
                               .form = VALUE_NAME };
}

/* Where the last step of the path leads. */
static uint64_t end_of_path(const struct replayed_block *b,
                            const struct replayed_phase *p)
{
    const struct inst *const *inst = b->of->table.inst;
    const struct poll_path *done = &p->first->done;
    const struct inst *last;

    if (p->path == &p->at->fail)
        return inst[p->at->next]->pc;
    last = inst[done->n ? done->step[done->n - 1].number : p->first->number];
    return last->pc + last->length;
}

static void take_step(struct replayed_block *b, struct replayed_phase *p, struct dyn *d)
{
    poll_fill(p->path, p->step++, &b->of->table, end_of_path(b, p), &p->wait, d);
    if (p->path == &p->at->done && p->step == p->path->n)
        p->path = NULL;
}

/* One instruction that was not recorded. */
static void play_one(struct replayed_block *b, unsigned warp, struct dyn *d)
{
    struct replayed_phase *p = &b->async->warp[warp];
    bool is_try = p->step == p->path->n;

    if (is_try)
        next_try(b, warp, d);
    else
        take_step(b, p, d);
    d->seq = b->warps[warp].d.s.seq++;
    set_value(b, warp, d);
    if (!is_try)
        return;
    p->path = NULL;
    p->wait.seq = d->seq;
    begin(b, warp, p->bytes, &p->wait);
}

bool phases_play(struct replayed_block *b, unsigned warp, struct dyn *const *dyn,
                 unsigned *n)
{
    const struct replayed_phase *p = &b->async->warp[warp];
    unsigned limit = *n;

    if (!p->path)
        return false;
    for (*n = 0; *n < limit && p->path && !p->pending;)
        play_one(b, warp, dyn[(*n)++]);
    return true;
}

uint32_t phases_skip(struct replayed_block *b, unsigned warp)
{
    uint32_t n = b->async->warp[warp].skip;

    b->async->warp[warp].skip = 0;
    return n;
}

int phases_try(struct stream *s, unsigned warp, bool gives_up, struct err *err)
{
    struct replayed_block *b = (struct replayed_block *)s;
    struct replayed_phase *p = b->async ? &b->async->warp[warp] : NULL;
    struct replayed_copy *c = p ? p->pending : NULL;

    (void)err;
    if (!c)
        return 1;
    if (is_over(b, &c->base)) {
        if (waits(&c->base) && !c->base.gave_up)
            enter_done(p);
    } else if (!gives_up ||
               (!c->base.gave_up && !enter_fail(b, p) && !takes_registers(&c->base))) {
        return 0;
    }
    p->pending = NULL;
    end_phase(b, c);
    return 1;
}

int phases_try_cut(struct stream *s, unsigned warp, bool gives_up, struct err *err)
{
    struct replayed_block *b = (struct replayed_block *)s;

    (void)gives_up;
    (void)err;
    if (b->async) {
        free_copy(b->async->warp[warp].pending);
        b->async->warp[warp].pending = NULL;
    }
    return 1;
}

struct copy *phases_take_copy(struct stream *s, unsigned warp, uint64_t seq)
{
    const struct replayed_async *a = ((struct replayed_block *)s)->async;
    struct replayed_copy *c = a ? a->copies : NULL;

    while (c && (c->is_taken || c->base.warp != warp || c->base.seq != seq))
        c = c->next;
    if (!c)
        return NULL;
    c->is_taken = true;
    return &c->base;
}

/* Tells the barriers of the blocks with these ranks, as bits. */
static void report(struct replayed_block *b, struct copy *c, uint32_t ranks)
{
    uint32_t n = c->n_ops;

    c->n_ops = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct barrier_op o = c->op[k];

        if (ranks >> (o.barrier >> BARRIER_RANK) & 1)
            apply(b, &o);
        else
            c->op[c->n_ops++] = o;
    }
}

int phases_tell_copy(struct stream *s, struct copy *c, unsigned rank, struct err *err)
{
    (void)err;
    report((struct replayed_block *)s, c, 1u << rank);
    return 0;
}

int phases_end_copy(struct stream *s, struct copy *c, struct err *err)
{
    struct replayed_block *b = (struct replayed_block *)s;
    struct replayed_copy *own = (struct replayed_copy *)c, **at = &b->async->copies;

    (void)err;
    if (s->is_timed)
        report(b, c, UINT32_MAX);
    while (*at != own)
        at = &(*at)->next;
    *at = own->next;
    free_copy(own);
    return 0;
}
