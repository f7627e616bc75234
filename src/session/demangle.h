/* demangle.h - names of C++ functions as a programmer writes them. */
#ifndef LENO_SESSION_DEMANGLE_H
#define LENO_SESSION_DEMANGLE_H

#include <stddef.h>

#include "base/buf.h"

/* Appends "add<float>(float*, int)" for _Z3addIfEvPT_i, with at most max characters:
 * a longer one is cut and ends in "...". A kernel's own copy of a function has the
 * function's name. The C++ library does the work, which CUDA
 * programs have loaded; where it is not installed, and for names of other languages, the
 * name is appended as it is. */
void demangle_put(struct buf *out, const char *name, size_t max);

#endif
