/* workloads.h - the workloads linked into the program, and where their files are. */
#ifndef LENO_SESSION_WORKLOADS_H
#define LENO_SESSION_WORKLOADS_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "frontend/sass/arch.h"
#include "sim/machine.h"
#include "workloads/workload.h"

/* All workloads, sorted by name; NULL after the last. */
const struct workload *workload_at(size_t i);

/* The twelve that stand for all where nobody names any (docs/results.md says how they were
 * chosen), sorted by name; NULL after the last. */
const char *workload_dozen_at(size_t i);

/* The workload of that name; NULL with err set, the nearest name suggested. */
const struct workload *workload_find(const char *name, struct err *err);

/* Whether it has a cubin for an architecture. */
bool workload_has_code(const struct workload *w, enum sass_arch arch);

/* The same, of one that must have it: NULL with err set, which says what to use instead. */
const struct workload *workload_find_for(const char *name, enum sass_arch arch,
                                         struct err *err);

/* The architectures of one that does not have all: "sm_90", "sm_80 to sm_120"; else "". */
void workload_put_archs(const struct workload *w, struct buf *out);

const char *workload_size_name(enum workload_size size);

/* The names of the programs for Vortex; NULL after the last. */
const char *workload_vortex_at(size_t i);

/* The file of a program for Vortex that is known by its name. */
int workload_vortex(const char *folder, const char *name, enum workload_size size,
                    struct buf *path, struct err *err);

/* The folder with their cubins: the one given, else $LENO_WORKLOADS, else the one
 * beside the program's own folder. */
int workload_folder(const char *given, struct buf *folder, struct err *err);

#endif
