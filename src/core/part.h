/* part.h - what a scheme or an eliminator stores, for its cost in bits. */
#ifndef LENO_CORE_PART_H
#define LENO_CORE_PART_H

#include <stdint.h>

/* A field of a structure that a scheme adds to an SM. Fields of one structure are
 * adjacent; those with the same count belong to one entry. */
struct part {
    const char *structure; /* "issue buffer"; NULL after the last part */
    const char *field;     /* "instruction" */
    uint64_t count;        /* number of fields per SM */
    uint32_t bits;         /* bits per field */
};
enum { MAX_PARTS = 48 };

#endif
