/* tags.c - which lines a cache holds, and which of a set goes first. */
#include "mem/tags.h"

#include <stdlib.h>
#include <string.h>

static int new_scanned(struct tags *t, size_t n)
{
    t->tag = calloc(n, sizeof *t->tag);
    t->used = calloc(n, sizeof *t->used);
    return t->tag && t->used ? 0 : -1;
}

static int new_hashed(struct tags *t, size_t n)
{
    for (t->n_buckets = 16; t->n_buckets < 4 * n; t->n_buckets *= 2)
        ; /* most are empty: a miss need look no further */
    t->link = calloc(n, sizeof *t->link);
    t->oldest = calloc(t->sets, sizeof *t->oldest);
    t->newest = calloc(t->sets, sizeof *t->newest);
    t->bucket = calloc(t->n_buckets, sizeof *t->bucket);
    return t->link && t->oldest && t->newest && t->bucket ? 0 : -1;
}

int tags_init(struct tags *t, const struct tags_shape *s, struct err *err)
{
    size_t n = (size_t)s->sets * s->ways;

    *t = (struct tags){ .sets = s->sets,
                        .max_ways = s->ways,
                        .line_bits = s->line_bits,
                        .index = s->index,
                        .is_hashed = s->ways > TAGS_SCANNED };
    if (t->is_hashed && n >= NO_TAG_LINK)
        return err_set(err,
                       "a cache of %u x %u lines: at most 65534 with more than %d ways",
                       s->sets, s->ways, TAGS_SCANNED);
    while (1u << (t->set_bits + 1) <= s->sets)
        t->set_bits++;
    t->state = calloc(n, sizeof *t->state);
    t->written = calloc(n, sizeof *t->written);
    t->hash = calloc(1, sizeof *t->hash);
    if (!t->state || !t->written || !t->hash ||
        (t->is_hashed ? new_hashed(t, n) : new_scanned(t, n)) < 0) {
        tags_free(t);
        return err_set(err, "no memory for a cache of %zu lines", n);
    }
    index_hash_init(t->hash, s->index, s->sets);
    tags_reset(t, s->ways);
    return 0;
}

void tags_free(struct tags *t)
{
    free(t->state);
    free(t->written);
    free(t->tag);
    free(t->used);
    free(t->link);
    free(t->oldest);
    free(t->newest);
    free(t->bucket);
    free(t->hash);
    *t = (struct tags){ 0 };
}

static void reset_set(struct tags *t, uint32_t s)
{
    uint32_t first = s * t->max_ways, last = first + t->ways - 1;

    t->oldest[s] = t->newest[s] = NO_TAG_LINK;
    if (!t->ways)
        return;
    t->oldest[s] = (uint16_t)first;
    t->newest[s] = (uint16_t)last;
    for (uint32_t i = first; i <= last; i++)
        t->link[i] =
            (struct tag_link){ .addr = NO_TAG,
                               .next = NO_TAG_LINK,
                               .older = i > first ? (uint16_t)(i - 1) : NO_TAG_LINK,
                               .newer = i < last ? (uint16_t)(i + 1) : NO_TAG_LINK };
}

void tags_reset(struct tags *t, uint32_t ways)
{
    size_t n = (size_t)t->sets * t->max_ways;

    t->ways = ways < t->max_ways ? ways : t->max_ways;
    memset(t->state, 0, n * sizeof *t->state);
    memset(t->written, 0, n * sizeof *t->written);
    t->clock = 0;
    if (!t->is_hashed) {
        for (size_t i = 0; i < n; i++)
            t->tag[i] = NO_TAG;
        memset(t->used, 0, n * sizeof *t->used);
        for (unsigned k = 0; k < TAGS_RECENT; k++)
            t->recent[k].line = NO_TAG;
        return;
    }
    for (uint32_t i = 0; i < t->n_buckets; i++)
        t->bucket[i] = NO_TAG_LINK;
    for (uint32_t s = 0; s < t->sets; s++)
        reset_set(t, s);
}

/* GPGPU-Sim's hash of Fermi's L1, from Nugteren et al., HPCA 2014. */
uint32_t tags_fermi_set(uint64_t a, uint32_t sets)
{
    uint32_t low = (uint32_t)(a >> 7) & 31, high = (uint32_t)(a >> 13) & 7;

    high |= (uint32_t)(a >> 17 & 1) << 3 | (uint32_t)(a >> 19 & 1) << 4;
    low ^= high;
    return (sets == 64 ? low | (uint32_t)(a >> 12 & 1) << 5 : low) % sets;
}

/* The line used longest ago. First its time, which the compiler finds by eights. */
static uint32_t oldest(const uint32_t *used, uint32_t n)
{
    uint32_t least = UINT32_MAX, i = 0;

    for (uint32_t k = 0; k < n; k++)
        least = used[k] < least ? used[k] : least;
    while (used[i] != least)
        i++;
    return i;
}

/* The same of those that are not to be filled. */
static uint32_t oldest_free(const struct tags *t, uint32_t i)
{
    uint32_t best = NO_LINE, least = UINT32_MAX;

    for (uint32_t end = i + t->ways; i < end; i++)
        if (t->used[i] < least && !t->state[i].reserved) {
            least = t->used[i];
            best = i;
        }
    return best;
}

uint32_t tags_victim(const struct tags *t, uint32_t set)
{
    uint32_t first = set * t->max_ways, best;

    if (t->is_hashed) {
        uint16_t i = t->oldest[set];

        while (i != NO_TAG_LINK && t->state[i].reserved)
            i = t->link[i].newer;
        return i == NO_TAG_LINK ? NO_LINE : i;
    }
    if (!t->ways)
        return NO_LINE;
    best = first + oldest(&t->used[first], t->ways);
    return t->state[best].reserved ? oldest_free(t, first) : best;
}

static void unlink_line(struct tags *t, uint32_t s, uint32_t i)
{
    struct tag_link *l = &t->link[i];

    if (l->older == NO_TAG_LINK)
        t->oldest[s] = l->newer;
    else
        t->link[l->older].newer = l->newer;
    if (l->newer == NO_TAG_LINK)
        t->newest[s] = l->older;
    else
        t->link[l->newer].older = l->older;
}

/* Before the clock of uses runs over: all are set back, in their order as far as
 * the upper half of the clock tells. */
void tags_set_back(struct tags *t)
{
    for (size_t i = 0; i < (size_t)t->sets * t->max_ways; i++)
        t->used[i] = t->used[i] > INT32_MAX ? t->used[i] - INT32_MAX : 0;
    t->clock -= INT32_MAX;
}

void tags_move_up(struct tags *t, uint32_t i)
{
    struct tag_link *l = &t->link[i];
    uint32_t s;

    if (l->newer == NO_TAG_LINK)
        return;
    s = i / t->max_ways;
    unlink_line(t, s, i);
    l->older = t->newest[s];
    l->newer = NO_TAG_LINK;
    t->link[t->newest[s]].newer = (uint16_t)i;
    t->newest[s] = (uint16_t)i;
}

static void leave_bucket(struct tags *t, uint32_t i)
{
    uint16_t *at;

    if (t->link[i].addr == NO_TAG)
        return;
    at = tags_bucket(t, t->link[i].addr);
    while (*at != i)
        at = &t->link[*at].next;
    *at = t->link[i].next;
}

/* A line that is no longer there is not recent. */
static void forget(struct tags *t, uint64_t line)
{
    if (t->recent[tags_recent(line)].line == line)
        t->recent[tags_recent(line)].line = NO_TAG;
}

void tags_take(struct tags *t, uint32_t i, uint64_t line)
{
    t->state[i] = (struct line_state){ 0 };
    t->written[i] = 0;
    if (!t->is_hashed) {
        forget(t, t->tag[i]);
        t->tag[i] = line;
    } else {
        uint16_t *bucket = tags_bucket(t, line);

        leave_bucket(t, i);
        t->link[i].addr = line;
        t->link[i].next = *bucket;
        *bucket = (uint16_t)i;
    }
    tags_touch(t, i);
}

void tags_release(struct tags *t, uint32_t i)
{
    uint32_t s = i / t->max_ways;
    struct tag_link *l;

    t->state[i] = (struct line_state){ 0 };
    if (!t->is_hashed) {
        forget(t, t->tag[i]);
        t->tag[i] = NO_TAG;
        t->used[i] = 0;
        return;
    }
    leave_bucket(t, i);
    l = &t->link[i];
    l->addr = NO_TAG;
    if (l->older == NO_TAG_LINK)
        return;
    unlink_line(t, s, i);
    l->newer = t->oldest[s];
    l->older = NO_TAG_LINK;
    t->link[t->oldest[s]].older = (uint16_t)i;
    t->oldest[s] = (uint16_t)i;
}
