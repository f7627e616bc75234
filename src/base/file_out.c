/* file_out.c - files being written: under a temporary name until they are complete, or
 * straight into a device or a FIFO.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

enum { MAX_LINKS = 40, TRIES = 8 };

struct file_out {
    FILE *f;
    char *path; /* no link */
    char *temporary;
    int live; /* of the temporary, in file_live.c; -1: written directly */
    bool is_direct;
};

/* The target of a path. */
struct target {
    struct buf path; /* links followed; may not exist yet */
    struct stat st;
    bool is_there;
    bool is_open;   /* an open file of this process, by way of /proc */
    bool is_direct; /* written without a temporary name */
    int same_as;    /* descriptor 1 or 2, if that is open on it; else -1 */
};

/* The length of the folder's part, its slash included. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Follows links, and stops at those of /proc, which lead to open files. True if it met
 * one. */
static bool follow_links(struct buf *path)
{
    char to[PATH_MAX];
    ssize_t n;

    for (int i = 0; i < MAX_LINKS; i++) {
        n = readlink(buf_text(path), to, sizeof to - 1);
        if (n <= 0)
            return false;
        if (!strncmp(buf_text(path), "/proc/", 6))
            return true;
        to[n] = '\0';
        path->len = *to == '/' ? 0 : folder_length(buf_text(path));
        buf_add(path, to, (size_t)n);
    }
    return false;
}

static int standard_stream(const struct stat *st)
{
    struct stat other;

    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (!fstat(fd, &other) && other.st_dev == st->st_dev &&
            other.st_ino == st->st_ino)
            return fd;
    return -1;
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a folder"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISBLK(mode)  ? "a block device"
                            : "no file that can be written";
}

static int find_target(const char *path, struct target *t, struct err *err)
{
    *t = (struct target){ .same_as = -1 };
    if (!*path)
        return err_set(err, "'': expected the name of a file");
    buf_puts(&t->path, path);
    t->is_open = follow_links(&t->path);
    t->is_there = !stat(path, &t->st);
    if (!t->is_there && errno != ENOENT)
        return err_set(err, "%s: %s", path, strerror(errno));
    if (!t->is_there)
        return 0;
    if (!S_ISREG(t->st.st_mode) && !S_ISCHR(t->st.st_mode) && !S_ISFIFO(t->st.st_mode))
        return err_set(err,
                       "%s is %s; expected a regular file, a new name, a character "
                       "device or a FIFO",
                       path, kind_of(t->st.st_mode));
    t->same_as = standard_stream(&t->st);
    t->is_direct = t->is_open || !S_ISREG(t->st.st_mode);
    if (t->same_as >= 0 && !t->is_direct)
        return err_set(err, "%s is where standard %s goes; expected another file", path,
                       t->same_as == STDOUT_FILENO ? "output" : "error");
    return 0;
}

/* A random name in the folder of path; the caller frees it. */
static char *random_name(const char *path)
{
    struct buf name = { 0 };
    uint64_t random;

    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return NULL;
    buf_add(&name, path, folder_length(path));
    buf_printf(&name, "leno-%016" PRIx64 ".tmp", random);
    return name.data;
}

/* A new file beside path under a temporary name; -1: errno says why. */
static int make_temporary(const char *path, char **name, int *number)
{
    for (int i = 0; i < TRIES; i++) {
        int fd, why;

        *name = random_name(path);
        if (!*name)
            return -1;
        *number = file_live_add(*name);
        fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        why = errno;
        file_live_remove(*number);
        free(*name);
        *name = NULL;
        errno = why;
        if (why != EEXIST)
            return -1;
    }
    return -1;
}

/* Takes over the permissions of the file that is replaced; its owner may not be ours to
 * set. */
static void take_permissions(int fd, const struct stat *st)
{
    if (fchown(fd, st->st_uid, st->st_gid) && fchown(fd, (uid_t)-1, st->st_gid))
        return; /* ours, with our umask */
    (void)!fchmod(fd, st->st_mode & 0777);
}

static int open_direct(const struct target *t, const char *path)
{
    if (t->same_as >= 0)
        return fcntl(t->same_as, F_DUPFD_CLOEXEC, 0);
    return open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
}

static int open_beside(struct file_out *o, const struct target *t)
{
    int fd = make_temporary(o->path, &o->temporary, &o->live);

    if (fd >= 0 && t->is_there)
        take_permissions(fd, &t->st);
    return fd;
}

static void file_out_free(struct file_out *o)
{
    if (o->temporary) {
        unlink(o->temporary);
        file_live_remove(o->live);
    }
    free(o->temporary);
    free(o->path);
    free(o);
}

static struct file_out *open_target(const struct target *t, const char *path,
                                    struct err *err)
{
    struct file_out *o = calloc(1, sizeof *o);
    int fd;

    if (!o || !(o->path = strdup(buf_text(&t->path)))) {
        free(o);
        err_memory(err, "%s", path);
        return NULL;
    }
    o->is_direct = t->is_direct;
    fd = o->is_direct ? open_direct(t, path) : open_beside(o, t);
    o->f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (o->f)
        return o;
    err_set(err, "%s: %s%s", path,
            o->is_direct ? "" : "cannot be created: ", strerror(errno));
    if (fd >= 0)
        close(fd);
    file_out_free(o);
    return NULL;
}

struct file_out *file_out_open(const char *path, struct err *err)
{
    struct file_out *o = NULL;
    struct target t;

    if (!find_target(path, &t, err))
        o = open_target(&t, path, err);
    buf_free(&t.path);
    return o;
}

FILE *file_out_stream(struct file_out *o)
{
    return o->f;
}

int file_out_keep(struct file_out *o, struct err *err)
{
    int failed = 0;

    errno = 0;
    if (fflush(o->f) || ferror(o->f) || (!o->is_direct && fsync(fileno(o->f))))
        failed = -1;
    if (failed)
        err_set(err, "%s: could not be written: %s", o->path,
                errno ? strerror(errno) : "disk full?");
    if (fclose(o->f) && !failed)
        failed = err_set(err, "%s: could not be written: %s", o->path, strerror(errno));
    if (!failed && o->temporary && rename(o->temporary, o->path))
        failed = err_set(err, "%s: %s", o->path, strerror(errno));
    if (!failed && o->temporary) {
        file_live_remove(o->live);
        free(o->temporary);
        o->temporary = NULL;
    }
    file_out_free(o);
    return failed;
}

void file_out_drop(struct file_out *o)
{
    if (!o)
        return;
    fclose(o->f);
    file_out_free(o);
}

int file_write(const char *path, const void *data, size_t size, struct err *err)
{
    struct file_out *o = file_out_open(path, err);

    if (!o)
        return -1;
    fwrite(data, 1, size, o->f);
    return file_out_keep(o, err);
}

FILE *file_scratch(const char *path, struct err *err)
{
    char *name;
    int number, fd;
    FILE *f;

    if (file_out_check(path, err))
        return NULL;
    if (file_is_direct(path))
        return tmpfile();
    fd = make_temporary(path, &name, &number);
    f = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (!f)
        err_set(err, "%s: no scratch file can be made beside it: %s", path,
                strerror(errno));
    if (fd < 0)
        return NULL;
    unlink(name);
    file_live_remove(number);
    free(name);
    if (!f)
        close(fd);
    return f;
}

/* ---- before anything is written ---- */

/* The folder of the file, as a path to it. */
static const char *put_folder(const struct target *t, struct buf *folder)
{
    buf_add(folder, t->path.data, folder_length(t->path.data));
    buf_putc(folder, '.');
    return buf_text(folder);
}

static int check_target(const char *path, const struct target *t, struct err *err)
{
    struct buf folder = { 0 };
    bool can = t->is_direct ? t->same_as >= 0 || !access(path, W_OK)
                            : !access(put_folder(t, &folder), W_OK | X_OK);

    if (!can)
        err_set(err, "%s: cannot be %s: %s", path, t->is_direct ? "written" : "created",
                strerror(errno));
    buf_free(&folder);
    return can ? 0 : -1;
}

int file_out_check(const char *path, struct err *err)
{
    struct target t;
    int failed = find_target(path, &t, err);

    if (!failed)
        failed = check_target(path, &t, err);
    buf_free(&t.path);
    return failed;
}

bool file_is_direct(const char *path)
{
    struct target t;
    bool is = !find_target(path, &t, NULL) && t.is_direct;

    buf_free(&t.path);
    return is;
}

bool file_is_stdout(const char *path)
{
    struct target t;
    bool is = !find_target(path, &t, NULL) && t.is_open && t.same_as == STDOUT_FILENO;

    buf_free(&t.path);
    return is;
}

static bool is_same_folder(const struct target *a, const struct target *b)
{
    struct buf fa = { 0 }, fb = { 0 };
    struct stat sa, sb;
    bool is = !stat(put_folder(a, &fa), &sa) && !stat(put_folder(b, &fb), &sb) &&
              sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;

    buf_free(&fa);
    buf_free(&fb);
    return is;
}

bool file_is_same(const char *a, const char *b)
{
    struct target ta, tb;
    int failed = find_target(a, &ta, NULL), also = find_target(b, &tb, NULL);
    bool is = false;

    if (!failed && !also && !ta.is_direct && !tb.is_direct)
        is = is_same_folder(&ta, &tb) &&
             !strcmp(ta.path.data + folder_length(ta.path.data),
                     tb.path.data + folder_length(tb.path.data));
    buf_free(&ta.path);
    buf_free(&tb.path);
    return is;
}

int file_out_check_all(const struct file_named *outputs, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct file_named *o = &outputs[i];

        if (!o->path)
            continue;
        if (file_out_check(o->path, err))
            return err_prefix(err, "%s", o->option);
        for (size_t k = 0; k < i; k++)
            if (outputs[k].path && file_is_same(outputs[k].path, o->path))
                return err_set(err, "%s and %s name the same file, %s; expected two",
                               outputs[k].option, o->option, o->path);
    }
    return 0;
}
