/* check_skip.c - what a redundancy eliminator says of an instruction is checked. */
#include "core/stages.h"

int check_shared(const struct sm *s, const struct uop *u, struct err *err)
{
    const struct skip_source *from = &s->skip->from;
    const struct warp *w = &s->warp[u->warp], *other = &s->warp[from->warp];

    if (from->value.digest == u->dyn.value.digest)
        return 0;
    return err_kind(
        err, ERR_WRONG,
        "%s shared a wrong value: SM %u, cycle %llu, block %llu: instruction %llu of warp "
        "%u at 0x%llx is skipped for instruction %llu of warp %u, and their results differ",
        s->skip->ops->name, s->index, (unsigned long long)s->cycle,
        (unsigned long long)s->block[w->block].index, (unsigned long long)u->dyn.seq,
        w->index, (unsigned long long)(u->dyn.inst->pc - s->kernel->first_pc),
        (unsigned long long)from->seq, other->index);
}
