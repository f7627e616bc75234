/* program.h - programs that Leno runs: the CUDA toolkit's ptxas, nvlink and nvcc, and Slurm's
 * commands.
 *
 * They are started without a shell, with nothing on standard input, and without the
 * libraries that leno exec gave to this process. Their files live in a scratch folder.
 */
#ifndef LENO_BASE_PROGRAM_H
#define LENO_BASE_PROGRAM_H

#include <limits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

/* A program of the toolkit: in $CUDA_HOME/bin or $CUDA_PATH/bin and nowhere else if one of
 * them is set, else along PATH, else in /usr/local/cuda/bin. -1 with ERR_UNSUPPORTED if it
 * is not there; the message says where it was looked for. */
int program_find(const char *name, struct buf *path, struct err *err);

/* A program along PATH; false if there is none. */
bool program_in_path(const char *name, struct buf *path);

/* Runs argv[0], a path, in folder, and waits. What it writes to standard output and error
 * is added to out. 0 if it ended with status 0; 1 if not; -1 with err set if it could not
 * be started. */
int program_run(char *const argv[], const char *folder, struct buf *out,
                struct err *err);

/* A folder for the files of one task. */
struct scratch {
    char path[PATH_MAX]; /* "": there is none */
};

/* In $TMPDIR, or else /tmp. */
int scratch_open(struct scratch *s, struct err *err);
/* Removes the folder with all its files and folders. */
void scratch_close(struct scratch *s);
/* The path of a file in it, in a buffer that is cleared first. */
const char *scratch_path(const struct scratch *s, const char *name, struct buf *path);
int scratch_write(const struct scratch *s, const char *name, const void *data, size_t n,
                  struct err *err);
/* err names the file if it is not there. */
int scratch_read(const struct scratch *s, const char *name, struct file *file,
                 struct err *err);

#endif
