/* skip.h - the contract between the core and a redundancy eliminator.
 *
 * A skipper sees every instruction as it is fetched, before it enters a window, in
 * program order, and decides what happens to it. It composes with every scheme. One that
 * works in front of fetch (before_fetch) also sees the instruction at the warp's PC
 * before the warp is fetched for: what it drops or holds back there needs no fetch, and a
 * warp that it holds back does not compete for one (core/skip.c).
 *
 * A dropped instruction costs no time, but the front end has executed it all the same,
 * so a wrong drop would not show in any result. It shows here: with SKIP_DROP and
 * SKIP_REUSE a skipper claims what the result is (skip_claim_equal(),
 * skip_claim_affine()), and the core compares the claim with the executed result
 * (check/skip.c). A verdict without a claim, or with a wrong one, ends the run. A
 * skipper whose claims cannot be checked declares so in its table (unchecked); its
 * results are then marked wherever they are shown, as are those of programs that show
 * no values.
 *
 * The value that a result is compared with comes from the core, not from the skipper:
 * skip_keep() records the instruction in question in a slot, and a claim names the
 * slot. Only what was executed, and has written by then, can stand for another
 * instruction.
 *
 * A skipper that renames keeps the result of a dropped instruction in a register of its
 * own: older instructions of the warp may still have to write or read the register that
 * the code names. Schemes know nothing of that. Schemes that identify registers by
 * their writers would give a younger reader the value of such an older writer: with
 * them (skip.is_strict) a drop waits until no instruction in flight uses the registers
 * that it writes. The versions of registers are then checked by name, as with a scheme
 * that renames (check/check.c).
 */
#ifndef LENO_CORE_SKIP_H
#define LENO_CORE_SKIP_H

#include "base/agenda.h"
#include "core/scheme.h"

enum skip_verdict {
    SKIP_EXECUTE, /* executed normally */
    /* it never enters the window: its result already exists. Only for instructions
     * that do nothing but write registers (inst_computes()). Unless the skipper
     * renames, not for loads; and without renaming, or with is_strict, not while an
     * older instruction of its warp has yet to write or read a register that it
     * writes */
    SKIP_DROP,
    /* it enters the window and issues, but reads and computes nothing: its result is
     * written in the next cycle. Conditions as above, and no loads */
    SKIP_REUSE,
    /* the warp's fetch waits until skip_wake(); then the skipper is asked again */
    SKIP_WAIT,
};

struct skip;
struct skip_ops {
    const char *name, *summary, *paper;
    const struct param_group *params;
    const struct stat_group *stats;
    size_t state_size; /* size of the struct that starts with struct skip */
    /* needs dyn.value and kernel_mark(); programs without them are rejected */
    bool wants_values;
    /* NULL, or the reason why its claims, if any, cannot be checked */
    const char *unchecked;
    bool renames; /* see above */
    bool reuses;  /* uses SKIP_REUSE */
    int (*init)(struct skip *s, struct err *err);
    void (*fini)(struct skip *s);
    enum skip_verdict (*at_fetch)(struct skip *s, const struct uop *u);

    /* Optional; a NULL hook does nothing. */
    /* Asked once about the instruction at a warp's PC, and again after SKIP_DROP (about
     * the next one) or skip_wake(); the warp's window may be full. May drop or hold back;
     * with SKIP_EXECUTE it is fetched, and at_fetch() is asked about it. */
    enum skip_verdict (*before_fetch)(struct skip *s, const struct uop *u);
    int (*kernel_start)(struct skip *s, struct err *err);
    void (*warp_start)(struct skip *s, unsigned warp); /* called block by block */
    void (*written_back)(struct skip *s, struct uop *u);
    void (*warp_end)(struct skip *s, unsigned warp);
    void (*dump)(const struct skip *s, unsigned warp, struct buf *out); /* or NULL */
    /* Storage per SM, as scheme_ops.parts. */
    void (*parts)(const void *params, const struct core_shape *shape, struct part *at);
};

/* The claimed result of an instruction, for all registers that it writes. */
enum skip_claim_kind {
    SKIP_NO_CLAIM,
    SKIP_EQUAL,  /* equal to that of another instruction */
    SKIP_AFFINE, /* base + lane * stride in all 32 lanes */
};
struct skip_claim {
    uint8_t kind;  /* enum skip_claim_kind */
    unsigned slot; /* SKIP_EQUAL: slot of the other instruction */
    /* SKIP_AFFINE: value_join() of each result's value_line(). Recordings have names
     * instead: value.digest of an instruction with the same result */
    uint64_t affine;
};

struct skip_ledger; /* the core's own: contents of the slots */

struct skip {
    const struct skip_ops *ops;
    const void *params;
    void *stats;
    const struct core_shape *shape;
    const struct kernel *kernel;       /* the running kernel */
    bool is_strict;                    /* see above */
    unsigned n_uops;                   /* u->id is below this */
    unsigned spare;                    /* unused vector registers per block */
    uint8_t block_of[MAX_WARP_SLOTS];  /* number of the block of each warp */
    uint16_t index_of[MAX_WARP_SLOTS]; /* index of each warp in its block */
    unsigned n_slots;        /* number of slots for skip_keep(); set in init */
    struct skip_claim claim; /* claim about the instruction in question */
    struct skip_ledger *ledger;
    /* Renaming, for bank conflicts: per uop and per element of inst->once, 1 + the
     * register that it reads instead; 0: itself. NULL: nothing is moved. */
    uint8_t (*moved)[MAX_SRC];
    struct warpset woken;             /* see skip_wake() */
    uint64_t wake_at[MAX_WARP_SLOTS]; /* see skip_wake_at(); 0: none */
    uint64_t next_wake;               /* the first of them; NEVER: none */
    uint64_t cycle;                   /* now */
};

/* To be called in at_fetch(): if the instruction in question is executed, this slot
 * records it from now on. At most SKIP_MAX_KEPT slots per instruction. */
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

/* Asks again about the next instruction of a warp that waits, or that before_fetch()
 * passed and that has not been fetched yet; no effect on others. */
static inline void skip_wake(struct skip *s, unsigned warp)
{
    warpset_add(&s->woken, warp);
}

/* The same in this later cycle; replaces an earlier call for the warp. */
static inline void skip_wake_at(struct skip *s, unsigned warp, uint64_t cycle)
{
    s->wake_at[warp] = cycle;
    s->next_wake = earlier(s->next_wake, cycle);
}

#endif
