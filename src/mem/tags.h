/* tags.h - which lines a cache holds, and which of a set goes first.
 *
 * Two stores behind one interface, chosen by associativity and laid out for the host's
 * own caches: sets of up to 32 lines are scanned, larger ones (a fully associative L1)
 * are found by hash and kept in order of use by links.
 */
#ifndef LENO_MEM_TAGS_H
#define LENO_MEM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "mem/hash.h"

enum { TAGS_RECENT_BITS = 4, TAGS_RECENT = 1 << TAGS_RECENT_BITS };
enum { TAGS_SCANNED = 32, NO_TAG_LINK = UINT16_MAX };
#define NO_LINE UINT32_MAX
#define NO_TAG  UINT64_MAX

/* Sectors of a line, as bits: readable, written, to be filled. */
struct line_state {
    uint8_t valid, dirty, reserved;
};

struct tag_link {
    uint64_t addr;
    uint16_t next;         /* in its bucket */
    uint16_t older, newer; /* in its set */
};

struct tags {
    bool is_hashed;
    uint32_t sets, ways, max_ways, set_bits, line_bits, index;
    struct line_state *state; /* line w of set s is s * max_ways + w */
    uint32_t *written;        /* words written since the line was taken */

    uint64_t *tag;  /* scanned sets */
    uint32_t *used; /* when */
    uint32_t clock;
    struct {
        uint64_t line;
        uint32_t i;
    } recent[TAGS_RECENT]; /* lines used last, by address: looked at first */

    struct tag_link *link; /* hashed sets */
    uint16_t *oldest, *newest, *bucket;
    uint32_t n_buckets;
    struct index_hash *hash; /* of sets */
};

struct tags_shape {
    uint32_t sets, ways, line_bits;
    uint32_t index; /* enum cache_index */
};

int tags_init(struct tags *t, const struct tags_shape *s, struct err *err);
void tags_free(struct tags *t);
void tags_reset(struct tags *t, uint32_t ways); /* empty, with so many ways */

uint32_t tags_victim(const struct tags *t, uint32_t set); /* none is to be filled */
void tags_move_up(struct tags *t, uint32_t i); /* of tags_touch(), if they are hashed */
void tags_set_back(struct tags *t);            /* of tags_touch(): the clock of uses */
void tags_take(struct tags *t, uint32_t i, uint64_t line); /* state is cleared */
void tags_release(struct tags *t, uint32_t i);      /* holds no line, and goes first */
uint32_t tags_fermi_set(uint64_t a, uint32_t sets); /* a hash of its own */

/* What every access does is here to be expanded in place. */

/* The set that an address picks. */
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

/* Those of neighbouring lines, which are used one soon after the other, are in one line of
 * the host's cache. */
static inline uint16_t *tags_bucket(const struct tags *t, uint64_t line)
{
    uint64_t n = line >> t->line_bits, h = (n >> 5) * 0x9e3779b97f4a7c15u;

    return &t->bucket[((uint32_t)(h >> 40) ^ (n & 31)) & (t->n_buckets - 1)];
}

/* The sectors of a line mostly come one after the other, with others in between. Lines of
 * one slice have most of their low bits in common. */
static inline uint32_t tags_recent(uint64_t line)
{
    return (uint32_t)(line >> 7) * 0x9e3779b1u >> (32 - TAGS_RECENT_BITS);
}

static inline uint32_t tags_find(const struct tags *t, uint64_t line, uint32_t set)
{
    if (t->is_hashed) {
        uint16_t i = *tags_bucket(t, line);

        while (i != NO_TAG_LINK && t->link[i].addr != line)
            i = t->link[i].next;
        return i == NO_TAG_LINK ? NO_LINE : i;
    }
    if (t->recent[tags_recent(line)].line == line)
        return t->recent[tags_recent(line)].i;
    for (const uint64_t *tag = &t->tag[(size_t)set * t->max_ways], *end = tag + t->ways;
         tag < end; tag++)
        if (*tag == line)
            return (uint32_t)(tag - t->tag);
    return NO_LINE;
}

/* The line was used: it is the last to go. */
static inline void tags_touch(struct tags *t, uint32_t i)
{
    if (t->is_hashed) {
        tags_move_up(t, i);
        return;
    }
    if (t->clock == UINT32_MAX - 1)
        tags_set_back(t);
    t->used[i] = ++t->clock;
    t->recent[tags_recent(t->tag[i])].line = t->tag[i];
    t->recent[tags_recent(t->tag[i])].i = i;
}

/* A hint that tags_find() comes soon. */
static inline void tags_expect(const struct tags *t, uint64_t line, uint32_t set)
{
    size_t first = (size_t)set * t->max_ways;

    if (t->is_hashed) {
        __builtin_prefetch(tags_bucket(t, line));
        return;
    }
    for (uint32_t w = 0; w < t->ways; w += 8) /* to a line of the host's cache */
        __builtin_prefetch(&t->tag[first + w]);
    __builtin_prefetch(&t->used[first]);
    __builtin_prefetch(&t->state[first]);
}

/* NO_TAG: it holds none. */
static inline uint64_t tags_line(const struct tags *t, uint32_t i)
{
    return t->is_hashed ? t->link[i].addr : t->tag[i];
}

#endif
