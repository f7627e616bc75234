/* latency.c - a table of histograms, found by kernel and place. */
#include "stats/latency.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

uint64_t latency_key(const char *kernel)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (; *kernel; kernel++)
        h = (h ^ (uint8_t)*kernel) * 0x100000001b3u;
    return h;
}

static struct latency_place *place_of(struct latency_table *t, uint64_t key)
{
    size_t mask = 2 * LATENCY_PLACES - 1;
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 40) & mask;

    while (t->slot[at] && t->place[t->slot[at] - 1].key != key)
        at = (at + 1) & mask;
    if (t->slot[at])
        return &t->place[t->slot[at] - 1];
    if (t->n == LATENCY_PLACES)
        return &t->place[LATENCY_PLACES - 1];
    t->slot[at] = (uint16_t)++t->n;
    return &t->place[t->n - 1];
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
    const struct latency_place *row[LATENCY_PLACES];

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
}
