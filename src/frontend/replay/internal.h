/* internal.h - what the formats of replay.h have in common. */
#ifndef LENO_REPLAY_INTERNAL_H
#define LENO_REPLAY_INTERNAL_H

#include "frontend/replay/replay.h"

struct replay_ops {
    int (*next)(struct replay *r, struct kernel **k, struct err *err);
    void (*free_kernel)(struct kernel *k);
    bool (*counts)(const struct kernel *k, struct replay_counts *counts);
    void (*close)(struct replay *r);
};

struct replay {
    const struct replay_ops *ops;
    struct replay_info info;
};

/* data NULL: the file is read. Each returns NULL with err set. */
struct replay_source {
    const char *name;
    const void *data;
    size_t size;
    struct replay_options options;
};
struct replay *leno_open(const struct replay_source *s, struct err *err);
struct replay *traceg_open(const struct replay_source *s, struct err *err);

#endif
