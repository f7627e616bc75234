/* internal.h - what the files of config/ share: a row by its key. */
#ifndef LENO_CONFIG_INTERNAL_H
#define LENO_CONFIG_INTERNAL_H

#include "config/param.h"

struct param_place {
    const struct param_desc *row;
    void *values;
    size_t index; /* of the row among all rows of all groups */
};

bool param_find(const struct param_binding *b, size_t n, const char *key,
                struct param_place *place);
size_t param_count(const struct param_binding *b, size_t n); /* rows of all groups */

/* The name of the i-th choice of an ENUM, not terminated; its length, 0 after the
 * last. */
size_t param_choice(const struct param_desc *row, uint32_t i, const char **name);

#endif
