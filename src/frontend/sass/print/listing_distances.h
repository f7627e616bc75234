/* listing_distances.h - how far operands are from their producers, beside the listing. */
#ifndef LENO_SASS_LISTING_DISTANCES_H
#define LENO_SASS_LISTING_DISTANCES_H

#include "frontend/sass/print/labels.h"

/* The decoded and marked instructions of a section, to be freed; NULL with err set: no
 * memory. */
struct sass_inst *listing_mark(const struct labels *l, uint32_t section,
                               struct err *err);

/* "R4^3 R2 -> R5^7": sources with the distance to their producer, results with that of
 * their last reader; one without needs its register number. */
void listing_put_distances(const struct inst *i, struct buf *out);

#endif
