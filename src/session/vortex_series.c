/* vortex_series.c - runs programs for Vortex without timing, one after another. */
#include "session/vortex_series.h"

#include "base/interrupt.h"
#include "base/meter.h"

int vortex_series_start(struct vortex_series *s, struct err *err)
{
    for (size_t i = 0; i < s->n; i++)
        if (!vortex_program_is_file(s->path[i]))
            return err_set(err, "%s: workloads and program files in one command",
                           s->path[i]);
    series_start(&s->runs, s->n);
    interrupt_watch();
    return 0;
}

bool vortex_series_next(struct vortex_series *s, struct vortex_program_run *r)
{
    struct console *console = s->console;
    struct meter meter;

    if (!series_has_next(&s->runs))
        return false;
    *r = (struct vortex_program_run){ .path = s->path[s->runs.n_done],
                                      .options = s->options,
                                      .watch = &meter.watch };
    meter_start(&meter, console->shows_progress ? console->log : NULL, "%s", r->path);
    vortex_program_run(r, s->printed);
    r->watch = NULL;
    series_note(&s->runs, &r->err);
    meter_clear(&meter);
    return true;
}
