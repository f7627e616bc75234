/* timed_series.c - runs programs with timing, one after another. */
#include "session/timed_series.h"

#include "base/meter.h"

void timed_series_start(struct timed_series *s)
{
    series_start(&s->runs, s->programs->n);
}

/* A program without a recording has failed before it could run. */
static void run_program(const struct program *p, struct timed_run *r, struct err *err)
{
    r->name = p->name;
    r->program = p->source;
    r->choice = p->choice;
    if (p->why)
        err_kind(err, (enum err_code)p->exit_code, "%s", p->why);
    else
        timed_run(r, err);
}

bool timed_series_next(struct timed_series *s, struct timed_run *r, struct err *err)
{
    struct console *console = s->console;
    const struct program *p;
    struct meter meter;

    if (!series_has_next(&s->runs))
        return false;
    *r = s->each;
    *err = (struct err){ 0 };
    p = &s->programs->at[s->runs.n_done];
    meter_start(&meter, console->shows_progress ? console->log : NULL, "[%zu/%zu] %s",
                s->runs.n_done + 1, s->runs.n_runs, p->name);
    meter.watch.max_insts = s->max_insts;
    r->limits.watch = &meter.watch;
    run_program(p, r, err);
    r->limits.watch = NULL;
    series_note(&s->runs, err);
    meter_clear(&meter);
    return true;
}
