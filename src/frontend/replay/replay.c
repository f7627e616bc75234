/* replay.c - opens recordings of any format. */
#include "frontend/replay/replay.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "frontend/replay/internal.h"

static const char magic[8] = "LENOREC";

static struct replay *open_source(struct replay_source *s, const char *head,
                                  const struct replay_options *options, struct err *err)
{
    if (options)
        s->options = *options;
    return memcmp(head, magic, sizeof magic) ? traceg_open(s, err) : leno_open(s, err);
}

struct replay *replay_open(const char *path, const struct replay_options *options,
                           struct err *err)
{
    struct replay_source s = { .name = path };
    char head[sizeof magic] = { 0 };
    uint64_t size;
    FILE *f = file_open(path, &size, err);
    size_t n;

    if (!f)
        return NULL;
    n = fread(head, 1, sizeof head, f);
    fclose(f);
    if (!n) {
        err_set(err, "%s: empty", path);
        return NULL;
    }
    return open_source(&s, head, options, err);
}

struct replay *replay_open_memory(const char *name, const void *data, size_t size,
                                  const struct replay_options *options, struct err *err)
{
    struct replay_source s = { .name = name, .data = data, .size = size };
    char head[sizeof magic] = { 0 };

    memcpy(head, data, size < sizeof head ? size : sizeof head);
    return open_source(&s, head, options, err);
}

void replay_close(struct replay *r)
{
    if (r)
        r->ops->close(r);
}

const struct replay_info *replay_info(const struct replay *r)
{
    return &r->info;
}

int replay_next_kernel(struct replay *r, struct kernel **k, struct err *err)
{
    return r->ops->next(r, k, err);
}

void replay_kernel_free(struct replay *r, struct kernel *k)
{
    if (k)
        r->ops->free_kernel(k);
}

bool replay_kernel_counts(const struct replay *r, const struct kernel *k,
                          struct replay_counts *counts)
{
    return r->ops->counts && r->ops->counts(k, counts);
}
