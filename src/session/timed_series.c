/* timed_series.c - runs programs with timing, one after another. */
#include "session/timed_series.h"

#include "base/meter.h"
#include "session/kind.h"

static const char *program_at(const struct timed_series *s, size_t i)
{
    return s->program ? s->program[i] : session_kind(s->each.machine)->program_at(i);
}

void timed_series_start(struct timed_series *s)
{
    size_t n = s->n_programs;

    if (!s->program)
        for (n = 0; session_kind(s->each.machine)->program_at(n); n++)
            ;
    series_start(&s->runs, n);
}

bool timed_series_next(struct timed_series *s, struct timed_run *r, struct err *err)
{
    struct console *console = s->console;
    struct meter meter;

    if (!series_has_next(&s->runs))
        return false;
    *r = s->each;
    *err = (struct err){ 0 };
    r->program = program_at(s, s->runs.n_done);
    meter_start(&meter, console->shows_progress ? console->log : NULL, "[%zu/%zu] %s",
                s->runs.n_done + 1, s->runs.n_runs, r->program);
    meter.watch.max_insts = s->max_insts;
    r->limits.watch = &meter.watch;
    timed_run(r, err);
    r->limits.watch = NULL;
    series_note(&s->runs, err);
    meter_clear(&meter);
    return true;
}
