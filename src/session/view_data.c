/* view_data.c - instructions kept for the pipeline viewer; see view_data.h.
 *
 * An instruction is kept when it retires, if it was in flight in one of the chosen cycles.
 */
#include "session/view_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/json.h"
#include "session/choice.h"
#include "session/demangle.h"

/* Why it waited, from a cycle on. */
struct wait {
    uint64_t cycle;
    const char *cause; /* NULL: it does not */
};

struct kept_inst {
    uint32_t warp;
    uint64_t seq, pc, end;
    bool is_flushed, is_open; /* is_open: in flight when the run ended */
    unsigned seen;            /* stages, as bits */
    uint64_t began[N_TRACE_STAGE];
    const char *stage[N_TRACE_STAGE];
    uint32_t mask, line;
    char *text, *file; /* file: without folders; NULL: not known */
    struct wait *waits;
    uint32_t n_waits, cap_waits;
    uint64_t *producers;
    uint32_t n_producers, cap_producers;
};

struct view_data {
    struct trace trace; /* first */
    struct view_choice choice;
    char *kernel; /* name of the launch that was found; NULL: none yet */
    uint64_t launch, start;
    struct kept_inst *flight; /* by key; seen 0: none */
    uint32_t n_flight;
    struct kept_inst *at;
    uint32_t n, cap;
    uint64_t n_more; /* that were not kept: too many */
};

static struct view_data *data_of(struct trace *t)
{
    return (struct view_data *)t;
}

static void free_inst(struct kept_inst *i)
{
    free(i->text);
    free(i->file);
    free(i->waits);
    free(i->producers);
    *i = (struct kept_inst){ 0 };
}

/* Is this the launch? Numbers count from 1; names are patterns, as --match takes them. */
static bool is_chosen(const struct view_data *v, const struct kernel *k,
                      uint32_t number)
{
    const char *name = v->choice.kernel ? v->choice.kernel : "1";
    char *end;
    unsigned long long n = strtoull(name, &end, 10);

    return *end ? choice_matches(name, k->name) : n == number + 1ull;
}

static void note_kernel(struct trace *t, const struct kernel *k, uint32_t number,
                        uint64_t cycle)
{
    struct view_data *v = data_of(t);

    if (v->kernel || !is_chosen(v, k, number))
        return;
    v->kernel = strdup(k->name);
    v->launch = number;
    v->start = cycle;
}

static bool is_wanted(const struct view_data *v, const struct trace_inst *i)
{
    return v->kernel && i->kernel == v->launch && i->block == v->choice.block &&
           trace_has(&v->choice.warps, i->warp_of);
}

/* The record of an instruction in flight; NULL: it is not wanted. */
static struct kept_inst *find_inst(struct view_data *v, const struct trace_inst *i)
{
    struct kept_inst *all;

    if (!is_wanted(v, i))
        return NULL;
    all = grow_zeros(v->flight, &v->n_flight, i->key, sizeof *all);
    if (!all)
        err_memory_exit("the pipeline view");
    v->flight = all;
    return &all[i->key];
}

static void note_line(struct kept_inst *k, const struct trace_inst *i)
{
    struct kernel_where w = { 0 };
    const char *slash;

    if (i->source->ops->where)
        i->source->ops->where(i->source, i->dyn->inst, &w);
    if (!w.file)
        return;
    slash = strrchr(w.file, '/');
    k->file = strdup(slash ? slash + 1 : w.file);
    k->line = w.line;
}

static void describe_inst(struct view_data *v, struct kept_inst *k,
                          const struct trace_inst *i)
{
    struct buf text = { 0 };

    k->warp = i->warp_of;
    k->seq = i->dyn->seq;
    k->pc = i->dyn->inst->pc - i->source->first_pc;
    k->mask = i->dyn->mask;
    if (i->source->ops->text)
        i->source->ops->text(i->source, i->dyn->inst, &text);
    k->text = strdup(buf_text(&text));
    buf_free(&text);
    note_line(k, i);
    (void)v;
}

static void note_stage(struct trace *t, const struct trace_inst *i,
                       enum trace_stage stage, uint64_t cycle)
{
    struct view_data *v = data_of(t);
    struct kept_inst *k = find_inst(v, i);

    if (!k)
        return;
    if (!k->seen)
        describe_inst(v, k, i);
    k->seen |= 1u << stage;
    k->began[stage] = cycle - v->start;
    k->stage[stage] = trace_stage_name(stage, i->dyn->inst->class, i->dyn->space);
}

static void note_wait(struct trace *t, const struct trace_inst *i, const char *cause,
                      uint64_t cycle)
{
    struct view_data *v = data_of(t);
    struct kept_inst *k = find_inst(v, i);
    const char *last = k && k->n_waits ? k->waits[k->n_waits - 1].cause : NULL;
    struct wait *all;

    if (!k || !k->seen || last == cause)
        return;
    all = grow_zeros(k->waits, &k->cap_waits, k->n_waits, sizeof *all);
    if (!all)
        err_memory_exit("the pipeline view");
    k->waits = all;
    all[k->n_waits++] = (struct wait){ cycle - v->start, cause };
}

static void note_producer(struct trace *t, const struct trace_inst *i, uint64_t seq,
                          uint64_t cycle)
{
    struct kept_inst *k = find_inst(data_of(t), i);
    uint64_t *all;

    (void)cycle;
    if (!k || !k->seen)
        return;
    all = grow_zeros(k->producers, &k->cap_producers, k->n_producers, sizeof *all);
    if (!all)
        err_memory_exit("the pipeline view");
    k->producers = all;
    all[k->n_producers++] = seq;
}

/* The first cycle in which something is known of it. */
static uint64_t first_cycle(const struct kept_inst *k)
{
    uint64_t first = UINT64_MAX;

    for (unsigned s = 0; s < N_TRACE_STAGE; s++)
        if (k->seen >> s & 1 && k->began[s] < first)
            first = k->began[s];
    return first;
}

/* Keeps a record whose end is known, or drops it. */
static void keep_inst(struct view_data *v, struct kept_inst *k)
{
    const struct trace_range *c = &v->choice.cycles;
    struct kept_inst *all;

    if (k->end < c->first || first_cycle(k) > c->last || v->n == VIEW_MOST) {
        v->n_more += v->n == VIEW_MOST;
        free_inst(k);
        return;
    }
    all = grow_zeros(v->at, &v->cap, v->n, sizeof *all);
    if (!all)
        err_memory_exit("the pipeline view");
    v->at = all;
    all[v->n++] = *k;
    *k = (struct kept_inst){ 0 };
}

static void note_retire(struct trace *t, const struct trace_inst *i, bool flushed,
                        uint64_t cycle)
{
    struct view_data *v = data_of(t);
    struct kept_inst *k = find_inst(v, i);

    if (!k || !k->seen)
        return;
    k->end = cycle - v->start;
    k->is_flushed = flushed;
    keep_inst(v, k);
}

static void note_counter(struct trace *t, unsigned sm, const char *name, uint64_t value,
                         uint64_t cycle)
{
    (void)t, (void)sm, (void)name, (void)value, (void)cycle;
}

/* Those still in flight end, for the picture, where they were last heard of. */
static int finish(struct trace *t, struct err *err)
{
    struct view_data *v = data_of(t);

    (void)err;
    for (uint32_t n = 0; n < v->n_flight; n++) {
        struct kept_inst *k = &v->flight[n];

        for (unsigned s = 0; s < N_TRACE_STAGE; s++)
            if (k->seen >> s & 1 && k->began[s] >= k->end)
                k->end = k->began[s] + 1;
        k->is_open = true;
        if (k->seen)
            keep_inst(v, k);
    }
    return 0;
}

static const struct trace_ops ops = { .kernel = note_kernel,
                                      .stage = note_stage,
                                      .wait = note_wait,
                                      .depend = note_producer,
                                      .retire = note_retire,
                                      .counter = note_counter,
                                      .finish = finish };

struct view_data *view_data_new(const struct view_choice *choice, struct err *err)
{
    struct view_data *v = calloc(1, sizeof *v);

    if (!v) {
        err_memory(err, "the pipeline view");
        return NULL;
    }
    v->trace.ops = &ops;
    v->choice = *choice;
    return v;
}

void view_data_free(struct view_data *v)
{
    if (!v)
        return;
    for (uint32_t n = 0; n < v->n; n++)
        free_inst(&v->at[n]);
    for (uint32_t n = 0; n < v->n_flight; n++)
        free_inst(&v->flight[n]);
    free(v->at);
    free(v->flight);
    free(v->kernel);
    free(v);
}

struct trace *view_data_trace(struct view_data *v)
{
    return &v->trace;
}

bool view_data_found(const struct view_data *v)
{
    return v->kernel;
}

uint32_t view_data_count(const struct view_data *v)
{
    return v->n;
}

static int compare_insts(const void *a, const void *b)
{
    const struct kept_inst *x = a, *y = b;

    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void put_stages(const struct kept_inst *k, struct buf *out)
{
    const char *comma = "";

    buf_puts(out, ",\"stages\":[");
    for (unsigned s = 0; s < N_TRACE_STAGE; s++)
        if (k->seen >> s & 1) {
            buf_printf(out, "%s[\"%s\",%llu]", comma, k->stage[s],
                       (unsigned long long)k->began[s]);
            comma = ",";
        }
    buf_putc(out, ']');
}

static void put_inst(const struct kept_inst *k, struct buf *out)
{
    buf_printf(out, "{\"warp\":%u,\"seq\":%llu,\"pc\":%llu,\"end\":%llu,\"mask\":%u",
               k->warp, (unsigned long long)k->seq, (unsigned long long)k->pc,
               (unsigned long long)k->end, k->mask);
    buf_puts(out, ",\"sass\":");
    json_string(out, k->text ? k->text : "");
    if (k->file) {
        buf_puts(out, ",\"file\":");
        json_string(out, k->file);
        buf_printf(out, ",\"line\":%u", k->line);
    }
    if (k->is_flushed || k->is_open)
        buf_printf(out, ",\"state\":\"%s\"", k->is_open ? "open" : "dropped");
    put_stages(k, out);
    if (k->n_waits)
        buf_puts(out, ",\"waits\":[");
    for (uint32_t n = 0; n < k->n_waits; n++) {
        buf_printf(out, "%s[%llu,", n ? "," : "",
                   (unsigned long long)k->waits[n].cycle);
        json_string(out, k->waits[n].cause ? k->waits[n].cause : "");
        buf_putc(out, ']');
    }
    buf_puts(out, k->n_waits ? "]" : "");
    if (k->n_producers)
        buf_puts(out, ",\"from\":[");
    for (uint32_t n = 0; n < k->n_producers; n++)
        buf_printf(out, "%s%llu", n ? "," : "", (unsigned long long)k->producers[n]);
    buf_puts(out, k->n_producers ? "]}" : "}");
}

void view_data_json(struct view_data *v, struct buf *out)
{
    enum { MAX_NAME = 200 };
    const char *kernel = v->kernel ? v->kernel : "";
    struct buf name = { 0 };

    if (v->n)
        qsort(v->at, v->n, sizeof *v->at, compare_insts);
    demangle_put(&name, kernel, MAX_NAME);
    buf_puts(out, "\"kernel\":");
    json_string(out, kernel);
    buf_puts(out, ",\"demangled\":");
    json_string(out, buf_text(&name));
    buf_free(&name);
    buf_printf(out, ",\"launch\":%llu,\"block\":%llu,\"more\":%llu,\"insts\":[\n",
               (unsigned long long)v->launch + 1, (unsigned long long)v->choice.block,
               (unsigned long long)v->n_more);
    for (uint32_t n = 0; n < v->n; n++) {
        put_inst(&v->at[n], out);
        buf_puts(out, n + 1 < v->n ? ",\n" : "\n");
    }
    buf_putc(out, ']');
}
