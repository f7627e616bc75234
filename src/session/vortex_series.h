/* vortex_series.h - programs for Vortex run without timing, one after another. */
#ifndef LENO_SESSION_VORTEX_SERIES_H
#define LENO_SESSION_VORTEX_SERIES_H

#include "session/series.h"
#include "session/vortex_program.h"

struct vortex_series {
    const char *const *path;
    size_t n;
    const struct vortex_program_options *options;
    FILE *printed; /* takes the programs' own output */
    struct console *console;
    struct series runs;
};

/* 0, or -1 with err set: an operand is no program's file. */
int vortex_series_start(struct vortex_series *s, struct err *err);
/* Runs the next program; false after the last one. */
bool vortex_series_next(struct vortex_series *s, struct vortex_program_run *r);

#endif
