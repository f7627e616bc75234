/* elements.c - finds out what became of the slices of a study. */
#include "session/elements.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/revision.h"
#include "session/slurm.h"

const char *const element_names[N_ELEMENT_STATES] = { "done",       "running",
                                                      "waiting",    "failed",
                                                      "killed",     "timed out",
                                                      "unfinished", "not started" };

enum { MAX_MARK = 4096, SIGNALLED = 128 };

/* What the script noted, as slurm.h has it. */
struct marks {
    bool has_begun, has_ended;
    long long stops, ended; /* seconds since 1970 */
    int status;
};

static void set_why(struct element *e, const char *text)
{
    free(e->why);
    e->why = strdup(text);
    if (!e->why)
        err_memory_exit("the state of a slice");
}

static void put_path(struct buf *path, const char *folder, const struct shard *s,
                     const char *end)
{
    buf_clear(path);
    buf_printf(path, "%s/", folder);
    shard_put_name(path, s);
    buf_puts(path, end);
}

/* ---- files ---- */

/* A file of one line, cut to its size; false if it is not there. */
static bool read_mark(const char *path, char text[MAX_MARK])
{
    struct file file;

    if (file_read(path, MAX_MARK - 1, &file, NULL))
        return false;
    memcpy(text, file.data, file.size);
    text[file.size] = '\0';
    file_free(&file);
    return true;
}

static void read_marks(struct element *e, const char *folder, const struct shard *s,
                       struct marks *m)
{
    char text[MAX_MARK], job[sizeof e->job];
    struct buf path = { 0 };

    put_path(&path, folder, s, ".start");
    m->has_begun = read_mark(buf_text(&path), text) &&
                   sscanf(text, "%39s %*s %*d %lld", e->job, &m->stops) == 2;
    put_path(&path, folder, s, ".end");
    m->has_ended = m->has_begun && read_mark(buf_text(&path), text) &&
                   sscanf(text, "%39s %d %lld", job, &m->status, &m->ended) == 3 &&
                   !strcmp(job, e->job);
    buf_free(&path);
}

/* The first point that failed. */
static void note_failure(struct element *e, const struct shard_file *f)
{
    struct buf why = { 0 };
    size_t i = 0;

    while (f->point[i].state != SHARD_FAILED)
        i++;
    shard_put_point(&why, &f->point[i]);
    buf_printf(&why, ": %s", f->point[i].message);
    set_why(e, buf_text(&why));
    buf_free(&why);
}

/* The points of a slice's file. False if there is none. A file that is not the slice's makes
 * it one that failed. */
static bool read_slice(struct element *e, const char *folder, const struct shard *s,
                       const struct shard_study *study)
{
    struct buf path = { 0 };
    struct shard_file f = { 0 };
    struct err why = { 0 };
    bool is_there;

    put_path(&path, folder, s, SHARD_FILE_END);
    is_there = !access(buf_text(&path), F_OK);
    if (is_there && !shard_file_read(buf_text(&path), &f, &why)) {
        e->n_done = shard_file_count(&f, SHARD_DONE);
        e->n_failed = shard_file_count(&f, SHARD_FAILED);
        if (f.study.hash != study->hash || f.shard.number != s->number ||
            f.shard.n != s->n)
            err_set(&why, "%s: the slice of another study", buf_text(&path));
        else if (e->n_failed)
            note_failure(e, &f);
    }
    if (why.code) {
        e->n_done = e->n_failed = 0;
        e->state = ELEMENT_FAILED;
        set_why(e, why.text);
    }
    shard_file_free(&f);
    buf_free(&path);
    return is_there;
}

/* ---- states ---- */

/* It ended with a status, and points are left. */
static void judge_end(struct element *e, const struct marks *m)
{
    struct buf why = { 0 };

    if (m->status > SIGNALLED && m->stops && m->ended >= m->stops) {
        e->state = ELEMENT_TIMED_OUT;
        return;
    }
    e->state = m->status > SIGNALLED ? ELEMENT_KILLED : ELEMENT_FAILED;
    if (m->status > SIGNALLED)
        buf_printf(&why, "signal %d", m->status - SIGNALLED);
    else
        buf_printf(&why, "leno ended with status %d; see its log", m->status);
    if (!e->why)
        set_why(e, buf_text(&why));
    buf_free(&why);
}

/* Nobody noted its end, and Slurm does not have it any more. */
static void judge_lost(struct element *e, const struct marks *m)
{
    if (m->stops && (long long)time(NULL) >= m->stops) {
        e->state = ELEMENT_TIMED_OUT;
        return;
    }
    e->state = ELEMENT_KILLED;
    set_why(e, "it vanished without a word");
}

/* From its files alone; what waits or runs is known from the queue, afterwards. */
static void judge_element(struct element *e, const char *folder, const struct shard *s,
                          const struct shard_study *study, bool knows_queue)
{
    struct marks m = { 0 };
    bool has_slice;

    e->n = shard_size(s, study->n_points);
    has_slice = read_slice(e, folder, s, study);
    read_marks(e, folder, s, &m);
    if (e->n_done == e->n) {
        e->state = ELEMENT_DONE;
    } else if (e->state == ELEMENT_FAILED ||
               (has_slice && e->n_done + e->n_failed == e->n)) {
        e->state = ELEMENT_FAILED;
    } else if (m.has_ended) {
        judge_end(e, &m);
    } else if (m.has_begun && knows_queue) {
        judge_lost(e, &m);
    } else {
        e->state = has_slice || m.has_begun ? ELEMENT_UNFINISHED : ELEMENT_NOT_STARTED;
    }
}

/* In Slurm's queue. One that is done may be there for a moment; its file counts. */
static void note_queued(void *to, size_t element, const char *state)
{
    struct elements *e = to;

    if (element < 1 || element > e->n)
        return;
    e->at[element - 1].state =
        strcmp(state, "PENDING") ? ELEMENT_RUNNING : ELEMENT_WAITING;
}

int elements_read(struct elements *e, const char *folder, size_t n,
                  const struct shard_study *study, struct err *err)
{
    struct elements queued = { .at = calloc(n, sizeof *queued.at), .n = n };
    struct buf why = { 0 };
    bool knows_queue;

    *e = (struct elements){ .at = calloc(n, sizeof *e->at),
                            .n = n,
                            .n_points = study->n_points };
    if (!e->at || !queued.at) {
        free(queued.at);
        return err_memory(err, "the slices");
    }
    knows_queue = slurm_queue(folder, note_queued, &queued, &why);
    e->queue_why = why.data;
    for (size_t i = 0; i < n; i++) {
        struct shard s = { i + 1, n };
        struct element *at = &e->at[i];

        judge_element(at, folder, &s, study, knows_queue);
        if (queued.at[i].state != ELEMENT_DONE && at->state != ELEMENT_DONE) {
            at->state = queued.at[i].state;
            free(at->why);
            at->why = NULL;
        }
        e->n_done += at->n_done;
        e->count[at->state]++;
    }
    free(queued.at);
    return 0;
}

void elements_free(struct elements *e)
{
    for (size_t i = 0; e->at && i < e->n; i++)
        free(e->at[i].why);
    free(e->at);
    free(e->queue_why);
    *e = (struct elements){ 0 };
}

/* ---- which ---- */

/* The number of slices from the names of files; 0 if there are none. */
static int find_slices(const char *folder, size_t *n, struct err *err)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int failed = 0;

    while (dir && !failed && (entry = readdir(dir))) {
        size_t number, of;
        int used = 0;

        if (sscanf(entry->d_name, "%zu-of-%zu" SHARD_FILE_END "%n", &number, &of,
                   &used) != 2 ||
            !used || entry->d_name[used] || !of || of > SHARD_MAX)
            continue;
        if (*n && *n != of)
            failed =
                err_set(err,
                        "%s: has slices of %zu and of %zu; move those away that are "
                        "not wanted",
                        folder, *n, of);
        *n = of;
    }
    if (dir)
        closedir(dir);
    return failed;
}

int elements_find(const char *folder, size_t *n, struct err *err)
{
    if (slurm_elements(folder, n, err))
        return -1;
    return *n ? 0 : find_slices(folder, n, err);
}

bool element_is_needed(const struct element *e)
{
    return e->state != ELEMENT_DONE && e->state != ELEMENT_RUNNING &&
           e->state != ELEMENT_WAITING;
}

void elements_put_needed(const struct elements *e, struct buf *out)
{
    for (size_t i = 0; i < e->n; i++) {
        size_t last = i;

        if (!element_is_needed(&e->at[i]))
            continue;
        while (last + 1 < e->n && element_is_needed(&e->at[last + 1]))
            last++;
        buf_printf(out, "%s%zu", out->len ? "," : "", i + 1);
        if (last > i)
            buf_printf(out, "-%zu", last + 1);
        i = last;
    }
}
