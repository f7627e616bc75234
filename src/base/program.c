/* program.c - finds and runs programs. */
#include "base/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char usual_folder[] = "/usr/local/cuda/bin";

/* Folders, separated by colons. */
static bool find_along(const char *folders, const char *name, struct buf *path)
{
    for (const char *at = folders; at && *at;) {
        size_t n = strcspn(at, ":");

        buf_clear(path);
        buf_printf(path, "%.*s/%s", (int)n, at, name);
        if (n && !access(buf_text(path), X_OK))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

bool program_in_path(const char *name, struct buf *path)
{
    return find_along(getenv("PATH"), name, path);
}

int program_find(const char *name, struct buf *path, struct err *err)
{
    static const char *const variables[] = { "CUDA_HOME", "CUDA_PATH" };
    const char *home = NULL, *variable = NULL;
    struct buf folder = { 0 };
    bool found;

    for (unsigned i = 0; i < 2 && !home; i++) {
        const char *value = getenv(variables[i]);

        home = value && *value ? value : NULL;
        variable = variables[i];
    }
    if (home) {
        buf_printf(&folder, "%s/bin", home);
        found = find_along(buf_text(&folder), name, path);
        buf_free(&folder);
        return found ? 0
                     : err_kind(err, ERR_UNSUPPORTED, "%s is not in %s/bin (%s)", name,
                                home, variable);
    }
    if (program_in_path(name, path) || find_along(usual_folder, name, path))
        return 0;
    return err_kind(err, ERR_UNSUPPORTED,
                    "%s is neither in PATH nor in %s; install the CUDA toolkit or name "
                    "its folder in CUDA_HOME",
                    name, usual_folder);
}

/* The folder of the library or program that this code is part of, with a '/' at its
 * end. */
static void find_own_folder(struct buf *folder)
{
    Dl_info self;
    const char *slash = NULL;

    if (dladdr(usual_folder, &self) && self.dli_fname)
        slash = strrchr(self.dli_fname, '/');
    if (slash)
        buf_add(folder, self.dli_fname, (size_t)(slash + 1 - self.dli_fname));
}

/* A list of paths of the dynamic loader, VARIABLE=a:b, without entries in own, its files
 * or the folder itself. */
static char *without_own(const char *setting, const char *own)
{
    const char *at = strchr(setting, '=') + 1;
    size_t n_own = strlen(own);
    struct buf kept = { 0 };

    buf_add(&kept, setting, (size_t)(at - setting));
    while (*at) {
        size_t n = strcspn(at, ": ");

        if (n_own && n + 1 >= n_own && !strncmp(at, own, n_own - 1) &&
            (n + 1 == n_own || at[n_own - 1] == '/'))
            n += at[n] != '\0';
        else
            buf_add(&kept, at, n += at[n] != '\0');
        at += n;
    }
    return kept.data;
}

static bool is_loader_setting(const char *setting)
{
    return !strncmp(setting, "LD_PRELOAD=", 11) ||
           !strncmp(setting, "LD_LIBRARY_PATH=", 16);
}

/* The environment as it was before leno exec; NULL when memory runs out. */
static char **clean_environment(void)
{
    struct buf own = { 0 };
    size_t n = 0;
    char **clean;

    while (environ && environ[n])
        n++;
    clean = calloc(n + 1, sizeof *clean);
    find_own_folder(&own);
    for (size_t i = 0; clean && i < n; i++)
        clean[i] = is_loader_setting(environ[i])
                       ? without_own(environ[i], buf_text(&own))
                       : environ[i];
    buf_free(&own);
    return clean;
}

static void free_environment(char **clean)
{
    for (size_t i = 0; clean && clean[i]; i++)
        if (is_loader_setting(clean[i]))
            free(clean[i]);
    free(clean);
}

/* With standard signals and nothing to read; what it writes goes to a pipe. */
static int spawn_child(char *const argv[], const char *folder, int output, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char **environment = clean_environment();
    int failed = environment ? 0 : ENOMEM;

    if (failed)
        return failed;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    for (int fd = 1; fd <= 2 && !failed; fd++)
        failed = posix_spawn_file_actions_adddup2(&files, output, fd);
    if (!failed)
        failed = posix_spawn_file_actions_addchdir_np(&files, folder);
    if (!failed)
        failed = posix_spawn(child, argv[0], &files, &attributes, argv, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    free_environment(environment);
    return failed;
}

static void read_all(int from, struct buf *out)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(from, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            buf_add(out, bytes, (size_t)n);
}

int program_run(char *const argv[], const char *folder, struct buf *out,
                struct err *err)
{
    int ends[2], failed, status = 0;
    pid_t child, ended;

    if (pipe2(ends, O_CLOEXEC))
        return err_set(err, "%s: no pipe: %s", argv[0], strerror(errno));
    failed = spawn_child(argv, folder, ends[1], &child);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return err_set(err, "%s cannot be started: %s", argv[0], strerror(failed));
    }
    read_all(ends[0], out);
    close(ends[0]);
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    /* A host that ignores SIGCHLD is not told the status; its output will show it. */
    return ended == child && !(WIFEXITED(status) && !WEXITSTATUS(status));
}
