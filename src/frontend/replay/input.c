/* input.c - lines of a text file: plain, compressed with xz, or in memory. */
#include "frontend/replay/input.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/file.h"

enum { XZ_MEMORY = 1 << 30 }; /* most memory that a decoder may use */

static const uint8_t xz_magic[6] = { 0xfd, '7', 'z', 'X', 'Z', 0 };

int input_error(const struct input *in, struct err *err, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return err_set(err, "%s:%llu: %s", in->file, (unsigned long long)in->n_lines, text);
}

static int start_xz(struct input *in, struct err *err)
{
    if (!in->is_xz)
        return 0;
    in->xz.avail_in = 0;
    if (lzma_stream_decoder(&in->xz, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
        return err_memory(err, "decompressing %s", in->file);
    return 0;
}

/* Up to n raw bytes of the file. -1: error. */
static long input_read_raw(struct input *in, void *to, size_t n, struct err *err)
{
    uint64_t left = in->size - in->read;

    if (in->f) {
        n = fread(to, 1, n, in->f);
        if (!n && ferror(in->f))
            return err_set(err, "%s: %s", in->file, strerror(errno));
    } else {
        n = left < n ? (size_t)left : n;
        memcpy(to, in->memory + in->read, n);
    }
    in->read += n;
    return (long)n;
}

int input_open(struct input *in, const char *file, const void *data, size_t size,
               struct err *err)
{
    uint8_t head[sizeof xz_magic] = { 0 };

    memset(in, 0, sizeof *in);
    in->file = file;
    in->memory = data;
    in->size = size;
    if (!data) {
        in->f = file_open(file, &in->size, err);
        if (!in->f)
            return -1;
    }
    if (input_read_raw(in, head, sizeof head, err) < 0) {
        input_close(in);
        return -1;
    }
    in->is_xz = !memcmp(head, xz_magic, sizeof head);
    if (input_rewind(in, err)) {
        input_close(in);
        return -1;
    }
    return 0;
}

void input_close(struct input *in)
{
    if (in->f)
        fclose(in->f);
    lzma_end(&in->xz);
    in->f = NULL;
}

int input_seek(struct input *in, uint64_t offset, uint64_t n_lines, struct err *err)
{
    if (in->f && fseeko(in->f, (off_t)offset, SEEK_SET))
        return err_set(err, "%s: %s", in->file, strerror(errno));
    in->read = in->offset = offset;
    in->n_lines = n_lines;
    in->start = in->end = 0;
    in->is_over = false;
    return 0;
}

int input_rewind(struct input *in, struct err *err)
{
    return input_seek(in, 0, 0, err) || start_xz(in, err) ? -1 : 0;
}

/* Decompresses into the rest of text. */
static int input_unpack(struct input *in, struct err *err)
{
    uint8_t *to = (uint8_t *)in->text + in->end;

    in->xz.next_out = to;
    in->xz.avail_out = sizeof in->text - 1 - in->end;
    while (in->xz.next_out == to) {
        lzma_ret r;

        if (!in->xz.avail_in) {
            long n = input_read_raw(in, in->packed, sizeof in->packed, err);

            if (n < 0)
                return -1;
            in->xz.next_in = in->packed;
            in->xz.avail_in = (size_t)n;
        }
        r = lzma_code(&in->xz, in->xz.avail_in ? LZMA_RUN : LZMA_FINISH);
        if (r == LZMA_STREAM_END) {
            in->is_over = true;
            break;
        }
        if (r != LZMA_OK)
            return err_set(err, "%s: offset %llu: %s", in->file,
                           (unsigned long long)(in->read - in->xz.avail_in),
                           r == LZMA_BUF_ERROR        ? "the file is cut off"
                           : r == LZMA_MEMLIMIT_ERROR ? "takes too much memory to "
                                                        "decompress"
                                                      : "damaged xz data");
    }
    in->end += (size_t)(in->xz.next_out - to);
    return 0;
}

static int input_refill(struct input *in, struct err *err)
{
    long n;

    memmove(in->text, in->text + in->start, in->end - in->start);
    in->end -= in->start;
    in->start = 0;
    if (in->is_xz)
        return input_unpack(in, err);
    n = input_read_raw(in, in->text + in->end, sizeof in->text - 1 - in->end, err);
    if (n < 0)
        return -1;
    in->is_over = !n;
    in->end += (size_t)n;
    return 0;
}

/* The line at text[start], blank or not. */
static int read_line(struct input *in, char **line, struct err *err)
{
    for (;;) {
        size_t n = in->end - in->start;
        char *at = in->text + in->start, *end = n ? memchr(at, '\n', n) : NULL;

        if (!end && n <= INPUT_LINE && !in->is_over) {
            if (input_refill(in, err))
                return -1;
            continue;
        }
        if (!n)
            return 0;
        in->n_lines++;
        if (!end && n > INPUT_LINE)
            return input_error(in, err, "line of more than %d characters", INPUT_LINE);
        if (end)
            n = (size_t)(end - at);
        in->start += n + (end != NULL);
        in->offset += n + (end != NULL);
        at[n] = '\0';
        if (n && at[n - 1] == '\r')
            at[n - 1] = '\0';
        *line = at;
        return 1;
    }
}

int input_line(struct input *in, char **line, struct err *err)
{
    int got;

    while ((got = read_line(in, line, err)) > 0) {
        *line += strspn(*line, " \t");
        if (**line)
            return 1;
    }
    return got;
}
