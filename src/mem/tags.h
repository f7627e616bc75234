/* tags.h - which lines a cache holds, and which line of a set is replaced first.
 *
 * One interface with two implementations, chosen by associativity: sets of up to 32
 * lines are scanned as a whole; lines of larger sets (a fully associative L1) are found
 * by hash and linked in order of use. (perf: both are laid out for the host's caches)
 */
#ifndef LENO_MEM_TAGS_H
#define LENO_MEM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hint.h"
#include "mem/hash.h"

enum { TAGS_SCANNED = 32, NO_TAG_LINK = UINT16_MAX };
#define NO_LINE UINT32_MAX
#define NO_TAG  UINT64_MAX

/* Sectors of a line, as bits: readable, written, waiting for a fill. */
struct line_state {
    uint8_t valid : 4, dirty : 4, reserved : 4;
    uint8_t check : 4; /* more bits of the tag's hash, besides struct tag_row's */
};

/* What an access needs to know of 16 lines of a set (perf: one host cache line). */
enum { TAG_ROW = 16, NO_RANK = -1 };
struct tag_row {
    _Alignas(64) int8_t part[TAG_ROW]; /* part of a hash of the tag */
    int8_t rank[TAG_ROW];              /* in its set: 0 = least recently used */
    struct line_state state[TAG_ROW];
};
_Static_assert(sizeof(struct tag_row) == 64, "a line of the host's cache");

struct tag_link {
    uint64_t addr;
    uint16_t next;         /* in its bucket */
    uint16_t older, newer; /* in its set */
    struct line_state state;
};
_Static_assert(sizeof(struct tag_link) == 16, "four to a line of the host's cache");

struct tags {
    bool is_hashed;
    bool is_empty; /* nothing was taken since tags_reset() */
    uint32_t sets, ways, max_ways, set_bits, line_bits, index;
    uint32_t stride;   /* line w of set s is s * stride + w */
    uint32_t *written; /* words written since the line was allocated */

    struct tag_row *rows; /* scanned sets: one or two per set */
    uint64_t *tag;

    struct tag_link *link; /* hashed sets */
    uint16_t *oldest, *newest, *bucket;
    uint32_t n_buckets;
    struct index_hash *hash; /* selects the set */
};

struct tags_shape {
    uint32_t sets, ways, line_bits;
    uint32_t index; /* enum cache_index */
};

int tags_init(struct tags *t, const struct tags_shape *s, struct err *err);
void tags_free(struct tags *t);
void tags_reset(struct tags *t,
                uint32_t ways); /* empties it and sets the number of ways */

uint32_t tags_victim(const struct tags *t,
                     uint32_t set); /* the line to replace; none waits for a fill */
void tags_move_up(struct tags *t,
                  uint32_t i); /* part of tags_touch() for hashed sets */
void tags_take(struct tags *t, uint32_t i, uint64_t line); /* clears the state */
void tags_release(struct tags *t,
                  uint32_t i); /* it holds no line and is replaced first */
uint32_t tags_fermi_set(uint64_t a, uint32_t sets); /* has a hash of its own */

/* What every access uses is inlined (perf). */

/* The set that an address selects. */
static inline uint32_t tags_set(const struct tags *t, uint64_t place)
{
    uint64_t n = place >> t->line_bits;

    if (t->sets == 1)
        return 0;
    if (t->index == CACHE_INDEX_FERMI)
        return tags_fermi_set(place, t->sets);
    if (t->sets & (t->sets - 1))
        return (uint32_t)(n % t->sets);
    return index_hash(t->hash, n >> t->set_bits, (uint32_t)n & (t->sets - 1));
}

/* The bucket of a line. (perf: those of neighbouring lines, which are used soon after
 * each other, share a host cache line) */
static inline uint16_t *tags_bucket(const struct tags *t, uint64_t line)
{
    uint64_t n = line >> t->line_bits, h = (n >> 5) * 0x9e3779b97f4a7c15u;

    return &t->bucket[((uint32_t)(h >> 40) ^ (n & 31)) & (t->n_buckets - 1)];
}

/* The bytes of a row as a vector. */
typedef int8_t row_bytes __attribute__((vector_size(TAG_ROW), may_alias));

/* The bytes that equal this one, as bits. */
static inline uint32_t row_find(const int8_t *bytes, int8_t byte)
{
    row_bytes is = *(const row_bytes *)bytes == byte;
#ifdef __SSE2__ /* compilers do not find this by themselves */
    typedef char chars __attribute__((vector_size(TAG_ROW)));

    return (uint32_t)__builtin_ia32_pmovmskb128((chars)is);
#else
    uint32_t bits = 0;

    for (unsigned i = 0; i < TAG_ROW; i++)
        bits |= (uint32_t)(is[i] & 1) << i;
    return bits;
#endif
}

/* Hash of a tag; lines of a set usually have different ones. (perf: one byte of it is
 * compared in all lines at once, and four bits more before a tag is read from host
 * memory) */
static inline uint32_t tags_hash(uint64_t line)
{
    return (uint32_t)(line * 0x9e3779b97f4a7c15u >> 52);
}

static inline struct tag_row *tags_row(const struct tags *t, uint32_t i)
{
    return &t->rows[i / TAG_ROW];
}

static inline uint32_t tags_scan(const struct tags *t, uint64_t line, uint32_t set)
{
    uint32_t hash = tags_hash(line);

    for (uint32_t i = set * t->stride, end = i + t->stride; i < end; i += TAG_ROW)
        for (uint32_t bits = row_find(tags_row(t, i)->part, (int8_t)hash); bits;
             bits &= bits - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(bits);

            if (tags_row(t, i)->state[k].check == hash >> 8 && t->tag[i + k] == line)
                return i + k;
        }
    return NO_LINE;
}

static inline uint32_t tags_find(const struct tags *t, uint64_t line, uint32_t set)
{
    uint16_t i;

    if (!t->is_hashed)
        return tags_scan(t, line, set);
    i = *tags_bucket(t, line);
    while (i != NO_TAG_LINK && t->link[i].addr != line)
        i = t->link[i].next;
    return i == NO_TAG_LINK ? NO_LINE : i;
}

static inline struct line_state *tags_state(const struct tags *t, uint32_t i)
{
    return t->is_hashed ? &t->link[i].state : &tags_row(t, i)->state[i % TAG_ROW];
}

/* Writes byte i of a row, if it is in this row, and all others to their new values.
 * (perf: a single byte written alone would stall the next read of the row) */
static inline void row_put(int8_t *bytes, row_bytes others, uint32_t i, int8_t byte)
{
    const row_bytes lane = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    row_bytes is_it = lane == (int8_t)i;

    *(row_bytes *)bytes = (others & ~is_it) | (is_it & byte);
}

/* A line becomes the most recently used of its set; those after it move up. */
static inline void tags_rank_last(struct tags *t, uint32_t i)
{
    uint32_t first = i & ~(t->stride - 1);
    int8_t was = tags_row(t, i)->rank[i % TAG_ROW], last = (int8_t)(t->ways - 1);

    for (uint32_t k = first; k < first + t->stride; k += TAG_ROW) {
        int8_t *ranks = tags_row(t, k)->rank;
        row_bytes before = *(const row_bytes *)ranks;

        row_put(ranks, before + (before > was), i - k, last); /* true is -1 */
    }
}

/* The line was used: it is replaced last. */
static inline void tags_touch(struct tags *t, uint32_t i)
{
    if (t->is_hashed)
        tags_move_up(t, i);
    else
        tags_rank_last(t, i);
}

/* (perf) Prefetches on the host for a tags_find() that comes soon, for a line or any
 * line of a set. */
HINT void tags_expect_set(const struct tags *t, uint32_t set)
{
    uint32_t i = set * t->stride;

    if (t->is_hashed)
        return;
    __builtin_prefetch(tags_row(t, i), 1);
    __builtin_prefetch(&t->tag[i]); /* perf: 8 per host cache line */
    __builtin_prefetch(&t->tag[i + TAG_ROW / 2]);
}
HINT void tags_expect(const struct tags *t, uint64_t line, uint32_t set)
{
    if (t->is_hashed)
        __builtin_prefetch(tags_bucket(t, line));
    else
        tags_expect_set(t, set);
}

/* The tag of a line; NO_TAG: it holds none. */
static inline uint64_t tags_line(const struct tags *t, uint32_t i)
{
    return t->is_hashed ? t->link[i].addr : t->tag[i];
}

#endif
