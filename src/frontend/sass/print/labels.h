/* labels.h - the names a listing gives to places in code.
 *
 * A place is named by the symbol there or, where an instruction, a relocation or an
 * attribute refers to it, by .L_x_N. Numbers are given as nvdisasm does: places that
 * relocations point to, then branch targets in order of first use, then jump-table
 * branches with their targets, then the ends of functions in the order of the symbol
 * table.
 */
#ifndef LENO_SASS_LABELS_H
#define LENO_SASS_LABELS_H

#include "base/buf.h"
#include "frontend/sass/decode/decode.h"
#include "frontend/sass/load/cubin.h"

struct jump_table {
    uint32_t section;       /* text */
    uint64_t site;          /* offset of the BRX */
    uint32_t n;             /* targets */
    const uint8_t *targets; /* n 32-bit offsets */
};

struct labels {
    const struct cubin *cubin;
    uint64_t *base;    /* per section: where its code is decoded; 0 = no code */
    uint32_t **number; /* per section: by offset / 16, number + 1; 0 = no label */
    uint32_t *texts;   /* sections with code, in order: their bases ascend */
    uint32_t n_texts;
    uint32_t *symbols; /* of code, by section, offset, then highest index first */
    uint32_t n_symbols;
    uint32_t *relocs; /* of code, by section and offset */
    uint32_t n_relocs;
    struct jump_table *jumps; /* by section and site */
    uint32_t n_jumps, cap_jumps;
    uint32_t next; /* number of the next label */
};

int labels_find(struct labels *l, const struct cubin *c, struct err *err);
void labels_free(struct labels *l);

/* The instruction at an offset of a text section, decoded where labels place it. */
void labels_decode(const struct labels *l, uint32_t section, uint64_t offset,
                   struct sass_inst *i);

/* Index in labels.symbols of the first symbol at or after the place. */
uint32_t labels_symbol_at(const struct labels *l, uint32_t section, uint64_t offset);

/* .L_x_N at a place; -1 if it has none. */
int64_t labels_number(const struct labels *l, uint32_t section, uint64_t offset);

/* Appends the name of a place: symbol or label. False if it has neither. */
bool labels_name(const struct labels *l, uint32_t section, uint64_t offset,
                 struct buf *out);

/* As labels_name, for an address that labels_decode() gave. */
bool labels_target(const struct labels *l, uint64_t addr, struct buf *out);

/* The relocation of an instruction, NULL if it has none. */
const struct cubin_reloc *labels_reloc(const struct labels *l, uint32_t section,
                                       uint64_t offset);

/* The jump table of a BRX, NULL if it has none. */
const struct jump_table *labels_jump(const struct labels *l, uint32_t section,
                                     uint64_t offset);

/* Appends a name out of the file; bytes that are no visible ASCII become '?'. */
void labels_put(struct buf *out, const char *name);

/* A relocation of an address field, not of a 32-bit immediate: CALL.ABS. */
bool labels_is_call(uint32_t type);

#endif
