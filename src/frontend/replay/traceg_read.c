/* traceg_read.c - placeholder. */
#include "frontend/replay/internal.h"
struct replay *traceg_open(const struct replay_source *s, struct err *err)
{
    err_set(err, "%s: not a recording", s->name);
    return NULL;
}
