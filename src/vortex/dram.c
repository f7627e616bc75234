/* dram.c - DDR4 channels and their controllers, tick by tick.
 *
 * Source: the memory that rtlsim attaches to Vortex' port (sim/rtlsim/processor.cpp):
 * Ramulator's DDR4-2400R with two ticks per core cycle. The port takes one request per
 * cycle. One request per cycle goes on to its channel; while that is full, it and all
 * requests after it wait. A channel issues one command per tick. It serves reads; it
 * serves writes when there is no read, or when many writes are queued, until few are left.
 * In a list, the oldest request goes first whose row is open and can be accessed now; then
 * the oldest whose row can be opened, or for which another row can be closed that no
 * request waits for. Requests whose row was opened for them come before all others. A read
 * of a line with a queued write has its data at once. Refreshes close all rows. Answers
 * leave in the order of requests, one per cycle.
 *
 * Ticks in which nothing can happen are skipped, in either model of a core. Not modelled:
 * ranks (there is one), power-down.
 */
#include "vortex/dram.h"

#include <stdlib.h>
#include <string.h>

#include "base/agenda.h"
#include "base/invariant.h"

#define DRAM_WRITE UINT32_MAX
#define NO_ROW     UINT32_MAX

static void put_off(uint64_t *at, uint64_t until)
{
    *at = later(*at, until);
}

int dram_init(struct dram *d, const struct vxmem_params *p, struct err *err)
{
    d->p = p;
    d->waiting = calloc(DRAM_WAITING, sizeof *d->waiting);
    d->channel = calloc(p->channels, sizeof *d->channel);
    d->answer = calloc(DRAM_READS, sizeof *d->answer);
    d->since = calloc(DRAM_READS, sizeof *d->since);
    d->id = calloc(DRAM_READS, sizeof *d->id);
    if (d->waiting && d->channel && d->answer && d->since && d->id)
        return 0;
    return err_memory(err, "DRAM");
}

void dram_free(struct dram *d)
{
    free(d->waiting);
    free(d->channel);
    free(d->answer);
    free(d->since);
    free(d->id);
}

void dram_reset(struct dram *d)
{
    d->first = d->n = d->n_taken = d->read_first = d->n_reads = 0;
    d->cycle = 0;
    d->next = NEVER;
    for (unsigned i = 0; i < d->p->channels; i++) {
        struct dram_channel *c = &d->channel[i];

        memset(c, 0, sizeof *c);
        memset(c->row, 0xff, sizeof c->row);
        c->refresh_at = d->p->refi ? d->p->refi - d->p->ahead % d->p->refi : NEVER;
        c->due = NEVER;
    }
}

/* ---- what a request's next command is, and when it may come ---- */

static bool is_write(const struct dram_entry *e)
{
    return e->read == DRAM_WRITE;
}

static uint64_t opens_at(const struct dram *d, const struct dram_channel *c,
                         const struct dram_entry *e)
{
    uint64_t at = later(c->bank_open[e->bank], later(c->group_open[e->group], c->open));

    return c->n_openings < 4 ? at
                             : later(at, c->openings[c->n_openings % 4] + d->p->faw);
}

static uint64_t command_at(const struct dram *d, const struct dram_channel *c,
                           const struct dram_entry *e)
{
    uint64_t at;

    if (c->row[e->bank] == NO_ROW)
        return opens_at(d, c, e);
    if (c->row[e->bank] != e->row)
        return c->bank_close[e->bank];
    at = is_write(e) ? later(c->group_write[e->group], c->write)
                     : later(c->group_read[e->group], c->read);
    return later(at, c->bank_access[e->bank]);
}

/* The request of a list that gets a command in this tick; -1: none before *soonest. */
static int choose_request(const struct dram *d, const struct dram_channel *c,
                          const struct dram_list *l, uint64_t tick, uint64_t *soonest)
{
    uint64_t wanted = 0; /* banks whose open row a request waits for */
    int best = -1;

    for (unsigned n = 0; n < l->n; n++) {
        const struct dram_entry *e = &l->e[n];

        if (c->row[e->bank] != e->row)
            continue;
        wanted |= (uint64_t)1 << e->bank;
        if (command_at(d, c, e) <= tick)
            return (int)n;
    }
    for (unsigned n = 0; n < l->n; n++) {
        const struct dram_entry *e = &l->e[n];
        uint64_t at = command_at(d, c, e);

        if (c->row[e->bank] != e->row && c->row[e->bank] != NO_ROW &&
            wanted >> e->bank & 1)
            continue;
        *soonest = earlier(*soonest, at);
        if (at <= tick && best < 0)
            best = (int)n;
    }
    return best;
}

/* ---- commands ---- */

static void open_row(const struct vxmem_params *p, struct dram_channel *c,
                     const struct dram_entry *e, uint64_t tick)
{
    c->row[e->bank] = e->row;
    c->openings[c->n_openings++ % 4] = tick;
    put_off(&c->bank_access[e->bank], tick + p->rcd);
    put_off(&c->bank_close[e->bank], tick + p->ras);
    put_off(&c->bank_open[e->bank], tick + p->rc);
    put_off(&c->group_open[e->group], tick + p->rrd_l);
    put_off(&c->open, tick + p->rrd_s);
    put_off(&c->close_all, tick + p->ras);
}

static void close_row(const struct vxmem_params *p, struct dram_channel *c,
                      unsigned bank, uint64_t tick)
{
    c->row[bank] = NO_ROW;
    put_off(&c->bank_open[bank], tick + p->rp);
    put_off(&c->refresh, tick + p->rp);
}

static void access_row(const struct vxmem_params *p, struct dram_channel *c,
                       const struct dram_entry *e, uint64_t tick)
{
    uint32_t apart = p->bl > p->ccd_s ? p->bl : p->ccd_s;
    uint32_t done = p->rtp;

    if (is_write(e)) {
        done = p->cwl + p->bl + p->wr;
        put_off(&c->write, tick + apart);
        put_off(&c->group_write[e->group], tick + p->ccd_l);
        put_off(&c->read, tick + p->cwl + p->bl + p->wtr_s);
        put_off(&c->group_read[e->group], tick + p->cwl + p->bl + p->wtr_l);
    } else {
        put_off(&c->read, tick + apart);
        put_off(&c->group_read[e->group], tick + p->ccd_l);
        put_off(&c->write, tick + p->cl + p->ccd_s + 2 - earlier(p->cwl, p->cl));
    }
    put_off(&c->bank_close[e->bank], tick + done);
    put_off(&c->close_all, tick + done);
}

static void add_read_data(struct dram_channel *c, uint32_t read, uint64_t tick)
{
    unsigned size = sizeof c->data / sizeof *c->data;
    unsigned at = (c->data_first + c->n_data++) % size;

    INVARIANT(c->n_data <= size);
    c->data[at].at = tick;
    c->data[at].read = read;
}

static void drop_entry(struct dram_list *l, unsigned n)
{
    INVARIANT(n < l->n);
    memmove(&l->e[n], &l->e[n + 1], (--l->n - n) * sizeof *l->e);
}

static void issue_request(const struct dram *d, struct dram_channel *c,
                          struct dram_list *l, unsigned n, uint64_t tick)
{
    struct dram_entry e = l->e[n];

    if (c->row[e.bank] == e.row) {
        access_row(d->p, c, &e, tick);
        if (!is_write(&e))
            add_read_data(c, e.read, tick + d->p->cl + d->p->bl);
        drop_entry(l, n);
    } else if (c->row[e.bank] == NO_ROW) {
        open_row(d->p, c, &e, tick);
        drop_entry(l, n);
        INVARIANT(c->opened.n < sizeof c->opened.e / sizeof *c->opened.e);
        c->opened.e[c->opened.n++] = e;
    } else {
        close_row(d->p, c, e.bank, tick);
    }
}

/* A refresh that is due; all rows are closed first. True: a command was issued. */
static bool refresh_rows(const struct dram *d, struct dram_channel *c, uint64_t tick,
                         uint64_t *soonest)
{
    unsigned banks = d->p->groups * d->p->banks;
    bool any = false;

    for (unsigned b = 0; b < banks; b++)
        any = any || c->row[b] != NO_ROW;
    *soonest = earlier(*soonest, any ? c->close_all : c->refresh);
    if (*soonest > tick)
        return false;
    if (any) {
        memset(c->row, 0xff, sizeof c->row);
        put_off(&c->open, tick + d->p->rp);
        put_off(&c->refresh, tick + d->p->rp);
        return true;
    }
    put_off(&c->open, tick + d->p->rfc);
    put_off(&c->refresh, tick + d->p->rfc);
    c->refreshes = false;
    return true;
}

/* The command of a tick, if there is one. */
static void issue_command(const struct dram *d, struct dram_channel *c, uint64_t tick)
{
    struct dram_list *l = &c->opened;
    uint64_t soonest = NEVER;
    int n;

    if (!c->writing)
        c->writing = c->writes.n > d->p->writes_high || !c->reads.n;
    else
        c->writing = c->writes.n >= d->p->writes_low || !c->reads.n;
    c->next = tick + 1;
    n = choose_request(d, c, l, tick, &soonest);
    if (n < 0 && c->refreshes) {
        if (!refresh_rows(d, c, tick, &soonest))
            c->next = soonest;
        return;
    }
    if (n < 0) {
        l = c->writing ? &c->writes : &c->reads;
        n = choose_request(d, c, l, tick, &soonest);
    }
    if (n >= 0)
        issue_request(d, c, l, (unsigned)n, tick);
    else
        c->next = soonest;
}

/* ---- ticks ---- */

static bool channel_has_work(const struct dram_channel *c)
{
    return c->reads.n || c->writes.n || c->opened.n || c->refreshes;
}

/* The next tick with work; an idle channel catches up on refreshes later. */
static uint64_t channel_next(const struct dram_channel *c)
{
    uint64_t next = c->n_data ? c->data[c->data_first].at : NEVER;

    return channel_has_work(c) ? earlier(next, earlier(c->next, c->refresh_at)) : next;
}

static void channel_tick(struct dram *d, struct dram_channel *c, uint64_t tick)
{
    if (c->n_data && c->data[c->data_first].at <= tick) {
        d->answer[c->data[c->data_first].read] = tick / d->p->ticks + 1;
        c->data_first = (c->data_first + 1) % (sizeof c->data / sizeof *c->data);
        /* One per tick. */
        if (--c->n_data && c->data[c->data_first].at <= tick)
            c->data[c->data_first].at = tick + 1;
    }
    if (c->refresh_at <= tick) {
        c->refresh_at += d->p->refi;
        c->refreshes = true;
        c->next = tick;
    }
    if (channel_has_work(c) && c->next <= tick)
        issue_command(d, c, tick);
}

/* Runs all ticks before that one, including refreshes of the time it was idle. */
static void channel_run(struct dram *d, struct dram_channel *c, uint64_t end)
{
    for (;;) {
        uint64_t tick = earlier(c->due, c->refresh_at);

        if (tick >= end)
            return;
        channel_tick(d, c, tick);
        c->due = channel_next(c);
    }
}

/* ---- cycles ---- */

static struct dram_channel *channel_of(const struct dram *d, uint32_t line)
{
    return &d->channel[line % d->p->channels];
}

static struct dram_list *list_of(struct dram_channel *c, const struct dram_request *r)
{
    return r->read == DRAM_WRITE ? &c->writes : &c->reads;
}

static const struct dram_request *waiting_at(const struct dram *d, unsigned n)
{
    return &d->waiting[(d->first + n) % DRAM_WAITING];
}

static bool is_to_be_written(const struct dram_channel *c, uint32_t line)
{
    for (unsigned n = 0; n < c->writes.n; n++)
        if (c->writes.e[n].line == line)
            return true;
    return false;
}

/* The first request that waits goes to its channel, if that has room. */
static void enter_channel(struct dram *d, uint64_t tick)
{
    const struct dram_request *r = waiting_at(d, 0);
    struct dram_channel *c = channel_of(d, r->line);
    struct dram_list *l = list_of(c, r);
    uint32_t in = r->line / d->p->channels / (d->p->row_bytes / 64);
    struct dram_entry e = { .line = r->line, .read = r->read };

    if (l->n >= d->p->queue)
        return;
    e.group = (uint8_t)(in % d->p->groups);
    e.bank = (uint8_t)(e.group * d->p->banks + in / d->p->groups % d->p->banks);
    e.row = in / d->p->groups / d->p->banks;
    if (!is_write(&e) && is_to_be_written(c, e.line))
        add_read_data(c, e.read, tick);
    else
        l->e[l->n++] = e;
    c->next = tick;
    c->due = channel_next(c);
    d->first = (d->first + 1) % DRAM_WAITING;
    d->n--;
    d->n_taken--;
}

/* The port takes a request; a read gets its place in the order of answers. */
static void take_request(struct dram *d)
{
    struct dram_request *r = &d->waiting[(d->first + d->n_taken++) % DRAM_WAITING];
    uint32_t slot = (d->read_first + d->n_reads) % DRAM_READS;

    INVARIANT(d->n_taken <= d->n && d->n_reads < DRAM_READS);
    if (r->read == DRAM_WRITE)
        return;
    d->n_reads++;
    d->id[slot] = r->read;
    d->since[slot] = d->cycle;
    d->answer[slot] = 0;
    r->read = slot;
}

static bool answer_read(struct dram *d, struct dram_answer *a)
{
    uint32_t slot = d->read_first;

    if (!d->n_reads || !d->answer[slot] || d->answer[slot] > d->cycle)
        return false;
    *a = (struct dram_answer){ d->id[slot], d->cycle, d->cycle - d->since[slot] };
    d->read_first = (slot + 1) % DRAM_READS;
    d->n_reads--;
    return true;
}

static bool run_cycle(struct dram *d, struct dram_answer *a)
{
    bool answered = answer_read(d, a);
    uint64_t end = (d->cycle + 1) * d->p->ticks;

    if (d->n_taken < d->n && waiting_at(d, d->n_taken)->at <= d->cycle)
        take_request(d);
    for (unsigned i = 0; i < d->p->channels; i++)
        channel_run(d, &d->channel[i], end);
    if (d->n_taken)
        enter_channel(d, end);
    d->cycle++;
    return answered;
}

static uint64_t next_cycle(const struct dram *d)
{
    uint64_t next = NEVER;

    if (d->n_reads && d->answer[d->read_first])
        next = d->answer[d->read_first];
    if (d->n_taken < d->n)
        next = earlier(next, waiting_at(d, d->n_taken)->at);
    if (d->n_taken) {
        struct dram_channel *c = channel_of(d, waiting_at(d, 0)->line);

        if (list_of(c, waiting_at(d, 0))->n < d->p->queue)
            return d->cycle;
    }
    for (unsigned i = 0; i < d->p->channels; i++) {
        uint64_t tick = d->channel[i].due;

        if (tick != NEVER)
            next = earlier(next, tick / d->p->ticks);
    }
    return later(next, d->cycle);
}

bool dram_run(struct dram *d, uint64_t cycle, struct dram_answer *a)
{
    while (d->next <= cycle) {
        bool answered;

        INVARIANT(d->next >= d->cycle);
        d->cycle = d->next;
        answered = run_cycle(d, a);
        d->next = next_cycle(d);
        if (answered)
            return true;
    }
    return false;
}

/* ---- requests ---- */

/* Puts a request before those of a cycle and of later ones. */
static void add_request(struct dram *d, struct dram_request r, uint64_t before)
{
    unsigned n = d->n++;

    INVARIANT(n < DRAM_WAITING);
    for (; n > d->n_taken && waiting_at(d, n - 1)->at >= before; n--)
        d->waiting[(d->first + n) % DRAM_WAITING] = *waiting_at(d, n - 1);
    d->waiting[(d->first + n) % DRAM_WAITING] = r;
    d->next = earlier(d->next, later(r.at, d->cycle));
}

void dram_write(struct dram *d, uint32_t line, uint64_t cycle)
{
    add_request(d, (struct dram_request){ cycle, line, DRAM_WRITE }, cycle + 1);
}

void dram_read(struct dram *d, uint32_t line, uint32_t id, uint64_t cycle)
{
    add_request(d, (struct dram_request){ cycle, line, id }, cycle + 1);
}

void dram_fetch(struct dram *d, uint32_t line, uint32_t id, uint64_t cycle)
{
    add_request(d, (struct dram_request){ cycle, line, id }, cycle);
}
