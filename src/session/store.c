/* store.c - results in an SQLite database. */
#include "session/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

/* In the header of the file: "Leno" in ASCII, and the layout of its tables. Layout 1 had no
 * checksums. */
enum { APPLICATION = 0x4c656e6f, LAYOUT = 2, LAYOUT_PLAIN = 1 };

/* The columns of a row after its key, in the order below. */
enum { N_TEXTS = 5 }; /* program, size, arch, gpu, scheme; then seconds, result */

struct store {
    sqlite3 *db;
    char *path;
    int wait_ms;
    int why_readonly; /* errno; 0: it can be written */
    bool is_empty;    /* and cannot be written: it has no table that could be read */
    sqlite3_stmt *get, *put, *seconds;
};

/* Keys are text: SQLite's integers are signed, and hashes are read by people. */
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS result ("
    " program_hash TEXT NOT NULL, config_hash TEXT NOT NULL, revision TEXT NOT NULL,"
    " program TEXT NOT NULL, size TEXT NOT NULL, arch TEXT NOT NULL,"
    " gpu TEXT NOT NULL, scheme TEXT NOT NULL, seconds REAL NOT NULL,"
    " finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, result TEXT NOT NULL,"
    " checksum TEXT, PRIMARY KEY (program_hash, config_hash, revision))";

static int store_fail(const struct store *s, const char *what, struct err *err)
{
    int code = sqlite3_errcode(s->db);

    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return err_kind(err, ERR_LIMIT, "%s: %s: another process holds it", s->path,
                        what);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return err_set(err, "%s: %s: %s; move the file away to start a new one",
                       s->path, what, sqlite3_errmsg(s->db));
    return err_set(err, "%s: %s: %s", s->path, what, sqlite3_errmsg(s->db));
}

static int execute_sql(struct store *s, const char *text, struct err *err)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL)
               ? store_fail(s, "opening it", err)
               : 0;
}

static int number_of(struct store *s, const char *query, int *value, struct err *err)
{
    sqlite3_stmt *q = NULL;
    bool found = !sqlite3_prepare_v2(s->db, query, -1, &q, NULL) &&
                 sqlite3_step(q) == SQLITE_ROW;

    if (found)
        *value = sqlite3_column_int(q, 0);
    else
        store_fail(s, "opening it", err);
    sqlite3_finalize(q);
    return found ? 0 : -1;
}

/* Checks whose file it is without changing it. layout 0: a new file. */
static int check_file(struct store *s, int *layout, struct err *err)
{
    int application, n_tables;

    /* One transaction: another process may be making the tables at this moment. */
    if (execute_sql(s, "BEGIN", err) ||
        number_of(s, "PRAGMA application_id", &application, err) ||
        number_of(s, "PRAGMA user_version", layout, err) ||
        number_of(s, "SELECT count(*) FROM sqlite_master", &n_tables, err) ||
        execute_sql(s, "COMMIT", err))
        return -1;
    if (!application && !n_tables) {
        *layout = 0;
        return 0;
    }
    if (application != APPLICATION)
        return err_set(err, "%s: a database, but not of Leno's results", s->path);
    if (*layout < LAYOUT_PLAIN || *layout > LAYOUT)
        return err_set(
            err, "%s: results in layout %d of %s Leno, expected %d; move it away",
            s->path, *layout, *layout < LAYOUT ? "an older" : "a newer", LAYOUT);
    return 0;
}

static void put_header(char *text, size_t size)
{
    snprintf(text, size, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION, LAYOUT);
}

/* If two processes make the file, the second finds its tables and changes nothing. */
static int make_file(struct store *s, struct err *err)
{
    char header[96];

    put_header(header, sizeof header);
    /* A log beside the file: readers and a writer do not wait for one another. Where the
     * file system cannot have one, all works without. */
    sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    return execute_sql(s, "BEGIN IMMEDIATE", err) || execute_sql(s, tables, err) ||
                   execute_sql(s, header, err) || execute_sql(s, "COMMIT", err)
               ? -1
               : 0;
}

/* From layout 1: existing rows have no checksum and are never used. */
static int migrate_layout(struct store *s, struct err *err)
{
    char header[96];
    int layout;

    put_header(header, sizeof header);
    if (execute_sql(s, "BEGIN IMMEDIATE", err) ||
        number_of(s, "PRAGMA user_version", &layout, err))
        return -1;
    if (layout == LAYOUT_PLAIN && /* else another process was faster */
        (execute_sql(s, "ALTER TABLE result ADD COLUMN checksum TEXT", err) ||
         execute_sql(s, header, err)))
        return -1;
    return execute_sql(s, "COMMIT", err);
}

static int prepare_queries(struct store *s, struct err *err)
{
    static const char get[] =
        "SELECT program, size, arch, gpu, scheme, seconds, result, checksum, rowid"
        " FROM result WHERE program_hash = ?1 AND config_hash = ?2 AND revision = ?3";
    static const char put[] =
        "INSERT OR REPLACE INTO result (program_hash, config_hash, revision, program,"
        " size, arch, gpu, scheme, seconds, result, checksum)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    static const char seconds[] =
        "SELECT avg(seconds) FROM result WHERE program_hash = ?1";

    if (s->is_empty)
        return 0;
    if (sqlite3_prepare_v2(s->db, get, -1, &s->get, NULL) ||
        sqlite3_prepare_v2(s->db, put, -1, &s->put, NULL) ||
        sqlite3_prepare_v2(s->db, seconds, -1, &s->seconds, NULL))
        return store_fail(s, "opening it", err);
    return 0;
}

static int open_writable(struct store *s, struct err *err)
{
    int layout;

    if (sqlite3_open(s->path, &s->db))
        return store_fail(s, "opening it", err);
    sqlite3_busy_timeout(s->db, s->wait_ms);
    if (check_file(s, &layout, err) || (!layout && make_file(s, err)) ||
        (layout == LAYOUT_PLAIN && migrate_layout(s, err)))
        return -1;
    return prepare_queries(s, err);
}

/* The file as a URI marked immutable, so that SQLite needs no log. */
static void put_uri(const char *path, struct buf *out)
{
    buf_puts(out, "file:");
    for (; *path; path++)
        if (strchr("?#%", *path))
            buf_printf(out, "%%%02X", (unsigned)*path);
        else
            buf_putc(out, *path);
    buf_puts(out, "?immutable=1");
}

/* Opens it with the log of a running process, or, where there is none and none can be
 * made, as an immutable file. */
static int open_readonly(struct store *s, struct err *err)
{
    struct buf uri = { 0 };
    int layout, code;

    sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READONLY, NULL);
    sqlite3_busy_timeout(s->db, s->wait_ms);
    code = sqlite3_exec(s->db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) {
        sqlite3_close(s->db);
        put_uri(s->path, &uri);
        sqlite3_open_v2(buf_text(&uri), &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                        NULL);
        buf_free(&uri);
    }
    if (check_file(s, &layout, err))
        return -1;
    s->is_empty = layout != LAYOUT;
    return prepare_queries(s, err);
}

/* 0: the file, and a log beside it, can be written or made; else why not. */
static int why_readonly(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct buf folder = { 0 };
    int why = 0;

    if (access(path, F_OK))
        return 0; /* SQLite makes it, or says why not */
    buf_add(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    if (access(path, W_OK) || access(buf_text(&folder), W_OK))
        why = errno;
    buf_free(&folder);
    return why;
}

static int open_file(struct store *s, struct err *err)
{
    s->why_readonly = why_readonly(s->path);
    return s->why_readonly ? open_readonly(s, err) : open_writable(s, err);
}

const char *store_why_readonly(const struct store *s)
{
    return s->why_readonly ? strerror(s->why_readonly) : NULL;
}

struct store *store_open(const char *path, int wait_ms, struct err *err)
{
    struct store *s = calloc(1, sizeof *s);

    if (!s || !(s->path = strdup(path))) {
        free(s);
        err_memory(err, "the results");
        return NULL;
    }
    s->wait_ms = wait_ms;
    if (open_file(s, err)) {
        store_close(s);
        return NULL;
    }
    return s;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_finalize(s->get);
    sqlite3_finalize(s->put);
    sqlite3_finalize(s->seconds);
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

static void bind_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
}

static void bind_hash(sqlite3_stmt *q, int at, uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    bind_text(q, at, text);
}

static void bind_key(sqlite3_stmt *q, const struct store_key *key)
{
    bind_hash(q, 1, key->program);
    bind_hash(q, 2, key->config);
    bind_text(q, 3, key->revision);
}

static uint64_t add_text(uint64_t hash, const void *text, size_t n)
{
    return hash_bytes(hash_bytes(hash, text, n), "", 1);
}

/* Of key and contents, in hexadecimal. */
static void put_checksum(const struct store_key *key, const struct store_row *row,
                         char text[17])
{
    const char *const texts[] = { key->revision, row->program, row->size,  row->arch,
                                  row->gpu,      row->scheme,  row->result };
    uint64_t hash = HASH_START;
    char numbers[96];
    int n = snprintf(numbers, sizeof numbers, "%016llx %016llx %.17g",
                     (unsigned long long)key->program, (unsigned long long)key->config,
                     row->seconds);

    hash = add_text(hash, numbers, (size_t)n);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = add_text(hash, texts[i], strlen(texts[i]));
    snprintf(text, 17, "%016llx", (unsigned long long)hash_mix(hash));
}

static const char *text_at(sqlite3_stmt *q, int column)
{
    const void *text = sqlite3_column_text(q, column);

    return text ? text : "";
}

/* The row under the query's cursor: its JSON, or why it is damaged. */
static int take_row(const struct store *s, const struct store_key *key,
                    struct buf *result, struct err *err)
{
    sqlite3_stmt *q = s->get;
    struct store_row row = { text_at(q, 0),          text_at(q, 1),
                             text_at(q, 2),          text_at(q, 3),
                             text_at(q, 4),          sqlite3_column_double(q, N_TEXTS),
                             text_at(q, N_TEXTS + 1) };
    const char *stored = text_at(q, N_TEXTS + 2);
    char checksum[17];

    if (!*stored)
        return 0;
    put_checksum(key, &row, checksum);
    if (!strcmp(checksum, stored)) {
        buf_puts(result, row.result);
        return 1;
    }
    err_set(err,
            "%s: row %lld (%s, %s on %s; config_hash %016llx) does not match its "
            "checksum",
            s->path, (long long)sqlite3_column_int64(q, N_TEXTS + 3), row.program,
            row.scheme, row.gpu, (unsigned long long)key->config);
    return STORE_DAMAGED;
}

int store_get(struct store *s, const struct store_key *key, struct buf *result,
              struct err *err)
{
    int code, found = 0;

    if (s->is_empty)
        return 0;
    bind_key(s->get, key);
    code = sqlite3_step(s->get);
    if (code == SQLITE_ROW)
        found = take_row(s, key, result, err);
    else if (code != SQLITE_DONE)
        found = store_fail(s, "reading a result", err);
    sqlite3_reset(s->get);
    return found;
}

int store_put(struct store *s, const struct store_key *key, const struct store_row *row,
              struct err *err)
{
    const char *const texts[N_TEXTS] = { row->program, row->size, row->arch, row->gpu,
                                         row->scheme };
    char checksum[17];
    int failed = 0;

    if (s->why_readonly)
        return err_set(err, "%s: %s", s->path, store_why_readonly(s));
    put_checksum(key, row, checksum);
    bind_key(s->put, key);
    for (int i = 0; i < N_TEXTS; i++)
        bind_text(s->put, 4 + i, texts[i]);
    sqlite3_bind_double(s->put, 4 + N_TEXTS, row->seconds);
    bind_text(s->put, 5 + N_TEXTS, row->result);
    bind_text(s->put, 6 + N_TEXTS, checksum);
    if (sqlite3_step(s->put) != SQLITE_DONE)
        failed = store_fail(s, "keeping a result", err);
    sqlite3_reset(s->put);
    return failed;
}

double store_seconds(struct store *s, uint64_t program)
{
    double seconds = 0;

    if (s->is_empty)
        return 0;
    bind_hash(s->seconds, 1, program);
    if (sqlite3_step(s->seconds) == SQLITE_ROW)
        seconds = sqlite3_column_double(s->seconds, 0);
    sqlite3_reset(s->seconds);
    return seconds;
}
