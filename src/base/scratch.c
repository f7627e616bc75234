/* scratch.c - a folder for the files of one task. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/program.h"

#define MAX_FILE ((size_t)1 << 30)

int scratch_open(struct scratch *s, struct err *err)
{
    const char *given = getenv("TMPDIR");
    int n = snprintf(s->path, sizeof s->path, "%s/leno-XXXXXX",
                     given && *given ? given : "/tmp");

    if (n > 0 && (size_t)n < sizeof s->path && mkdtemp(s->path))
        return 0;
    err_set(err, "no folder for temporary files: %s: %s", s->path, strerror(errno));
    s->path[0] = '\0';
    return -1;
}

static int remove_entry(const char *path, const struct stat *what, int kind,
                        struct FTW *walk)
{
    (void)what, (void)kind, (void)walk;
    remove(path);
    return 0;
}

void scratch_close(struct scratch *s)
{
    enum { N_OPEN = 8 };

    if (*s->path)
        nftw(s->path, remove_entry, N_OPEN, FTW_DEPTH | FTW_PHYS);
    s->path[0] = '\0';
}

const char *scratch_path(const struct scratch *s, const char *name, struct buf *path)
{
    buf_clear(path);
    buf_printf(path, "%s/%s", s->path, name);
    return buf_text(path);
}

int scratch_write(const struct scratch *s, const char *name, const void *data, size_t n,
                  struct err *err)
{
    struct buf path = { 0 };
    int failed = file_write(scratch_path(s, name, &path), data, n, err);

    buf_free(&path);
    return failed;
}

int scratch_read(const struct scratch *s, const char *name, struct file *file,
                 struct err *err)
{
    struct buf path = { 0 };
    int failed = file_read(scratch_path(s, name, &path), MAX_FILE, file, err);

    buf_free(&path);
    return failed;
}
