/* cluster.h - submits the slices of a study that have points without results. */
#ifndef LENO_SESSION_CLUSTER_H
#define LENO_SESSION_CLUSTER_H

#include "session/console.h"
#include "session/elements.h"
#include "session/slurm.h"

struct cluster_job {
    const char *study;          /* its file */
    const char *out;            /* folder of results */
    const char *command, *rest; /* as in struct slurm_script */
    const char *next;           /* the command as a user types it, without rest */
    const char *again;          /* the same with Slurm's options */
    const struct slurm_options *options; /* checked */
    bool writes_only;                    /* the script is not submitted */
};

/* Reads the state of a study's slices, and where they are. -1 with err set, also if none of
 * them was ever started; elements_free() in any case. */
int cluster_read(const struct cluster_job *job, const struct shard_study *study,
                 struct buf *folder, struct elements *e, struct err *err);

/* Writes the job script and submits it. Elements that are done, run or wait are left out; if
 * no others are left, nothing happens and that is said. */
int cluster_submit(const struct cluster_job *job, const struct shard_study *study,
                   struct console *console, struct err *err);

#endif
