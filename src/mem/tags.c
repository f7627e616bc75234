/* tags.c - which lines a cache holds, and which line of a set is replaced first. */
#include "mem/tags.h"

#include <stdlib.h>
#include <string.h>

static int new_scanned(struct tags *t, size_t n)
{
    t->rows = aligned_alloc(sizeof *t->rows, n / TAG_ROW * sizeof *t->rows);
    t->tag = aligned_alloc(sizeof *t->rows, n * sizeof *t->tag);
    return t->rows && t->tag ? 0 : -1;
}

static int new_hashed(struct tags *t, size_t n)
{
    for (t->n_buckets = 16; t->n_buckets < 4 * n; t->n_buckets *= 2)
        ; /* most are empty: a miss need search no further */
    t->link = calloc(n, sizeof *t->link);
    t->oldest = calloc(t->sets, sizeof *t->oldest);
    t->newest = calloc(t->sets, sizeof *t->newest);
    t->bucket = calloc(t->n_buckets, sizeof *t->bucket);
    return t->link && t->oldest && t->newest && t->bucket ? 0 : -1;
}

int tags_init(struct tags *t, const struct tags_shape *s, struct err *err)
{
    bool is_hashed = s->ways > TAGS_SCANNED;
    uint32_t stride = is_hashed ? s->ways : s->ways <= TAG_ROW ? TAG_ROW : TAGS_SCANNED;
    size_t n = (size_t)s->sets * stride;

    *t = (struct tags){ .sets = s->sets,
                        .max_ways = s->ways,
                        .stride = stride,
                        .line_bits = s->line_bits,
                        .index = s->index,
                        .is_hashed = is_hashed };
    if (t->is_hashed && n >= NO_TAG_LINK)
        return err_set(
            err,
            "a cache of %u sets x %u ways: at most 65534 lines are supported with "
            "more than %d ways",
            s->sets, s->ways, TAGS_SCANNED);
    while (1u << (t->set_bits + 1) <= s->sets)
        t->set_bits++;
    t->written = calloc(n, sizeof *t->written);
    t->hash = calloc(1, sizeof *t->hash);
    if (!t->written || !t->hash ||
        (t->is_hashed ? new_hashed(t, n) : new_scanned(t, n)) < 0) {
        tags_free(t);
        return err_memory(err, "a cache of %zu lines", n);
    }
    index_hash_init(t->hash, s->index, s->sets);
    tags_reset(t, s->ways);
    return 0;
}

void tags_free(struct tags *t)
{
    free(t->written);
    free(t->rows);
    free(t->tag);
    free(t->link);
    free(t->oldest);
    free(t->newest);
    free(t->bucket);
    free(t->hash);
    *t = (struct tags){ 0 };
}

static void reset_rows(struct tags *t)
{
    struct tag_row empty[TAGS_SCANNED / TAG_ROW] = { 0 };
    size_t n = (size_t)t->sets * t->stride, n_rows = t->stride / TAG_ROW;

    for (uint32_t w = 0; w < t->stride; w++)
        empty[w / TAG_ROW].rank[w % TAG_ROW] = (int8_t)(w < t->ways ? (int)w : NO_RANK);
    for (size_t r = 0; r < n / TAG_ROW; r++)
        t->rows[r] = empty[r & (n_rows - 1)];
    for (size_t i = 0; i < n; i++)
        t->tag[i] = NO_TAG;
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
    size_t n = (size_t)t->sets * t->stride;

    ways = ways < t->max_ways ? ways : t->max_ways;
    if (t->is_empty && ways == t->ways) /* perf: short kernels leave most SMs alone */
        return;
    t->is_empty = true;
    t->ways = ways;
    memset(t->written, 0, n * sizeof *t->written);
    if (!t->is_hashed) {
        reset_rows(t);
        return;
    }
    for (uint32_t i = 0; i < t->n_buckets; i++)
        t->bucket[i] = NO_TAG_LINK;
    for (uint32_t s = 0; s < t->sets; s++)
        reset_set(t, s);
}

/* GPGPU-Sim's hash for Fermi's L1, from Nugteren et al., HPCA 2014. */
uint32_t tags_fermi_set(uint64_t a, uint32_t sets)
{
    uint32_t low = (uint32_t)(a >> 7) & 31, high = (uint32_t)(a >> 13) & 7;

    high |= (uint32_t)(a >> 17 & 1) << 3 | (uint32_t)(a >> 19 & 1) << 4;
    low ^= high;
    return (sets == 64 ? low | (uint32_t)(a >> 12 & 1) << 5 : low) % sets;
}

/* The line of a scanned set with this rank (0 .. ways - 1). */
static uint32_t with_rank(const struct tags *t, uint32_t first, int8_t rank)
{
    uint32_t bits;

    while (!(bits = row_find(tags_row(t, first)->rank, rank)))
        first += TAG_ROW;
    return first + (uint32_t)__builtin_ctz(bits);
}

/* The least recently used line that is not waiting for a fill. */
static uint32_t scanned_victim(const struct tags *t, uint32_t set)
{
    for (uint32_t rank = 0; rank < t->ways; rank++) {
        uint32_t i = with_rank(t, set * t->stride, (int8_t)rank);

        if (!tags_state(t, i)->reserved)
            return i;
    }
    return NO_LINE;
}

uint32_t tags_victim(const struct tags *t, uint32_t set)
{
    uint16_t i;

    if (!t->is_hashed)
        return scanned_victim(t, set);
    i = t->oldest[set];
    while (i != NO_TAG_LINK && t->link[i].state.reserved)
        i = t->link[i].newer;
    return i == NO_TAG_LINK ? NO_LINE : i;
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

void tags_take(struct tags *t, uint32_t i, uint64_t line)
{
    uint32_t hash = tags_hash(line);

    t->is_empty = false;
    *tags_state(t, i) = (struct line_state){ .check = hash >> 8 & 15 };
    t->written[i] = 0;
    if (!t->is_hashed) {
        int8_t *parts = tags_row(t, i)->part;

        row_put(parts, *(const row_bytes *)parts, i % TAG_ROW, (int8_t)hash);
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

/* Lines that hold nothing are replaced before all others, the first one first. */
static void rank_released(struct tags *t, uint32_t i)
{
    uint32_t first = i & ~(t->stride - 1);
    int8_t was = tags_row(t, i)->rank[i % TAG_ROW], rank = 0;

    for (uint32_t k = first; k < i; k++)
        rank = (int8_t)(rank + (t->tag[k] == NO_TAG));
    for (uint32_t k = first; k < first + t->ways; k++) {
        int8_t *at = &tags_row(t, k)->rank[k % TAG_ROW];

        if (*at >= rank && *at < was)
            ++*at;
    }
    tags_row(t, i)->rank[i % TAG_ROW] = rank;
}

void tags_release(struct tags *t, uint32_t i)
{
    uint32_t s = i / t->stride;
    struct tag_link *l;

    *tags_state(t, i) = (struct line_state){ 0 };
    if (!t->is_hashed) {
        t->tag[i] = NO_TAG;
        rank_released(t, i);
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
