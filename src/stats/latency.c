/* latency.c - a table of histograms, found by kernel and place. */
#include "stats/latency.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"

enum { FIRST_SLOTS = 512, ROOM_PLACES = 128 };

/* Room for places; there is some before the first. */
struct latency_room {
    struct latency_room *next;
    struct latency_place place[ROOM_PLACES];
};

struct latency_table {
    size_t n, mask;              /* places; slots, less one */
    struct latency_place **slot; /* by hash of key */
    struct latency_room *room;
};

uint64_t latency_key(const char *kernel)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (; *kernel; kernel++)
        h = (h ^ (uint8_t)*kernel) * 0x100000001b3u;
    return h;
}

/* The slot of a key, or the free one that it would get. */
static struct latency_place **slot_of(const struct latency_table *t, uint64_t key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 40) & t->mask;

    while (t->slot[at] && t->slot[at]->key != key)
        at = (at + 1) & t->mask;
    return &t->slot[at];
}

/* Twice as many slots. */
static void grow(struct latency_table *t)
{
    struct latency_table old = *t;

    t->mask = 2 * old.mask + 1;
    t->slot = calloc(t->mask + 1, sizeof(struct latency_place *));
    if (!t->slot)
        err_memory_exit("latencies of loads");
    for (size_t k = 0; k <= old.mask; k++)
        if (old.slot[k])
            *slot_of(t, old.slot[k]->key) = old.slot[k];
    free(old.slot);
}

/* Where the next place goes. */
static struct latency_place *next_place(struct latency_table *t)
{
    struct latency_room **at = &t->room;

    for (size_t k = t->n / ROOM_PLACES; k; k--)
        at = &(*at)->next;
    if (!*at)
        *at = calloc(1, sizeof **at);
    if (!*at)
        err_memory_exit("latencies of loads");
    return &(*at)->place[t->n % ROOM_PLACES];
}

/* An empty place for a key that has none. */
static struct latency_place *add_place(struct latency_table *t, uint64_t key)
{
    struct latency_place *p = next_place(t);

    *p = (struct latency_place){ .key = key };
    if (2 * ++t->n > t->mask)
        grow(t);
    return *slot_of(t, key) = p;
}

void latency_add(struct latency_table *t, uint64_t kernel_key, const char *kernel,
                 uint64_t pc, uint64_t cycles)
{
    uint64_t key = (kernel_key ^ pc << 1) | 1;
    struct latency_place *p = *slot_of(t, key);

    if (!p) {
        p = add_place(t, key);
        p->pc = pc;
        snprintf(p->kernel, sizeof p->kernel, "%s", kernel);
    }
    histogram_add(&p->cycles, cycles);
}

void latency_move(struct latency_table *to, struct latency_table *from)
{
    for (size_t k = 0; k <= from->mask; k++) {
        struct latency_place *p = from->slot[k], *q;

        if (!p)
            continue;
        q = *slot_of(to, p->key);
        if (q)
            histogram_merge(&q->cycles, &p->cycles);
        else
            *add_place(to, p->key) = *p;
        from->slot[k] = NULL;
    }
    from->n = 0;
}

struct latency_table *latency_new(void)
{
    struct latency_table *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->mask = FIRST_SLOTS - 1;
    t->slot = calloc(FIRST_SLOTS, sizeof(struct latency_place *));
    t->room = calloc(1, sizeof *t->room);
    if (t->slot && t->room)
        return t;
    latency_free(t);
    return NULL;
}

void latency_free(struct latency_table *t)
{
    if (!t)
        return;
    for (struct latency_room *r; (r = t->room);) {
        t->room = r->next;
        free(r);
    }
    free(t->slot);
    free(t);
}

static int by_place(const void *a, const void *b)
{
    const struct latency_place *p = *(const struct latency_place *const *)a;
    const struct latency_place *q = *(const struct latency_place *const *)b;
    int order = strcmp(p->kernel, q->kernel);

    return order ? order : (p->pc > q->pc) - (p->pc < q->pc);
}

/* Not in the order of the first results: the order of SMs within a cycle must not
 * show. */
void latency_json(const struct latency_table *t, struct buf *out)
{
    const struct latency_place **row = calloc(t->n + 1, sizeof(struct latency_place *));

    if (!row)
        err_memory_exit("latencies of loads");
    for (size_t k = 0, i = 0; k <= t->mask; k++)
        if (t->slot[k])
            row[i++] = t->slot[k];
    qsort(row, t->n, sizeof *row, by_place);
    buf_putc(out, '[');
    for (size_t i = 0; i < t->n; i++) {
        buf_puts(out, i ? ",\n  {\"kernel\": " : "\n  {\"kernel\": ");
        json_string(out, row[i]->kernel);
        buf_printf(out, ", \"pc\": %llu, \"cycles\": ", (unsigned long long)row[i]->pc);
        histogram_json(&row[i]->cycles, out);
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
    free(row);
}
