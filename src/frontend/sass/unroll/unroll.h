/* unroll.h - a kernel with its innermost loops unrolled and their registers renamed, as a
 * launch that runs in the place of the given one.
 *
 * The code stays where it is, so return addresses and the like hold; copies of loop bodies
 * are put after the module. A loop runs its first iteration in place; its branch back
 * then leads to the first copy, from there copy follows copy, and the last leads to the
 * first again. Every copy keeps the loop's own exits, so nothing is assumed of the number
 * of iterations. Which registers each copy uses is analysis/unroll.h's choice.
 */
#ifndef LENO_SASS_UNROLL_H
#define LENO_SASS_UNROLL_H

#include "analysis/unroll.h"
#include "frontend/sass/exec/exec.h"

/* WHY(id, text): what became of a loop. */
#define UNROLL_RESULTS(WHY)                                           \
    WHY(done, "unrolled")                                             \
    WHY(call, "left: it calls a function")                            \
    WHY(address, "left: it takes the address of code")                \
    WHY(unknown, "left: an instruction that is not known")            \
    WHY(falls, "left: no branch leads back to its beginning")         \
    WHY(operand, "left: an operand whose register cannot be changed") \
    WHY(large, "left: its copies would be too large")                 \
    WHY(indirect, "left: the kernel has indirect branches")           \
    WHY(entry, "left: the kernel does not begin its section")         \
    WHY(section, "left: the kernel branches out of its section")

enum unroll_result {
#define WHY(id, text) UNROLL_##id,
    UNROLL_RESULTS(WHY)
#undef WHY
        N_UNROLL_RESULT
};
const char *unroll_result_text(enum unroll_result r);

/* A loop, or with n_insts 0 a whole kernel in which none could be looked for. */
struct unrolled_loop {
    uint64_t offset;  /* of its header in the kernel's section */
    uint32_t n_insts; /* of its body */
    enum unroll_result result;
    unsigned n_private, n_sets; /* registers renamed, sets of names for them */
};

struct sass_unrolled {
    struct sass_launch launch; /* to be run; valid as long as this */
    struct sass_module module; /* only its code is its own */
    struct sass_kernel kernel;
    struct unrolled_loop *loop;
    uint32_t n_loops;
};

/* max_regs: registers of a thread with which a block still fits into an SM. 0, or -1 with
 * err set: out of memory. */
int sass_unroll(struct sass_unrolled *u, const struct sass_launch *l, unsigned factor,
                unsigned max_regs, struct err *err);
void sass_unrolled_free(struct sass_unrolled *u);

#endif
