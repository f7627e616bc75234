/* shard.c - slices of a study and the names of their files. */
#include "session/shard.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int shard_read(struct shard *s, const char *text, struct err *err)
{
    char *end = NULL, *slash = NULL;

    errno = 0;
    s->number = isdigit((unsigned char)*text) ? strtoull(text, &slash, 10) : 0;
    if (slash && *slash == '/' && isdigit((unsigned char)slash[1]))
        s->n = strtoull(slash + 1, &end, 10);
    if (!end || *end || errno || !s->number || s->number > s->n)
        return err_set(err, "--shard %s: expected I/N, slice I of N, from 1/N to N/N",
                       text);
    if (s->n > SHARD_MAX)
        return err_set(err, "--shard %s: expected at most %d slices", text, SHARD_MAX);
    return 0;
}

bool shard_has(const struct shard *s, size_t point)
{
    return !s->n || point % s->n == s->number - 1;
}

size_t shard_size(const struct shard *s, size_t n_points)
{
    if (!s->n)
        return n_points;
    return n_points / s->n + (n_points % s->n >= s->number);
}

/* The name of a file without its folder and ".ini", letters and digits kept. */
static void put_plain(struct buf *out, const char *name)
{
    const char *slash = strrchr(name, '/'), *dot;

    name = slash ? slash + 1 : name;
    dot = strstr(name, ".ini");
    for (; *name && name != dot; name++)
        buf_putc(out,
                 isalnum((unsigned char)*name) || strchr("._-", *name) ? *name : '_');
}

void shard_put_folder(struct buf *out, const char *dir, const char *name,
                      const struct shard_study *study)
{
    buf_printf(out, "%s/shards/", dir);
    put_plain(out, name);
    buf_printf(out, "-%08llx", (unsigned long long)study->hash >> 32);
}

int shard_make_folder(const char *folder, struct err *err)
{
    struct buf path = { 0 };
    int failed = 0;

    for (size_t n = 1; n <= strlen(folder) && !failed; n++) {
        if (folder[n] && folder[n] != '/')
            continue;
        buf_clear(&path);
        buf_add(&path, folder, n);
        if (mkdir(buf_text(&path), 0777) && errno != EEXIST)
            failed = err_set(err, "%s: %s", buf_text(&path), strerror(errno));
    }
    buf_free(&path);
    return failed;
}

void shard_put_name(struct buf *out, const struct shard *s)
{
    buf_printf(out, "%llu-of-%llu", (unsigned long long)s->number,
               (unsigned long long)s->n);
}
