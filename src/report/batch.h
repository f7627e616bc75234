/* batch.h - what all results of a batch have in common, printed. */
#ifndef LENO_REPORT_BATCH_H
#define LENO_REPORT_BATCH_H

#include <stdio.h>

#include "session/batch.h"

/* "size", "seed", "code_arch", "sms", "settings" and "warnings" that hold for all cells, as
 * members of a JSON document, each after a comma; null: each machine's own. */
void batch_json(const struct batch *b, struct buf *out);

/* Where results came from and where they are cached, as sentences. */
void batch_footer(const struct batch *b, struct buf *out);

/* The same for a slice, which has no table. */
void batch_print_slice(const struct batch *b, FILE *out);

#endif
