/* inputs.c - notes which files a program reads, for recordings that are kept.
 *
 * libleno_inputs.so is loaded into the program before all other libraries. The calls of the
 * C library that open a file are passed on; the absolute path of each regular file that was
 * opened for reading is appended to the list that LENO_INPUTS names, and so are the shared
 * libraries of the program. Processes that the program starts do the same.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The C library declares the names below as aliases of each other; here each is its own. */
int open_call(const char *path, int flags, ...) __asm__("open");
int open64_call(const char *path, int flags, ...) __asm__("open64");
int openat_call(int folder, const char *path, int flags, ...) __asm__("openat");
int openat64_call(int folder, const char *path, int flags, ...) __asm__("openat64");
int open_checked(const char *path, int flags) __asm__("__open_2");
int open64_checked(const char *path, int flags) __asm__("__open64_2");
FILE *fopen_call(const char *path, const char *mode) __asm__("fopen");
FILE *fopen64_call(const char *path, const char *mode) __asm__("fopen64");

/* The C library's own function of a name. */
static void *next_call(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

typedef int openat_function(int folder, const char *path, int flags, ...);
typedef FILE *fopen_function(const char *path, const char *mode);

static int real_openat(int folder, const char *path, int flags, mode_t mode)
{
    openat_function *call;

    *(void **)&call = next_call("openat");
    return call(folder, path, flags, mode);
}

/* Adds a line to the list, in one call, so that processes do not mix theirs. */
static void add_line(const char *path)
{
    const char *list = getenv("LENO_INPUTS");
    char line[PATH_MAX + 1];
    int n = snprintf(line, sizeof line, "%s\n", path);
    int fd;

    if (!list || (size_t)n >= sizeof line || strchr(path, '\n'))
        return;
    fd = real_openat(AT_FDCWD, list, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    if (write(fd, line, (size_t)n) < 0)
        unlink(list); /* no list is better than one that lacks a file */
    close(fd);
}

/* Where an open file is: its name may be relative, or a link. */
static void note_file(int fd)
{
    char link[64], path[PATH_MAX];
    struct stat about;
    int before = errno;
    ssize_t n;

    if (!fstat(fd, &about) && S_ISREG(about.st_mode)) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        n = readlink(link, path, sizeof path - 1);
        path[n > 0 ? n : 0] = '\0';
        if (*path == '/' && strncmp(path, "/proc/", 6) && strncmp(path, "/sys/", 5))
            add_line(path);
    }
    errno = before;
}

static int open_noted(int folder, const char *path, int flags, mode_t mode)
{
    int fd = real_openat(folder, path, flags, mode);

    if (fd >= 0 && (flags & O_ACCMODE) != O_WRONLY && !(flags & (O_TRUNC | O_CREAT)))
        note_file(fd);
    return fd;
}

/* The third argument of open(), if there is one. */
static mode_t mode_of(int flags, va_list args)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE
               ? (mode_t)va_arg(args, int)
               : 0;
}

#define OPEN_AT(folder)          \
    va_list args;                \
    mode_t mode;                 \
                                 \
    va_start(args, flags);       \
    mode = mode_of(flags, args); \
    va_end(args);                \
    return open_noted(folder, path, flags, mode)

int open_call(const char *path, int flags, ...)
{
    OPEN_AT(AT_FDCWD);
}

int open64_call(const char *path, int flags, ...)
{
    OPEN_AT(AT_FDCWD);
}

int openat_call(int folder, const char *path, int flags, ...)
{
    OPEN_AT(folder);
}

int openat64_call(int folder, const char *path, int flags, ...)
{
    OPEN_AT(folder);
}

int open_checked(const char *path, int flags)
{
    return open_noted(AT_FDCWD, path, flags, 0);
}

int open64_checked(const char *path, int flags)
{
    return open_noted(AT_FDCWD, path, flags, 0);
}

static FILE *fopen_noted(const char *path, const char *mode)
{
    fopen_function *call;
    FILE *f;

    *(void **)&call = next_call("fopen");
    f = call(path, mode);
    if (f && *mode == 'r')
        note_file(fileno(f));
    return f;
}

FILE *fopen_call(const char *path, const char *mode)
{
    return fopen_noted(path, mode);
}

FILE *fopen64_call(const char *path, const char *mode)
{
    return fopen_noted(path, mode);
}

static int note_library(struct dl_phdr_info *info, size_t size, void *to)
{
    (void)size;
    (void)to;
    if (*info->dlpi_name == '/')
        add_line(info->dlpi_name);
    return 0;
}

/* The libraries that the program is linked with are loaded by now. */
__attribute__((constructor)) static void note_program(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    path[n > 0 ? n : 0] = '\0';
    if (n > 0)
        add_line(path);
    dl_iterate_phdr(note_library, NULL);
}
