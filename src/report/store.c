/* store.c - results in an SQLite database. */
#include "report/store.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the header of the file: "Leno" in ASCII, and the layout of its tables. */
enum { APPLICATION = 0x4c656e6f, LAYOUT = 1 };

struct store {
    sqlite3 *db;
    char *path;
    int wait_ms;
    sqlite3_stmt *get, *put, *seconds;
};

/* Keys are text: SQLite's integers are signed, and hashes are read by people. */
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS result ("
    " program_hash TEXT NOT NULL, config_hash TEXT NOT NULL, revision TEXT NOT NULL,"
    " program TEXT NOT NULL, size TEXT NOT NULL, arch TEXT NOT NULL,"
    " gpu TEXT NOT NULL, scheme TEXT NOT NULL, seconds REAL NOT NULL,"
    " finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, result TEXT NOT NULL,"
    " PRIMARY KEY (program_hash, config_hash, revision))";

static int fail(const struct store *s, const char *what, struct err *err)
{
    int code = sqlite3_errcode(s->db);

    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return err_kind(err, ERR_LIMIT, "%s: %s: another process holds it", s->path,
                        what);
    return err_set(err, "%s: %s: %s", s->path, what, sqlite3_errmsg(s->db));
}

static int execute(struct store *s, const char *text, struct err *err)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL) ? fail(s, "opening it", err) : 0;
}

static int number_of(struct store *s, const char *query, int *value, struct err *err)
{
    sqlite3_stmt *q = NULL;
    bool found = !sqlite3_prepare_v2(s->db, query, -1, &q, NULL) &&
                 sqlite3_step(q) == SQLITE_ROW;

    if (found)
        *value = sqlite3_column_int(q, 0);
    else
        fail(s, "opening it", err);
    sqlite3_finalize(q);
    return found ? 0 : -1;
}

/* Whose file is it? Looks only. */
static int check_file(struct store *s, bool *is_new, struct err *err)
{
    int application, layout, n_tables;

    /* One transaction: another process may be making the tables at this moment. */
    if (execute(s, "BEGIN", err) ||
        number_of(s, "PRAGMA application_id", &application, err) ||
        number_of(s, "PRAGMA user_version", &layout, err) ||
        number_of(s, "SELECT count(*) FROM sqlite_master", &n_tables, err) ||
        execute(s, "COMMIT", err))
        return -1;
    *is_new = !application && !n_tables;
    if (!*is_new && application != APPLICATION)
        return err_set(err, "%s: a database, but not of Leno's results", s->path);
    if (!*is_new && layout != LAYOUT)
        return err_set(
            err, "%s: results in layout %d of %s Leno, expected %d; move it away",
            s->path, layout, layout < LAYOUT ? "an older" : "a newer", LAYOUT);
    return 0;
}

/* Of two processes that make a file, the second does nothing anew. */
static int make_file(struct store *s, struct err *err)
{
    char header[96];

    snprintf(header, sizeof header,
             "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION,
             LAYOUT);
    /* A log beside the file: readers and a writer do not wait for one another. Where the
     * file system cannot have one, all works without. */
    sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    return execute(s, "BEGIN IMMEDIATE", err) || execute(s, tables, err) ||
                   execute(s, header, err) || execute(s, "COMMIT", err)
               ? -1
               : 0;
}

static int prepare(struct store *s, struct err *err)
{
    static const char get[] = "SELECT result FROM result WHERE program_hash = ?1 AND "
                              "config_hash = ?2 AND revision = ?3";
    static const char put[] =
        "INSERT OR REPLACE INTO result (program_hash, config_hash, revision, program,"
        " size, arch, gpu, scheme, seconds, result)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    static const char seconds[] =
        "SELECT avg(seconds) FROM result WHERE program_hash = ?1";

    if (sqlite3_prepare_v2(s->db, get, -1, &s->get, NULL) ||
        sqlite3_prepare_v2(s->db, put, -1, &s->put, NULL) ||
        sqlite3_prepare_v2(s->db, seconds, -1, &s->seconds, NULL))
        return fail(s, "opening it", err);
    return 0;
}

static int open_file(struct store *s, struct err *err)
{
    bool is_new;

    if (sqlite3_open(s->path, &s->db))
        return fail(s, "opening it", err);
    sqlite3_busy_timeout(s->db, s->wait_ms);
    if (check_file(s, &is_new, err) || (is_new && make_file(s, err)))
        return -1;
    return prepare(s, err);
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

int store_get(struct store *s, const struct store_key *key, struct buf *result,
              struct err *err)
{
    int code, found = 0;

    bind_key(s->get, key);
    code = sqlite3_step(s->get);
    if (code == SQLITE_ROW) {
        buf_add(result, sqlite3_column_text(s->get, 0),
                (size_t)sqlite3_column_bytes(s->get, 0));
        found = 1;
    } else if (code != SQLITE_DONE) {
        found = fail(s, "reading a result", err);
    }
    sqlite3_reset(s->get);
    return found;
}

int store_put(struct store *s, const struct store_key *key, const struct store_row *row,
              struct err *err)
{
    const char *const texts[] = { row->program, row->size, row->arch, row->gpu,
                                  row->scheme };
    int failed = 0;

    bind_key(s->put, key);
    for (int i = 0; i < 5; i++)
        bind_text(s->put, 4 + i, texts[i]);
    sqlite3_bind_double(s->put, 9, row->seconds);
    bind_text(s->put, 10, row->result);
    if (sqlite3_step(s->put) != SQLITE_DONE)
        failed = fail(s, "keeping a result", err);
    sqlite3_reset(s->put);
    return failed;
}

double store_seconds(struct store *s, uint64_t program)
{
    double seconds = 0;

    bind_hash(s->seconds, 1, program);
    if (sqlite3_step(s->seconds) == SQLITE_ROW)
        seconds = sqlite3_column_double(s->seconds, 0);
    sqlite3_reset(s->seconds);
    return seconds;
}
