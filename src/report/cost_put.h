/* cost_put.h - the storage of machines' schemes, part by part, and their gates and area, as
 * text or JSON. */
#ifndef LENO_REPORT_COST_PUT_H
#define LENO_REPORT_COST_PUT_H

#include <stdio.h>

#include "sim/machine.h"

struct cost_table {
    const char *const *spec; /* the schemes as users wrote them */
    struct machine *const *machine;
    size_t n;
};

/* Prints them all, or nothing: 0, or -1 with err set. */
int cost_print(const struct cost_table *t, bool is_json, FILE *out, struct err *err);

#endif
