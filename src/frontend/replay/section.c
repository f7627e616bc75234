/* section.c - the pieces of a recording, written and read.
 *
 * A recording gets its name only when it is complete. When it is read, a section's head
 * and compressed bytes are compared with their checksum before they are used.
 */
#include "frontend/replay/section.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/replay/bytes.h"

#define FILE_MAGIC 0x4345524f4e454cull /* "LENOREC" */
#define TAIL_MAGIC 0x444e454f4e454cull /* "LENOEND" */
#define HEAD_MAGIC 0x54434553u         /* "SECT" */

/* Of compression. On our workloads 9 makes files 3 to 7 % smaller and recording 13 to 30 %
 * slower. */
enum { LEVEL = 3 };

uint64_t section_checksum(uint64_t seed, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint64_t h = seed ^ n * 0x9e3779b97f4a7c15u;

    for (; n >= 8; n -= 8, p += 8) {
        h = (h ^ get_fixed(p, 8)) * 0x9fb21c651e98df25u;
        h ^= h >> 32;
    }
    h = (h ^ get_fixed(p, (unsigned)n)) * 0x9fb21c651e98df25u;
    return h ^ h >> 29;
}

/* Those with pieces of blocks are read in the middle of a replay. */
static size_t most_bytes(enum section_kind kind)
{
    return kind == SECTION_DATA || kind == SECTION_VALUES ? SECTION_MAX_DATA
                                                          : SECTION_MAX;
}

static int out_error(struct section_out *o, struct err *err)
{
    return err_set(err, "%s: could not be written: %s", o->path, strerror(errno));
}

static int section_put_bytes(struct section_out *o, const void *bytes, size_t n,
                             struct err *err)
{
    if (fwrite(bytes, 1, n, file_out_stream(o->out)) != n)
        return out_error(o, err);
    o->offset += n;
    return 0;
}

int section_create(struct section_out *o, const char *path, struct err *err)
{
    struct buf head = { 0 };
    int failed;

    *o = (struct section_out){ .zstd = ZSTD_createCCtx(), .path = strdup(path) };
    if (!o->zstd || !o->path) {
        section_abandon(o);
        return err_memory(err, "a file to write");
    }
    o->out = file_out_open(path, err);
    if (!o->out) {
        section_abandon(o);
        return -1;
    }
    put_fixed(&head, FILE_MAGIC, 8);
    put_fixed(&head, REPLAY_VERSION, 8);
    failed = section_put_bytes(o, head.data, head.len, err);
    buf_free(&head);
    if (failed)
        section_abandon(o);
    return failed;
}

/* Leaves nothing for a process that is forked in between to write once more. */
static int put_section(struct section_out *o, const struct buf *head, size_t n,
                       struct err *err)
{
    if (section_put_bytes(o, head->data, head->len, err) ||
        section_put_bytes(o, o->packed.data, n, err))
        return -1;
    return fflush(file_out_stream(o->out)) ? out_error(o, err) : 0;
}

int section_write(struct section_out *o, enum section_kind kind, const struct buf *raw,
                  struct err *err)
{
    size_t bound = ZSTD_compressBound(raw->len), n;
    struct buf head = { 0 };
    uint64_t sum;
    int failed;

    if (raw->len > most_bytes(kind))
        return err_kind(err, ERR_LIMIT, "%s: a section of %zu bytes is too large",
                        o->path, raw->len);
    if (o->packed.cap < bound) {
        buf_free(&o->packed);
        o->packed.data = malloc(bound);
        o->packed.cap = o->packed.data ? bound : 0;
    }
    if (!o->packed.data)
        return err_memory(err, "a section to write");
    n = ZSTD_compressCCtx(o->zstd, o->packed.data, bound, raw->data, raw->len, LEVEL);
    if (ZSTD_isError(n))
        return err_set(err, "%s: %s", o->path, ZSTD_getErrorName(n));
    put_fixed(&head, HEAD_MAGIC, 4);
    put_fixed(&head, kind, 4);
    put_fixed(&head, raw->len, 8);
    put_fixed(&head, n, 8);
    sum = section_checksum(o->offset, head.data, head.len);
    put_fixed(&head, section_checksum(sum, o->packed.data, n), 8);
    failed = put_section(o, &head, n, err);
    buf_free(&head);
    return failed;
}

int section_finish(struct section_out *o, uint64_t last, struct err *err)
{
    struct buf tail = { 0 };
    int failed;

    put_fixed(&tail, last, 8);
    put_fixed(&tail, section_checksum(o->offset, tail.data, 8), 8);
    put_fixed(&tail, TAIL_MAGIC, 8);
    failed = section_put_bytes(o, tail.data, tail.len, err);
    buf_free(&tail);
    if (!failed) {
        failed = file_out_keep(o->out, err);
        o->out = NULL;
    }
    section_abandon(o);
    return failed;
}

void section_abandon(struct section_out *o)
{
    file_out_drop(o->out);
    free(o->path);
    ZSTD_freeCCtx(o->zstd);
    buf_free(&o->packed);
    *o = (struct section_out){ 0 };
}

static int start_reading(struct section_in *in, struct err *err)
{
    in->zstd = ZSTD_createDCtx();
    return in->zstd ? 0 : err_memory(err, "decompression");
}

int section_open(struct section_in *in, const char *path, struct err *err)
{
    struct stat st;

    *in = (struct section_in){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
                               .file = path };
    if (in->fd < 0)
        return err_set(err, "%s: %s", path, strerror(errno));
    if (fstat(in->fd, &st) || !S_ISREG(st.st_mode)) {
        section_close(in);
        return err_set(err, "%s: not a regular file", path);
    }
    in->size = (uint64_t)st.st_size;
    return start_reading(in, err);
}

int section_open_memory(struct section_in *in, const char *name, const void *data,
                        size_t size, struct err *err)
{
    *in = (struct section_in){ .fd = -1, .memory = data, .size = size, .file = name };
    return start_reading(in, err);
}

void section_close(struct section_in *in)
{
    if (in->fd >= 0)
        close(in->fd);
    ZSTD_freeDCtx(in->zstd);
    buf_free(&in->packed);
    *in = (struct section_in){ .fd = -1 };
}

static int read_at(struct section_in *in, uint64_t offset, void *to, uint64_t n,
                   struct err *err)
{
    uint8_t *p = to;

    if (offset > in->size || n > in->size - offset)
        return err_set(err,
                       "%s: offset %llu: expected %llu bytes, the file ends at %llu: "
                       "it is cut off",
                       in->file, (unsigned long long)offset, (unsigned long long)n,
                       (unsigned long long)in->size);
    if (in->fd < 0) {
        memcpy(to, in->memory + offset, n);
        return 0;
    }
    while (n) {
        ssize_t got = pread(in->fd, p, n, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return err_set(err, "%s: offset %llu: %s", in->file,
                           (unsigned long long)offset,
                           got ? strerror(errno) : "the file became shorter");
        p += got;
        offset += (uint64_t)got;
        n -= (uint64_t)got;
    }
    return 0;
}

int section_find_last(struct section_in *in, uint64_t *last, struct err *err)
{
    uint8_t head[FILE_HEAD] = { 0 }, tail[FILE_TAIL];
    uint64_t at = in->size - FILE_TAIL;

    if (in->size < FILE_HEAD || read_at(in, 0, head, FILE_HEAD, err) ||
        get_fixed(head, 8) != FILE_MAGIC)
        return err_set(err, "%s: offset 0: not a recording of leno record", in->file);
    in->version = get_fixed(head + 8, 8);
    if (!in->version || in->version > REPLAY_VERSION)
        return err_set(err, "%s: offset 8: version %llu, expected 1 to %u", in->file,
                       (unsigned long long)in->version, (unsigned)REPLAY_VERSION);
    if (in->size < FILE_HEAD + SECTION_HEAD + FILE_TAIL)
        return err_set(err, "%s: offset %llu: the file is cut off", in->file,
                       (unsigned long long)in->size);
    if (read_at(in, at, tail, FILE_TAIL, err))
        return -1;
    if (get_fixed(tail + 16, 8) != TAIL_MAGIC ||
        get_fixed(tail + 8, 8) != section_checksum(at, tail, 8))
        return err_set(err,
                       "%s: offset %llu: expected the end of a recording: the file is "
                       "cut off or damaged",
                       in->file, (unsigned long long)at);
    *last = get_fixed(tail, 8);
    return 0;
}

static int section_damaged(const struct section_in *in, uint64_t offset,
                           const char *what, struct err *err)
{
    return err_set(err, "%s: offset %llu: %s", in->file, (unsigned long long)offset,
                   what);
}

static int section_unpack(struct section_in *in, const struct section_want *want,
                          struct buf *raw, size_t size, struct err *err)
{
    size_t n, need = size + want->pad + 1;

    if (ZSTD_getFrameContentSize(in->packed.data, in->packed.len) != size)
        return section_damaged(in, want->offset, "section size differs from its header",
                               err);
    if (raw->cap < need) {
        buf_free(raw);
        raw->data = malloc(need);
        raw->cap = raw->data ? need : 0;
    }
    if (!raw->data)
        return err_memory(err, "a section of %s", in->file);
    n = ZSTD_decompressDCtx(in->zstd, raw->data, size, in->packed.data, in->packed.len);
    if (ZSTD_isError(n) || n != size)
        return section_damaged(in, want->offset, "section cannot be decompressed", err);
    memset(raw->data + size, 0, want->pad + 1);
    raw->len = size;
    return 0;
}

int section_read(struct section_in *in, const struct section_want *want,
                 struct buf *raw, uint64_t *next, struct err *err)
{
    uint64_t at = want->offset, size, packed, sum;
    uint8_t head[SECTION_HEAD];

    if (read_at(in, at, head, SECTION_HEAD, err))
        return -1;
    size = get_fixed(head + 8, 8);
    packed = get_fixed(head + 16, 8);
    if (get_fixed(head, 4) != HEAD_MAGIC || get_fixed(head + 4, 4) != want->kind)
        return section_damaged(in, at, "expected a section that is not there", err);
    if (size > most_bytes(want->kind) || packed > in->size)
        return section_damaged(in, at, "section too large", err);
    if (in->packed.cap < packed + 1) {
        buf_free(&in->packed);
        in->packed.data = malloc(packed + 1);
        in->packed.cap = in->packed.data ? packed + 1 : 0;
    }
    if (!in->packed.data)
        return err_memory(err, "a section of %s", in->file);
    in->packed.len = packed;
    if (read_at(in, at + SECTION_HEAD, in->packed.data, packed, err))
        return -1;
    sum = section_checksum(at, head, 24);
    if (section_checksum(sum, in->packed.data, packed) != get_fixed(head + 24, 8))
        return section_damaged(
            in, at, "checksum of the section is wrong: the file is damaged", err);
    if (next)
        *next = at + SECTION_HEAD + packed;
    return section_unpack(in, want, raw, size, err);
}
