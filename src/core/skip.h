/* skip.h - the contract between the core and a redundancy eliminator.
 *
 * A skipper sees every instruction as it is fetched, before it enters a window, in program
 * order, and says what becomes of it. It composes with every scheme.
 *
 * What it drops is never executed in timing, and the front end has executed it all the
 * same, so a wrong drop would not be seen in any result. It is seen here: with `shares`,
 * the value of what is dropped or reused is compared with the value that the skipper says
 * stands for it (skip.from), and a difference ends the run.
 *
 * A skipper that renames keeps the value of what it drops in a register of its own: older
 * instructions of the warp may still have to write or read the one that the code names.
 * Schemes know nothing of that. Those that know registers by their writers only would take
 * a younger reader's value from such an older one: with them (skip.is_strict) a drop waits
 * until nothing under way touches what it writes. The versions of registers are then
 * checked by name, as with a scheme that renames (check.c).
 */
#ifndef LENO_CORE_SKIP_H
#define LENO_CORE_SKIP_H

#include "core/scheme.h"

enum skip_verdict {
    SKIP_EXECUTE, /* as ever */
    SKIP_DROP,    /* it never enters the window: its result is there already. Not for
                   * stores, atomics, control or barriers. Unless it renames, not for
                   * loads, nor while a write of one of its registers is under way, or an
                   * older instruction of its warp has yet to read what it writes */
    SKIP_REUSE, /* it enters the window and issues, but reads and computes nothing: its
                   * result is written in the next cycle */
    SKIP_WAIT,  /* the warp's fetch waits until skip_wake(); it is asked again then */
};

struct skip;
struct skip_ops {
    const char *name, *summary, *paper;
    const struct param_group *params;
    const struct stat_group *stats;
    size_t state_size; /* of the struct that starts with struct skip */
    bool wants_values; /* dyn.value and kernel_mark() are there */
    bool shares;       /* what it drops or reuses is compared with skip.from */
    bool renames;      /* see above */
    bool reuses;       /* it says SKIP_REUSE */
    int (*init)(struct skip *s, struct err *err);
    void (*fini)(struct skip *s);
    enum skip_verdict (*at_fetch)(struct skip *s, struct uop *u);

    /* Optional; NULL is filled with a stub that does nothing. */
    int (*kernel_start)(struct skip *s, struct err *err);
    void (*warp_start)(struct skip *s, unsigned warp); /* block by block */
    void (*written_back)(struct skip *s, struct uop *u);
    void (*warp_end)(struct skip *s, unsigned warp);
    void (*dump)(const struct skip *s, unsigned warp, struct buf *out); /* or NULL */
    /* Storage of an SM, as scheme_ops.parts. */
    void (*parts)(const void *params, const struct core_shape *shape, struct part *at);
};

/* The instruction whose result stands for that of another one. */
struct skip_source {
    unsigned warp;
    uint64_t seq;
    struct value value;
};

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
    struct skip_source from; /* to be set with SKIP_DROP and SKIP_REUSE, if it shares */
    /* Renaming, for conflicts of banks: of each uop, for each of inst->once, 1 + the
     * register that it reads instead; 0: itself. NULL: nothing is moved. */
    uint8_t (*moved)[MAX_SRC];
    struct warpset woken; /* warps whose fetch may go on */
    uint64_t cycle;
};

static inline void skip_wake(struct skip *s, unsigned warp)
{
    warpset_add(&s->woken, warp);
}

#endif
