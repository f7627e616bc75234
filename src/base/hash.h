/* hash.h - a 64-bit hash of bytes that is the same on every machine and in every
 * version: FNV-1a, whose constants are Fowler's, Noll's and Vo's. Not cryptographic.
 */
#ifndef LENO_BASE_HASH_H
#define LENO_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Extends a hash, HASH_START at first, by n bytes. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Spreads a hash over all its bits, so that sums of hashes rarely collide (the
 * finalizer of splitmix64). */
static inline uint64_t hash_mix(uint64_t hash)
{
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

#endif
