/* listing_json.h - the listing as JSON, and the pieces both listings share. */
#ifndef LENO_SASS_LISTING_JSON_H
#define LENO_SASS_LISTING_JSON_H

#include "base/buf.h"
#include "frontend/sass/print/labels.h"

/* Appends one JSON object: sections with their symbols and instructions. */
void listing_json(struct buf *out, const struct labels *l);

/* The text of an instruction, names and relocations in place of numbers. */
void listing_text(const struct labels *l, uint32_t section, uint64_t offset,
                  const struct sass_inst *inst, struct buf *out);

/* The control word as B0-----:R1:W2:Y:S04. */
void listing_control(struct word w, struct buf *out);

/* A branch through a jump table. */
static inline bool listing_is_brx(struct word w)
{
    uint64_t opcode = word_field(w, WORD_OPCODE);

    return opcode == sass_rows()[OP_BRX].opcode ||
           opcode == sass_rows()[OP_BRXU].opcode;
}

#endif
