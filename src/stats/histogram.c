/* histogram.c - counts of values by powers of two. */
#include "stats/stat.h"

void histogram_add(struct histogram *h, uint64_t value)
{
    unsigned bucket = value ? 64 - (unsigned)__builtin_clzll(value) : 0;

    if (bucket >= HISTOGRAM_BUCKETS)
        bucket = HISTOGRAM_BUCKETS - 1;
    h->bucket[bucket]++;
    h->n++;
    h->sum += value;
    if (value > h->max)
        h->max = value;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->bucket[i] += from->bucket[i];
    into->n += from->n;
    into->sum += from->sum;
    if (from->max > into->max)
        into->max = from->max;
}

void histogram_json(const struct histogram *h, struct buf *out)
{
    unsigned n = HISTOGRAM_BUCKETS;

    buf_printf(out, "{\"n\": %ju, \"sum\": %ju, \"max\": %ju, \"buckets\": [",
               (uintmax_t)h->n, (uintmax_t)h->sum, (uintmax_t)h->max);
    while (n && !h->bucket[n - 1])
        n--;
    for (unsigned i = 0; i < n; i++)
        buf_printf(out, "%s%ju", i ? ", " : "", (uintmax_t)h->bucket[i]);
    buf_puts(out, "]}");
}
