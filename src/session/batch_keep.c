/* batch_keep.c - puts results into the store or into the file of a slice. */
#include "session/batch_keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/revision.h"
#include "base/seconds.h"

/* Writing the file of a slice may take this share of the time. */
static const double write_share = 0.02;

static char *copy_text(const char *text)
{
    char *copy = strdup(text);

    if (!copy)
        err_memory_exit("a slice");
    return copy;
}

/* What a row says of a cell beside its key. */
static struct store_row row_of(const struct cells *c, size_t cell)
{
    size_t column = cells_column(c, cell);

    return (struct store_row){ .program = c->b->name[cells_program(c, cell)],
                               .size = workload_size_name(c->b->size),
                               .arch = sass_arch_name(cells_arch(c, column)),
                               .gpu = c->machine[column]->name,
                               .scheme = c->b->column[column].spec };
}

/* ---- the file of a slice ---- */

static struct shard_point *point_of(const struct keep *k, size_t cell)
{
    return &k->slice.point[k->cells->at[cell].point / k->slice.shard.n];
}

static void add_point(struct keep *k, size_t cell)
{
    const struct cell *at = &k->cells->at[cell];
    struct store_row row = row_of(k->cells, cell);

    k->slice.point[k->slice.n++] = (struct shard_point){
        .number = at->point,
        .program_hash = at->key.program,
        .config_hash = at->key.config,
        .program = copy_text(row.program),
        .size = copy_text(row.size),
        .arch = copy_text(row.arch),
        .gpu = copy_text(row.gpu),
        .scheme = copy_text(row.scheme),
    };
}

static int make_slice(struct keep *k, struct err *err)
{
    const struct cells *c = k->cells;

    k->slice.shard = c->b->shard;
    k->slice.study = c->study;
    k->slice.point = calloc(c->n_mine ? c->n_mine : 1, sizeof *k->slice.point);
    if (!k->slice.point)
        return err_memory(err, "a slice");
    for (size_t i = 0; i < cells_number(c); i++)
        if (c->at[i].state == CELL_TODO)
            add_point(k, i);
    return 0;
}

/* Takes the finished points of a file from before, which is of the same slice. */
static int take_before(struct keep *k, struct shard_file *before, struct err *err)
{
    if (before->study.hash != k->slice.study.hash || before->n != k->slice.n ||
        strcmp(before->revision, revision_text()))
        return err_set(err,
                       "%s: results of another study or of another revision of Leno "
                       "(%s); move it away",
                       buf_text(&k->path), before->revision);
    for (size_t i = 0; i < before->n; i++) {
        struct shard_point *from = &before->point[i], *to = &k->slice.point[i];

        if (from->state != SHARD_DONE)
            continue;
        to->state = SHARD_DONE;
        to->seconds = from->seconds;
        to->result = from->result;
        from->result = NULL;
    }
    return 0;
}

static int read_before(struct keep *k, struct console *console, struct err *err)
{
    struct shard_file before;
    struct err why = { 0 };
    int failed = 0;

    if (access(buf_text(&k->path), F_OK))
        return 0;
    if (!shard_file_read(buf_text(&k->path), &before, &why))
        failed = take_before(k, &before, err);
    else
        fprintf(console->log, "%s; the slice is computed again\n", why.text);
    shard_file_free(&before);
    return failed;
}

/* The folder of the study; the file is written at once, so that nothing is computed that
 * could not be kept, and to show that the slice has begun. */
static int open_slice(struct keep *k, struct console *console, struct err *err)
{
    const struct batch *b = k->cells->b;

    shard_put_folder(&k->path, b->out, b->study, &k->cells->study);
    if (shard_make_folder(buf_text(&k->path), err))
        return -1;
    buf_putc(&k->path, '/');
    shard_put_name(&k->path, &b->shard);
    buf_puts(&k->path, SHARD_FILE_END);
    if (make_slice(k, err) || (!b->fresh && read_before(k, console, err)))
        return -1;
    k->is_unwritten = true;
    return keep_write(k, err);
}

static int put_in_slice(struct keep *k, size_t cell, const struct pool_end *end,
                        struct err *err)
{
    struct shard_point *p = point_of(k, cell);

    p->state = end->err.code ? SHARD_FAILED : SHARD_DONE;
    p->seconds = end->seconds;
    p->exit_code = err_exit(&end->err);
    free(p->result); /* one that could not be used */
    p->result = NULL;
    if (end->err.code)
        p->message = copy_text(end->err.text);
    else
        p->result = copy_text(end->answer);
    k->is_unwritten = true;
    return wall_seconds() < k->next_write ? 0 : keep_write(k, err);
}

int keep_write(struct keep *k, struct err *err)
{
    double start = wall_seconds();
    int failed;

    if (!k->is_unwritten)
        return 0;
    failed = shard_file_write(buf_text(&k->path), &k->slice, err);
    k->is_unwritten = failed;
    k->next_write = wall_seconds() + (wall_seconds() - start) / write_share;
    return failed;
}

/* ---- both ---- */

static int open_store(struct keep *k, struct console *console, struct err *err)
{
    struct batch *b = k->cells->b;

    if (mkdir(b->out, 0777) && errno != EEXIST)
        return err_set(err, "%s: %s", b->out, strerror(errno));
    buf_printf(&k->path, "%s/" BATCH_FILE, b->out);
    k->store = store_open(buf_text(&k->path), STORE_WAIT_MS, err);
    if (!k->store)
        return -1;
    b->is_readonly = store_why_readonly(k->store);
    if (b->is_readonly)
        fprintf(console->log,
                "%s cannot be written (%s): cached results are used, new ones are not "
                "kept\n",
                buf_text(&k->path), store_why_readonly(k->store));
    return 0;
}

int keep_open(struct keep *k, const struct cells *cells, struct console *console,
              struct err *err)
{
    k->cells = cells;
    return cells->b->shard.n ? open_slice(k, console, err)
                             : open_store(k, console, err);
}

void keep_close(struct keep *k)
{
    store_close(k->store);
    shard_file_free(&k->slice);
    buf_free(&k->path);
}

int keep_get(struct keep *k, size_t cell, struct buf *result, struct err *err)
{
    if (k->store)
        return store_get(k->store, &k->cells->at[cell].key, result, err);
    if (point_of(k, cell)->state != SHARD_DONE)
        return 0;
    buf_puts(result, point_of(k, cell)->result);
    return 1;
}

double keep_seconds(struct keep *k, size_t cell)
{
    if (k->store)
        return store_seconds(k->store, k->cells->at[cell].key.program);
    return k->cells->at[cell].state == CELL_DONE ? point_of(k, cell)->seconds : 0;
}

int keep_put(struct keep *k, size_t cell, const struct pool_end *end, struct err *err)
{
    struct store_row row = row_of(k->cells, cell);

    if (!k->store)
        return put_in_slice(k, cell, end, err);
    if (end->err.code)
        return 0;
    row.seconds = end->seconds;
    row.result = end->answer;
    return store_put(k->store, &k->cells->at[cell].key, &row, err);
}
