/* slurm.h - a study as a Slurm job array: each element runs one slice (shard.h).
 *
 * The folder of the study has, beside the slices' files,
 *     slurm.sh       the job script, written by every submission
 *     slurm.jobs     a line per submission: job, number of elements, those submitted
 *     I-of-N.start   an element began: job, host, when, when it will be stopped (seconds
 *                    since 1970; 0: unknown)
 *     I-of-N.end     it ended: job, status of leno (128 + a signal that stopped it), when
 *     I-of-N.log     what leno printed
 * The script writes the last three. Slurm is asked which elements wait or run; everything
 * else is known from these files, so that no accounting is needed.
 */
#ifndef LENO_SESSION_SLURM_H
#define LENO_SESSION_SLURM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/text_list.h"

/* What Slurm gives an element; NULL and 0: Slurm's defaults, except where noted. */
struct slurm_options {
    uint64_t elements; /* 0: SLURM_ELEMENTS, or one per point if there are fewer */
    uint64_t cpus;     /* 0: 1; as many runs at a time */
    const char *time, *memory, *partition; /* memory NULL: that of so many runs */
    struct text_list more;                 /* options of sbatch */
};
enum { SLURM_ELEMENTS = 16 };

struct slurm_script {
    const char *folder;  /* of the study */
    const char *study;   /* its file, for the job's name */
    const char *command; /* leno sweep ... as a shell reads it; --shard follows, ... */
    const char *rest;    /* ... then this: " -- PROGRAM ..." or nothing */
    const char *list;    /* elements: "1,4-7" */
    size_t n;            /* of them in all */
};

/* Checks what is quoted in the script, and the time limit. */
int slurm_check(const struct slurm_options *o, struct err *err);
/* Writes slurm.sh; all paths become absolute. */
int slurm_write(const struct slurm_script *s, const struct slurm_options *o,
                struct err *err);
/* Submits slurm.sh and notes the job in slurm.jobs; its number is appended to job. */
int slurm_submit(const struct slurm_script *s, struct buf *job, struct err *err);

/* The number of elements of the submissions so far; 0: there was none. */
int slurm_elements(const char *folder, size_t *n, struct err *err);

/* Tells which elements wait or run, as far as Slurm says: calls found(to, element, state)
 * with "PENDING", "RUNNING", ... False: nobody can tell, because there is no squeue or it
 * failed; why says so. */
bool slurm_queue(const char *folder, void (*found)(void *to, size_t, const char *),
                 void *to, struct buf *why);

/* Seconds of Slurm's time limits: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S; -1: none of them. */
int64_t slurm_seconds(const char *text);

#endif
