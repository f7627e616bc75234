/* field.h - a field of the instruction word as one number, which is what its name is.
 *
 * Bits 0..7: where it begins; 8..15: how many bits it has; 16: it is a modifier whose
 * text stands for a clear bit.
 */
#ifndef LENO_SASS_FIELD_H
#define LENO_SASS_FIELD_H

#include "frontend/sass/decode/word.h"

#define SASS_FIELD(at, width, is_clear) \
    ((unsigned)(at) | (unsigned)(width) << 8 | (unsigned)(is_clear) << 16)

/* The bits of a field within another one, which holds it; a constant. */
#define SASS_FIELD_MASK(field, whole) \
    (((1u << ((field) >> 8 & 0xff)) - 1) << (((field)&0xff) - ((whole)&0xff)))

static inline unsigned field_at(unsigned field)
{
    return field & 0xff;
}

static inline unsigned field_width(unsigned field)
{
    return field >> 8 & 0xff;
}

static inline unsigned field_is_clear(unsigned field)
{
    return field >> 16 & 1;
}

static inline uint64_t word_field(struct word w, unsigned field)
{
    return word_bits(w, field_at(field), field_width(field));
}

static inline int64_t word_signed_field(struct word w, unsigned field)
{
    return word_signed(w, field_at(field), field_width(field));
}

/* Sets a field that is in one half of the word. */
static inline void word_set_field(struct word *w, unsigned field, uint64_t value)
{
    uint64_t *half = field_at(field) < 64 ? &w->lo : &w->hi;
    unsigned shift = field_at(field) % 64;
    uint64_t mask = (((uint64_t)1 << field_width(field)) - 1) << shift;

    *half = (*half & ~mask) | (value << shift & mask);
}

#endif
