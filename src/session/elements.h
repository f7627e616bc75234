/* elements.h - what became of the slices of a study: from their files, the marks of the job
 * script and Slurm's queue (slurm.h).
 */
#ifndef LENO_SESSION_ELEMENTS_H
#define LENO_SESSION_ELEMENTS_H

#include "session/shard.h"

enum element_state {
    ELEMENT_DONE,       /* all its points have results */
    ELEMENT_RUNNING,    /* Slurm says so */
    ELEMENT_WAITING,    /* in Slurm's queue */
    ELEMENT_FAILED,     /* points failed, or leno did; or its file is damaged */
    ELEMENT_KILLED,     /* a signal stopped it, or it vanished */
    ELEMENT_TIMED_OUT,  /* stopped when its time was over */
    ELEMENT_UNFINISHED, /* it began, and nobody can tell whether it still runs */
    ELEMENT_NOT_STARTED,
    N_ELEMENT_STATES
};
extern const char *const element_names[N_ELEMENT_STATES];

struct element {
    enum element_state state;
    size_t n, n_done, n_failed; /* points */
    char job[40];               /* "12_3"; "": no job of Slurm's */
    char *why;                  /* more on its state; NULL: nothing */
};

struct elements {
    struct element *at; /* element i + 1 is slice i + 1 */
    size_t n;
    size_t count[N_ELEMENT_STATES];
    size_t n_points, n_done; /* of the study */
    char *queue_why;         /* why Slurm's queue is not known; NULL: it is */
};

/* The slices of a study in its folder: as many as were submitted, or else as the files are
 * of; 0 if there are none. */
int elements_find(const char *folder, size_t *n, struct err *err);
/* 0, or -1 with err set; elements_free() in any case. */
int elements_read(struct elements *e, const char *folder, size_t n,
                  const struct shard_study *study, struct err *err);
void elements_free(struct elements *e);

/* Has it points without a result, and nobody at work on them? */
bool element_is_needed(const struct element *e);
/* Those as Slurm lists them, "1,4-7"; "" if there are none. */
void elements_put_needed(const struct elements *e, struct buf *out);

#endif
