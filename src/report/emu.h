/* emu.h - the results of leno emu, printed run by run: a table, or one JSON document. */
#ifndef LENO_REPORT_EMU_H
#define LENO_REPORT_EMU_H

#include "session/emu_series.h"
#include "session/vortex_series.h"

/* A workload's run, after it was noted in the series. */
void emu_print(struct console *console, bool is_json, const struct emu_series *s,
               const struct emu_result *r, const struct err *err);

/* The same for a program for Vortex, which has a line instead of a row. */
void emu_print_vortex(struct console *console, bool is_json,
                      const struct vortex_series *s,
                      const struct vortex_program_run *r);

#endif
