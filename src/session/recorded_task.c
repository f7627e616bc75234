/* recorded_task.c - runs a command under leno exec --record and keeps what it launched. */
#include "session/recorded_task.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/exec_gpu.h"
#include "session/exec_start.h"
#include "session/provenance.h"
#include "session/recorded.h"
#include "session/recording.h"
#include "session/supervise.h"

/* Where a command's files are until they are whole. */
struct place {
    const struct recorded_task *task;
    char folder[PATH_MAX],
        list[PATH_MAX]; /* the list: of files that the program reads */
};

/* The GPU that was asked for, if the program has code for it; else, and for scripts, one
 * is chosen by the code. */
static const char *choose_gpu(const struct recorded_task *t)
{
    struct executable p;
    bool runs;

    if (executable_read(&p, t->program->argv[0], NULL))
        return NULL;
    runs = exec_gpu_runs(&p, t->sm);
    executable_free(&p);
    return runs ? t->gpu : NULL;
}

static int become_program(void *to, struct err *err)
{
    const struct place *place = to;
    const struct recorded_task *t = place->task;
    struct exec_job job = { .options = { .choice = t->program->choice,
                                         .quiet = 1,
                                         .stop_on_unsupported = 1,
                                         .stop_on_fault = 1,
                                         .record = place->folder },
                            .libraries = t->libraries,
                            .inputs = place->list,
                            .argv = t->program->argv };

    job.options.machine.gpu = choose_gpu(t);
    return exec_start(&job, err);
}

/* The one recording that the program left. */
static int find_recording(const struct place *p, char *path, size_t size,
                          struct err *err)
{
    DIR *folder = opendir(p->folder);
    struct dirent *entry;
    struct stat about;
    bool is_finished = false; /* the last one: before that its name has an empty file */
    unsigned n = 0;

    while (folder && (entry = readdir(folder))) {
        if (*entry->d_name == '.' || !recording_is_file(entry->d_name))
            continue;
        snprintf(path, size, "%s/%s", p->folder, entry->d_name);
        is_finished = !stat(path, &about) && about.st_size;
        n++;
    }
    if (folder)
        closedir(folder);
    if (n == 1 && !is_finished)
        return err_set(err, "launched kernels in a process that did not finish its "
                            "recording: it was killed, or called _exit(); expected "
                            "exit(), or the end of main()");
    if (n == 1)
        return 0;
    if (!n)
        return err_set(err, "launched no kernel, or none of those chosen");
    return err_set(err,
                   "launched kernels in %u processes; expected one: name the command "
                   "that each of them runs",
                   n);
}

/* The inputs that the suite names, which the program may read in ways of its own. */
static int add_named_inputs(const struct place *place, struct err *err)
{
    const struct program *p = place->task->program;
    FILE *list = fopen(place->list, "ae");
    char *names = strdup(p->inputs ? p->inputs : ""), *rest, path[PATH_MAX];
    int failed = 0;

    for (char *at = names ? strtok_r(names, ",", &rest) : NULL; list && at && !failed;
         at = strtok_r(NULL, ",", &rest)) {
        struct buf name = { 0 };

        at += strspn(at, " \t");
        if (p->folder && *at != '/')
            buf_printf(&name, "%s/", p->folder);
        buf_puts(&name, at);
        if (realpath(buf_text(&name), path))
            fprintf(list, "%s\n", path);
        else
            failed = err_set(err, "lacks its input %s: %s", buf_text(&name),
                             strerror(errno));
        buf_free(&name);
    }
    free(names);
    if (list)
        fclose(list);
    return failed;
}

/* The list of files comes last: a recording without one is made again. */
static int keep_recording(const struct place *place, const struct timespec *start,
                          struct err *err)
{
    const struct recorded_task *t = place->task;
    struct buf to = { 0 };
    char from[PATH_MAX + 256];
    int failed = find_recording(place, from, sizeof from, err);

    buf_printf(&to, "%s.leno", t->base);
    if (!failed && rename(from, buf_text(&to)))
        failed = err_set(err, "%s: %s", buf_text(&to), strerror(errno));
    buf_clear(&to);
    buf_printf(&to, "%s.from", t->base);
    if (!failed)
        failed = add_named_inputs(place, err) ||
                 provenance_write(buf_text(&to), place->list, t->libraries, start, err);
    buf_free(&to);
    return failed;
}

static void name_place(struct place *p)
{
    snprintf(p->folder, sizeof p->folder, "%s.making-%d", p->task->base,
             p->task->owner);
}

static int make_place(struct place *p, struct err *err)
{
    FILE *list;

    name_place(p);
    if (mkdir(p->folder, 0777))
        return err_set(err, "%s: %s", p->folder, strerror(errno));
    if ((size_t)snprintf(p->list, sizeof p->list, "%s/.inputs", p->folder) <
            sizeof p->list &&
        (list = fopen(p->list, "we")))
        return fclose(list);
    return err_set(err, "%s: no file can be made there", p->folder);
}

/* Removes the folder with all that is in it, which has no folders. */
static void remove_place(const struct place *p)
{
    DIR *folder = opendir(p->folder);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(p->folder);
}

void recorded_task_clean(const struct recorded_task *t)
{
    struct place place = { .task = t };

    name_place(&place);
    remove_place(&place);
}

int recorded_task_run(const struct recorded_task *t, struct err *err)
{
    struct place place = { .task = t };
    struct buf log = { 0 }, list = { 0 };
    struct supervised run = { .become = become_program,
                              .to = &place,
                              .folder = t->program->folder,
                              .timeout = t->program->timeout };
    struct timespec start;
    int failed = make_place(&place, err);

    buf_printf(&log, "%s.log", t->base);
    buf_printf(&list, "%s.from", t->base);
    unlink(buf_text(&list));
    clock_gettime(CLOCK_REALTIME, &start);
    run.log = buf_text(&log);
    if (!run.timeout)
        run.timeout = RECORDED_TIMEOUT;
    if (!failed)
        failed = supervise_run(&run, err);
    if (!failed)
        failed = keep_recording(&place, &start, err);
    remove_place(&place);
    buf_free(&log);
    buf_free(&list);
    return failed;
}
