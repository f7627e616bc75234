/* sectors.h - sets of sectors of a line, as bits. */
#ifndef LENO_MEM_SECTORS_H
#define LENO_MEM_SECTORS_H

#include <stdint.h>

enum { ALL_SECTORS = 15 };

/* The sectors whose words are all in the set, one byte per sector. */
static inline uint8_t whole_sectors(uint32_t words)
{
    uint32_t missing = ~words, low = 0x7f7f7f7fu;
    uint32_t whole =
        ~(((missing & low) + low) | missing | low); /* the top bit of each byte */

    return (uint8_t)((whole >> 7) * 0x10204080u >> 28);
}

/* All words of these sectors. */
static inline uint32_t words_of_sectors(uint8_t sectors)
{
    uint32_t lowest = (sectors & 15u) * 0x204081u & 0x01010101u; /* a bit for each */

    return lowest * 0xffu;
}

/* These sectors, extended to whole granules of 1, 2 or 4. */
static inline uint8_t widen_sectors(uint8_t sectors, uint32_t granule)
{
    if (granule == 4)
        return ALL_SECTORS;
    if (granule == 2)
        return (uint8_t)((sectors & 3 ? 3 : 0) | (sectors & 12 ? 12 : 0));
    return sectors;
}

#endif
