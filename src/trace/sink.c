/* sink.c - an output file, compressed if its name says so. */
#include "trace/sink.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/file.h"

/* Level 3 is zstd's own default; a log shrinks to a quarter or less. */
enum { CHUNK = 1 << 16, LEVEL = 3 };

struct sink {
    struct file_out *out;
    ZSTD_CCtx *zstd; /* NULL: plain */
    const char *wrong;
    char chunk[CHUNK];
};

static void sink_free(struct sink *s)
{
    ZSTD_freeCCtx(s->zstd);
    free(s);
}

struct sink *sink_open(const char *path, struct err *err)
{
    size_t n = strlen(path);
    bool is_zst = n > 4 && !strcmp(path + n - 4, ".zst");
    struct sink *s = calloc(1, sizeof *s);

    if (s && is_zst)
        s->zstd = ZSTD_createCCtx();
    if (!s || (is_zst && !s->zstd)) {
        err_memory(err, "%s", path);
        free(s);
        return NULL;
    }
    s->out = file_out_open(path, err);
    if (!s->out) {
        sink_free(s);
        return NULL;
    }
    if (s->zstd)
        ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, LEVEL);
    return s;
}

static void sink_compress(struct sink *s, const void *bytes, size_t n,
                          ZSTD_EndDirective end)
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
        fwrite(s->chunk, 1, out.pos, file_out_stream(s->out));
    } while (end == ZSTD_e_end ? left != 0 : in.pos < in.size);
}

void sink_add(struct sink *s, const void *bytes, size_t n)
{
    if (s->zstd)
        sink_compress(s, bytes, n, ZSTD_e_continue);
    else
        fwrite(bytes, 1, n, file_out_stream(s->out));
}

int sink_close(struct sink *s, bool keep, struct err *err)
{
    int status = 0;

    if (s->zstd && keep)
        sink_compress(s, NULL, 0, ZSTD_e_end);
    if (keep && s->wrong)
        status = err_set(err, "a pipeline view could not be compressed: %s", s->wrong);
    if (!keep || status)
        file_out_drop(s->out);
    else
        status = file_out_keep(s->out, err);
    sink_free(s);
    return status;
}
