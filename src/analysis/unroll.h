/* unroll.h - names for the copies of a loop's body, so that its iterations overlap: the
 * software counterpart of register renaming (GhOST, section VI-F, figure 18).
 *
 * A value that is produced and consumed within an iteration can be in another register
 * in every copy. Which registers hold only such values follows from the live registers
 * at the loop's header and exits; registers that form one operand move together. Values
 * carried from one iteration to the next, and predicates, keep their names.
 */
#ifndef LENO_ANALYSIS_UNROLL_H
#define LENO_ANALYSIS_UNROLL_H

#include "analysis/flow.h"
#include "config/param.h"

enum { MAX_UNROLL = 16, N_NAMES = 255 }; /* R0 to R254 */

#define UNROLL_PARAMS(NUM, ENUM, BOOL)                                        \
    NUM(factor, 1, 1, MAX_UNROLL, "",                                         \
        "copies of an innermost loop's body, each with registers of its own") \
    NUM(registers, N_NAMES, 1, N_NAMES, "",                                   \
        "registers of a thread that they may take; fewer where a block would not fit")
struct unroll_params {
    UNROLL_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group unroll_param_group;

/* Registers of each copy: set k of n_sets has to[k][r] in the place of register r; set
 * 0 has the original names. */
struct unroll_names {
    unsigned n_sets;
    unsigned n_private; /* registers that are renamed */
    unsigned n_regs;    /* registers that the sets take, those of the code included */
    uint8_t to[MAX_UNROLL][256];
};

/* Registers from first_free to below limit are free. Makes as many sets as fit, at most
 * factor. */
void unroll_names(const struct flow *f, const struct flow_loop *l, unsigned factor,
                  unsigned first_free, unsigned limit, struct unroll_names *names);

#endif
