/* meter.c - the progress of a run, twice per second on a terminal.
 *
 * The remaining time is estimated from the blocks that have ended since the kernel
 * began; the number of kernels to follow is unknown.
 */
#include "base/meter.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/interrupt.h"
#include "base/seconds.h"

static const double refresh = 0.5;   /* seconds */
static const double patience = 30.0; /* without the end of a block */

void meter_time(double seconds, char *text, size_t size)
{
    unsigned long s = (unsigned long)(seconds + 0.5);

    if (s < 60)
        snprintf(text, size, "%lu s", s);
    else if (s < 3600)
        snprintf(text, size, "%lu min %02lu s", s / 60, s % 60);
    else
        snprintf(text, size, "%lu h %02lu min", s / 3600, s / 60 % 60);
}

static unsigned terminal_columns(FILE *log)
{
    struct winsize w;

    return ioctl(fileno(log), TIOCGWINSZ, &w) || w.ws_col < 20 ? 80 : w.ws_col;
}

/* Appends to a line, which is truncated when full. */
__attribute__((format(printf, 3, 4))) static void
line_append(char *line, size_t columns, const char *format, ...)
{
    size_t n = strlen(line);
    va_list args;

    va_start(args, format);
    vsnprintf(line + n, columns + 1 - n, format, args);
    va_end(args);
}

/* Appends the remaining time, or for how long no block has ended. */
static void append_remaining(const struct meter *m, const struct watch_state *s,
                             double now, char *line, size_t columns)
{
    uint64_t done = s->blocks_done - m->skipped;
    char text[32];

    if (now - m->ended > patience) {
        meter_time(now - m->ended, text, sizeof text);
        line_append(line, columns, "no block has ended for %s, ", text);
    } else if (done && s->blocks_done < s->blocks) {
        meter_time((now - m->start) * (double)(s->blocks - s->blocks_done) /
                       (double)done,
                   text, sizeof text);
        line_append(line, columns, "about %s left, ", text);
    }
}

void meter_line(const struct meter *m, const struct watch_state *s, double now,
                char *line, size_t columns)
{
    double seconds = now - m->start;

    *line = '\0';
    line_append(line, columns, "%s: ", m->what);
    if (s->number > 1)
        line_append(line, columns, "kernel %llu, ", (unsigned long long)s->number);
    if (s->blocks)
        line_append(line, columns, "%llu/%llu blocks, %.0f %%, ",
                    (unsigned long long)s->blocks_done, (unsigned long long)s->blocks,
                    100.0 * (double)s->blocks_done / (double)s->blocks);
    append_remaining(m, s, now, line, columns);
    if (s->cycles)
        line_append(line, columns, "cycle %llu, ", (unsigned long long)s->cycles);
    line_append(line, columns, "%.2f M inst/s",
                seconds > 0 ? 1e-6 * (double)s->warp_insts / seconds : 0);
}

/* Notes that a kernel has begun or blocks have ended. */
static void meter_note_progress(struct meter *m, const struct watch_state *s,
                                double now)
{
    if (s->number != m->number) {
        m->number = s->number;
        m->start = m->ended = now;
        m->skipped = m->done = s->blocks_done;
    }
    if (s->blocks_done != m->done) {
        m->done = s->blocks_done;
        m->ended = now;
    }
}

static void meter_redraw(struct meter *m, const struct watch_state *s, double now)
{
    char line[256];
    size_t columns = terminal_columns(m->log) - 1;

    if (now - m->shown < refresh)
        return;
    meter_line(m, s, now, line, columns < sizeof line ? columns : sizeof line - 1);
    fprintf(m->log, "\r%s\033[K", line);
    fflush(m->log);
    m->shown = now;
    m->is_shown = true;
}

static int meter_watch(struct watch *w, const struct watch_state *s, struct err *err)
{
    struct meter *m = (struct meter *)w;
    double now;

    if (interrupt_signal())
        return err_kind(err, ERR_LIMIT, "stopped by %s", interrupt_name());
    if (!m->log)
        return 0;
    now = wall_seconds();
    meter_note_progress(m, s, now);
    meter_redraw(m, s, now);
    return 0;
}

void meter_start(struct meter *m, FILE *log, const char *what, ...)
{
    va_list args;

    *m = (struct meter){ .watch.look = meter_watch,
                         .log = log,
                         .shown = wall_seconds() };
    va_start(args, what);
    vsnprintf(m->what, sizeof m->what, what, args);
    va_end(args);
}

void meter_clear(struct meter *m)
{
    if (m->is_shown)
        fputs("\r\033[K", m->log);
    m->is_shown = false;
}
