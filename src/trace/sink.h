/* sink.h - an output file: written under a temporary name, compressed if its name ends
 * in .zst, and renamed when it is whole.
 *
 * Errors are kept until sink_close(), so that writers need not check each line.
 */
#ifndef LENO_TRACE_SINK_H
#define LENO_TRACE_SINK_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct sink;

struct sink *sink_open(const char *path, struct err *err);
void sink_add(struct sink *s, const void *bytes, size_t n);

/* Puts the file in place if keep is set and all went well, else removes it. Frees s. */
int sink_close(struct sink *s, bool keep, struct err *err);

#endif
