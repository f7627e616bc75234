/* workloads.c - the workloads linked into the program, and where their files are. */
#include "cli/workloads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads.def"
#undef WORKLOAD

static const struct workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads.def"
#undef WORKLOAD
    NULL
};

const struct workload *workload_at(size_t i)
{
    return workloads[i];
}

static const char *next_name(const void *from, size_t i)
{
    (void)from;
    return workloads[i] ? workloads[i]->name : NULL;
}

const struct workload *workload_find(const char *name, struct err *err)
{
    struct buf b = { 0 };

    for (size_t i = 0; workloads[i]; i++) {
        if (!strcmp(workloads[i]->name, name))
            return workloads[i];
    }
    suggest(&b, name, next_name, NULL);
    err_set(err, "no workload '%s'%s; see leno list workloads", name, buf_text(&b));
    buf_free(&b);
    return NULL;
}

/* The folder of the program's file, without the last slash. */
static int program_folder(struct buf *folder, struct err *err)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (n <= 0)
        return err_set(err, "the program cannot find itself; use --workloads DIR");
    path[n] = '\0';
    slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    buf_puts(folder, path);
    return 0;
}

int workload_folder(const char *given, struct buf *folder, struct err *err)
{
    struct stat st;

    if (!given)
        given = getenv("LENO_WORKLOADS");
    if (given && *given) {
        buf_puts(folder, given);
    } else {
        if (program_folder(folder, err))
            return -1;
        buf_puts(folder, "/../workloads");
    }
    if (stat(buf_text(folder), &st) || !S_ISDIR(st.st_mode))
        return err_set(err, "%s: no such folder; --workloads DIR names another",
                       buf_text(folder));
    return 0;
}
