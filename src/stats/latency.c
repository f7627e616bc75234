/* latency.c - a table of histograms, found by kernel and place. */
#include "stats/latency.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"

enum { FIRST_PLACES = 256 };

struct latency_table {
    size_t n, cap; /* cap: a power of two */
    struct latency_place *place;
    uint32_t *slot; /* hash of key, 2 x cap of them: place + 1 */
};

uint64_t latency_key(const char *kernel)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (; *kernel; kernel++)
        h = (h ^ (uint8_t)*kernel) * 0x100000001b3u;
    return h;
}

static size_t first_slot(const struct latency_table *t, uint64_t key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> 40) & (2 * t->cap - 1);
}

/* Doubles it: places, and a hash of their keys with twice as many slots. */
static void grow(struct latency_table *t)
{
    size_t mask = 4 * t->cap - 1;
    struct latency_place *place = realloc(t->place, 2 * t->cap * sizeof *place);
    uint32_t *slot = calloc(mask + 1, sizeof *slot);

    if (!place || !slot)
        err_memory_exit("latencies of loads");
    t->place = place;
    t->cap *= 2;
    free(t->slot);
    t->slot = slot;
    for (size_t n = 0; n < t->n; n++) {
        size_t at = first_slot(t, place[n].key);

        while (slot[at])
            at = (at + 1) & mask;
        slot[at] = (uint32_t)n + 1;
    }
}

/* The place of a key; a new one has key 0. */
static struct latency_place *place_of(struct latency_table *t, uint64_t key)
{
    size_t mask = 2 * t->cap - 1, at = first_slot(t, key);

    while (t->slot[at] && t->place[t->slot[at] - 1].key != key)
        at = (at + 1) & mask;
    if (t->slot[at])
        return &t->place[t->slot[at] - 1];
    if (t->n == t->cap) {
        grow(t);
        return place_of(t, key);
    }
    t->slot[at] = (uint32_t)++t->n;
    return memset(&t->place[t->n - 1], 0, sizeof *t->place);
}

void latency_add(struct latency_table *t, uint64_t kernel_key, const char *kernel,
                 uint64_t pc, uint64_t cycles)
{
    uint64_t key = (kernel_key ^ pc << 1) | 1;
    struct latency_place *p = place_of(t, key);

    if (!p->key) {
        p->key = key;
        p->pc = pc;
        snprintf(p->kernel, sizeof p->kernel, "%s", kernel);
    }
    histogram_add(&p->cycles, cycles);
}

void latency_move(struct latency_table *to, struct latency_table *from)
{
    for (size_t n = 0; n < from->n; n++) {
        const struct latency_place *p = &from->place[n];
        struct latency_place *q = place_of(to, p->key);

        if (!q->key)
            *q = *p;
        else
            histogram_merge(&q->cycles, &p->cycles);
    }
    from->n = 0;
    memset(from->slot, 0, 2 * from->cap * sizeof *from->slot);
}

struct latency_table *latency_new(void)
{
    struct latency_table *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->cap = FIRST_PLACES;
    t->place = malloc(t->cap * sizeof *t->place);
    t->slot = calloc(2 * t->cap, sizeof *t->slot);
    if (t->place && t->slot)
        return t;
    latency_free(t);
    return NULL;
}

void latency_free(struct latency_table *t)
{
    if (!t)
        return;
    free(t->place);
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
    for (size_t i = 0; i < t->n; i++)
        row[i] = &t->place[i];
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
