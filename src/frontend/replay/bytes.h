/* bytes.h - numbers in recordings: little-endian, or of variable length, seven bits per
 * byte, the lowest first; signed ones with their sign in the lowest bit.
 */
#ifndef LENO_REPLAY_BYTES_H
#define LENO_REPLAY_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"

static inline uint64_t zigzag_encode(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? ~(uint64_t)0 : 0);
}

static inline int64_t zigzag_decode(uint64_t v)
{
    return (int64_t)((v >> 1) ^ (0 - (v & 1)));
}

static inline void put_fixed(struct buf *b, uint64_t v, unsigned n)
{
    uint8_t bytes[8];

    for (unsigned k = 0; k < 8; k++)
        bytes[k] = (uint8_t)(v >> 8 * k);
    buf_add(b, bytes, n);
}

static inline void put_varint(struct buf *b, uint64_t v)
{
    uint8_t bytes[10];
    unsigned n = 0;

    while (v >= 0x80) {
        bytes[n++] = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    bytes[n++] = (uint8_t)v;
    buf_add(b, bytes, n);
}

static inline void put_signed(struct buf *b, int64_t v)
{
    put_varint(b, zigzag_encode(v));
}

static inline void put_string(struct buf *b, const char *s, size_t n)
{
    put_varint(b, n);
    buf_add(b, s, n);
}

static inline uint64_t get_fixed(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;

    memcpy(&v, p, n); /* hosts are little-endian too; see get_varint() */
    return v;
}

/* Byte by byte, for numbers of more than eight. */
static inline uint64_t get_long_varint(const uint8_t **p)
{
    const uint8_t *at = *p;
    uint64_t v = *at & 0x7f;

    for (unsigned shift = 7; *at++ & 0x80 && shift < 70; shift += 7)
        v |= shift < 64 ? (uint64_t)(*at & 0x7f) << shift : 0;
    *p = at;
    return v;
}

/* At most ten bytes from p, which must be readable; *p moves on. (perf: a branch on the
 * length would be mispredicted, so eight bytes are taken at once, cut after the
 * number's last byte, and compacted in pairs.) */
static inline uint64_t get_varint(const uint8_t **p)
{
    const uint64_t tops = 0x8080808080808080u;
    uint64_t v, last;

    memcpy(&v, *p, sizeof v);
    last = ~v & tops;
    if (!last)
        return get_long_varint(p);
    *p += (__builtin_ctzll(last) + 1) / 8;
    v &= (last ^ (last - 1)) & ~tops;
    v = (v & 0x007f007f007f007fu) | (v & 0x7f007f007f007f00u) >> 1;
    v = (v & 0x00003fff00003fffu) | (v & 0x3fff00003fff0000u) >> 2;
    return (v & 0x0fffffffu) | v >> 32 << 28;
}

static inline int64_t get_signed(const uint8_t **p)
{
    return zigzag_decode(get_varint(p));
}

/* Reads from bytes whose end is checked; after the first miss everything reads 0. */
struct reader {
    const uint8_t *p, *end;
    bool is_short;
};

static inline uint64_t read_varint(struct reader *r)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 70 && r->p < r->end; shift += 7) {
        uint8_t b = *r->p++;

        v |= shift < 64 ? (uint64_t)(b & 0x7f) << shift : 0;
        if (!(b & 0x80))
            return v;
    }
    r->is_short = true;
    r->p = r->end;
    return 0;
}

/* A number below limit; anything else counts as a miss. */
static inline uint64_t read_below(struct reader *r, uint64_t limit)
{
    uint64_t v = read_varint(r);

    if (v < limit)
        return v;
    r->is_short = true;
    return 0;
}

static inline const uint8_t *read_bytes(struct reader *r, uint64_t n)
{
    const uint8_t *at = r->p;

    if (n > (uint64_t)(r->end - r->p)) {
        r->is_short = true;
        r->p = r->end;
        return NULL;
    }
    r->p += n;
    return at;
}

#endif
