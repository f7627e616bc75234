/* sink.c - a file on its way out, compressed if its name says so. */
#include "trace/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* Level 3 is zstd's own default; a log shrinks to a quarter or less. */
enum { CHUNK = 1 << 16, LEVEL = 3 };

struct sink {
    FILE *file;
    char *path, *temporary;
    ZSTD_CCtx *zstd; /* NULL: plain */
    const char *wrong;
    char chunk[CHUNK];
};

static char *beside(const char *path, const char *suffix)
{
    struct buf b = { 0 };

    buf_printf(&b, "%s.%ld.%s", path, (long)getpid(), suffix);
    return b.data;
}

static void release(struct sink *s)
{
    ZSTD_freeCCtx(s->zstd);
    free(s->path);
    free(s->temporary);
    free(s);
}

/* Opens a file under another name than path's, which rename() could take. */
static FILE *open_beside(const char *path, const char *name, const char *mode,
                         struct err *err)
{
    struct stat st;
    FILE *f;

    if (!*path) {
        err_set(err, "a pipeline view needs the name of a file, not ''");
        return NULL;
    }
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
        err_set(err, "%s: not a regular file, which a pipeline view must be", path);
        return NULL;
    }
    f = fopen(name, mode);
    if (!f)
        err_set(err, "%s: %s", path, strerror(errno));
    return f;
}

struct sink *sink_open(const char *path, struct err *err)
{
    size_t n = strlen(path);
    bool is_zst = n > 4 && !strcmp(path + n - 4, ".zst");
    struct sink *s = calloc(1, sizeof *s);

    if (!s) {
        err_memory(err, "%s", path);
        return NULL;
    }
    s->path = strdup(path);
    s->temporary = beside(path, "tmp");
    if (is_zst)
        s->zstd = ZSTD_createCCtx();
    if (!s->path || (is_zst && !s->zstd))
        err_memory(err, "%s", path);
    else
        s->file = open_beside(path, s->temporary, "wb", err);
    if (!s->file) {
        release(s);
        return NULL;
    }
    if (s->zstd)
        ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, LEVEL);
    return s;
}

static void compress(struct sink *s, const void *bytes, size_t n, ZSTD_EndDirective end)
{
    ZSTD_inBuffer in = { bytes, n, 0 };
    size_t left;

    do {
        ZSTD_outBuffer out = { s->chunk, sizeof s->chunk, 0 };

        left = ZSTD_compressStream2(s->zstd, &out, &in, end);
        if (ZSTD_isError(left)) {
            s->wrong = ZSTD_getErrorName(left);
            return;
        }
        fwrite(s->chunk, 1, out.pos, s->file);
    } while (end == ZSTD_e_end ? left != 0 : in.pos < in.size);
}

void sink_add(struct sink *s, const void *bytes, size_t n)
{
    if (s->zstd)
        compress(s, bytes, n, ZSTD_e_continue);
    else
        fwrite(bytes, 1, n, s->file);
}

int sink_close(struct sink *s, bool keep, struct err *err)
{
    int status = 0;

    if (s->zstd && keep)
        compress(s, NULL, 0, ZSTD_e_end);
    errno = 0;
    if (keep && (fflush(s->file) || ferror(s->file) || s->wrong ||
                 (fsync(fileno(s->file)) && errno != EINVAL))) {
        const char *why = s->wrong ? s->wrong : errno ? strerror(errno) : "disk full?";

        status = err_set(err, "%s: could not be written: %s", s->path, why);
    }
    if (fclose(s->file) && keep && !status)
        status = err_set(err, "%s: %s", s->path, strerror(errno));
    if (keep && !status && rename(s->temporary, s->path))
        status = err_set(err, "%s: %s", s->path, strerror(errno));
    if (!keep || status)
        unlink(s->temporary);
    release(s);
    return status;
}

FILE *sink_scratch(const char *path, struct err *err)
{
    char *name = beside(path, "scratch.tmp");
    FILE *f = open_beside(path, name, "w+b", err);

    if (f)
        unlink(name);
    free(name);
    return f;
}
