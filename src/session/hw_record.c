/* hw_record.c - reads what a real GPU did: the records and the list of known differences.
 *
 * The files are not trusted: every field is checked, and messages name file and line. A
 * file is read whole and cut into fields in place.
 */
#include "session/hw_record.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RECORD = 16 << 20, MAX_FIELDS = 8 };

static const char *const sizes[N_WORKLOAD_SIZE] = { "tiny", "small", "paper" };
static const char *const counts[N_HW_RECORD_COUNT] = { "warps", "threads", "on" };

const char *hw_record_count_name(enum hw_record_count what)
{
    return counts[what];
}

uint64_t hw_record_hash(const void *bytes, size_t n)
{
    const uint8_t *b = bytes;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * 0x100000001b3u;
    return h;
}

/* A file being read: the position, and the fields of the current line. */
struct reader {
    const char *path;
    char *at, *end;
    unsigned line;
    unsigned max; /* fields; the last one takes the rest of the line */
    unsigned n;
    char *field[MAX_FIELDS];
};

static int bad_line(const struct reader *r, const char *expected, struct err *err)
{
    return err_set(err, "%s:%u: expected %s", r->path, r->line, expected);
}

static int open_text(struct reader *r, const char *path, struct file *text,
                     struct err *err)
{
    uint8_t *grown;

    if (file_read(path, MAX_RECORD, text, err))
        return -1;
    if (memchr(text->data, '\0', text->size)) {
        file_free(text);
        return err_set(err, "%s: expected text", path);
    }
    grown = realloc(text->data, text->size + 1);
    if (!grown) {
        file_free(text);
        return err_memory(err, "a reference");
    }
    text->data = grown;
    grown[text->size] = '\0';
    *r = (struct reader){ .path = path,
                          .at = (char *)grown,
                          .end = (char *)grown + text->size,
                          .max = MAX_FIELDS };
    return 0;
}

static void split_fields(struct reader *r, char *s)
{
    for (r->n = 0; r->n < r->max; r->n++) {
        while (*s == ' ')
            *s++ = '\0';
        if (!*s)
            return;
        r->field[r->n] = s;
        if (r->n + 1 < r->max)
            s += strcspn(s, " ");
        else
            s += strlen(s);
    }
}

/* Splits the next line that is not blank or a comment into fields. False at the end. */
static bool next_line(struct reader *r)
{
    while (r->at < r->end) {
        char *line = r->at, *stop = memchr(line, '\n', (size_t)(r->end - line));

        stop = stop ? stop : r->end;
        *stop = '\0';
        r->at = stop < r->end ? stop + 1 : stop;
        r->line++;
        split_fields(r, line);
        if (r->n && r->field[0][0] != '#')
            return true;
    }
    return false;
}

/* Digits only: no sign, no 0x. */
static bool is_number(const char *s, int base, uint64_t *value)
{
    const char *digits = base == 16 ? "0123456789abcdef" : "0123456789";

    if (!*s || s[strspn(s, digits)])
        return false;
    errno = 0;
    *value = strtoull(s, NULL, base);
    return !errno;
}

/* Appends an element of this size to an array, whose pointer is at *array. */
static int append_element(void *array, size_t *n, const void *element, size_t size,
                          struct err *err)
{
    void *at;

    memcpy(&at, array, sizeof at);
    if (!(*n & (*n - 1))) /* doubled at powers of two only */
        at = realloc(at, (*n ? 2 * *n : 1) * size);
    if (!at)
        return err_memory(err, "a reference");
    memcpy(array, &at, sizeof at);
    memcpy((char *)at + (*n)++ * size, element, size);
    return 0;
}

static int read_output(struct hw_record *rec, const struct reader *r, struct err *err)
{
    struct hw_record_output o = { 0 };
    int size = 0;

    while (r->n == 5 && size < N_WORKLOAD_SIZE && strcmp(r->field[1], sizes[size]))
        size++;
    if (r->n != 5 || size == N_WORKLOAD_SIZE || !is_number(r->field[3], 10, &o.bytes) ||
        !is_number(r->field[4], 16, &o.hash))
        return bad_line(r, "output tiny|small|paper NAME BYTES HASH", err);
    o.size = (enum workload_size)size;
    o.name = r->field[2];
    for (size_t i = 0; i < rec->n_outputs; i++) {
        if (rec->outputs[i].size == o.size && !strcmp(rec->outputs[i].name, o.name))
            return bad_line(r, "each output of a size once", err);
    }
    return append_element(&rec->outputs, &rec->n_outputs, &o, sizeof o, err);
}

static int read_kernel(struct hw_record *rec, const struct reader *r, struct err *err)
{
    struct hw_record_kernel k = { 0 };

    if (r->n != 4 || strcmp(r->field[2], "launches") ||
        !is_number(r->field[3], 10, &k.launches))
        return bad_line(r, "kernel NAME launches N", err);
    k.name = r->field[1];
    for (size_t i = 0; i < rec->n_kernels; i++) {
        if (!strcmp(rec->kernels[i].name, k.name))
            return bad_line(r, "each kernel once", err);
    }
    return append_element(&rec->kernels, &rec->n_kernels, &k, sizeof k, err);
}

static int read_counts(struct hw_record *rec, const struct reader *r, struct err *err)
{
    struct hw_record_kernel *k;
    uint64_t pc, c[N_HW_RECORD_COUNT];

    if (r->n != 4 || !is_number(r->field[0], 16, &pc) || !rec->n_kernels)
        return bad_line(
            r, "cubin, output, kernel, or below a kernel PC WARPS THREADS ON", err);
    for (int i = 0; i < N_HW_RECORD_COUNT; i++) {
        if (!is_number(r->field[1 + i], 10, &c[i]))
            return bad_line(r, "PC WARPS THREADS ON", err);
    }
    k = &rec->kernels[rec->n_kernels - 1];
    if (pc != 16 * k->n)
        return bad_line(r, "every instruction from 0000 on, 16 bytes apart", err);
    return append_element(&k->at, &k->n, c, sizeof c, err);
}

static int read_record_line(struct hw_record *rec, const struct reader *r,
                            struct err *err)
{
    if (!strcmp(r->field[0], "output"))
        return read_output(rec, r, err);
    if (!strcmp(r->field[0], "kernel"))
        return read_kernel(rec, r, err);
    if (strcmp(r->field[0], "cubin"))
        return read_counts(rec, r, err);
    if (r->n != 3 || rec->cubin_bytes ||
        !is_number(r->field[1], 10, &rec->cubin_bytes) ||
        !is_number(r->field[2], 16, &rec->cubin_hash))
        return bad_line(r, "cubin BYTES HASH, once", err);
    return 0;
}

int hw_record_read(struct hw_record *rec, const char *path, struct err *err)
{
    struct reader r;
    int failed = 0;

    *rec = (struct hw_record){ 0 };
    if (open_text(&r, path, &rec->text, err))
        return -1;
    while (!failed && next_line(&r))
        failed = read_record_line(rec, &r, err);
    if (!failed && !rec->cubin_bytes)
        failed = err_set(err, "%s: expected a line cubin BYTES HASH", path);
    if (failed)
        hw_record_free(rec);
    return failed;
}

void hw_record_free(struct hw_record *r)
{
    for (size_t i = 0; i < r->n_kernels; i++)
        free(r->kernels[i].at);
    free(r->kernels);
    free(r->outputs);
    file_free(&r->text);
    *r = (struct hw_record){ 0 };
}

static int read_known_line(struct hw_record_list *l, const struct reader *r,
                           struct err *err)
{
    struct hw_record_known k = { 0 };
    int what = 0;

    while (r->n == 7 && what < N_HW_RECORD_COUNT && strcmp(r->field[3], counts[what]))
        what++;
    if (r->n != 7 || what == N_HW_RECORD_COUNT || !is_number(r->field[2], 16, &k.pc) ||
        !is_number(r->field[4], 10, &k.ours) ||
        !is_number(r->field[5], 10, &k.hardware))
        return bad_line(
            r, "WORKLOAD KERNEL PC warps|threads|on OURS HARDWARE REASON...", err);
    k.workload = r->field[0];
    k.kernel = r->field[1];
    k.what = (enum hw_record_count)what;
    k.reason = r->field[6];
    return append_element(&l->at, &l->n, &k, sizeof k, err);
}

int hw_record_known_read(struct hw_record_list *l, const char *path, struct err *err)
{
    struct reader r;
    int failed = 0;

    *l = (struct hw_record_list){ 0 };
    if (open_text(&r, path, &l->text, err))
        return -1;
    r.max = 7;
    while (!failed && next_line(&r))
        failed = read_known_line(l, &r, err);
    if (failed)
        hw_record_known_free(l);
    return failed;
}

void hw_record_known_free(struct hw_record_list *l)
{
    free(l->at);
    file_free(&l->text);
    *l = (struct hw_record_list){ 0 };
}
