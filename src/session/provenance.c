/* provenance.c - writes and checks the list of files behind a recording. */
#include "session/provenance.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/revision.h"
#include "session/identity.h"

#define HEADER "leno recording 1, revision "
enum { MAX_LIST = 16 << 20 };

/* A line with the hash of a file: is it still the same? */
static bool line_holds(const char *line, struct buf *why)
{
    uint64_t then, now = HASH_START;
    int n = 0;

    if (sscanf(line, "%16" SCNx64 " %n", &then, &n) != 1 || !n) {
        buf_puts(why, "its list of files is damaged");
        return false;
    }
    if (identity_hash_file(line + n, &now, NULL)) {
        buf_printf(why, "%s cannot be read any more", line + n);
        return false;
    }
    if (now != then)
        buf_printf(why, "%s has changed", line + n);
    return now == then;
}

static bool lines_hold(char *text, struct buf *why)
{
    char *rest, *line = strtok_r(text, "\n", &rest);

    if (!line || strncmp(line, HEADER, strlen(HEADER))) {
        buf_puts(why, "its list of files is damaged");
        return false;
    }
    if (strcmp(line + strlen(HEADER), revision_text())) {
        buf_puts(why, "another revision of leno made it");
        return false;
    }
    while ((line = strtok_r(NULL, "\n", &rest))) {
        if (!line_holds(line, why))
            return false;
    }
    return true;
}

/* A file's text, which the caller frees; NULL if it cannot be read. */
static char *read_text(const char *path)
{
    struct file file;
    char *text;

    if (file_read(path, MAX_LIST, &file, NULL))
        return NULL;
    text = strndup((const char *)file.data, file.size);
    file_free(&file);
    return text;
}

bool provenance_holds(const char *path, struct buf *why)
{
    char *text = read_text(path);
    bool holds = text && lines_hold(text, why);

    free(text);
    return holds;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a text, sorted; the caller frees the array. */
static char **sort_lines(char *text, size_t *n)
{
    size_t most = 1;
    char **line, *rest;

    for (const char *c = text; *c; c++)
        most += *c == '\n';
    line = malloc(most * sizeof *line);
    if (!line)
        err_memory_exit("a list of files");
    *n = 0;
    for (char *at = strtok_r(text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest))
        line[(*n)++] = at;
    qsort(line, *n, sizeof *line, compare_texts);
    return line;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

static bool is_input(const char *path, const char *without,
                     const struct timespec *start)
{
    size_t n = strlen(without);
    struct stat about;

    if (!strncmp(path, without, n) && path[n] == '/')
        return false;
    return !stat(path, &about) && S_ISREG(about.st_mode) &&
           !is_later(&about.st_mtim, start);
}

int provenance_write(const char *path, const char *list, const char *without,
                     const struct timespec *start, struct err *err)
{
    char *text = read_text(list), **line;
    struct buf out = { 0 };
    size_t n;
    int failed = 0;

    if (!text)
        return err_set(err, "%s: the list of files that were read is not there", list);
    line = sort_lines(text, &n);
    buf_printf(&out, HEADER "%s\n", revision_text());
    for (size_t i = 0; !failed && i < n; i++) {
        uint64_t hash = HASH_START;

        if ((i && !strcmp(line[i], line[i - 1])) || !is_input(line[i], without, start))
            continue;
        failed = identity_hash_file(line[i], &hash, err);
        buf_printf(&out, "%016" PRIx64 " %s\n", hash, line[i]);
    }
    if (!failed)
        failed = file_write(path, out.data, out.len, err);
    buf_free(&out);
    free(line);
    free(text);
    return failed;
}
