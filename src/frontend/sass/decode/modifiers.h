/* modifiers.h - the tables of modifiers.def: texts of a field's values. */
#ifndef LENO_SASS_MODIFIERS_H
#define LENO_SASS_MODIFIERS_H

#include <stddef.h>
#include <stdint.h>

struct mod_table {
    const char *name;
    uint8_t width;           /* bits */
    const char *const *text; /* by value; NULL: not a valid one */
};

/* The table of a name with so many letters; NULL: there is none. */
const struct mod_table *modifier_table(const char *name, size_t len);

#endif
