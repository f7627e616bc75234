/* listing.h - a cubin as text: what nvdisasm -c prints, line for line. */
#ifndef LENO_SASS_LISTING_H
#define LENO_SASS_LISTING_H

#include "base/buf.h"
#include "base/err.h"
#include "frontend/sass/load/cubin.h"

struct listing_options {
    bool hex; /* the encoding beside each instruction, as nvdisasm -hex */
    bool
        control; /* in front of each: wait mask, read and write barrier, yield, stall */
    bool distances; /* after each: how far operands are (listing_distances.h) */
    bool json;      /* one JSON object instead; always holds the first two */
    /* In front of each, if not NULL: what is redundant, by section and place in it (enum
     * redundancy); of sections that are no kernel's NULL. */
    uint8_t *const *marks;
};

/* Appends the listing of every code section to out. */
int sass_listing(struct buf *out, const struct cubin *c,
                 const struct listing_options *o, struct err *err);

#endif
