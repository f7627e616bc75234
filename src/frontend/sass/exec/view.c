/* view.c - lines that were written in a window, by part. */
#include "frontend/sass/exec/view.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"

enum { PAGE_LINES = 64, FIRST_SLOTS = 2 * PAGE_LINES };

struct views {
    unsigned n_sms;
    struct view_sm *sm;
    const struct kernel_turns *turns;
    /* what ordered parts wrote, and all parts before them; only the part whose turn it is
     * uses it */
    struct view common;
    pthread_mutex_t lock; /* for the lists of views */
    struct view *written; /* of parts that are not in common, the latest first */
    struct view *used;    /* of those that are */
    struct view *spare;
};

static struct view_line *line_at(const struct view *v, uint32_t n)
{
    return &v->page[n / PAGE_LINES][n % PAGE_LINES];
}

/* Twice as many slots as lines. */
static void grow_slots(struct view *v)
{
    uint32_t n = v->slot ? v->mask + 1 : FIRST_SLOTS;

    while (n < 2 * v->n_pages * PAGE_LINES)
        n *= 2;
    if (v->slot && n == v->mask + 1)
        return;
    free(v->slot);
    v->slot = calloc(n, sizeof(struct view_line *));
    v->mask = n - 1;
    if (!v->slot)
        err_memory_exit("stores of a window");
    for (uint32_t k = 0; k < v->n; k++)
        *view_slot(v, line_at(v, k)->addr) = line_at(v, k);
}

/* One more page of lines. */
static void grow(struct view *v)
{
    struct view_line **page =
        realloc(v->page, (v->n_pages + 1) * sizeof(struct view_line *));

    if (page)
        page[v->n_pages] = malloc(PAGE_LINES * sizeof **page);
    if (!page || !page[v->n_pages])
        err_memory_exit("stores of a window");
    v->page = page;
    v->n_pages++;
    grow_slots(v);
}

/* A line that the view does not have yet. */
static struct view_line *add_line(struct view *v, uint64_t addr, uint8_t *memory)
{
    struct view_line *l = line_at(v, v->n++);

    l->addr = addr;
    l->memory = memory;
    l->written[0] = l->written[1] = 0;
    return l;
}

/* The slot of a line, with room for it. */
static struct view_line **room_for(struct view *v, uint64_t line)
{
    if (v->n == v->n_pages * PAGE_LINES)
        grow(v);
    return view_slot(v, line);
}

static void empty(struct view *v)
{
    if (v->n)
        memset(v->slot, 0, (v->mask + 1) * sizeof *v->slot);
    v->n = 0;
    v->older = NULL;
}

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

/* A view for the part that the SM is in, on top of what it has written before. */
static struct view *new_view(struct views *v, struct view_sm *s)
{
    struct view *now;

    lock(v);
    now = v->spare;
    if (now)
        v->spare = now->next;
    else
        now = calloc(1, sizeof *now);
    if (!now)
        err_memory_exit("stores of a window");
    now->number = s->number;
    now->older = s->now;
    now->next = v->written;
    v->written = now;
    unlock(v);
    return now;
}

struct view_line *view_write(struct views *v, struct view_sm *s, uint64_t addr,
                             uint8_t *memory)
{
    struct view_line **slot, *below;

    if (!s->is_ordered && (!s->now || s->now->number != s->number))
        s->now = new_view(v, s);
    slot = room_for(s->now, view_line_of(addr));
    if (*slot)
        return *slot;
    below = s->now->older ? view_find(s, addr) : NULL;
    *slot = add_line(s->now, view_line_of(addr), memory - addr % VIEW_LINE);
    memcpy((*slot)->data, below ? below->data : (*slot)->memory, VIEW_LINE);
    return *slot;
}

void view_mark_range(struct view_line *l, uint64_t addr, unsigned bytes)
{
    unsigned at = addr % VIEW_LINE, end = at + bytes;

    INVARIANT(bytes && end <= VIEW_LINE);
    if (at < 64)
        l->written[0] |= ~(uint64_t)0 << at & ~(uint64_t)0 >> (end < 64 ? 64 - end : 0);
    if (end > 64)
        l->written[1] |=
            ~(uint64_t)0 << (at > 64 ? at - 64 : 0) & ~(uint64_t)0 >> (VIEW_LINE - end);
}

/* Eight bits as eight bytes of ones or zeros. */
static uint64_t spread_bits(uint64_t bits)
{
    uint64_t each = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;

    return ((each + 0x7f7f7f7f7f7f7f7fu) | each) >> 7 & 0x0101010101010101u;
}

/* The bytes of a line that were written. */
static void copy_written(uint8_t *to, const struct view_line *l)
{
    if ((l->written[0] & l->written[1]) == ~(uint64_t)0) {
        memcpy(to, l->data, VIEW_LINE);
        return;
    }
    for (unsigned k = 0; k < VIEW_LINE / 8; k++) {
        uint64_t bits = l->written[k / 8] >> k % 8 * 8, old, new, ones;

        if (!(bits & 0xff))
            continue;
        ones = spread_bits(bits) * 0xff;
        memcpy(&old, to + 8 * k, 8);
        memcpy(&new, l->data + 8 * k, 8);
        old = (old & ~ones) | (new &ones);
        memcpy(to + 8 * k, &old, 8);
    }
}

static void merge(struct view *into, const struct view *v)
{
    for (uint32_t n = 0; n < v->n; n++) {
        const struct view_line *from = line_at(v, n);
        struct view_line **to = room_for(into, from->addr);

        if (!*to) {
            *to = add_line(into, from->addr, from->memory);
            memcpy((*to)->data, from->memory, VIEW_LINE);
        }
        copy_written((*to)->data, from);
        (*to)->written[0] |= from->written[0];
        (*to)->written[1] |= from->written[1];
    }
}

static void write_back(const struct view *v)
{
    for (uint32_t n = 0; n < v->n; n++)
        copy_written(line_at(v, n)->memory, line_at(v, n));
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

void view_order(struct views *v, struct view_sm *s)
{
    struct view *w;

    if (s->is_ordered)
        return;
    if (v->turns->wait)
        v->turns->wait(v->turns->to, (unsigned)(s - v->sm));
    lock(v);
    while ((w = take_first(v, s->number))) {
        merge(&v->common, w);
        w->next = v->used;
        v->used = w;
    }
    unlock(v);
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
    return v;
}

static void free_view(struct view *w)
{
    while (w->n_pages)
        free(w->page[--w->n_pages]);
    free(w->page);
    free(w->slot);
}

void views_free(struct views *v)
{
    struct view *w;

    if (!v)
        return;
    if (v->sm)
        views_end_window(v, 0);
    while ((w = v->spare)) {
        v->spare = w->next;
        free_view(w);
        free(w);
    }
    free_view(&v->common);
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
