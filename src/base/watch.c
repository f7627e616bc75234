/* watch.c - the limit on instructions, which every watch has. */
#include "base/watch.h"

#include <stddef.h>

int watch_look(struct watch *w, const struct watch_state *s, struct err *err)
{
    if (!w)
        return 0;
    if (s->warp_insts >= watch_most(w))
        return err_kind(err, ERR_LIMIT,
                        "stopped after %llu warp instructions (--max-insts)",
                        (unsigned long long)(w->insts + s->warp_insts));
    return w->look ? w->look(w, s, err) : 0;
}
