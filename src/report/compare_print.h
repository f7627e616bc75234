/* compare_print.h - a comparison as leno compare prints it: the tables of compare.h with what
 * holds for all results. */
#ifndef LENO_REPORT_COMPARE_PRINT_H
#define LENO_REPORT_COMPARE_PRINT_H

#include <stdio.h>

#include "session/batch.h"
#include "session/kind.h"

/* The text says what the default schemes of this kind of machine are, if it has those, and
 * which commands to try next. */
void compare_print_text(const struct batch *b, const struct session_kind *kind,
                        bool is_default, bool wants_energy, FILE *out);
void compare_print_json(const struct batch *b, FILE *out);
void compare_print_csv(const struct batch *b, FILE *out);

#endif
