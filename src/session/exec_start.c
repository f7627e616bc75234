/* exec_start.c - starts a CUDA program with Leno's libraries.
 *
 * The program is not changed: this process becomes it, with libraries of our own in the
 * place of CUDA's, which the dynamic loader finds first.
 */
#include "session/exec_start.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/exec.h"
#include "session/exec_gpu.h"
#include "session/executable.h"

/* Absolute paths, since the program may change its folder. */
struct paths {
    struct buf gpu, stats, counts, hot, series, record, libraries, program;
};

static const char *make_absolute(struct buf *out, const char *path)
{
    char here[PATH_MAX];

    if (*path != '/' && getcwd(here, sizeof here))
        buf_printf(out, "%s/", here);
    buf_puts(out, path);
    return buf_text(out);
}

int exec_find_libraries(const char *given, struct buf *out, struct err *err)
{
    char path[PATH_MAX];
    ssize_t n;
    char *slash;

    if (!given)
        given = getenv("LENO_LIBRARIES");
    if (given && *given) {
        make_absolute(out, given);
    } else {
        n = readlink("/proc/self/exe", path, sizeof path - 1);
        path[n > 0 ? n : 0] = '\0';
        slash = strrchr(path, '/');
        if (slash)
            *slash = '\0';
        buf_printf(out, "%s/../lib/leno", path); /* make install */
        if (access(buf_text(out), F_OK)) {
            buf_clear(out);
            buf_printf(out, "%s/lib", path);
        }
    }
    buf_puts(out, "/libcuda.so.1");
    if (access(buf_text(out), R_OK))
        return err_set(err,
                       "%s is not there: make shim builds it, --libraries DIR "
                       "names its folder",
                       buf_text(out));
    out->len -= strlen("/libcuda.so.1");
    out->data[out->len] = '\0';
    return 0;
}

/* The program's file: as named, or found along PATH. */
static int find_program(const char *name, struct buf *out, struct err *err)
{
    const char *at = getenv("PATH");

    if (strchr(name, '/')) {
        buf_puts(out, name);
        return access(name, F_OK) ? err_set(err, "%s: no such program", name) : 0;
    }
    while (at && *at) {
        size_t n = strcspn(at, ":");

        buf_clear(out);
        buf_add(out, at, n);
        buf_printf(out, "%s%s", n ? "/" : "./", name);
        if (!access(buf_text(out), X_OK))
            return 0;
        at += n + (at[n] == ':');
    }
    return err_set(err, "%s: no such program in PATH (./%s?)", name, name);
}

/* Makes paths absolute and checks the machine, so that mistakes are reported now and
 * not inside the program. */
static int check_options(struct exec_job *job, struct paths *p,
                         const struct executable *program, struct err *err)
{
    struct exec_options *o = &job->options;
    struct exec_gpu gpu;
    struct machine *m;

    if (job->kernels && choice_read_range(&o->choice, job->kernels, err))
        return err_prefix(err, "--kernels");
    if (o->machine.gpu && strstr(o->machine.gpu, ".ini"))
        o->machine.gpu = make_absolute(&p->gpu, o->machine.gpu);
    if (o->stats)
        o->stats = make_absolute(&p->stats, o->stats);
    if (o->counts)
        o->counts = make_absolute(&p->counts, o->counts);
    if (o->hot_file)
        o->hot_file = make_absolute(&p->hot, o->hot_file);
    if (o->series_out)
        o->series_out = make_absolute(&p->series, o->series_out);
    if (o->record)
        o->record = make_absolute(&p->record, o->record);
    if (o->machine.gpu)
        exec_gpu_of_name(&gpu, o->machine.gpu);
    else
        exec_gpu_of_program(&gpu, program);
    m = exec_session_machine(o, gpu.name, err);
    machine_free(m);
    return m ? 0 : -1;
}

/* The dynamic loader takes lists of paths, with no way to quote separators: a folder
 * with such a character would not be found, and the vendor's libraries might be
 * instead. */
static int check_path(const char *variable, const char *path, const char *separators,
                      struct err *err)
{
    const char *at = strpbrk(path, separators);

    if (!at)
        return 0;
    return err_set(
        err,
        "%s: '%c' in a path cannot be given to the program (%s); make a link "
        "to the folder of the libraries elsewhere and name it with "
        "--libraries",
        path, *at, variable);
}

/* Puts a value before the others of a list of paths. */
static void prepend_path(const char *variable, const char *value)
{
    const char *old = getenv(variable);
    struct buf b = { 0 };

    buf_puts(&b, value);
    if (old && *old)
        buf_printf(&b, ":%s", old);
    setenv(variable, buf_text(&b), 1);
    buf_free(&b);
}

/* Makes one of Leno's libraries the first of those that are loaded: by its path, or by its name
 * if that is like no other and the path has blanks. */
static int preload_library(const char *folder, const char *name, const char *hint,
                           struct err *err)
{
    bool by_name = strchr(folder, ' ') && !strncmp(name, "libleno_", 8);
    int failed = by_name ? 0 : check_path("LD_PRELOAD", folder, ": $", err);
    struct buf library = { 0 };

    buf_printf(&library, "%s/%s", folder, name);
    if (!failed && access(buf_text(&library), R_OK))
        failed = err_set(err, "%s is not there: %s", buf_text(&library), hint);
    if (!failed)
        prepend_path("LD_PRELOAD", by_name ? name : buf_text(&library));
    buf_free(&library);
    return failed;
}

/* A list of what the program reads needs a library of its own (shim/inputs). */
static int preload_inputs(const char *folder, const char *list, struct err *err)
{
    if (!list)
        return 0;
    if (preload_library(folder, "libleno_inputs.so", "make shim builds it", err))
        return -1;
    setenv("LENO_INPUTS", list, 1);
    return 0;
}

/* The runtime that the program needs is loaded first of all, since a path in the program
 * itself would precede one in the environment. One inside it, or inside a program that it
 * starts, is replaced when that starts (shim/start). */
static int preload_libraries(const struct executable *p, const char *folder,
                             struct err *err)
{
    if (check_path("LD_LIBRARY_PATH", folder, ":;$", err))
        return -1;
    prepend_path("LD_LIBRARY_PATH", folder);
    if (*p->cudart &&
        preload_library(folder, p->cudart,
                        "there are stand-ins for libcudart.so.11.0, .12 and .13", err))
        return -1;
    return preload_library(folder, "libleno_start.so", "make shim builds it", err);
}

/* An empty file to which the program's processes append; a device or a FIFO as it is. */
static int start_file(const char *option, const char *path, struct err *err)
{
    if (!path)
        return 0;
    if (file_is_direct(path) ? file_out_check(path, err) : file_write(path, "", 0, err))
        return err_prefix(err, "%s", option);
    return 0;
}

static int become_program(const struct exec_job *job, const struct paths *p,
                          const struct executable *program, struct err *err)
{
    const struct exec_options *o = &job->options;
    struct buf text = { 0 };
    int failed = executable_check(program, buf_text(&p->program), err);

    if (!failed)
        failed = exec_options_write(o, &text, err);
    if (!failed)
        failed = preload_libraries(program, buf_text(&p->libraries), err);
    if (!failed)
        failed = preload_inputs(buf_text(&p->libraries), job->inputs, err);
    if (!failed && !o->resume)
        failed = start_file("--stats", o->stats, err);
    if (!failed)
        failed = start_file("--counts", o->counts, err);
    if (failed) {
        buf_free(&text);
        return -1;
    }
    setenv(EXEC_VARIABLE, buf_text(&text), 1);
    buf_free(&text);
    execv(buf_text(&p->program), job->argv);
    return err_set(err, "%s: %s", buf_text(&p->program), strerror(errno));
}

int exec_start(struct exec_job *job, struct err *err)
{
    struct paths p = { 0 };
    struct executable program = { 0 };
    int failed = find_program(job->argv[0], &p.program, err);

    if (!failed)
        failed = exec_find_libraries(job->libraries, &p.libraries, err);
    if (!failed)
        failed = executable_read(&program, buf_text(&p.program), err);
    if (!failed)
        failed = check_options(job, &p, &program, err);
    if (!failed)
        failed = become_program(job, &p, &program, err);
    executable_free(&program);
    buf_free(&p.gpu);
    buf_free(&p.stats);
    buf_free(&p.counts);
    buf_free(&p.record);
    buf_free(&p.libraries);
    buf_free(&p.program);
    return failed;
}
