/* turns.h - the order in which several SMs execute the blocks of a kernel.
 *
 * SMs run a window of cycles after another, each SM in one or more parts. Parts have numbers
 * within their window. They begin in that order, but may run at the same time, on threads.
 */
#ifndef LENO_ISA_TURNS_H
#define LENO_ISA_TURNS_H

struct kernel_turns {
    /* Returns when all parts before the one that this SM is running have ended. NULL: they
     * always have. */
    void (*wait)(void *to, unsigned sm);
    void *to;
};

#endif
