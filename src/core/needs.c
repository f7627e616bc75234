/* needs.c - compares what a scheme needs with what its host provides. */
#include "core/needs.h"

uint32_t scheme_needs(const struct scheme *s)
{
    const struct scheme_ops *ops = s->ops;
    const bool needs[N_SCHEME_NEED] = {
        [NEED_TICK] = ops->tick,
        [NEED_READS] = s->wants_reads,
        [NEED_CHECKS] = s->wants_checks,
        [NEED_RESOLVED] = ops->resolved,
        [NEED_OWN_CHECK] = ops->check,
        [NEED_STATIONS] = ops->dispatch,
        [NEED_RENAMING] = s->renames,
        [NEED_PREDICTION] = s->predicts,
        [NEED_CONTROL_WORDS] = s->needs_control_words || s->is_exposed,
        [NEED_DISTANCES] = s->needs_distances,
    };
    uint32_t set = 0;

    for (unsigned n = 0; n < N_SCHEME_NEED; n++)
        set |= (uint32_t)needs[n] << n;
    return set;
}

int scheme_fits(const struct scheme *s, const struct scheme_host *host, struct err *err)
{
    static const char *const what[N_SCHEME_NEED] = {
#define NEED(id, text) [NEED_##id] = text,
        SCHEME_NEEDS(NEED)
#undef NEED
    };
    uint32_t missing = scheme_needs(s) & ~host->serves;

    if (!missing)
        return 0;
    return err_kind(err, ERR_UNSUPPORTED, "scheme %s cannot run %s %s: it needs %s; %s",
                    s->ops->name, host->kind, host->name, what[__builtin_ctz(missing)],
                    host->instead);
}
