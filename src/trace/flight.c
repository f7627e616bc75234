/* flight.c - the instructions in flight, as the views keep them. */
#include "trace/flight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void *flight_grow(void *array, size_t from, size_t to, size_t size)
{
    char *more = to <= SIZE_MAX / size ? realloc(array, to * size) : NULL;

    if (!more)
        err_memory_exit("a pipeline view");
    memset(more + from * size, 0, (to - from) * size);
    return more;
}

/* At least n elements: the next power of two, so that growth is rare. */
static size_t capacity_for(size_t n)
{
    size_t cap = 64;

    while (cap < n)
        cap *= 2;
    return cap;
}

struct resident *flight_resident(struct flights *f, unsigned sm, unsigned warp)
{
    struct resident_sm *s;

    if (sm >= f->n_sms) {
        size_t n = capacity_for((size_t)sm + 1);

        f->sms = flight_grow(f->sms, f->n_sms, n, sizeof *f->sms);
        f->n_sms = n;
    }
    s = &f->sms[sm];
    if (warp >= s->n) {
        size_t n = capacity_for((size_t)warp + 1);

        s->warps = flight_grow(s->warps, s->n, n, sizeof *s->warps);
        s->n = n;
    }
    return &s->warps[warp];
}

/* The record of the instruction's warp. A warp stays in one slot for all its life, so
 * comparing with the slot's last warp is enough to find it. */
static size_t track_of(struct flights *f, const struct trace_inst *i)
{
    struct resident *r = flight_resident(f, i->sm, i->warp);
    struct track *k = r->used ? &f->tracks[r->track] : NULL;

    if (!k || k->kernel != i->kernel || k->block != i->block ||
        k->warp_of != i->warp_of) {
        if (f->n_tracks == f->cap_tracks) {
            size_t n = capacity_for(f->n_tracks + 1);

            f->tracks = flight_grow(f->tracks, f->cap_tracks, n, sizeof *f->tracks);
            f->cap_tracks = n;
        }
        r->used = true;
        r->track = f->n_tracks++;
        k = &f->tracks[r->track];
        *k = (struct track){ i->kernel, i->block, i->warp_of, 0 };
    }
    if (i->dyn->seq >= k->count)
        k->count = i->dyn->seq + 1;
    return r->track;
}

static bool is_same(const struct flight *fl, const struct trace_inst *i)
{
    return fl->live && fl->seq == i->dyn->seq && fl->warp_of == i->warp_of &&
           fl->block == i->block && fl->kernel == i->kernel;
}

static uint64_t pc_within(const struct trace_inst *i)
{
    uint64_t pc = i->dyn->inst->pc;

    return i->source && pc >= i->source->first_pc ? pc - i->source->first_pc : pc;
}

struct flight *flight_at(struct flights *f, const struct trace *t,
                         const struct trace_inst *i, uint64_t cycle)
{
    uint64_t seq = i->dyn->seq;
    struct flight *fl;

    if (i->key < f->n_slots && is_same(&f->slot[i->key], i))
        return f->slot[i->key].wanted ? &f->slot[i->key] : NULL;
    if (i->key >= f->n_slots) {
        size_t n = capacity_for((size_t)i->key + 1);

        f->slot = flight_grow(f->slot, f->n_slots, n, sizeof *f->slot);
        f->n_slots = n;
    }
    fl = &f->slot[i->key];
    *fl = (struct flight){ .live = true,
                           .kernel = i->kernel,
                           .block = i->block,
                           .seq = seq,
                           .warp_of = i->warp_of,
                           .sm = i->sm,
                           .warp = i->warp,
                           .mask = i->dyn->mask,
                           .space = i->dyn->space,
                           .class = i->dyn->inst->class,
                           .pc = pc_within(i),
                           .inst = i->dyn->inst,
                           .source = i->source,
                           .serial = f->serial++,
                           .stage = N_TRACE_STAGE,
                           .drawn = N_TRACE_STAGE,
                           .producer = UINT64_MAX,
                           .since = cycle };
    if (!trace_wants(t, i))
        return NULL;
    fl->track = track_of(f, i);
    fl->wanted = seq >= t->insts.first && seq <= t->insts.last;
    return fl->wanted ? fl : NULL;
}

bool flight_enter(struct flight *fl, enum trace_stage stage, uint64_t cycle)
{
    if (stage != TRACE_WINDOW)
        fl->cause[0] = '\0';
    if (fl->stage == stage)
        return false;
    fl->stage = (uint8_t)stage;
    if (!(fl->seen >> stage & 1))
        fl->began[stage] = cycle;
    fl->seen |= 1u << stage;
    return true;
}

void flight_wait(struct flight *fl, const char *cause)
{
    snprintf(fl->cause, sizeof fl->cause, "%s", cause ? cause : "");
}

struct waiting {
    uint64_t serial;
    uint32_t key;
};

static int by_serial(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;

    return (x->serial > y->serial) - (x->serial < y->serial);
}

uint32_t *flight_waiting(const struct flights *f, size_t *n)
{
    struct waiting *w = flight_grow(NULL, 0, f->n_slots + 1, sizeof *w);
    uint32_t *keys = flight_grow(NULL, 0, f->n_slots + 1, sizeof *keys);

    *n = 0;
    for (uint32_t key = 0; key < f->n_slots; key++) {
        const struct flight *fl = &f->slot[key];

        if (fl->live && fl->wanted && !fl->shown)
            w[(*n)++] = (struct waiting){ fl->serial, key };
    }
    qsort(w, *n, sizeof *w, by_serial);
    for (size_t i = 0; i < *n; i++)
        keys[i] = w[i].key;
    free(w);
    return keys;
}

void flight_free(struct flights *f)
{
    for (size_t s = 0; s < f->n_sms; s++) {
        for (size_t w = 0; w < f->sms[s].n; w++) {
            free(f->sms[s].warps[w].ring);
            free(f->sms[s].warps[w].free_at);
        }
        free(f->sms[s].warps);
    }
    free(f->sms);
    free(f->slot);
    free(f->tracks);
    *f = (struct flights){ 0 };
}

void flight_clean(struct buf *out, const char *text)
{
    for (; *text; text++) {
        char c = *text;

        if (c == '\\' || c == '"')
            c = '\'';
        else if (c == '\t' || c == '\n')
            c = ' ';
        else if (c < ' ' || c > '~')
            c = '?';
        buf_putc(out, c);
    }
}

void flight_text(const struct flight *fl, struct buf *out)
{
    struct buf raw = { 0 };

    if (fl->source && fl->source->ops && fl->source->ops->text)
        fl->source->ops->text(fl->source, fl->inst, &raw);
    if (!raw.len)
        buf_printf(&raw, "op %u", fl->inst->op);
    flight_clean(out, buf_text(&raw));
    buf_free(&raw);
}
