/* shard_file.c - the file of a slice: a line of JSON for the slice, then one per point.
 *
 * A point's line begins with a checksum of the rest of the line. Lines are read with
 * SQLite's JSON functions; the result, the last member, is taken as it is.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/revision.h"
#include "session/shard.h"

#define SCHEMA      "leno.shard/1"
#define RESULT_NAME ", \"result\": "
#define SUM_NAME    "{\"checksum\": \""
enum { SUM_DIGITS = 16, SUM_END = sizeof SUM_NAME - 1 + SUM_DIGITS + 1 };

static const size_t max_bytes = (size_t)1 << 31;

static const char *const states[] = { "todo", "done", "failed" };
enum { N_STATES = sizeof states / sizeof *states };

/* ---- writing ---- */

static void put_hash(struct buf *out, const char *name, uint64_t hash)
{
    buf_printf(out, ", \"%s\": \"%016llx\"", name, (unsigned long long)hash);
}

/* On one line: what ends a line in JSON is white space. */
static void put_result(struct buf *out, const char *json)
{
    size_t from = out->len;

    buf_puts(out, RESULT_NAME);
    buf_puts(out, json);
    for (char *at = out->data + from; *at; at++)
        if (*at == '\n')
            *at = ' ';
}

static void put_outcome(struct buf *out, const struct shard_point *p)
{
    document_text(out, "state", states[p->state]);
    if (p->state == SHARD_FAILED) {
        document_number(out, "exit_code", (uint64_t)p->exit_code);
        document_text(out, "message", p->message);
    }
    if (p->state == SHARD_DONE) {
        buf_puts(out, ", \"seconds\": ");
        json_double(out, p->seconds);
        put_result(out, p->result);
    }
}

static void put_point(struct buf *out, struct buf *line, const struct shard_point *p)
{
    buf_clear(line);
    document_text(line, "schema", "leno.point/1");
    document_number(line, "point", p->number);
    put_hash(line, "program_hash", p->program_hash);
    put_hash(line, "config_hash", p->config_hash);
    document_text(line, "program", p->program);
    document_text(line, "size", p->size);
    document_text(line, "arch", p->arch);
    document_text(line, "gpu", p->gpu);
    document_text(line, "scheme", p->scheme);
    put_outcome(line, p);
    buf_puts(line, "}");
    buf_printf(
        out, SUM_NAME "%016llx\"",
        (unsigned long long)hash_mix(hash_bytes(HASH_START, line->data, line->len)));
    buf_add(out, line->data, line->len);
    buf_putc(out, '\n');
}

int shard_file_write(const char *path, const struct shard_file *f, struct err *err)
{
    struct buf out = { 0 }, line = { 0 };
    int failed;

    document_begin(&out, "shard");
    put_hash(&out, "study", f->study.hash);
    document_number(&out, "shard", f->shard.number);
    document_number(&out, "shards", f->shard.n);
    document_number(&out, "points", f->n);
    document_number(&out, "of", f->study.n_points);
    buf_puts(&out, "}\n");
    for (size_t i = 0; i < f->n; i++)
        put_point(&out, &line, &f->point[i]);
    failed = file_write(path, out.data, out.len, err);
    buf_free(&out);
    buf_free(&line);
    return failed;
}

/* ---- reading ---- */

struct reader {
    const char *path;
    size_t line;
    sqlite3 *db;
    sqlite3_stmt *member; /* of a line of JSON; an error if that is none */
};

static int refuse_line(const struct reader *r, const char *why, struct err *err)
{
    return err_set(err, "%s:%zu: %s", r->path, r->line, why);
}

/* Gives a query over a member of the line; NULL with err set. The caller resets it. */
static sqlite3_stmt *find_member(struct reader *r, const char *line, const char *name,
                                 struct err *err)
{
    char path[32];

    snprintf(path, sizeof path, "$.%s", name);
    sqlite3_reset(r->member);
    sqlite3_bind_text(r->member, 1, line, -1, SQLITE_STATIC);
    sqlite3_bind_text(r->member, 2, path, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(r->member) != SQLITE_ROW) {
        refuse_line(r, "not JSON; expected a line of a shard's results", err);
        return NULL;
    }
    return r->member;
}

static int bad_member(const struct reader *r, const char *name, const char *what,
                      struct err *err)
{
    return err_set(err, "%s:%zu: \"%s\": expected %s", r->path, r->line, name, what);
}

static int read_text(struct reader *r, const char *line, const char *name, char **text,
                     struct err *err)
{
    sqlite3_stmt *q = find_member(r, line, name, err);
    const char *value;

    if (!q)
        return -1;
    if (sqlite3_column_type(q, 0) != SQLITE_TEXT)
        return bad_member(r, name, "text", err);
    value = (const char *)sqlite3_column_text(q, 0);
    *text = value ? strdup(value) : NULL;
    return *text ? 0 : err_memory(err, "a shard's results");
}

static int read_number(struct reader *r, const char *line, const char *name,
                       uint64_t most, uint64_t *number, struct err *err)
{
    sqlite3_stmt *q = find_member(r, line, name, err);
    sqlite3_int64 value;

    if (!q)
        return -1;
    value = sqlite3_column_int64(q, 0);
    if (sqlite3_column_type(q, 0) != SQLITE_INTEGER || value < 0 ||
        (uint64_t)value > most)
        return bad_member(r, name, "a number in its range", err);
    *number = (uint64_t)value;
    return 0;
}

static int read_hash(struct reader *r, const char *line, const char *name,
                     uint64_t *hash, struct err *err)
{
    char *text = NULL;
    int failed = read_text(r, line, name, &text, err);

    if (!failed &&
        (strlen(text) != SUM_DIGITS || strspn(text, "0123456789abcdef") != SUM_DIGITS))
        failed = bad_member(r, name, "16 hexadecimal digits", err);
    if (!failed)
        *hash = strtoull(text, NULL, 16);
    free(text);
    return failed;
}

static int read_seconds(struct reader *r, const char *line, double *seconds,
                        struct err *err)
{
    sqlite3_stmt *q = find_member(r, line, "seconds", err);

    if (!q)
        return -1;
    *seconds = sqlite3_column_double(q, 0);
    return *seconds >= 0 ? 0 : bad_member(r, "seconds", "0 or more", err);
}

static int read_schema(struct reader *r, const char *line, struct err *err)
{
    char *schema = NULL;
    int failed = read_text(r, line, "schema", &schema, err);

    if (!failed && strcmp(schema, SCHEMA))
        failed = bad_member(r, "schema", SCHEMA, err);
    free(schema);
    return failed;
}

static int read_revision(struct reader *r, const char *line, struct shard_file *f,
                         struct err *err)
{
    char *text = NULL;
    int failed = read_text(r, line, "revision", &text, err);

    if (!failed && strlen(text) >= sizeof f->revision)
        failed = bad_member(r, "revision", "12 hexadecimal digits", err);
    if (!failed)
        strcpy(f->revision, text);
    free(text);
    return failed;
}

static int read_head(struct reader *r, const char *line, struct shard_file *f,
                     struct err *err)
{
    uint64_t n_points, n;

    if (read_schema(r, line, err) || read_revision(r, line, f, err) ||
        read_hash(r, line, "study", &f->study.hash, err) ||
        read_number(r, line, "shards", SHARD_MAX, &f->shard.n, err) ||
        read_number(r, line, "shard", f->shard.n, &f->shard.number, err) ||
        read_number(r, line, "of", 1 << 20, &n_points, err) ||
        read_number(r, line, "points", n_points, &n, err))
        return -1;
    if (!f->shard.number)
        return bad_member(r, "shard", "1 or more", err);
    f->study.n_points = (size_t)n_points;
    if (n != shard_size(&f->shard, f->study.n_points))
        return bad_member(r, "points", "the number of points of such a slice", err);
    f->point = calloc(n ? n : 1, sizeof *f->point);
    return f->point ? 0 : err_memory(err, "a shard's results");
}

static int check_sum(const struct reader *r, const char *line, struct err *err)
{
    char sum[SUM_END + 1];

    if (strlen(line) <= SUM_END)
        return refuse_line(r, "expected a point of the slice", err);
    snprintf(sum, sizeof sum, SUM_NAME "%016llx\"",
             (unsigned long long)hash_mix(
                 hash_bytes(HASH_START, line + SUM_END, strlen(line + SUM_END))));
    return strncmp(line, sum, SUM_END)
               ? refuse_line(r, "the line does not match its checksum", err)
               : 0;
}

static int read_state(struct reader *r, const char *line, struct shard_point *p,
                      struct err *err)
{
    char *text = NULL;
    unsigned n = 0;

    if (read_text(r, line, "state", &text, err))
        return -1;
    while (n < N_STATES && strcmp(states[n], text))
        n++;
    free(text);
    p->state = (enum shard_state)n;
    return n < N_STATES ? 0 : bad_member(r, "state", "todo, done or failed", err);
}

/* The result is the last member: everything up to the closing brace. */
static int read_result(struct reader *r, const char *line, struct shard_point *p,
                       struct err *err)
{
    const char *at = strstr(line, RESULT_NAME);

    if (!at)
        return bad_member(r, "result", "an object", err);
    at += strlen(RESULT_NAME);
    p->result = strndup(at, strlen(at) - 1);
    return p->result ? 0 : err_memory(err, "a shard's results");
}

static int read_outcome(struct reader *r, const char *line, struct shard_point *p,
                        struct err *err)
{
    uint64_t code;

    if (read_state(r, line, p, err))
        return -1;
    if (p->state == SHARD_DONE)
        return read_seconds(r, line, &p->seconds, err) || read_result(r, line, p, err);
    if (p->state == SHARD_TODO)
        return 0;
    if (read_number(r, line, "exit_code", 255, &code, err) ||
        read_text(r, line, "message", &p->message, err))
        return -1;
    p->exit_code = (int)code;
    return 0;
}

static int read_point(struct reader *r, const char *line, const struct shard_file *f,
                      struct shard_point *p, struct err *err)
{
    uint64_t number;

    if (check_sum(r, line, err) ||
        read_number(r, line, "point", f->study.n_points, &number, err))
        return -1;
    p->number = (size_t)number;
    if (number != f->shard.number - 1 + f->n * f->shard.n)
        return bad_member(r, "point", "the next point of the slice", err);
    return read_hash(r, line, "program_hash", &p->program_hash, err) ||
           read_hash(r, line, "config_hash", &p->config_hash, err) ||
           read_text(r, line, "program", &p->program, err) ||
           read_text(r, line, "size", &p->size, err) ||
           read_text(r, line, "arch", &p->arch, err) ||
           read_text(r, line, "gpu", &p->gpu, err) ||
           read_text(r, line, "scheme", &p->scheme, err) ||
           read_outcome(r, line, p, err);
}

/* Cuts the next line off; NULL if no whole line is left. */
static char *next_line(struct reader *r, char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');

    if (!end)
        return NULL;
    *end = '\0';
    *rest = end + 1;
    r->line++;
    return line;
}

static int read_lines(struct reader *r, char *text, struct shard_file *f,
                      struct err *err)
{
    size_t n;
    char *line = next_line(r, &text);

    if (!line)
        return err_set(err, "%s: not the results of a shard", r->path);
    if (read_head(r, line, f, err))
        return -1;
    n = shard_size(&f->shard, f->study.n_points);
    while ((line = next_line(r, &text))) {
        if (f->n == n)
            return refuse_line(r, "more points than the slice has", err);
        if (read_point(r, line, f, &f->point[f->n], err))
            return -1;
        f->n++;
    }
    if (*text || f->n < n)
        return err_set(err, "%s: ends after %zu of %zu points: it was not copied whole",
                       r->path, f->n, n);
    return 0;
}

static int open_reader(struct reader *r, struct err *err)
{
    if (sqlite3_open(":memory:", &r->db) ||
        sqlite3_prepare_v2(r->db, "SELECT json_extract(?1, ?2)", -1, &r->member, NULL))
        return err_set(err, "reading JSON: %s", sqlite3_errmsg(r->db));
    return 0;
}

int shard_file_read(const char *path, struct shard_file *f, struct err *err)
{
    struct reader r = { .path = path };
    struct file file = { 0 };
    char *text = NULL;
    int failed;

    *f = (struct shard_file){ 0 };
    if (file_read(path, max_bytes, &file, err))
        return -1;
    text = strndup((const char *)file.data, file.size);
    failed = text ? 0 : err_memory(err, "%s", path);
    file_free(&file);
    if (!failed)
        failed = open_reader(&r, err) || read_lines(&r, text, f, err) ? -1 : 0;
    sqlite3_finalize(r.member);
    sqlite3_close(r.db);
    free(text);
    return failed;
}

static void free_point(struct shard_point *p)
{
    free(p->program);
    free(p->size);
    free(p->arch);
    free(p->gpu);
    free(p->scheme);
    free(p->message);
    free(p->result);
}

void shard_file_free(struct shard_file *f)
{
    for (size_t i = 0; f->point && i < shard_size(&f->shard, f->study.n_points); i++)
        free_point(&f->point[i]);
    free(f->point);
    *f = (struct shard_file){ 0 };
}

size_t shard_file_count(const struct shard_file *f, enum shard_state state)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        n += f->point[i].state == state;
    return n;
}

void shard_put_point(struct buf *out, const struct shard_point *p)
{
    buf_printf(out, "%s, %s on %s", p->program, p->scheme, p->gpu);
}
