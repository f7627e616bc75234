/* extras.c - time series and counters per instruction of a batch's runs; see extras.h. */
#include "session/extras.h"

#include "base/hash.h"
#include "session/hot_put.h"

bool extras_any(const struct extras *e)
{
    return e->series || e->has_hot;
}

uint64_t extras_hash(const struct extras *e, uint64_t config)
{
    const uint64_t chosen[] = { e->series, e->has_hot };

    return extras_any(e) ? hash_bytes(config, chosen, sizeof chosen) : config;
}

void extras_attach(struct extras_run *x, struct timed_run *r)
{
    x->series.every = x->choice->series;
    r->series = x->choice->series ? &x->series : NULL;
    r->hot = x->choice->has_hot ? &x->hot.profile[0] : NULL;
}

void extras_put(struct extras_run *x, const struct timed_run *r, const char *spec,
                struct buf *result)
{
    if (!extras_any(x->choice))
        return;
    result->len -= 2;
    result->data[result->len] = '\0';
    if (r->series) {
        buf_puts(result, ",\n \"series\": ");
        intervals_json(r->series, result);
    }
    if (r->hot) {
        x->hot.program = r->name;
        x->hot.gpu = r->machine->name;
        x->hot.n = 1;
        x->hot.scheme[0] = spec;
        x->hot.cycles[0] = gpu_cycle(r->gpu);
        buf_puts(result, ",\n \"hot\": ");
        hot_put_json(&x->hot, result);
    }
    buf_puts(result, "}\n");
}

void extras_free(struct extras_run *x)
{
    intervals_free(&x->series);
    hot_runs_free(&x->hot);
}
