/* view.c - lines that were written in a window, by part. */
#include "frontend/sass/exec/view.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"

/* What a kernel finds ready: room for as many lines, pages of lines and parts as windows of
 * the workloads use at most. Windows that use more allocate it, once. */
enum { FIRST_SLOTS = 256, PAGE_LINES = 32, SM_PAGES = 4, SM_PARTS = 2 };

struct view_page {
    struct view_page *next;
    uint32_t n;
    struct view_line line[PAGE_LINES];
};

struct views {
    unsigned n_sms;
    struct view_sm *sm;
    const struct kernel_turns *turns;
    /* what ordered parts wrote, and all parts before them; only the part whose turn it is
     * uses it */
    struct view common;
    pthread_mutex_t lock; /* for the lists */
    struct view *written; /* of parts that are not in common, the latest first */
    struct view *used;    /* of those that are */
    struct view *spare;
    struct view_page *pages; /* that no view uses */
};

/* For the lists. Without threads nobody else uses them. */
static void lock(struct views *v)
{
    if (v->turns->wait)
        pthread_mutex_lock(&v->lock);
}

static void unlock(struct views *v)
{
    if (v->turns->wait)
        pthread_mutex_unlock(&v->lock);
}

static void *need(void *p)
{
    if (!p)
        err_memory_exit("stores of a window");
    return p;
}

static void set_slots(struct view *v, uint32_t n)
{
    free(v->slot);
    v->slot = need(calloc(n, sizeof(struct view_line *)));
    v->mask = n - 1;
}

static void put_line(struct view *v, struct view_line *l)
{
    struct view_line **slot = view_slot(v, l->addr);

    *slot = l;
    l->slot = (uint32_t)(slot - v->slot);
}

static void grow_slots(struct view *v)
{
    set_slots(v, 2 * (v->mask + 1));
    for (struct view_page *p = v->page; p; p = p->next)
        for (uint32_t k = 0; k < p->n; k++)
            put_line(v, &p->line[k]);
}

static struct view_page *new_page(void)
{
    return need(aligned_alloc(VIEW_PIECE, sizeof(struct view_page)));
}

static void take_page(struct view *v)
{
    struct views *of = v->of;
    struct view_page *p;

    lock(of);
    p = of->pages;
    if (p)
        of->pages = p->next;
    unlock(of);
    if (!p)
        p = new_page();
    p->n = 0;
    p->next = v->page;
    v->page = p;
}

/* A line that the view does not have yet; below: the same of an older view, or NULL. */
static struct view_line *add_line(struct view *v, uint64_t addr, uint8_t *memory,
                                  struct view_line *below)
{
    struct view_line *l;

    if (!v->page || v->page->n == PAGE_LINES)
        take_page(v);
    if (4 * v->n >= 3 * v->mask)
        grow_slots(v);
    l = &v->page->line[v->page->n++];
    v->n++;
    l->addr = addr;
    l->memory = memory;
    l->below = below;
    l->filled = 0;
    memset(l->written, 0, sizeof l->written);
    put_line(v, l);
    return l;
}

/* Puts its pages back; nobody else uses the lists now. */
static void empty(struct view *v)
{
    for (struct view_page *p; (p = v->page);) {
        for (uint32_t k = 0; k < p->n; k++)
            v->slot[p->line[k].slot] = NULL;
        v->page = p->next;
        p->next = v->of->pages;
        v->of->pages = p;
    }
    v->n = 0;
    v->older = NULL;
}

static struct view *new_view(struct views *of)
{
    struct view *v = need(calloc(1, sizeof *v));

    v->of = of;
    set_slots(v, FIRST_SLOTS);
    return v;
}

struct view *view_begin(struct views *v, struct view_sm *s)
{
    struct view *now;

    lock(v);
    now = v->spare;
    if (now)
        v->spare = now->next;
    else
        now = new_view(v);
    now->number = s->number;
    now->older = s->now;
    now->next = v->written;
    v->written = now;
    unlock(v);
    s->now = now;
    return now;
}

struct view_line *view_add_line(struct view *v, uint64_t addr, uint8_t *memory)
{
    uint64_t line = view_line_of(addr);
    struct view_line *below = NULL;

    for (const struct view *w = v->older; w && !below; w = w->older)
        below = *view_slot(w, line);
    return add_line(v, line, memory - addr % VIEW_LINE, below);
}

void view_mark_range(struct view_line *l, uint64_t addr, unsigned bytes)
{
    unsigned at = addr % VIEW_LINE, end = at + bytes;

    INVARIANT(bytes && end <= VIEW_LINE);
    for (unsigned n; at < end; at += n) {
        unsigned left = VIEW_PIECE - at % VIEW_PIECE;

        n = left < end - at ? left : end - at;
        view_mark(l, at, n);
    }
}

/* Those bytes of a piece that were written: mostly all, or words. */
static void copy_piece(uint8_t *to, const uint8_t *from, uint64_t written)
{
    enum { WORD = 4 };

    if (written == ~(uint64_t)0) {
        memcpy(to, from, VIEW_PIECE);
        return;
    }
    while (written) {
        unsigned at = (unsigned)__builtin_ctzll(written);

        if (at % WORD == 0 && (written >> at & 15) == 15) {
            memcpy(to + at, from + at, WORD);
            written &= ~((uint64_t)15 << at);
        } else {
            to[at] = from[at];
            written &= written - 1;
        }
    }
}

void view_fill_piece(struct view_line *l, unsigned piece)
{
    const uint8_t *from = l->below ? l->below->data : l->memory;
    size_t at = (size_t)piece * VIEW_PIECE;

    if (l->below)
        view_fill(l->below, at, VIEW_PIECE);
    copy_piece(l->data + at, from + at, ~l->written[piece]);
    l->filled |= 1u << piece;
}

static void merge_line(struct view *into, const struct view_line *from)
{
    struct view_line *to = *view_slot(into, from->addr);

    if (!to)
        to = add_line(into, from->addr, from->memory, NULL);
    for (unsigned k = 0; k < VIEW_PIECES; k++) {
        size_t at = (size_t)k * VIEW_PIECE;

        copy_piece(to->data + at, from->data + at, from->written[k]);
        to->written[k] |= from->written[k];
    }
}

static void merge(struct view *into, const struct view *v)
{
    for (const struct view_page *p = v->page; p; p = p->next)
        for (uint32_t k = 0; k < p->n; k++)
            merge_line(into, &p->line[k]);
}

static void write_line_back(const struct view_line *l)
{
    for (unsigned k = 0; k < VIEW_PIECES; k++) {
        size_t at = (size_t)k * VIEW_PIECE;

        copy_piece(l->memory + at, l->data + at, l->written[k]);
    }
}

static void write_back(const struct view *v)
{
    for (const struct view_page *p = v->page; p; p = p->next)
        for (uint32_t k = 0; k < p->n; k++)
            write_line_back(&p->line[k]);
}

/* Takes the first of the written views up to a part out of their list; NULL: none. */
static struct view *take_first(struct views *v, uint64_t last)
{
    struct view **first = NULL, *taken;

    for (struct view **at = &v->written; *at; at = &(*at)->next)
        if ((*at)->number <= last && (!first || (*at)->number < (*first)->number))
            first = at;
    if (!first)
        return NULL;
    taken = *first;
    *first = taken->next;
    return taken;
}

/* The same; it gets into common. */
static struct view *use_first(struct views *v, uint64_t last)
{
    struct view *w;

    lock(v);
    w = take_first(v, last);
    if (w) {
        w->next = v->used;
        v->used = w;
    }
    unlock(v);
    return w;
}

void view_order(struct views *v, struct view_sm *s)
{
    struct view *w;

    if (s->is_ordered)
        return;
    if (v->turns->wait)
        v->turns->wait(v->turns->to, (unsigned)(s - v->sm));
    while ((w = use_first(v, s->number)))
        merge(&v->common, w);
    s->is_ordered = s->was_ordered = true;
    s->now = &v->common;
}

void view_begin_part(struct views *v, unsigned sm, uint64_t number)
{
    struct view_sm *s = &v->sm[sm];

    s->number = number;
    s->is_ordered = false;
}

static void drop(struct views *v, struct view *w)
{
    empty(w);
    w->next = v->spare;
    v->spare = w;
}

void views_end_window(struct views *v, uint64_t last)
{
    struct view *w;

    write_back(&v->common);
    empty(&v->common);
    while ((w = take_first(v, last))) {
        write_back(w);
        drop(v, w);
    }
    while ((w = take_first(v, UINT64_MAX)))
        drop(v, w);
    while ((w = v->used)) {
        v->used = w->next;
        drop(v, w);
    }
    for (unsigned k = 0; k < v->n_sms; k++) {
        v->sm[k].now = NULL;
        v->sm[k].is_ordered = v->sm[k].was_ordered = false;
    }
}

/* Makes what a kernel finds ready. */
static void provide(struct views *v)
{
    v->common.of = v;
    set_slots(&v->common, FIRST_SLOTS);
    for (unsigned k = 0; k < SM_PARTS * v->n_sms; k++)
        drop(v, new_view(v));
    for (unsigned k = 0; k < SM_PAGES * v->n_sms; k++) {
        struct view_page *p = new_page();

        p->next = v->pages;
        v->pages = p;
    }
}

struct views *views_new(unsigned n_sms, struct err *err)
{
    struct views *v = calloc(1, sizeof *v);
    size_t bytes = n_sms * sizeof(struct view_sm);

    if (v) {
        v->n_sms = n_sms;
        v->sm = aligned_alloc(_Alignof(struct view_sm), bytes);
        pthread_mutex_init(&v->lock, NULL);
    }
    if (!v || !v->sm) {
        err_memory(err, "stores of %u SMs", n_sms);
        views_free(v);
        return NULL;
    }
    memset(v->sm, 0, bytes);
    provide(v);
    return v;
}

void views_free(struct views *v)
{
    struct view_page *p;
    struct view *w;

    if (!v)
        return;
    if (v->sm)
        views_end_window(v, 0);
    while ((w = v->spare)) {
        v->spare = w->next;
        free(w->slot);
        free(w);
    }
    while ((p = v->pages)) {
        v->pages = p->next;
        free(p);
    }
    free(v->common.slot);
    pthread_mutex_destroy(&v->lock);
    free(v->sm);
    free(v);
}

unsigned views_sms(const struct views *v)
{
    return v->n_sms;
}

void views_begin(struct views *v, const struct kernel_turns *turns)
{
    v->turns = turns;
}

struct view_sm *views_each(struct views *v)
{
    return v->sm;
}
