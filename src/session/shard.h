/* shard.h - the slices of a study, and the file with the results of one of them.
 *
 * The points of a study are its runs that differ, in the order of programs and columns.
 * Slice I of N has every Nth of them from the Ith on, so each slice has runs of every long
 * program; what is cached does not matter. A slice keeps its results in a file of its own,
 *
 *     DIR/shards/NAME-STUDY/I-of-N.jsonl
 *
 * where NAME is the study's file and STUDY a hash of its points and of Leno's revision. The
 * file lists all points of the slice with what became of them (docs/formats.md). It is
 * replaced as a whole after each run, so it can be read at any time, and copied anywhere.
 */
#ifndef LENO_SESSION_SHARD_H
#define LENO_SESSION_SHARD_H

#include <stdbool.h>

#include "base/buf.h"
#include "session/store.h"

struct shard {
    uint64_t number, n; /* number from 1 to n; n 0: the whole study */
};

enum { SHARD_MAX = 100000 };

/* "3/16" */
int shard_read(struct shard *s, const char *text, struct err *err);
/* Is this point, counted from 0, in the slice? */
bool shard_has(const struct shard *s, size_t point);
size_t shard_size(const struct shard *s, size_t n_points);

/* A study as shards know it. */
struct shard_study {
    uint64_t hash;
    size_t n_points;
};

/* "DIR/shards/NAME-STUDY"; name: the study's file, of which the folder and .ini are left
 * out, and characters that a shell or a file system might mind. */
void shard_put_folder(struct buf *out, const char *dir, const char *name,
                      const struct shard_study *study);
/* Makes it, and the folders above it. */
int shard_make_folder(const char *folder, struct err *err);
/* "I-of-N" */
void shard_put_name(struct buf *out, const struct shard *s);
#define SHARD_FILE_END ".jsonl"

/* ---- shard_file.c ---- */

enum shard_state { SHARD_TODO, SHARD_DONE, SHARD_FAILED };

struct shard_point {
    size_t number; /* in the study, from 0 */
    uint64_t program_hash, config_hash;
    char *program, *size, *arch, *gpu, *scheme;
    enum shard_state state;
    double seconds;
    int exit_code; /* SHARD_FAILED: of the run, and its message */
    char *message;
    char *result; /* SHARD_DONE: JSON, as in the store */
};

struct shard_file {
    struct shard shard;
    struct shard_study study;
    char revision[16];
    struct shard_point *point;
    size_t n;
};

/* Reads a file that may be anything: -1 with err set, which names file and line.
 * shard_file_free() in any case. */
int shard_file_read(const char *path, struct shard_file *f, struct err *err);
int shard_file_write(const char *path, const struct shard_file *f, struct err *err);
void shard_file_free(struct shard_file *f);

/* How many points are in a state. */
size_t shard_file_count(const struct shard_file *f, enum shard_state state);
/* "lud, ghost on rtx2060s-ghost" */
void shard_put_point(struct buf *out, const struct shard_point *p);

#endif
