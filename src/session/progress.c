/* progress.c - the progress line of a batch. */
#include "session/progress.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/meter.h"

/* Shared memory that a run's process writes and the batch reads. */
struct run_share {
    struct watch watch; /* first; in the run's own copy */
    atomic_uint_least64_t done, blocks, cycles;
};

struct progress_share {
    size_t bytes;
    struct run_share run[];
};

struct progress_share *progress_share_new(size_t n)
{
    size_t bytes = sizeof(struct progress_share) + n * sizeof(struct run_share);
    struct progress_share *s =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (s == MAP_FAILED)
        return NULL;
    s->bytes = bytes;
    return s;
}

void progress_share_free(struct progress_share *s)
{
    if (s)
        munmap(s, s->bytes);
}

static int note_progress(struct watch *w, const struct watch_state *state,
                         struct err *err)
{
    struct run_share *r = (struct run_share *)w;

    (void)err;
    r->done = state->blocks_done;
    r->blocks = state->blocks;
    r->cycles = state->cycles;
    return 0;
}

struct watch *progress_share_watch(struct progress_share *s, size_t i)
{
    if (!s)
        return NULL;
    s->run[i].watch.look = note_progress;
    return &s->run[i].watch;
}

void progress_share_put(const struct progress_share *s, size_t i, struct buf *out)
{
    uint64_t blocks = s ? s->run[i].blocks : 0, cycles = s ? s->run[i].cycles : 0;

    if (blocks)
        buf_printf(out, " %.0f %%", 100.0 * (double)s->run[i].done / (double)blocks);
    else if (cycles)
        buf_printf(out, " %.1f M cycles", 1e-6 * (double)cycles);
}

void progress_show(const struct progress *p)
{
    char left[32] = "";

    if (!p->console->shows_progress)
        return;
    if (p->seconds_left >= 0)
        meter_time(p->seconds_left / (double)p->jobs, left, sizeof left);
    /* No longer than a line of a terminal, or it would not be overwritten. */
    fprintf(p->console->log, "\r[%zu/%zu] %s%s%s%.48s\033[K", p->n_done, p->n,
            *left ? "about " : "", left, *left ? " left; " : "", p->running);
    fflush(p->console->log);
}

void progress_clear(const struct progress *p)
{
    if (p->console->shows_progress)
        fputs("\r\033[K", p->console->log);
}
