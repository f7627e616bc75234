/* recorded_task.h - one command, executed and recorded, in the process of a task. */
#ifndef LENO_SESSION_RECORDED_TASK_H
#define LENO_SESSION_RECORDED_TASK_H

#include "session/program.h"

struct recorded_task {
    const struct program *program;
    const char *base;      /* path of the files to make, without the ending */
    const char *gpu;       /* the device that the program sees if it has ... */
    unsigned sm;           /* ... code for it */
    const char *libraries; /* folder of Leno's */
    int owner;             /* process for which it runs */
};

/* Makes BASE.leno, BASE.from and BASE.log (recorded.h). -1 with err set: what the program
 * did instead; then there is only the log. */
int recorded_task_run(const struct recorded_task *t, struct err *err);

/* Removes what a task whose process was killed has left. */
void recorded_task_clean(const struct recorded_task *t);

#endif
