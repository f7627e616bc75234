/* value.h - the value of an instruction's results, as eliminators compare them. */
#ifndef LENO_ISA_VALUE_H
#define LENO_ISA_VALUE_H

#include <stdint.h>

#include "base/hash.h"

/* The shape of an instruction's result, for all its registers together. */
enum value_shape {
    VALUE_UNIFORM, /* the same in all lanes */
    VALUE_AFFINE,  /* growing by a constant from lane to lane */
    VALUE_OTHER,   /* neither, or some lanes wrote nothing */
};
enum value_form {
    VALUE_NAME, /* a name for the value, not computed from its bits: recordings */
    VALUE_HASH, /* a hash of its bits */
    VALUE_LINE, /* one result, uniform or affine: value_line() of base and stride */
};
struct value {
    uint64_t digest; /* equal values of an instruction have equal digests */
    uint8_t shape;   /* enum value_shape */
    uint8_t form;    /* enum value_form */
    uint32_t first;  /* except for VALUE_NAME: the first result in lane 0 */
};

/* Digest of base + lane * stride in every lane (predicate: 0 or 1, stride 0). */
static inline uint64_t value_line(uint32_t base, uint32_t stride)
{
    return (uint64_t)stride << 32 | base;
}

/* The digest of n + 1 results, from the digest of the first n and that of the last: a
 * value_line(), or a hash of its bits. */
static inline uint64_t value_join(uint64_t digest, unsigned n, uint64_t result)
{
    return n ? hash_mix(hash_mix(digest) + result) : result;
}

#endif
