/* elements_put.h - the state of a study's slices as a table. */
#ifndef LENO_REPORT_ELEMENTS_PUT_H
#define LENO_REPORT_ELEMENTS_PUT_H

#include <stdio.h>

#include "session/elements.h"

void elements_print(const struct elements *e, const char *folder, FILE *out);

#endif
