/* merge.h - puts the results of slices into the store that sweep and compare use. */
#ifndef LENO_SESSION_MERGE_H
#define LENO_SESSION_MERGE_H

#include "session/console.h"
#include "session/shard.h"

struct merge {
    const char *out; /* the folder of results */

    /* Filled in. */
    struct shard_study study;
    size_t n_slices, n_found; /* of the study, and those that were given */
    size_t n_put, n_there;    /* results: put into the store, and there before */
    size_t n_failed, n_todo;  /* points of the slices that were given */
};

/* The slices are files, or folders with files of slices. They must be of one study and of
 * this revision of Leno; else nothing is changed. Slices that are missing and points without
 * a result are named on the console. 0 if the study is complete; else -1 with err set. */
int merge_slices(struct merge *m, char *const *paths, size_t n, struct console *console,
                 struct err *err);

#endif
