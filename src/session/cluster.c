/* cluster.c - which slices are submitted, and what the user is told. */
#include "session/cluster.h"

#include <string.h>

static void put_folder(const struct cluster_job *job, const struct shard_study *study,
                       struct buf *folder)
{
    shard_put_folder(folder, job->out, job->study, study);
}

int cluster_read(const struct cluster_job *job, const struct shard_study *study,
                 struct buf *folder, struct elements *e, struct err *err)
{
    size_t n = 0;

    *e = (struct elements){ 0 };
    put_folder(job, study, folder);
    if (elements_find(buf_text(folder), &n, err))
        return -1;
    if (!n)
        return err_set(
            err,
            "%s: no slice of this study has been started; leno sweep --slurm "
            "or --shard I/N does so",
            buf_text(folder));
    return elements_read(e, buf_text(folder), n, study, err);
}

/* The number of elements: that of the slices there are, or the one asked for. */
static int choose_elements(const struct cluster_job *job,
                           const struct shard_study *study, const char *folder,
                           size_t *n, struct err *err)
{
    uint64_t asked = job->options->elements;

    if (elements_find(folder, n, err))
        return -1;
    if (*n && asked && asked != *n)
        return err_set(err,
                       "--slurm-elements %llu: %s has slices of %zu; move it away to "
                       "start with another number",
                       (unsigned long long)asked, folder, *n);
    if (*n)
        return 0;
    if (asked > SHARD_MAX)
        return err_set(err, "--slurm-elements %llu: expected at most %d",
                       (unsigned long long)asked, SHARD_MAX);
    *n = asked ? (size_t)asked : SLURM_ELEMENTS;
    if (*n > study->n_points)
        *n = study->n_points;
    return *n ? 0 : err_set(err, "%s: no point can be run", job->study);
}

static void tell_next(const struct cluster_job *job, const char *folder, FILE *out)
{
    struct buf merge = { 0 };

    buf_puts(&merge, "leno merge ");
    buf_shell_word(&merge, folder);
    if (strcmp(job->out, "leno-out")) {
        buf_puts(&merge, " --out ");
        buf_shell_word(&merge, job->out);
    }
    fprintf(out,
            "next:\n"
            "  %s --status%s    # what became of the elements\n"
            "  %s --slurm%s     # again: those that were stopped or failed\n"
            "  %s\n"
            "  %s%s             # the table\n",
            job->next, job->rest, job->again, job->rest, buf_text(&merge), job->next,
            job->rest);
    buf_free(&merge);
}

static int submit_list(const struct cluster_job *job, const struct slurm_script *script,
                       struct console *console, struct err *err)
{
    struct buf id = { 0 };
    int failed = slurm_write(script, job->options, err);

    if (!failed && job->writes_only) {
        fprintf(console->out, "%s/slurm.sh: elements %s of %zu; not submitted\n",
                script->folder, script->list, script->n);
    } else if (!failed) {
        failed = slurm_submit(script, &id, err);
        if (!failed)
            fprintf(console->out, "submitted job %s: elements %s of %zu, in %s\n",
                    buf_text(&id), script->list, script->n, script->folder);
    }
    if (!failed)
        tell_next(job, script->folder, console->out);
    buf_free(&id);
    return failed;
}

/* If the queue is unknown, an element that began may run still. */
static int check_queue(const struct elements *e, struct err *err)
{
    if (!e->queue_why)
        return 0;
    return err_set(err, "nobody can tell which elements still run: %s", e->queue_why);
}

int cluster_submit(const struct cluster_job *job, const struct shard_study *study,
                   struct console *console, struct err *err)
{
    struct slurm_script script = { .study = job->study,
                                   .command = job->command,
                                   .rest = job->rest };
    struct buf folder = { 0 }, list = { 0 };
    struct elements e = { 0 };
    int failed;

    put_folder(job, study, &folder);
    failed = shard_make_folder(buf_text(&folder), err) ||
             choose_elements(job, study, buf_text(&folder), &script.n, err) ||
             elements_read(&e, buf_text(&folder), script.n, study, err) ||
             check_queue(&e, err);
    elements_put_needed(&e, &list);
    script.folder = buf_text(&folder);
    script.list = buf_text(&list);
    if (!failed && list.len)
        failed = submit_list(job, &script, console, err);
    else if (!failed)
        fprintf(console->out,
                "nothing to submit: of %zu elements %zu are done, %zu run "
                "and %zu wait\n",
                e.n, e.count[ELEMENT_DONE], e.count[ELEMENT_RUNNING],
                e.count[ELEMENT_WAITING]);
    elements_free(&e);
    buf_free(&folder);
    buf_free(&list);
    return failed ? -1 : 0;
}
