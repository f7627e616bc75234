/* hot_put.h - where time went, as text, CSV and JSON (leno run --hot). */
#ifndef LENO_SESSION_HOT_PUT_H
#define LENO_SESSION_HOT_PUT_H

#include "session/hot_items.h"

/* Per kernel: functions, loops, source lines and instructions, those with most slots first,
 * at most `top` of each. */
void hot_put_text(const struct hot_runs *r, uint32_t top, struct buf *out);
/* A line per instruction and scheme; one without a PC for slots of no instruction. */
void hot_put_csv(const struct hot_runs *r, struct buf *out);
void hot_put_json(const struct hot_runs *r, struct buf *out); /* docs/formats.md */

#endif
