/* exec_gpu.h - the GPU that leno exec simulates where the user names none: chosen by the
 * machine code that a program holds.
 */
#ifndef LENO_SESSION_EXEC_GPU_H
#define LENO_SESSION_EXEC_GPU_H

#include "session/executable.h"

struct exec_gpu {
    const char *name; /* of a preset; NULL: there is no code to choose by */
    unsigned sm;      /* the architecture of the code that it will run */
    unsigned untimed; /* the architecture, without a timing model, of a GPU that is like
                       * the preset in all but time; 0: it is the preset */
};

/* By the code in a program's file. */
void exec_gpu_of_program(struct exec_gpu *gpu, const struct executable *p);
/* Has a program's file code that a GPU of this architecture runs? */
bool exec_gpu_runs(const struct executable *p, unsigned sm);
/* By the name of an architecture without a timing model, "sm_103"; not chosen if it is
 * another name. */
void exec_gpu_of_name(struct exec_gpu *gpu, const char *name);
/* By the code in this process's executable and the shared libraries loaded so far, so
 * programs that a script starts each get theirs. */
void exec_gpu_of_process(struct exec_gpu *gpu);

#endif
