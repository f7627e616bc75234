/* lines.h - source lines of a cubin's code, from .debug_line (nvcc -lineinfo, -G).
 *
 * The table is that of DWARF 2 to 4, with NVIDIA's operation 0x90 (where a function was
 * inlined), which is skipped: a line is that of the inlined text itself. It is read when a
 * cubin is loaded. A table that is not as it should be gives no lines and a reason; the
 * code runs without it.
 */
#ifndef LENO_SASS_LINES_H
#define LENO_SASS_LINES_H

#include "base/err.h"
#include "frontend/sass/load/cubin.h"

struct sass_line {
    uint32_t section;
    uint64_t offset;     /* of the first instruction of the line, in the section */
    uint32_t file, line; /* file: index of a name; line 0: none from here on */
};

struct sass_lines {
    struct sass_line *at; /* by section and offset */
    uint32_t n, cap;
    char **name; /* files, "folder/name" */
    uint32_t n_names, cap_names;
    char why[200]; /* the table cannot be used; "" otherwise, or if there is none */
};

/* The file names the image in messages. -1: out of memory; a bad table is no failure. */
int sass_lines_read(struct sass_lines *l, const struct cubin *c, const char *file,
                    struct err *err);
void sass_lines_free(struct sass_lines *l);

/* The line of an instruction of a section; NULL: not known. */
const struct sass_line *sass_lines_find(const struct sass_lines *l, uint32_t section,
                                        uint64_t offset);

#endif
