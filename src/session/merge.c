/* merge.c - reads files of slices and puts their results into the store. */
#include "session/merge.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/revision.h"
#include "session/batch.h"
#include "session/facts.h"

struct files {
    char **path;
    size_t n;
};

struct work {
    struct merge *m;
    struct console *console;
    struct files files;
    const char **seen; /* by slice: its file; NULL: it was not given */
    struct store *store;
    struct facts_reader *reader;
};

/* ---- files ---- */

static void add_file(struct files *f, const char *path)
{
    char **grown = realloc(f->path, (f->n + 1) * sizeof *grown);

    if (grown)
        f->path = grown;
    if (!grown || !(f->path[f->n] = strdup(path)))
        err_memory_exit("the slices");
    f->n++;
}

static int is_slice(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name), end = strlen(SHARD_FILE_END);

    return n > end && !strcmp(entry->d_name + n - end, SHARD_FILE_END);
}

static int add_folder(struct files *f, const char *folder, struct err *err)
{
    struct dirent **entry;
    struct buf path = { 0 };
    int n = scandir(folder, &entry, is_slice, alphasort);

    if (n < 0)
        return err_set(err, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, entry[i]->d_name);
        add_file(f, buf_text(&path));
        free(entry[i]);
    }
    free(entry);
    buf_free(&path);
    return n ? 0
             : err_set(err, "%s: has no file of a slice, I-of-N" SHARD_FILE_END,
                       folder);
}

static int find_files(struct files *f, char *const *paths, size_t n, struct err *err)
{
    struct stat st;

    for (size_t i = 0; i < n; i++) {
        if (stat(paths[i], &st))
            return err_set(err, "%s: %s", paths[i], strerror(errno));
        if (!S_ISDIR(st.st_mode))
            add_file(f, paths[i]);
        else if (add_folder(f, paths[i], err))
            return -1;
    }
    return 0;
}

/* ---- checks ---- */

/* Is it of the same study as the first one, and not a slice that was there already? */
static int check_slice(struct work *w, const char *path, const struct shard_file *f,
                       struct err *err)
{
    struct merge *m = w->m;
    const char **seen;

    if (strcmp(f->revision, revision_text()))
        return err_set(err,
                       "%s: results of revision %s of Leno; this is revision %s, which "
                       "does not use them",
                       path, f->revision, revision_text());
    if (!w->seen) {
        m->study = f->study;
        m->n_slices = (size_t)f->shard.n;
        w->seen = calloc(m->n_slices, sizeof *w->seen);
        if (!w->seen)
            return err_memory(err, "the slices");
    }
    if (f->study.hash != m->study.hash || f->study.n_points != m->study.n_points)
        return err_set(err, "%s: a slice of another study than %s", path,
                       w->files.path[0]);
    if (f->shard.n != m->n_slices)
        return err_set(err, "%s: a slice of %llu, but %s is one of %zu", path,
                       (unsigned long long)f->shard.n, w->files.path[0], m->n_slices);
    seen = &w->seen[f->shard.number - 1];
    if (*seen)
        return err_set(err, "%s: slice %llu/%zu is in %s already", path,
                       (unsigned long long)f->shard.number, m->n_slices, *seen);
    *seen = path;
    m->n_found++;
    return 0;
}

/* A result must be one: its numbers are read. */
static int check_results(struct work *w, const char *path, const struct shard_file *f,
                         struct err *err)
{
    struct facts facts;
    struct buf name = { 0 };
    int failed = 0;

    for (size_t i = 0; i < f->n && !failed; i++) {
        const struct shard_point *p = &f->point[i];

        if (p->state != SHARD_DONE || !facts_read(w->reader, p->result, &facts, err))
            continue;
        shard_put_point(&name, p);
        failed = err_prefix(err, "%s: the result of %s", path, buf_text(&name));
    }
    buf_free(&name);
    return failed;
}

static int check_file(struct work *w, const char *path, struct err *err)
{
    struct shard_file f;
    int failed = shard_file_read(path, &f, err) || check_slice(w, path, &f, err) ||
                 check_results(w, path, &f, err);

    shard_file_free(&f);
    return failed ? -1 : 0;
}

/* ---- results ---- */

static int put_point(struct work *w, const struct shard_file *f,
                     const struct shard_point *p, struct err *err)
{
    struct store_key key = { p->program_hash, p->config_hash, f->revision };
    struct store_row row = { p->program, p->size,    p->arch,  p->gpu,
                             p->scheme,  p->seconds, p->result };
    struct buf before = { 0 };
    int found = store_get(w->store, &key, &before, err);

    buf_free(&before);
    if (found < 0)
        return -1;
    w->m->n_there += found == 1;
    if (found == 1)
        return 0;
    w->m->n_put++;
    return store_put(w->store, &key, &row, err);
}

/* A line for a point that has no result. */
static void tell_point(struct work *w, const struct shard_point *p)
{
    bool has_failed = p->state == SHARD_FAILED;
    struct buf line = { 0 };

    shard_put_point(&line, p);
    fprintf(w->console->log, "%s: %s%s%s\n", has_failed ? "failed" : "missing",
            buf_text(&line), has_failed ? ": " : "", has_failed ? p->message : "");
    buf_free(&line);
}

static int put_file(struct work *w, const char *path, struct err *err)
{
    struct shard_file f;
    int failed = shard_file_read(path, &f, err);

    for (size_t i = 0; i < f.n && !failed; i++) {
        if (f.point[i].state == SHARD_DONE)
            failed = put_point(w, &f, &f.point[i], err);
        else
            tell_point(w, &f.point[i]);
        w->m->n_failed += f.point[i].state == SHARD_FAILED;
        w->m->n_todo += f.point[i].state == SHARD_TODO;
    }
    shard_file_free(&f);
    return failed;
}

static int open_store(struct work *w, struct err *err)
{
    struct buf path = { 0 };

    if (mkdir(w->m->out, 0777) && errno != EEXIST)
        return err_set(err, "%s: %s", w->m->out, strerror(errno));
    buf_printf(&path, "%s/" BATCH_FILE, w->m->out);
    w->store = store_open(buf_text(&path), STORE_WAIT_MS, err);
    buf_free(&path);
    return w->store ? 0 : -1;
}

/* Names the slices that were not given. */
static size_t tell_missing(struct work *w)
{
    struct merge *m = w->m;
    size_t n_points = 0;

    for (size_t i = 0; i < m->n_slices; i++) {
        struct shard s = { i + 1, m->n_slices };

        if (w->seen[i] || !shard_size(&s, m->study.n_points))
            continue;
        n_points += shard_size(&s, m->study.n_points);
        fprintf(w->console->log, "missing: slice %zu/%zu, %zu points\n", i + 1,
                m->n_slices, shard_size(&s, m->study.n_points));
    }
    return n_points;
}

static int merge_files(struct work *w, struct err *err)
{
    size_t n_missing;

    for (size_t i = 0; i < w->files.n; i++)
        if (check_file(w, w->files.path[i], err))
            return -1;
    if (open_store(w, err))
        return -1;
    for (size_t i = 0; i < w->files.n; i++)
        if (put_file(w, w->files.path[i], err))
            return -1;
    n_missing = w->m->n_todo + tell_missing(w);
    if (n_missing + w->m->n_failed)
        return err_set(err, "of %zu points %zu are missing and %zu failed",
                       w->m->study.n_points, n_missing, w->m->n_failed);
    return 0;
}

int merge_slices(struct merge *m, char *const *paths, size_t n, struct console *console,
                 struct err *err)
{
    struct work w = { .m = m, .console = console };
    int failed = -1;

    w.reader = facts_reader_new(err);
    if (w.reader && !find_files(&w.files, paths, n, err))
        failed = merge_files(&w, err);
    for (size_t i = 0; i < w.files.n; i++)
        free(w.files.path[i]);
    free(w.files.path);
    free(w.seen);
    store_close(w.store);
    facts_reader_free(w.reader);
    return failed;
}
