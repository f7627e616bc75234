/* mnemonic_other.h - shared by mnemonic.c and the other mnemonic_*.c. */
#ifndef LENO_SASS_MNEMONIC_OTHER_H
#define LENO_SASS_MNEMONIC_OTHER_H

#include "frontend/sass/print/mnemonic.h"

typedef void mnemonic_fn(struct buf *out, const struct sass_inst *i);

struct mnemonic_special {
    const char *name;
    mnemonic_fn *print;
};
/* Each ended by a NULL name. */
extern const struct mnemonic_special mnemonic_other[], mnemonic_tensor[];

/* Appends ".text" unless text is empty. */
void mnemonic_dot(struct buf *out, const char *text);

/* Appends the entry of a table of modifiers.def for the value of a field. */
void mnemonic_entry(struct buf *out, const char *table, unsigned value);
void mnemonic_field(struct buf *out, const struct sass_inst *i, const char *table,
                    enum sass_field f);

#endif
