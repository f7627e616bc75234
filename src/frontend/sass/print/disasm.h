/* disasm.h - the text of one instruction. */
#ifndef LENO_SASS_DISASM_H
#define LENO_SASS_DISASM_H

#include "frontend/sass/decode/decode.h"

/* Appends the text nvdisasm gives, without the trailing " ;". Branch targets are
 * printed as numbers: relative to section_base. label, if given, may print a target
 * its own way (returning true). */
struct sass_labels {
    bool (*print)(const struct sass_labels *l, struct buf *out, uint64_t target);
    uint64_t section_base;
};
void sass_print(struct buf *out, const struct sass_inst *i,
                const struct sass_labels *l);

#endif
