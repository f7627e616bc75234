/* kind.h - what a session does with a machine depends on its cores: SMs run workloads and
 * recordings (kind_sm.c), Vortex cores run programs for Vortex (kind_vortex.c).
 *
 * The counterpart of sim/kind.h, for all that needs programs.
 */
#ifndef LENO_SESSION_KIND_H
#define LENO_SESSION_KIND_H

#include "cost/area.h"
#include "cost/cost.h"
#include "session/identity.h"
#include "session/timed.h"

struct session_kind {
    /* The names of its programs; NULL after the last. */
    const char *(*program_at)(size_t i);
    /* Whether such a program has code for the architecture. */
    bool (*has_code)(const char *name, enum sass_arch arch);
    /* Those that are run where nobody names any; NULL after the last. */
    const char *(*usual_at)(size_t i);
    /* Hashes a program that is known by such a name. */
    int (*hash_program)(const struct identity *id, uint64_t *hash, struct err *err);
    /* Checks that the run's program exists and can run on such cores, and notes what it
     * is; called before there is a GPU. */
    int (*find_program)(struct timed_run *r, struct err *err);
    int (*run_program)(struct timed_run *r, struct err *err); /* on the run's GPU */
    /* The storage of the machine's scheme and eliminator. */
    int (*cost)(const struct machine *m, struct cost *c, struct err *err);
    /* The gates and area of its scheme; NULL: no such core has modules in hw/. */
    void (*area)(const struct machine *m, struct area *a);
    /* leno compare without --schemes: columns, a remark on them, commands to try next. */
    const char *schemes, *remark, *next;
};
extern const struct session_kind session_kind_sm, session_kind_vortex;

const struct session_kind *session_kind(const struct machine *m);

#endif
