/* store.h - results of runs, cached in a file.
 *
 * A result belongs to a program (its machine code and input), a configuration (every
 * parameter, the scheme) and a revision of Leno's source. It is kept whole, as the JSON
 * that leno run prints, so that later questions need no run. The file is an SQLite
 * database: each result is one transaction, so a process may be killed at any time, and
 * several may use one file. Each row has a checksum of its key and contents; a row that
 * does not match it is never used. A file that cannot be written can still be read.
 */
#ifndef LENO_SESSION_STORE_H
#define LENO_SESSION_STORE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct store;

struct store_key {
    uint64_t program, config;
    const char *revision;
};

/* Columns beside the key, for readers and for queries. */
struct store_row {
    const char *program, *size, *arch, *gpu, *scheme;
    double seconds;     /* it took */
    const char *result; /* JSON */
};

/* Opens the file, or creates it. A file that is no store, or one of another layout, is
 * an error; it is left as it is. A store from before checksums gets them: its rows,
 * which have none, count as missing. wait_ms: how long to wait for others. */
enum { STORE_WAIT_MS = 20000 };
struct store *store_open(const char *path, int wait_ms, struct err *err);
void store_close(struct store *s);

/* Why nothing can be put into it, "Read-only file system"; NULL: it can. */
const char *store_why_readonly(const struct store *s);

/* 1: found, its JSON appended; 0: not there; -1: err set; STORE_DAMAGED: a row is there but
 * does not match its checksum; err names file and row. */
enum { STORE_DAMAGED = 2 };
int store_get(struct store *s, const struct store_key *key, struct buf *result,
              struct err *err);
/* Replaces what is there under the key. */
int store_put(struct store *s, const struct store_key *key, const struct store_row *row,
              struct err *err);

/* How long runs of a program took on average, under any scheme and revision; 0 if there
 * was none. */
double store_seconds(struct store *s, uint64_t program);

#endif
