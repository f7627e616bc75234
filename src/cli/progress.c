/* progress.c - the line that says how far a batch is. */
#include "cli/progress.h"

void progress_time(double seconds, char *text, size_t size)
{
    unsigned long s = (unsigned long)(seconds + 0.5);

    if (s < 60)
        snprintf(text, size, "%lu s", s);
    else if (s < 3600)
        snprintf(text, size, "%lu min %02lu s", s / 60, s % 60);
    else
        snprintf(text, size, "%lu h %02lu min", s / 3600, s / 60 % 60);
}

void progress_show(const struct progress *p)
{
    char left[32] = "";

    if (!p->cli->shows_progress)
        return;
    if (p->seconds_left >= 0)
        progress_time(p->seconds_left / (double)p->jobs, left, sizeof left);
    /* No longer than a line of a terminal, or it would not be overwritten. */
    fprintf(p->cli->log, "\r[%zu/%zu] %s%s%s%.46s\033[K", p->n_done, p->n,
            *left ? "about " : "", left, *left ? " left; " : "", p->running);
    fflush(p->cli->log);
}

void progress_clear(const struct progress *p)
{
    if (p->cli->shows_progress)
        fputs("\r\033[K", p->cli->log);
}
