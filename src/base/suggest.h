/* suggest.h - the nearest valid name to a misspelt one. */
#ifndef LENO_BASE_SUGGEST_H
#define LENO_BASE_SUGGEST_H

#include <stddef.h>

#include "base/buf.h"

/* Appends " (did you mean 'x'?)" if one of the names is near, else nothing; next
 * gives the i-th name, NULL at the end. Names must stay until this returns. */
void suggest_word(struct buf *out, const char *word,
                  const char *(*next)(const void *from, size_t i), const void *from);
/* A next for an array of names that ends with NULL. */
const char *suggest_from_list(const void *from, size_t i);

#endif
