/* series.c - counts the runs of a series and judges it. */
#include "session/series.h"

#include "base/interrupt.h"

void series_start(struct series *s, size_t n_planned)
{
    *s = (struct series){ .n_planned = n_planned, .n_runs = n_planned };
}

bool series_has_next(const struct series *s)
{
    return s->n_done < s->n_runs && !interrupt_signal();
}

void series_note(struct series *s, const struct err *err)
{
    s->n_done++;
    if (interrupt_signal())
        s->n_runs = s->n_done; /* this was the last one */
    if (err->code && !s->n_failed++)
        s->first = *err;
}

int series_judge(const struct series *s, struct err *err)
{
    if (interrupt_signal() && s->n_planned > 1)
        return err_kind(err, ERR_LIMIT, "stopped by %s in run %zu of %zu",
                        interrupt_name(), s->n_done, s->n_planned);
    if (!s->n_failed)
        return 0;
    if (s->n_runs == 1)
        return err_kind(err, s->first.code, "%s", s->first.text);
    return err_kind(err, s->first.code, "%zu of %zu failed", s->n_failed, s->n_runs);
}
