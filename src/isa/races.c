/* races.c - what each word of memory remembers of its last accesses, and what orders
 * them.
 *
 * Warps of a block have vector clocks, which barriers join. Between blocks, and where
 * there is no barrier, time orders: a warp that reads what another one wrote after a fence
 * has seen all that happened before the fence, whoever did it. That is more than the
 * program may rely on, but takes one number per warp.
 */
#include "isa/races.h"

#include <stdlib.h>

enum {
    PAGE_BITS = 10, /* bytes of global memory whose cells are allocated together */
    PAGE_WORDS = 1 << (PAGE_BITS - 2),
    FIRST_PAGES = 1024, /* of the table, at first */
    MOST_RACES = 4096,  /* pairs; more are not remembered */
};

enum stamp_kind { STAMP_ATOMIC = 1, STAMP_STRONG = 2, STAMP_WRITES = 4 };

/* One access of one lane to a word. */
struct stamp {
    uint64_t time, pc, block; /* time 0: there was none */
    uint32_t clock;           /* of its warp */
    uint8_t warp, lane;
    uint8_t bytes;    /* of the word, as bits */
    uint8_t kind;     /* enum stamp_kind, as bits */
    uint8_t value[4]; /* of a write: the bytes of the word then */
};

struct cell {
    struct stamp write, read[2]; /* the reads since then are of different warps */
    uint64_t released;           /* who reads the word has seen all before this time */
};

struct page {
    uint64_t number;
    struct cell *cells; /* NULL: the entry is free */
};

struct races {
    uint64_t time; /* counts instructions with accesses */
    struct page *pages;
    uint64_t n_pages, cap; /* cap: a power of two */
    struct race *found;
    size_t n;
};

struct race_warp {
    uint64_t sees, fence; /* times: others' accesses that it has seen; its last fence */
    uint32_t clock[RACE_WARPS]; /* the last it has seen of each warp of the block */
};

struct race_block {
    struct races *races;
    struct race_shape shape;
    unsigned n_warps;
    uint32_t n_words;
    struct cell *shared;    /* of each word; NULL: not accessed yet */
    struct race_warp joint; /* what warps knew at barriers in memory */
    struct race_warp warp[RACE_WARPS];
};

static void *alloc_zeroed(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p)
        err_memory_exit("races");
    return p;
}

struct races *races_new(void)
{
    return alloc_zeroed(1, sizeof(struct races));
}

static void forget_pages(struct races *r)
{
    for (uint64_t k = 0; k < r->cap; k++)
        free(r->pages[k].cells);
    free(r->pages);
    r->pages = NULL;
    r->n_pages = r->cap = 0;
}

void races_free(struct races *r)
{
    if (!r)
        return;
    forget_pages(r);
    free(r->found);
    free(r);
}

void races_begin(struct races *r)
{
    forget_pages(r);
}

struct race_block *races_open(struct races *r, const struct race_shape *shape)
{
    struct race_block *b = alloc_zeroed(1, sizeof *b);

    b->races = r;
    b->shape = *shape;
    b->n_warps = shape->n_warps < RACE_WARPS ? shape->n_warps : RACE_WARPS;
    b->n_words = (shape->shared_bytes + 3) / 4;
    for (unsigned k = 0; k < b->n_warps; k++)
        b->warp[k].clock[k] = 1;
    return b;
}

void races_close(struct race_block *b)
{
    if (b)
        free(b->shared);
    free(b);
}

/* The entry of a page in the table, or the free one where it belongs. */
static struct page *find_page(struct page *pages, uint64_t cap, uint64_t number)
{
    uint64_t k = hash_mix(number) & (cap - 1);

    while (pages[k].cells && pages[k].number != number)
        k = (k + 1) & (cap - 1);
    return &pages[k];
}

static void grow_pages(struct races *r)
{
    uint64_t cap = r->cap ? 2 * r->cap : FIRST_PAGES;
    struct page *pages = alloc_zeroed(cap, sizeof *pages);

    for (uint64_t k = 0; k < r->cap; k++)
        if (r->pages[k].cells)
            *find_page(pages, cap, r->pages[k].number) = r->pages[k];
    free(r->pages);
    r->pages = pages;
    r->cap = cap;
}

static struct cell *global_cell(struct races *r, uint64_t word)
{
    uint64_t number = word / PAGE_WORDS;
    struct page *p;

    if (2 * r->n_pages >= r->cap)
        grow_pages(r);
    p = find_page(r->pages, r->cap, number);
    if (!p->cells) {
        *p = (struct page){ number, alloc_zeroed(PAGE_WORDS, sizeof *p->cells) };
        r->n_pages++;
    }
    return &p->cells[word % PAGE_WORDS];
}

static struct cell *shared_cell(struct race_block *b, uint64_t word)
{
    if (word >= b->n_words)
        return NULL;
    if (!b->shared)
        b->shared = alloc_zeroed(b->n_words, sizeof *b->shared);
    return &b->shared[word];
}

static struct race_side side_of(const struct stamp *s)
{
    return (struct race_side){ .pc = s->pc,
                               .block = s->block,
                               .thread = s->warp * (uint32_t)WARP_LANES + s->lane,
                               .writes = s->kind & STAMP_WRITES };
}

static void add_race(struct races *r, const struct stamp *old, const struct stamp *new,
                     bool is_shared, uint64_t addr)
{
    for (size_t k = 0; k < r->n; k++) {
        struct race *f = &r->found[k];

        if (f->side[0].pc == old->pc && f->side[1].pc == new->pc &&
            f->is_shared == is_shared) {
            f->times++;
            return;
        }
    }
    if (r->n == MOST_RACES)
        return;
    if (!r->found)
        r->found = alloc_zeroed(MOST_RACES, sizeof *r->found);
    r->found[r->n++] = (struct race){ .side = { side_of(old), side_of(new) },
                                      .addr = addr,
                                      .times = 1,
                                      .is_shared = is_shared };
}

static bool is_ordered(const struct race_block *b, const struct stamp *old,
                       unsigned warp)
{
    const struct race_warp *w = &b->warp[warp];

    if (old->time <= w->sees)
        return true;
    return old->block == b->shape.number &&
           (old->warp == warp || w->clock[old->warp] >= old->clock);
}

/* May they happen at the same time? Atomic accesses may, also with a load that sees them. */
static bool may_meet(const struct stamp *a, const struct stamp *b)
{
    return (a->kind | b->kind) & STAMP_ATOMIC &&
           a->kind & (STAMP_ATOMIC | STAMP_STRONG) &&
           b->kind & (STAMP_ATOMIC | STAMP_STRONG);
}

/* Did both write the same? */
static bool is_same_value(const struct stamp *a, const struct stamp *b)
{
    if (!(a->kind & b->kind & STAMP_WRITES))
        return false;
    for (unsigned k = 0; k < 4; k++)
        if (a->bytes & b->bytes & 1u << k && a->value[k] != b->value[k])
            return false;
    return true;
}

static bool is_race(const struct race_block *b, const struct stamp *old,
                    const struct stamp *new)
{
    return old->time && old->bytes & new->bytes && !is_ordered(b, old, new->warp) &&
           !may_meet(old, new) && !is_same_value(old, new);
}

static void note_read(struct cell *c, const struct stamp *s)
{
    const struct stamp *r = &c->read[0];

    c->read[r->time && (r->block != s->block || r->warp != s->warp)] = *s;
}

static void note_word(struct race_block *b, struct cell *c, const struct stamp *s,
                      uint64_t addr, bool is_shared)
{
    struct race_warp *w = &b->warp[s->warp];

    if (s->kind & (STAMP_ATOMIC | STAMP_STRONG) && c->released > w->sees)
        w->sees = c->released;
    if (is_race(b, &c->write, s))
        add_race(b->races, &c->write, s, is_shared, addr);
    if (!(s->kind & STAMP_WRITES)) {
        note_read(c, s);
        return;
    }
    for (unsigned k = 0; k < 2; k++) {
        if (is_race(b, &c->read[k], s))
            add_race(b->races, &c->read[k], s, is_shared, addr);
        c->read[k].time = 0;
    }
    c->write = *s;
    if (w->fence > c->released)
        c->released = w->fence;
}

/* All words of one lane's access. */
static void note_lane(struct race_block *b, struct stamp *s, uint64_t addr,
                      unsigned bytes, bool is_shared)
{
    uint64_t end = addr + bytes;

    for (uint64_t at = addr; at < end; at = (at | 3) + 1) {
        uint64_t word = at >> 2, stop = end < (at | 3) + 1 ? end : (at | 3) + 1;
        struct cell *c = is_shared ? shared_cell(b, word) : global_cell(b->races, word);

        if (!c)
            return;
        s->bytes = (uint8_t)(((1u << (stop - at)) - 1) << (at & 3));
        for (uint64_t k = at; k < stop && s->kind & STAMP_WRITES; k++)
            s->value[k & 3] = b->shape.byte(b->shape.from, k, is_shared);
        note_word(b, c, s, at, is_shared);
    }
}

void races_note_as(struct race_block *b, unsigned warp, const struct dyn *d,
                   struct race_access a)
{
    static const uint32_t offset_bits =
        (1u << 24) - 1; /* of an address in shared memory */
    const struct inst *i = d->inst;
    bool is_shared = a.space == SPACE_SHARED;
    uint64_t addr[WARP_LANES];
    const uint64_t *each = addresses_each(&d->addr, addr);
    struct stamp s = { .time = b->races->time,
                       .pc = i->pc,
                       .block = b->shape.number,
                       .clock = b->warp[warp].clock[warp],
                       .warp = (uint8_t)warp };

    s.kind = (uint8_t)((a.is_atomic ? STAMP_ATOMIC : 0) |
                       (i->flags & INST_BYPASS_L1 ? STAMP_STRONG : 0) |
                       (a.writes ? STAMP_WRITES : 0));
    for (uint32_t m = d->mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        s.lane = (uint8_t)l;
        note_lane(b, &s, is_shared ? each[l] & offset_bits : each[l], a.bytes,
                  is_shared);
    }
}

void races_note(struct race_block *b, unsigned warp, const struct dyn *d,
                bool is_atomic)
{
    const struct inst *i = d->inst;

    if (warp >= b->n_warps || !d->mask)
        return;
    b->races->time++;
    if (i->class == CLASS_fence)
        b->warp[warp].fence = b->races->time;
    if (inst_is_memory(i) && (d->space == SPACE_SHARED || d->space == SPACE_GLOBAL))
        races_note_as(
            b, warp, d,
            (struct race_access){ .space = (enum inst_space)d->space,
                                  .bytes = i->bytes,
                                  .writes = inst_writes_memory(i) && !inst_is_copy(i),
                                  .is_atomic = is_atomic });
}

/* One knows all that the other knew. */
static void learn(struct race_warp *one, const struct race_warp *other)
{
    one->sees = one->sees > other->sees ? one->sees : other->sees;
    for (unsigned n = 0; n < RACE_WARPS; n++)
        if (one->clock[n] < other->clock[n])
            one->clock[n] = other->clock[n];
}

void races_pass(struct race_block *b, unsigned warp)
{
    if (warp >= b->n_warps)
        return;
    learn(&b->warp[warp], &b->joint);
    learn(&b->joint, &b->warp[warp]);
    b->warp[warp].clock[warp]++;
}

void races_meet(struct race_block *b, uint32_t came, uint32_t waited)
{
    struct race_warp all = { 0 };

    for (unsigned k = 0; k < b->n_warps; k++)
        if (came >> k & 1)
            learn(&all, &b->warp[k]);
    for (unsigned k = 0; k < b->n_warps; k++) {
        struct race_warp *w = &b->warp[k];

        if (waited >> k & 1)
            learn(w, &all);
        if (came >> k & 1)
            w->clock[k]++;
    }
}

size_t races_found(const struct races *r)
{
    return r->n;
}

const struct race *races_at(const struct races *r, size_t n)
{
    return &r->found[n];
}
