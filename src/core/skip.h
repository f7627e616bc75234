/* skip.h - the contract between the core and a redundancy eliminator.
 *
 * A skipper sees every instruction as it is fetched, before it enters a window, and says
 * what becomes of it. It composes with every scheme.
 */
#ifndef LENO_CORE_SKIP_H
#define LENO_CORE_SKIP_H

#include "core/scheme.h"

enum skip_verdict {
    SKIP_EXECUTE, /* as ever */
    SKIP_DROP,    /* it never enters the window: its result is there already. Not for
                   * memory, control or barriers, nor while a write of one of its
                   * registers is under way, or an older instruction of its warp has
                   * yet to read what it writes */
    SKIP_WAIT,    /* the warp's fetch waits until skip_wake(); it is asked again then */
};

struct skip;
struct skip_ops {
    const char *name, *summary, *paper;
    const struct param_group *params;
    const struct stat_group *stats;
    size_t state_size; /* of the struct that starts with struct skip */
    int (*init)(struct skip *s, struct err *err);
    void (*fini)(struct skip *s);
    enum skip_verdict (*at_fetch)(struct skip *s, struct uop *u);

    /* Optional; NULL is filled with a stub that does nothing. */
    void (*warp_start)(struct skip *s, unsigned warp);
    void (*written_back)(struct skip *s, struct uop *u);
    void (*warp_end)(struct skip *s, unsigned warp);
};

struct skip {
    const struct skip_ops *ops;
    const void *params;
    void *stats;
    const struct core_shape *shape;
    struct warpset woken; /* warps whose fetch may go on */
    uint64_t cycle;
};

static inline void skip_wake(struct skip *s, unsigned warp)
{
    warpset_add(&s->woken, warp);
}

#endif
