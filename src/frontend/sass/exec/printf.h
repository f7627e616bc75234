/* printf.h - formatted output of kernels; see printf.c. */
#ifndef LENO_SASS_PRINTF_H
#define LENO_SASS_PRINTF_H

#include "base/buf.h"
#include "frontend/sass/exec/state.h"

struct printf_source {
    struct sass_warp *w;
    unsigned lane;
    uint64_t format, args; /* generic addresses */
    uint64_t bad;          /* the address that could not be read */
};

/* Appends the text and returns how many arguments were printed, or -1: bad is set. */
int printf_format(struct printf_source *s, struct buf *out);

/* Copies a string of the device, cut to size - 1; "?" if it cannot be read. */
void printf_string(struct sass_warp *w, unsigned lane, uint64_t addr, char *text,
                   size_t size);

#endif
