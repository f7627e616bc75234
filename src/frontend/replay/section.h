/* section.h - the pieces of a recording: a head with a checksum, and compressed bytes.
 * docs/formats.md has the layout.
 */
#ifndef LENO_REPLAY_SECTION_H
#define LENO_REPLAY_SECTION_H

#include <stdint.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

enum {
    FILE_HEAD = 16, /* magic, version */
    FILE_TAIL = 24, /* where the last section is, checksum, magic */
    SECTION_HEAD = 32,
    REPLAY_VERSION = 7,          /* that is written; those before it are read, too */
    SECTION_MAX_DATA = 16 << 20, /* bytes of a section with blocks, decompressed */
    SECTION_MAX = 512 << 20,     /* of any other */
};

enum section_kind {
    SECTION_DATA = 1,
    SECTION_KERNEL,
    SECTION_PROGRAM,
    SECTION_VALUES,
    SECTION_CODE
};

uint64_t section_checksum(uint64_t seed, const void *bytes, size_t n);

/* A file being written, under a temporary name. */
struct section_out {
    struct file_out *out;
    char *path; /* for messages */
    uint64_t offset;
    ZSTD_CCtx *zstd;
    struct buf packed;
};

int section_create(struct section_out *o, const char *path, struct err *err);
int section_write(struct section_out *o, enum section_kind kind, const struct buf *raw,
                  struct err *err);
/* The file gets its tail and its name; the last section is the program's. */
int section_finish(struct section_out *o, uint64_t last, struct err *err);
void section_abandon(struct section_out *o);

/* A file being read, or bytes in memory that look like one. */
struct section_in {
    int fd; /* -1: memory */
    const uint8_t *memory;
    uint64_t size;
    uint64_t version; /* section_find_last() sets it */
    const char *file; /* for messages */
    ZSTD_DCtx *zstd;
    struct buf packed;
};

int section_open(struct section_in *in, const char *path, struct err *err);
int section_open_memory(struct section_in *in, const char *name, const void *data,
                        size_t size, struct err *err);
void section_close(struct section_in *in);

/* Checks head and tail; *last: where the program's section is. */
int section_find_last(struct section_in *in, uint64_t *last, struct err *err);

/* Decompresses the section at an offset; pad readable zeros follow it. raw's memory is
 * used again. *next: the offset after it, may be NULL. */
struct section_want {
    uint64_t offset;
    enum section_kind kind;
    size_t pad;
};
int section_read(struct section_in *in, const struct section_want *want,
                 struct buf *raw, uint64_t *next, struct err *err);

#endif
