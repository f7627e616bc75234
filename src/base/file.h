/* file.h - whole files in and out.
 *
 * Everything that Leno writes to a path goes through struct file_out:
 *   a regular file, or none yet   written under a temporary name in the same folder, then
 *                                 renamed: there whole, or not at all. A file that is
 *                                 replaced keeps its permissions
 *   a symbolic link               the file that it leads to, there already or not, is
 *                                 written so; the link stays
 *   a character device, a FIFO    written directly: /dev/null, /dev/stdout, /dev/fd/3
 *   anything else                 refused by name: folders, sockets, block devices, and
 *                                 the file that standard output or error goes to
 * Temporary names are random and never those of files that exist. A signal that ends the
 * process removes the files under temporary names first, unless the process handles that
 * signal itself; then it calls file_discard_temporaries().
 */
#ifndef LENO_BASE_FILE_H
#define LENO_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct file {
    uint8_t *data;
    size_t size;
};

/* Opens a regular file for reading and tells its size; anything else is refused at once, a
 * FIFO that nobody writes to included. NULL with err set, which may be NULL. */
FILE *file_open(const char *path, uint64_t *size, struct err *err);

/* Reads a whole regular file of at most max bytes. */
int file_read(const char *path, size_t max, struct file *file, struct err *err);
void file_free(struct file *file);

/* ---- file_out.c ---- */

struct file_out;

/* NULL with err set. */
struct file_out *file_out_open(const char *path, struct err *err);
FILE *file_out_stream(struct file_out *o);
/* Puts the file in place if all of it could be written; else returns -1 with err set
 * and leaves nothing. Frees o. */
int file_out_keep(struct file_out *o, struct err *err);
/* Removes the unfinished file and frees o, which may be NULL. */
void file_out_drop(struct file_out *o);

/* Writes a whole file at once, in the same way. */
int file_write(const char *path, const void *data, size_t size, struct err *err);

/* A nameless scratch file in the folder of path, to write and then read back; nothing
 * is left of it whatever happens. */
FILE *file_scratch(const char *path, struct err *err);

/* Before a long run: could path be written? err says why not. */
int file_out_check(const char *path, struct err *err);
/* Does a path name standard output itself: /dev/stdout, /dev/fd/1? */
bool file_is_stdout(const char *path);
/* Are two paths the same name in the same folder, links followed? Not so for devices and
 * FIFOs, which any number of outputs may share. */
bool file_is_same(const char *a, const char *b);
/* Would writing to it go to something that exists (a device, a FIFO) instead of making
 * a file? */
bool file_is_direct(const char *path);

/* An output of a command: the option that names it, and its path; NULL: not given. */
struct file_named {
    const char *option, *path;
};
/* Checks all of them, and that no two are the same file under whatever spelling. */
int file_out_check_all(const struct file_named *outputs, size_t n, struct err *err);

/* ---- file_live.c ---- */

/* Registers the name of a temporary file; returns its number for file_live_remove(). */
int file_live_add(const char *path);
void file_live_remove(int number);

/* Removes all files under temporary names, for a handler of a signal after which the
 * process ends: async-signal-safe. */
void file_discard_temporaries(void);

#endif
