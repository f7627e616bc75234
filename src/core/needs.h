/* needs.h - what a scheme needs from its host, and the check that it gets it.
 *
 * A host is a core that calls the hooks of scheme.h, or a kernel whose instructions
 * carry what a scheme reads. It declares what it serves; a scheme's table and the flags
 * that its init() sets declare what it needs. scheme_fits() compares the two before the
 * first cycle, so that no scheme waits for a hook that is never called.
 */
#ifndef LENO_CORE_NEEDS_H
#define LENO_CORE_NEEDS_H

#include "core/scheme.h"

/* NEED(id, text after "it needs") */
#define SCHEME_NEEDS(NEED)                                                     \
    NEED(TICK, "a call of tick() in every cycle")                              \
    NEED(READS, "to hear when operands are read (hook operands_read)")         \
    NEED(CHECKS, "to hear when addresses are translated (hook checked)")       \
    NEED(RESOLVED, "to hear when branches are resolved (hook resolved)")       \
    NEED(OWN_CHECK, "to check what issues (hook check)")                       \
    NEED(STATIONS, "collectors that are reservation stations (hook dispatch)") \
    NEED(RENAMING, "a register file that keeps versions apart (flag renames)") \
    NEED(PREDICTION, "fetch that does not wait for branches (flag predicts)")  \
    NEED(CONTROL_WORDS, "control words, which are in SASS only")               \
    NEED(DISTANCES, "distances of operands, which are found in SASS only")

enum scheme_need {
#define NEED(id, what) NEED_##id,
    SCHEME_NEEDS(NEED)
#undef NEED
        N_SCHEME_NEED
};
enum { ALL_SCHEME_NEEDS = (1 << N_SCHEME_NEED) - 1 };

struct scheme_host {
    const char *kind, *name; /* "on machine", "vortex-4x4"; "kernel", "saxpy" */
    uint32_t serves;         /* enum scheme_need, as bits */
    const char *instead;     /* what a user can do: "use --scheme inorder" */
};

/* enum scheme_need, as bits; call it after init(). */
uint32_t scheme_needs(const struct scheme *s);

/* -1 with ERR_UNSUPPORTED: the host does not serve everything that the scheme needs. */
int scheme_fits(const struct scheme *s, const struct scheme_host *host,
                struct err *err);

#endif
