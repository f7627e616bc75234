/* spec.h - a scheme with its settings in one word, as users write a column:
 *
 *     SCHEME[+SKIP][:KEY=VALUE]...
 *     inorder:entries=12:refill=room
 *     ghost+darsie:sched.policy=lrr
 *
 * A key without a dot is one of the scheme's own parameters. =SPEC is inorder with as much
 * storage as SPEC has (leno cost), spent on entries of the instruction buffer, up to 64 for
 * each warp, filled whenever there is room, and then on registers. Specs are listed with
 * commas between them.
 */
#ifndef LENO_SESSION_SPEC_H
#define LENO_SESSION_SPEC_H

#include "sim/machine.h"

/* The machine a spec stands for, on a GPU; NULL with err set. set: settings for all
 * machines, "key=value" each, which those of the spec override; parameters of other
 * schemes are ignored. */
struct machine *spec_machine(const char *gpu, const char *spec, const char *const *set,
                             size_t n_set, struct err *err);
/* Has the machine a group of parameters with the prefix of this "key=value" or key? */
bool spec_takes(const struct machine *m, const char *key);
/* Has it exactly this parameter? */
bool spec_has(const struct machine *m, const char *key);
/* A setting that none of the machines has is a mistake. Machines may be NULL. */
int spec_check_set(struct machine *const *m, size_t n, const char *const *set,
                   size_t n_set, struct err *err);

/* The specs of a list "a,b,c". An empty or duplicate one is an error. */
enum { MAX_SPECS = 64 };
struct spec_list {
    char *at[MAX_SPECS]; /* point into text */
    size_t n;
    char *text;
};
int spec_split(struct spec_list *l, const char *list, struct err *err);
void spec_free(struct spec_list *l);

#endif
