/* tags.h - which lines a cache holds, and which of a set goes first.
 *
 * Two stores behind one interface, chosen by associativity and laid out for the host's
 * own caches: sets of up to 32 lines are scanned, larger ones (a fully associative L1)
 * are found by hash and kept in order of use by links.
 */
#ifndef LENO_MEM_TAGS_H
#define LENO_MEM_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "mem/hash.h"

enum { TAGS_SCANNED = 32 };
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

/* The set that an address picks. */
uint32_t tags_set(const struct tags *t, uint64_t place);
uint32_t tags_find(const struct tags *t, uint64_t line, uint32_t set);
uint32_t tags_victim(const struct tags *t, uint32_t set); /* none is to be filled */
uint64_t tags_line(const struct tags *t, uint32_t i);     /* NO_TAG: it holds none */
void tags_touch(struct tags *t, uint32_t i);
void tags_take(struct tags *t, uint32_t i, uint64_t line); /* state is cleared */
void tags_release(struct tags *t, uint32_t i); /* holds no line, and goes first */

#endif
