/* cmd_exec.c - leno exec: a CUDA program of the user's, with its kernels simulated.
 *
 * The program itself is replaced by nothing and changed in nothing: this process becomes
 * it, with libraries of our own in the place of CUDA's. Its output and its exit status
 * are its own.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/option_rows.h"
#include "shim/program.h"
#include "shim/session.h"
#include "sim/machine.h"

struct exec_values {
    bool functional, quiet;
    uint64_t max_cycles, max_insts;
    const char *kernels, *stats, *record, *libraries;
    struct machine_options machine;
};

/* Paths for the program, which may go to another folder. */
struct paths {
    struct buf gpu, stats, record, libraries, program;
};

static const char *absolute(struct buf *out, const char *path)
{
    char here[PATH_MAX];

    if (*path != '/' && getcwd(here, sizeof here))
        buf_printf(out, "%s/", here);
    buf_puts(out, path);
    return buf_text(out);
}

/* The folder of the libraries: given, or lib beside the program leno. */
static int find_libraries(const char *given, struct buf *out, struct err *err)
{
    char path[PATH_MAX];
    ssize_t n;
    char *slash;

    if (!given)
        given = getenv("LENO_LIBRARIES");
    if (given && *given) {
        absolute(out, given);
    } else {
        n = readlink("/proc/self/exe", path, sizeof path - 1);
        path[n > 0 ? n : 0] = '\0';
        slash = strrchr(path, '/');
        if (slash)
            *slash = '\0';
        buf_printf(out, "%s/lib", path);
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

static int fill_options(struct shim_options *o, const struct exec_values *v,
                        struct paths *p, struct err *err)
{
    struct machine *m;

    if (v->max_cycles && (v->functional || v->record))
        return err_set(err,
                       "--max-cycles: launches have no cycles with --%s; --max-insts "
                       "limits their instructions",
                       v->functional ? "functional" : "record");
    *o = (struct shim_options){ .machine = v->machine,
                                .max_cycles = v->max_cycles,
                                .max_insts = v->max_insts,
                                .functional = v->functional,
                                .quiet = v->quiet };
    if (v->kernels && shim_options_range(o, v->kernels, err))
        return err_prefix(err, "--kernels");
    if (v->machine.gpu && strstr(v->machine.gpu, ".ini"))
        o->machine.gpu = absolute(&p->gpu, v->machine.gpu);
    if (v->stats)
        o->stats = absolute(&p->stats, v->stats);
    if (v->record)
        o->record = absolute(&p->record, v->record);
    m = session_machine(o, err); /* better said now than inside the program */
    machine_free(m);
    return m ? 0 : -1;
}

/* What cannot work is said before it fails in a riddle. */
static int check_program(const struct program *p, const char *path, struct err *err)
{
    if (!p->is_elf)
        return 0; /* a script: what it starts finds the libraries */
    if (!p->is_host)
        return err_set(err, "%s: a program for another kind of machine", path);
    if (!p->has_own_runtime || *p->cudart || (p->is_dynamic && !p->is_stripped))
        return 0;
    return err_set(err,
                   "%s has CUDA's runtime linked into it, nvcc's default, and %s. Link "
                   "it again with the option -cudart shared (nvcc -cudart shared ...; "
                   "with CMake: set CUDA_RUNTIME_LIBRARY to Shared), or leave out %s",
                   path,
                   p->is_dynamic ? "no symbols to find it by" : "takes no libraries",
                   p->is_dynamic ? "strip and -s" : "-static");
}

/* The dynamic loader takes lists of paths, with no way to quote what separates them: a
 * folder that holds such a character is not found, and the vendor's libraries might be. */
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

/* In front of what a list of paths holds already. */
static void put_first(const char *variable, const char *value)
{
    const char *old = getenv(variable);
    struct buf b = { 0 };

    buf_puts(&b, value);
    if (old && *old)
        buf_printf(&b, ":%s", old);
    setenv(variable, buf_text(&b), 1);
    buf_free(&b);
}

/* The library is loaded first of all, since a path in the program itself would go before
 * one in the environment. A runtime inside the program is replaced by the library. */
static int preload(const struct program *p, const char *folder, const char *path,
                   struct err *err)
{
    static const char *const own[] = {
        [11] = "libcudart.so.11.0", [12] = "libcudart.so.12", [13] = "libcudart.so.13"
    };
    bool is_inside = p->has_own_runtime && !*p->cudart;
    const char *name = is_inside ? own[p->own_edition] : p->cudart;
    struct buf library = { 0 };
    char real[PATH_MAX];
    int failed = 0;

    if (check_path("LD_LIBRARY_PATH", folder, ":;$", err))
        return -1;
    put_first("LD_LIBRARY_PATH", folder);
    if (!*name)
        return 0;
    if (check_path("LD_PRELOAD", folder, ": $", err))
        return -1;
    buf_printf(&library, "%s/%s", folder, name);
    if (access(buf_text(&library), R_OK))
        failed = err_set(err,
                         "the program needs %s: there are stand-ins for "
                         "libcudart.so.11.0, .12 and .13",
                         name);
    else
        put_first("LD_PRELOAD", buf_text(&library));
    if (!failed && is_inside && realpath(path, real))
        setenv(PROGRAM_REDIRECT, real, 1);
    buf_free(&library);
    return failed;
}

/* An empty file to which launches are appended; a device or a FIFO as it is. */
static int start_stats(const char *path, struct err *err)
{
    if (!path)
        return 0;
    if (file_is_direct(path) ? file_out_check(path, err) : file_write(path, "", 0, err))
        return err_prefix(err, "--stats");
    return 0;
}

static int exec_program(const struct operands *ops, const struct shim_options *o,
                        const struct paths *p, struct err *err)
{
    struct program program;
    struct buf text = { 0 };
    int failed = program_read(&program, buf_text(&p->program), err);

    if (!failed)
        failed = check_program(&program, buf_text(&p->program), err);
    if (!failed)
        failed = shim_options_write(o, &text, err);
    if (!failed)
        failed = preload(&program, buf_text(&p->libraries), buf_text(&p->program), err);
    if (!failed)
        failed = start_stats(o->stats, err);
    program_free(&program);
    if (failed) {
        buf_free(&text);
        return -1;
    }
    setenv(SHIM_VARIABLE, buf_text(&text), 1);
    buf_free(&text);
    ops->at[ops->n] = NULL;
    execv(buf_text(&p->program), ops->at);
    return err_set(err, "%s: %s", buf_text(&p->program), strerror(errno));
}

static int exec_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct exec_values *v = values;
    struct shim_options options;
    struct paths p = { 0 };
    int failed;

    (void)console;
    if (!ops->n)
        return err_set(err, "name a program: leno exec [options] -- ./program args");
    failed = find_program(ops->at[0], &p.program, err);
    if (!failed)
        failed = find_libraries(v->libraries, &p.libraries, err);
    if (!failed)
        failed = fill_options(&options, v, &p, err);
    if (!failed)
        failed = exec_program(ops, &options, &p, err);
    buf_free(&p.gpu);
    buf_free(&p.stats);
    buf_free(&p.record);
    buf_free(&p.libraries);
    buf_free(&p.program);
    return failed;
}

#define AT(field) offsetof(struct exec_values, field)
static const struct option options[] = {
    ROW_GPU(AT(machine.gpu), MACHINE_DEFAULT_GPU),
    ROW_SCHEME(AT(machine.scheme)),
    ROW_SET(AT(machine.set)),
    ROW_SMS(AT(machine.sms)),
    { "functional", OPTION_FLAG, NULL, "execute kernels without timing them",
      AT(functional), NULL },
    { "kernels", OPTION_TEXT, "N-M", "time only these launches, counted from 1",
      AT(kernels), NULL },
    { "stats", OPTION_TEXT, "FILE", "write statistics, one line of JSON per launch",
      AT(stats), NULL },
    { "quiet", OPTION_FLAG, NULL, "print no statistics on standard error", AT(quiet),
      NULL },
    { "record", OPTION_TEXT, "DIR", "record launches instead of timing them",
      AT(record), NULL },
    { "max-cycles", OPTION_COUNT, "N", "stop the launch that passes cycle N",
      AT(max_cycles), NULL },
    { "max-insts", OPTION_COUNT, "N", "the same, in warp instructions of all launches",
      AT(max_insts), NULL },
    { "libraries", OPTION_TEXT, "DIR",
      "folder of Leno's CUDA libraries (default: $LENO_LIBRARIES)", AT(libraries),
      NULL },
};

static const char *const examples[] = {
    "leno exec -- ./vectorAdd",
    "leno exec --gpu h200 --stats bfs.json -- ./bfs graph65536.txt",
    "leno exec --functional -- ./matrixMul -wA=320",
    "leno exec --kernels 3-5 --scheme inorder --set inorder.entries=4 -- ./srad",
    "leno exec --record streams -- ./hotspot 512 2 2 temp power out",
    NULL
};

const struct command command_exec = {
    .name = "exec",
    .summary = "run a CUDA program with its kernels simulated",
    .operands = "-- PROGRAM [ARG...]",
    .details =
        "Starts an ordinary program, built with nvcc -cudart shared for the machine's\n"
        "architecture (-arch=sm_75, sm_86, sm_90), with libraries of Leno's in the\n"
        "place of CUDA's. There need be no GPU. The program's output and its exit\n"
        "status are its own; a line for every launch goes to standard error, or as\n"
        "JSON to a file. docs/exec.md says what is supported.\n",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct exec_values),
    .run = exec_command,
};
