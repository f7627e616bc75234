/* micro.h - whole times of micro.elf and mem.elf, here and in the RTL, row by row. */
#ifndef LENO_TESTS_VORTEX_MICRO_H
#define LENO_TESTS_VORTEX_MICRO_H

#include "tables.h"

enum { MICRO_LINES = 24 }; /* rows times passes of a program, at most */

struct micro_program {
    const char *path;
    unsigned n_rows, n_passes;
    const char *rows[8];
};

/* A program on one machine. */
struct micro_column {
    const struct micro_program *program;
    const char *title;
    unsigned scheme, warps, threads;
    uint32_t rtl[MICRO_LINES]; /* cycles, by row and pass */
};
extern const struct micro_column micro_columns[];
extern const size_t n_micro_columns;

unsigned micro_lines(const struct micro_program *p);
/* The same cycles on this machine; -1 with the rig's message printed if it fails. */
int micro_measure(const struct micro_column *c, uint32_t cycles[MICRO_LINES]);
bool micro_fits(uint32_t rtl, uint32_t ours); /* within 5 % */

/* A line that does not fit: its present value, and what is known of why. */
struct misfit {
    const char *column, *row;
    unsigned pass;
    uint32_t ours;
    const char *why;
};
extern const struct misfit misfits[]; /* ends with a NULL column */
const struct misfit *misfit_find(const struct micro_column *c, unsigned line);

/* As in docs/validation.md. */
void micro_table(struct buf *out);

#endif
