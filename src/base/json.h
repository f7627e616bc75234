/* json.h - strings and numbers as JSON and CSV spell them, whatever the locale. */
#ifndef LENO_BASE_JSON_H
#define LENO_BASE_JSON_H

#include "base/buf.h"

/* A JSON string, quotes included. Bytes that are not UTF-8 become the characters of their
 * numbers, U+0080 to U+00FF, so that any name gives valid JSON. */
void json_string(struct buf *out, const char *text);

/* The shortest decimal that reads back as the same double; null if it is not finite,
 * which JSON cannot express. */
void json_double(struct buf *out, double value);

/* A field of CSV, in quotes where it needs them (RFC 4180). */
void csv_field(struct buf *out, const char *text);

#endif
