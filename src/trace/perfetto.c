/* perfetto.c - a timeline for Perfetto (ui.perfetto.dev): trace event JSON.
 *
 * A process is an SM, a group of threads named "warp 03", "warp 03 +1", ... one of its
 * warp slots, a slice is an instruction from its first stage to its end. Slices of one
 * thread must nest, and instructions of a warp overlap: each takes the lowest row of
 * its warp that is free, so that row 0 is what an in-order machine would show and the
 * number of rows in use is the number of instructions in flight. (Asynchronous slices
 * would need no rows, but Perfetto puts those into tracks by their name, not by thread:
 * https://github.com/google/perfetto/issues/571 and 4280.)
 *
 * One cycle is one microsecond, the format's unit. Nothing is kept but what is in
 * flight: a slice is written when it ends. Counters are written when they change.
 *
 * Not here: stages as slices of their own; their cycles are arguments. Arrows and
 * causes of waiting over time are Konata's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/flight.h"
#include "trace/sink.h"

enum {
    PID_GPU = 1,     /* kernels; 0 would be an idle task */
    PID_SM = 2,      /* the first SM */
    SM_TIDS = 16384, /* threads per process: more than 128 warps x rows */
};

/* A counter's last value, so that only changes are written. */
struct counter {
    unsigned sm;
    char *name;
    uint64_t value;
    bool written;
};

struct perfetto {
    struct trace base;
    struct flights flights;
    struct sink *out;
    struct buf text; /* the event being written */
    uint64_t now;
    struct counter *counters;
    size_t n_counters, cap_counters;
    char *kernel; /* the one that runs */
    uint32_t number;
    uint64_t launched;
};

static struct perfetto *perfetto_of(struct trace *t)
{
    return (struct perfetto *)t; /* base is its first member */
}

/* Sends an event; the header ends with a first event, so each one can begin with a
 * comma. */
static void send_event(struct perfetto *p)
{
    sink_add(p->out, p->text.data, p->text.len);
    buf_clear(&p->text);
}

static void name_event(struct perfetto *p, const char *what, uint64_t pid, uint64_t tid)
{
    buf_printf(&p->text,
               ",\n{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64
               ",\"args\":",
               what, pid, tid);
}

static void name_process(struct perfetto *p, uint64_t pid, const char *name)
{
    name_event(p, "process_name", pid, pid * SM_TIDS);
    buf_printf(&p->text, "{\"name\":\"%s\"}}", name);
    name_event(p, "process_sort_index", pid, pid * SM_TIDS);
    buf_printf(&p->text, "{\"sort_index\":%" PRIu64 "}}", pid);
    send_event(p);
}

static uint64_t sm_pid(struct perfetto *p, unsigned sm)
{
    uint64_t pid = (uint64_t)PID_SM + sm;
    char name[32];

    flight_resident(&p->flights, sm, 0);
    if (!p->flights.sms[sm].named) {
        snprintf(name, sizeof name, "SM %u", sm);
        name_process(p, pid, name);
        p->flights.sms[sm].named = true;
    }
    return pid;
}

static uint64_t row_tid(const struct flight *fl)
{
    return ((uint64_t)PID_SM + fl->sm) * SM_TIDS + (uint64_t)fl->warp * FLIGHT_ROWS +
           fl->row + 1;
}

/* The lowest row of its warp that is free now; the last one if all are taken. */
static void take_row(struct perfetto *p, struct flight *fl)
{
    struct resident *r;
    uint64_t pid = sm_pid(p, fl->sm);

    r = flight_resident(&p->flights, fl->sm, fl->warp);
    if (!r->free_at)
        r->free_at = flight_grow(NULL, 0, FLIGHT_ROWS, sizeof *r->free_at);
    while (fl->row < FLIGHT_ROWS - 1 && r->free_at[fl->row] > p->now)
        fl->row++;
    r->free_at[fl->row] = UINT64_MAX;
    for (; r->named <= fl->row; r->named++) {
        uint64_t tid = row_tid(fl) - fl->row + r->named;

        name_event(p, "thread_name", pid, tid);
        buf_printf(&p->text, "{\"name\":\"warp %02u", fl->warp);
        if (r->named)
            buf_printf(&p->text, " +%u", r->named);
        buf_puts(&p->text, "\"}}");
        name_event(p, "thread_sort_index", pid, tid);
        buf_printf(&p->text, "{\"sort_index\":%" PRIu64 "}}", tid % SM_TIDS);
        send_event(p);
    }
}

/* The text is cut at the first blank that is not in front of the opcode: a guard (@P0)
 * does not name the instruction. */
static void set_name(struct flight *fl, const char *text)
{
    size_t n;

    text += strspn(text, " ");
    if (*text == '@') {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    n = strcspn(text, " ;");
    snprintf(fl->name, sizeof fl->name, "%.*s", (int)(n < 31 ? n : 31), text);
}

static void show_flight(struct perfetto *p, struct flight *fl)
{
    struct buf text = { 0 };

    fl->shown = true;
    fl->since = p->now;
    p->base.n_shown++;
    flight_text(fl, &text);
    set_name(fl, buf_text(&text));
    buf_free(&text);
    take_row(p, fl);
}

static void write_counter(struct perfetto *p, struct counter *c)
{
    uint64_t pid = sm_pid(p, c->sm);

    c->written = true;
    buf_puts(&p->text, ",\n{\"name\":\"");
    flight_clean(&p->text, c->name);
    buf_printf(&p->text,
               "\",\"ph\":\"C\",\"ts\":%" PRIu64 ",\"pid\":%" PRIu64
               ",\"args\":{\"value\":%" PRIu64 "}}",
               p->now, pid, c->value);
    send_event(p);
}

/* When the window opens, instructions in flight are shown and counters get a value. */
static void perfetto_advance_to(struct perfetto *p, uint64_t cycle)
{
    size_t n;
    uint32_t *keys;

    if (!p->flights.opened && cycle >= p->base.cycles.first) {
        p->flights.opened = true;
        p->now = p->base.cycles.first;
        keys = flight_waiting(&p->flights, &n);
        for (size_t i = 0; i < n; i++)
            show_flight(p, &p->flights.slot[keys[i]]);
        for (size_t i = 0; i < p->n_counters; i++)
            write_counter(p, &p->counters[i]);
        free(keys);
    }
    if (cycle > p->now)
        p->now = cycle;
}

static struct flight *perfetto_flight(struct perfetto *p, const struct trace_inst *i,
                                      uint64_t cycle)
{
    struct flight *fl;

    perfetto_advance_to(p, cycle);
    fl = flight_at(&p->flights, &p->base, i, cycle);
    if (fl && !fl->shown && p->flights.opened && p->now <= p->base.cycles.last)
        show_flight(p, fl);
    return fl;
}

/* Writes the slice of an instruction that ended, or was in flight at the end of the
 * run. */
static void write_slice(struct perfetto *p, const struct flight *fl, const char *end)
{
    uint64_t dur = p->now > fl->since ? p->now - fl->since : 1;
    struct resident *r = flight_resident(&p->flights, fl->sm, fl->warp);

    r->free_at[fl->row] = fl->since + dur;
    buf_printf(&p->text,
               ",\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%" PRIu64
               ",\"dur\":%" PRIu64 ",\"pid\":%u,\"tid\":%" PRIu64
               ",\"args\":{\"pc\":\"0x%04" PRIx64 "\"",
               fl->name, end, fl->since, dur, (unsigned)PID_SM + fl->sm, row_tid(fl),
               fl->pc);
    buf_printf(&p->text,
               ",\"launch\":%" PRIu64 ",\"block\":%" PRIu64 ",\"warp\":%" PRIu32
               ",\"seq\":%" PRIu64 ",\"mask\":\"%08" PRIx32 "\"",
               fl->kernel, fl->block, fl->warp_of, fl->seq, fl->mask);
    for (unsigned s = 0; s < N_TRACE_STAGE; s++) {
        if (fl->seen >> s & 1)
            buf_printf(&p->text, ",\"%s\":%" PRIu64,
                       trace_stage_name((enum trace_stage)s, fl->class, fl->space),
                       fl->began[s]);
    }
    if (fl->overlaid[0]) {
        buf_puts(&p->text, ",\"waited for\":\"");
        flight_clean(&p->text, fl->overlaid);
        buf_putc(&p->text, '"');
    }
    buf_puts(&p->text, "}}");
    send_event(p);
}

static void perfetto_stage(struct trace *t, const struct trace_inst *i,
                           enum trace_stage stage, uint64_t cycle)
{
    struct flight *fl = perfetto_flight(perfetto_of(t), i, cycle);

    if (fl)
        flight_enter(fl, stage, cycle);
}

static void perfetto_wait(struct trace *t, const struct trace_inst *i,
                          const char *cause, uint64_t cycle)
{
    struct flight *fl = perfetto_flight(perfetto_of(t), i, cycle);

    if (!fl || !cause || !*cause)
        return;
    flight_wait(fl, cause);
    memcpy(fl->overlaid, fl->cause, sizeof fl->overlaid); /* the last one stays */
}

static void perfetto_depend(struct trace *t, const struct trace_inst *i,
                            uint64_t producer_seq, uint64_t cycle)
{
    (void)producer_seq;
    perfetto_flight(perfetto_of(t), i, cycle);
}

static void perfetto_retire(struct trace *t, const struct trace_inst *i, bool flushed,
                            uint64_t cycle)
{
    struct perfetto *p = perfetto_of(t);
    struct flight *fl = perfetto_flight(p, i, cycle);

    if (!fl)
        return;
    fl->live = false;
    if (fl->shown)
        write_slice(p, fl, flushed ? "flushed" : "retired");
}

/* A kernel's slice ends where the next begins. */
static void write_kernel(struct perfetto *p, uint64_t end)
{
    uint64_t from = p->launched, last = p->base.cycles.last;

    if (!p->kernel)
        return;
    if (from < p->base.cycles.first)
        from = p->base.cycles.first;
    if (last < UINT64_MAX && end > last + 1)
        end = last + 1;
    if (end <= from)
        return;
    buf_printf(&p->text,
               ",\n{\"name\":\"%s\",\"cat\":\"kernel\",\"ph\":\"X\",\"ts\":%" PRIu64
               ",\"dur\":%" PRIu64
               ",\"pid\":%d,\"tid\":%d,\"args\":{\"launch\":%" PRIu32 "}}",
               p->kernel, from, end - from, PID_GPU, PID_GPU * SM_TIDS + 1, p->number);
    send_event(p);
}

static void perfetto_kernel(struct trace *t, const struct kernel *k, uint32_t number,
                            uint64_t cycle)
{
    struct perfetto *p = perfetto_of(t);
    struct buf name = { 0 };

    perfetto_advance_to(p, cycle);
    write_kernel(p, cycle);
    flight_clean(&name, k->name && *k->name ? k->name : "kernel");
    free(p->kernel);
    p->kernel = name.data;
    p->number = number;
    p->launched = cycle;
}

static struct counter *counter_of(struct perfetto *p, unsigned sm, const char *name)
{
    struct counter *c;

    for (size_t i = 0; i < p->n_counters; i++) {
        if (p->counters[i].sm == sm && !strcmp(p->counters[i].name, name))
            return &p->counters[i];
    }
    if (p->n_counters == p->cap_counters) {
        size_t n = p->cap_counters ? 2 * p->cap_counters : 64;

        p->counters = flight_grow(p->counters, p->cap_counters, n, sizeof *c);
        p->cap_counters = n;
    }
    c = &p->counters[p->n_counters++];
    *c =
        (struct counter){ .sm = sm, .name = flight_grow(NULL, 0, strlen(name) + 1, 1) };
    memcpy(c->name, name, strlen(name) + 1);
    return c;
}

static void perfetto_counter(struct trace *t, unsigned sm, const char *name,
                             uint64_t value, uint64_t cycle)
{
    struct perfetto *p = perfetto_of(t);
    struct counter *c;

    perfetto_advance_to(p, cycle);
    if (p->now > t->cycles.last || !trace_has(&t->sms, sm))
        return;
    c = counter_of(p, sm, name);
    c->written = c->written && c->value == value;
    c->value = value;
    if (p->flights.opened && !c->written)
        write_counter(p, c);
}

static int perfetto_finish(struct trace *t, struct err *err)
{
    struct perfetto *p = perfetto_of(t);
    struct flights *f = &p->flights;
    int status;

    p->now++; /* the last cycle is over */
    for (size_t i = 0; i < f->n_slots; i++) {
        if (f->slot[i].live && f->slot[i].shown)
            write_slice(p, &f->slot[i], "unfinished");
    }
    write_kernel(p, p->now);
    sink_add(p->out, "\n]}\n", 4);
    status = sink_close(p->out, true, err);
    for (size_t i = 0; i < p->n_counters; i++)
        free(p->counters[i].name);
    free(p->counters);
    free(p->kernel);
    buf_free(&p->text);
    flight_free(f);
    free(p);
    return status;
}

static const struct trace_ops perfetto_ops = {
    .kernel = perfetto_kernel,
    .stage = perfetto_stage,
    .wait = perfetto_wait,
    .depend = perfetto_depend,
    .retire = perfetto_retire,
    .counter = perfetto_counter,
    .finish = perfetto_finish,
};

struct trace *trace_perfetto(const char *path, const char *window, struct err *err)
{
    static const char head[] =
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"leno\","
        "\"time\":\"1 us is 1 cycle of the core clock\"},\"traceEvents\":[\n"
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":16384,"
        "\"args\":{\"name\":\"GPU, 1 us = 1 cycle\"}},\n"
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":16385,"
        "\"args\":{\"name\":\"kernels\"}}";
    struct perfetto *p = flight_grow(NULL, 0, 1, sizeof *p);

    p->base.ops = &perfetto_ops;
    if (trace_window(&p->base, window, err) || !(p->out = sink_open(path, err))) {
        free(p);
        return NULL;
    }
    sink_add(p->out, head, sizeof head - 1);
    return &p->base;
}
