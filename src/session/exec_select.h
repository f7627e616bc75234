/* exec_select.h - which launches of a program are timed or recorded: by number, by the
 * kernel's name, and every Nth or the first N of each kernel.
 */
#ifndef LENO_SESSION_EXEC_SELECT_H
#define LENO_SESSION_EXEC_SELECT_H

#include <stdbool.h>

#include "session/exec_options.h"
#include "session/exec_summary.h"

/* Is launch number (from 1) of the kernel selected? To be asked once per launch, in
 * order; the kernel's sum remembers what the answers need. */
bool exec_select_launch(const struct exec_options *o, struct exec_sum *kernel,
                        uint64_t number);

/* Is there a pattern, and no kernel so far whose name it matches? */
bool exec_select_found_none(const struct exec_options *o, const struct exec_summary *s);

/* Does a pattern, with *, ? and [...], match a kernel's name: as it is in the binary, as
 * in the source, or the latter without arguments? */
bool exec_select_matches(const char *pattern, const char *name);

#endif
