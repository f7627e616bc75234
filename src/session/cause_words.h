/* cause_words.h - what people see of a stall cause: a name and a colour, the same in every
 * page and chart.
 */
#ifndef LENO_SESSION_CAUSE_WORDS_H
#define LENO_SESSION_CAUSE_WORDS_H

#include "stats/stall.h"

/* In words that Nsight Compute's users know. */
const char *cause_label(enum stall cause);
const char *cause_color(enum stall cause);

/* All of them as a JSON object: {"issued": {"label", "color", "nsight", "help"}, ...}. */
void cause_words_json(struct buf *out);

#endif
