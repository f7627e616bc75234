/* fused.c - the stages of an SM and one scheme, compiled together.
 *
 * The interface between core and schemes is a table of functions that is called several
 * times per instruction. Here the stages are compiled together with a scheme's file, so
 * that the compiler sees through the table, and for the common case only: no pipeline
 * view, no eliminator, all hazards on. (perf: an eighth fewer host instructions.) The
 * source is the same as of the stages that are compiled for all schemes and cases
 * (core/cycle.c), and so are the results.
 *
 * Compiled four times for each scheme, as a whole program: for register files with
 * collectors and with ports (FUSED_PORTS), without and with counters per instruction
 * (FUSED_HOT). The Makefile gives its file, the name of its table and the name
 * under which the result is known (sim/registry.c).
 */
#include <stddef.h>

#include FUSED_FILE

#include "core/known.h"

__attribute__((externally_visible)) extern const struct sm_core FUSED_CORE;

#include "core/block.c"
#include "core/cause.c"
#include "core/check/check.c"
#include "core/collect.c"
#include "core/cycle.c"
#include "core/fetch.c"
#include "core/hot.c"
#include "core/issue.c"
#include "core/ports.c"
#include "core/sched.c"
#include "core/station.c"
#include "core/unit.c"
#include "core/view.c"
