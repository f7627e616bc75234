/* recording.h - the instructions of a program's kernels, written to files: one .leno file,
 * or a folder of traces for Accel-Sim (frontend/replay). Files appear when the recording is
 * finished, or not at all.
 */
#ifndef LENO_SESSION_RECORDING_H
#define LENO_SESSION_RECORDING_H

#include <stdbool.h>
#include <stdio.h>

#include "base/meter.h"
#include "frontend/replay/replay.h"

struct recording {
    FILE *rows;                   /* takes a table, one row per kernel; NULL: none */
    struct meter *meter;          /* its line is cleared before a row; may be NULL */
    struct replay_writer *leno;   /* one of the two is open */
    struct traceg_writer *traceg; /* ... */
    struct naming naming;         /* of the operands; traces have no distances */
    uint64_t n_kernels, n_blocks; /* recorded so far */
    struct replay_counts total;
    char *reserved; /* a name that this process took; NULL: none */
    int live;       /* its number for file_live_remove() */
};

/* Whether a path names a recording of either format: by how it ends. */
bool recording_is_file(const char *path);

/* info: noted in the file. 0, or -1 with err set. */
int recording_open_leno(struct recording *r, const char *path,
                        const struct replay_info *info, struct err *err);
/* The same as FOLDER/NAME.leno, or FOLDER/NAME-2.leno and so on: the first name that no
 * process has. It is taken at once, by an empty file, as the processes of a program may
 * record at the same time. */
int recording_open_new(struct recording *r, const char *folder, const char *name,
                       const struct replay_info *info, struct err *err);
int recording_open_traceg(struct recording *r, const char *folder, unsigned sm,
                          struct err *err);
bool recording_is_open(const struct recording *r);

/* Executes the kernel to its end and appends its instructions; fills in counts. After a
 * failure the recording is abandoned. */
int recording_add_kernel(struct recording *r, struct kernel *k,
                         struct replay_counts *counts, struct err *err);

int recording_finish(struct recording *r, struct err *err);
void recording_abandon(struct recording *r); /* also one that is not open */

#endif
