/* skip.h - the contract between the core and a redundancy eliminator.
 *
 * A skipper sees every instruction as it is fetched, before it enters a window, in program
 * order, and says what becomes of it. It composes with every scheme.
 *
 * What it drops is never executed in timing, and the front end has executed it all the
 * same, so a wrong drop would not be seen in any result. It is seen here: with SKIP_DROP and
 * SKIP_REUSE a skipper claims what the result is (skip_claim_equal(), skip_claim_affine()),
 * and the core compares that with the result as executed (check/skip.c). A verdict without
 * a claim, or with a wrong one, ends the run. A skipper whose claims cannot be checked says
 * so in its table (unchecked); its results are then marked wherever they are shown, as are
 * those of programs that show no values.
 *
 * What a result is compared with comes from the core, not from the skipper: skip_keep()
 * puts the instruction it is asked about into one of its slots, and a claim names the slot.
 * Only what was executed, and has written by then, can stand for another instruction.
 *
 * A skipper that renames keeps the value of what it drops in a register of its own: older
 * instructions of the warp may still have to write or read the one that the code names.
 * Schemes know nothing of that. Those that know registers by their writers only would take
 * a younger reader's value from such an older one: with them (skip.is_strict) a drop waits
 * until nothing under way touches what it writes. The versions of registers are then
 * checked by name, as with a scheme that renames (check/check.c).
 */
#ifndef LENO_CORE_SKIP_H
#define LENO_CORE_SKIP_H

#include "core/scheme.h"

enum skip_verdict {
    SKIP_EXECUTE, /* as ever */
    SKIP_DROP, /* it never enters the window: its result is there already. Only what does
                   * nothing but write registers (inst_computes()). Unless it renames, not
                   * for loads; nor, or with is_strict, while an older instruction of its
                   * warp has yet to write, or to read, what it writes */
    SKIP_REUSE, /* it enters the window and issues, but reads and computes nothing: its
                   * result is written in the next cycle. As above, and no loads */
    SKIP_WAIT,  /* the warp's fetch waits until skip_wake(); it is asked again then */
};

struct skip;
struct skip_ops {
    const char *name, *summary, *paper;
    const struct param_group *params;
    const struct stat_group *stats;
    size_t state_size; /* of the struct that starts with struct skip */
    bool
        wants_values; /* dyn.value and kernel_mark() are there, or the program is refused */
    const char *unchecked; /* NULL, or why its claims, if any, cannot be checked */
    bool renames;          /* see above */
    bool reuses;           /* it says SKIP_REUSE */
    int (*init)(struct skip *s, struct err *err);
    void (*fini)(struct skip *s);
    enum skip_verdict (*at_fetch)(struct skip *s, const struct uop *u);

    /* Optional; NULL is filled with a stub that does nothing. */
    int (*kernel_start)(struct skip *s, struct err *err);
    void (*warp_start)(struct skip *s, unsigned warp); /* block by block */
    void (*written_back)(struct skip *s, struct uop *u);
    void (*warp_end)(struct skip *s, unsigned warp);
    void (*dump)(const struct skip *s, unsigned warp, struct buf *out); /* or NULL */
    /* Storage of an SM, as scheme_ops.parts. */
    void (*parts)(const void *params, const struct core_shape *shape, struct part *at);
};

/* What the result of an instruction is, in all registers that it writes. */
enum skip_claim_kind {
    SKIP_NO_CLAIM,
    SKIP_EQUAL,  /* that of another instruction */
    SKIP_AFFINE, /* base + lane * stride in all 32 lanes */
};
struct skip_claim {
    uint8_t kind;  /* enum skip_claim_kind */
    unsigned slot; /* SKIP_EQUAL: where the other one is kept */
    uint64_t
        affine; /* SKIP_AFFINE: value_join() of each result's value_line(); recordings
                      * have names in their place: value.digest of one that is the same */
};

struct skip_ledger; /* the core's own: what is in the slots */

struct skip {
    const struct skip_ops *ops;
    const void *params;
    void *stats;
    const struct core_shape *shape;
    const struct kernel *kernel;       /* the one that runs */
    bool is_strict;                    /* see above */
    unsigned n_uops;                   /* u->id is below */
    unsigned spare;                    /* vector registers a block that nobody has */
    uint8_t block_of[MAX_WARP_SLOTS];  /* a number for the block of each warp */
    uint16_t index_of[MAX_WARP_SLOTS]; /* of each warp in its block */
    unsigned n_slots;                  /* that it wants for skip_keep(); set in init */
    struct skip_claim claim;           /* about the instruction it is asked about */
    struct skip_ledger *ledger;
    /* Renaming, for conflicts of banks: of each uop, for each of inst->once, 1 + the
     * register that it reads instead; 0: itself. NULL: nothing is moved. */
    uint8_t (*moved)[MAX_SRC];
    struct warpset woken; /* warps whose fetch may go on */
    uint64_t cycle;
};

/* In at_fetch(), of the instruction it is asked about: if that is executed, it is what this
 * slot stands for from now on. At most SKIP_MAX_KEPT slots for one instruction. */
enum { SKIP_MAX_KEPT = 4 };
void skip_keep(struct skip *s, unsigned slot, const struct uop *u);

static inline void skip_claim_equal(struct skip *s, unsigned slot)
{
    s->claim = (struct skip_claim){ .kind = SKIP_EQUAL, .slot = slot };
}

static inline void skip_claim_affine(struct skip *s, uint64_t affine)
{
    s->claim = (struct skip_claim){ .kind = SKIP_AFFINE, .affine = affine };
}

static inline void skip_wake(struct skip *s, unsigned warp)
{
    warpset_add(&s->woken, warp);
}

#endif
