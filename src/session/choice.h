/* choice.h - which launches of a program count: by number, by the kernel's name, and every
 * Nth or the first N of each kernel; and how much of each is timed. leno exec times or
 * records only these, and commands that run programs time only these.
 */
#ifndef LENO_SESSION_CHOICE_H
#define LENO_SESSION_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct launch_choice {
    uint64_t first, last;   /* launches by number, from 1; 0: all */
    const char *match;      /* a pattern of kernels' names; NULL: all */
    uint64_t every;         /* only every so many of each kernel; 0: all */
    uint64_t first_of_each; /* of these, only so many of each kernel; 0: all */
    /* Of each: how many cycles, or warp instructions, are timed. The rest is executed, or
     * not replayed if it is a recording. 0: all */
    uint64_t cap_cycles, cap_insts;
    /* Some of them are timed, of long ones only the first blocks, until the cycles of all are
     * known to so many % (sample.h). 0: all */
    uint64_t sample;
};

/* The launches of one program so far; all zero at its start. */
struct choice_count {
    uint64_t n_launches;
    struct choice_kernel *kernels;
    size_t n;
};

/* Are all launches chosen, whatever they are? */
bool choice_takes_all(const struct launch_choice *c);
/* Is only the first part of a launch timed? */
bool choice_has_cap(const struct launch_choice *c);

/* Is the next launch, of a kernel with this name, chosen? To be asked once per launch, in
 * order. */
bool choice_takes_next(const struct launch_choice *c, struct choice_count *seen,
                       const char *name);
/* Is there a pattern, and no kernel so far whose name it matches? */
bool choice_found_none(const struct launch_choice *c, const struct choice_count *seen);
void choice_count_free(struct choice_count *seen);

/* Does a pattern, with *, ? and [...], match a kernel's name: as it is in the binary, as
 * in the source, or the latter without arguments? */
bool choice_matches(const char *pattern, const char *name);

/* "5", "5-9" or "5-": the launches first to last. */
int choice_read_range(struct launch_choice *c, const char *text, struct err *err);

#endif
