/* document.h - what every JSON document of Leno's has in common.
 *
 * A document is one object: which Leno wrote it, which schema it follows, then its members.
 * The name of a schema ends with a number that rises whenever a member changes its meaning
 * or goes; members may be added to it. docs/formats.md describes all of them.
 */
#ifndef LENO_BASE_DOCUMENT_H
#define LENO_BASE_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"

/* {"leno": "0.1", "schema": "leno.NAME/1", "revision": "..."; members follow, each after a
 * comma, and the caller's closing brace. */
void document_begin(struct buf *out, const char *name);

/* Members, each after a comma: text (null for NULL), a number, one that says yes or no. */
void document_text(struct buf *out, const char *name, const char *text);
void document_number(struct buf *out, const char *name, uint64_t value);
void document_bool(struct buf *out, const char *name, bool value);

/* "ok", "exit_code" and "message" of a run: how it ended. */
void document_outcome(struct buf *out, const struct err *err);

/* "settings": lines KEY=VALUE as an object; of those with one key the last counts. */
void document_settings(struct buf *out, const char *lines);

/* "warnings": a list of one, or none for "". */
void document_warning(struct buf *out, const char *text);

#endif
