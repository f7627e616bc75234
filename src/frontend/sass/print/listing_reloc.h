/* listing_reloc.h - instructions in which a relocation fills in a field, as text. */
#ifndef LENO_SASS_LISTING_RELOC_H
#define LENO_SASS_LISTING_RELOC_H

#include "base/buf.h"
#include "frontend/sass/print/labels.h"

/* Appends the instruction with an expression in place of the field. False, and nothing
 * appended, if the relocation has no such form. */
bool listing_relocated(const struct labels *l, const struct cubin_reloc *r,
                       const struct sass_inst *inst, struct buf *out);

#endif
