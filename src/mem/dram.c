/* dram.c - one memory channel: a fixed latency, a first-ready scheduler, banks and
 * rows.
 *
 * Models GPGPU-Sim's DRAM: each bank serves one request at a time, taken from a shared
 * queue first-ready, first-come first-served. In each tick one bank gets its next
 * request, and one column command and (on another bus, or from a bank examined earlier)
 * one row command are issued. A timing constraint is stored as the first tick in which
 * a command is legal, so ticks in which nothing can happen are skipped.
 *
 * Not modelled: refresh, separate write queues, power states.
 */
#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/dram_rules.h"

/* From this tick on the request of a port is no longer in the channel. */
static void return_credit(struct channel *c, uint32_t port, uint64_t tick)
{
    struct credit_ring *r = &c->credits;

    INVARIANT(r->n <= r->mask && port < c->n_ports);
    r->at[(r->first + r->n++) & r->mask] = tick * MAX_PORTS + port;
}

/* Returns credits that are due. Only take_request() needs credits, so this runs just
 * before it. */
static void gather_credits(struct channel *c, uint64_t tick)
{
    struct credit_ring *r = &c->credits;
    uint64_t end = (tick + 1) * MAX_PORTS;

    for (; r->n && r->at[r->first] < end; r->n--) {
        uint32_t port = (uint32_t)(r->at[r->first] % MAX_PORTS);

        r->first = (r->first + 1) & r->mask;
        dram_drop_credit(c, port);
    }
}

/* Data reach a port in this tick. */
static void send_data_back(struct channel *c, slot_id i, uint64_t tick)
{
    struct dram_slot *s = &c->slots[i];
    struct dram_port *port = c->port[s->port];

    INVARIANT(port->from_dram.n < c->t->port_in);
    s->ready = (uint32_t)tick;
    packet_expect(c->packets, cache_expect_waiter(port->cache, s->mshr));
    if (!port->from_dram.n)
        c->slices[s->port].fill = tick;
    slot_push(c, &port->from_dram, i);
    return_credit(c, s->port, tick);
}

uint32_t channel_take(struct channel *c, uint32_t port)
{
    struct slot_queue *q = &c->port[port]->from_dram;
    slot_id i = slot_pop(c, q);
    uint64_t *fill = &c->slices[port].fill;

    *fill = q->n ? cycle_from_low(c->slots[q->head].ready, *fill) : NEVER;
    slot_free(c, i);
    return c->slots[i].mshr;
}

static void end_write(struct channel *c, slot_id i, uint64_t tick)
{
    return_credit(c, c->slots[i].port, tick);
    slot_free(c, i);
}

/* The two steps of data that may have to wait for their port. */

static void return_data(struct channel *c, uint64_t tick)
{
    const struct dram_slot *s = &c->slots[c->returned.head];

    if (c->port[s->port]->from_dram.n >= c->t->port_in)
        return;
    INVARIANT(c->n_held);
    c->n_held--;
    send_data_back(c, slot_pop(c, &c->returned), tick);
}

static void land_data(struct channel *c, uint64_t tick)
{
    slot_id i;

    if (c->returned.n >= c->t->return_queue)
        return;
    i = slot_pop(c, &c->in_flight);
    if (c->in_flight.n)
        c->wakes.landing = c->slots[c->in_flight.head].ready;
    if (c->slots[i].is_write) {
        c->n_held--;
        end_write(c, i, tick);
    } else {
        slot_push(c, &c->returned, i);
    }
}

static void move_held_data(struct channel *c, uint64_t tick)
{
    if (c->returned.n)
        return_data(c, tick);
    if (c->in_flight.n && cycle_has_come(c->wakes.landing, tick))
        land_data(c, tick);
}

/* The last command of a request has been issued. Its data are transferred in this tick
 * and reach the port in the next, which will have room if it has room for more than one
 * now. */
static void dram_finish_request(struct channel *c, slot_id i, uint64_t tick)
{
    struct dram_slot *s = &c->slots[i];

    if (!c->n_held && s->is_write) {
        end_write(c, i, tick);
    } else if (!c->n_held && c->port[s->port]->from_dram.n + 1 < c->t->port_in) {
        send_data_back(c, i, tick + 1);
    } else {
        s->ready = (uint32_t)tick;
        if (!c->in_flight.n)
            c->wakes.landing = s->ready;
        slot_push(c, &c->in_flight, i);
        c->n_held++;
    }
}

/* The first bank of a set at or after `first`, wrapping around. */
static inline uint32_t first_in_set(uint64_t banks, uint32_t first)
{
    uint64_t from = banks >> first << first;

    return (uint32_t)__builtin_ctzll(from ? from : banks);
}

/* Rotates a set of banks so that bank `first` is bit 0. */
static uint64_t rotate_banks(uint64_t bits, uint32_t first, uint32_t n)
{
    uint64_t all = ~(uint64_t)0 >> (64 - n);

    return first ? (bits >> first | bits << (n - first)) & all : bits;
}

static void dram_schedule_bank(struct channel *c)
{
    uint32_t i = first_in_set(c->has_queue & ~c->has_current, c->first_bank);
    const struct dram_slot *s = dram_start_request(c, i);
    const struct bank *b = &c->bank[i];

    if (!s->is_write)
        cache_expect(c->port[s->port]->cache, s->mshr);
    c->has_current |= (uint64_t)1 << i;
    c->wrong_row |= (uint64_t)bank_has_wrong_row(b) << i;
    c->has_queue ^= (uint64_t)!b->queue.n << i;
}

static void issue_column(struct channel *c, uint32_t i, uint64_t tick)
{
    slot_id done = dram_issue_column(c, i, tick);

    if (done == NO_SLOT)
        return;
    dram_finish_request(c, done, c->last_data);
    c->has_current &= ~((uint64_t)1 << i);
}

static void issue_row(struct channel *c, uint32_t i, uint64_t tick)
{
    dram_issue_row(c, i, tick);
    c->wrong_row &= ~((uint64_t)c->bank[i].is_open << i);
}

/* The first step of a walk over banks from `first` on at which a command is legal; n:
 * none. */
static inline uint32_t dram_find_legal(const struct channel *c, uint64_t banks,
                                       bool rows, uint32_t first, uint64_t tick)
{
    uint32_t n = c->t->n_banks;

    for (uint64_t todo = rotate_banks(banks, first, n); todo; todo &= todo - 1) {
        uint32_t step = (uint32_t)__builtin_ctzll(todo);
        uint32_t i = first + step >= n ? first + step - n : first + step;

        if ((rows ? dram_row_at(c, i) : dram_column_at(c, i)) <= tick)
            return step;
    }
    return n;
}

static uint32_t bank_after(const struct channel *c, uint32_t first, uint32_t step)
{
    uint32_t i = first + step;

    return i >= c->t->n_banks ? i - c->t->n_banks : i;
}

/* Issues the first legal column command; all banks have the right row. */
static void issue_first_column(struct channel *c, uint64_t tick)
{
    for (uint64_t banks = c->has_current; banks;) {
        uint32_t i = first_in_set(banks, c->first_bank);

        if (dram_column_at(c, i) <= tick) {
            issue_column(c, i, tick);
            return;
        }
        banks &= ~((uint64_t)1 << i);
    }
}

/* Walks the banks from first_bank on and issues the first legal column command. With a
 * single bus, a row command is issued only from a bank that comes before that one. It
 * moves first_bank to the next bank, and the walk continues there with the steps that
 * are left: some banks are skipped, as in GPGPU-Sim. */
static void issue_row_and_column(struct channel *c, uint64_t tick)
{
    uint32_t n = c->t->n_banks, first = c->first_bank, column = n, row;
    uint64_t right = c->has_current & ~c->wrong_row;

    if (right && c->ccd <= tick)
        column = dram_find_legal(c, right, false, first, tick);
    row = dram_find_legal(c, c->wrong_row, true, first, tick);
    if (row < n && (c->t->dual_bus || row < column)) {
        uint64_t left = row + 1 >= 64 ? 0 : ~(uint64_t)0 << (row + 1);

        issue_row(c, bank_after(c, first, row), tick);
        if (!c->t->dual_bus && column < n) {
            left &= rotate_banks(right, c->first_bank, n);
            first = c->first_bank;
            left = rotate_banks(left, first ? n - first : 0, n);
            column = dram_find_legal(c, left, false, first, tick);
        }
    }
    if (column < n)
        issue_column(c, bank_after(c, first, column), tick);
}

static void dram_accept_request(struct channel *c)
{
    slot_id i = slot_pop(c, &c->latency);
    uint32_t b = c->slots[i].bank;

    if (c->latency.n) {
        const struct dram_slot *first = &c->slots[c->latency.head];

        c->wakes.latency = first->ready;
        if (c->latency.n > 1)
            __builtin_prefetch(&c->slots[first->next]);
    }
    slot_push(c, &c->bank[b].queue, i);
    c->has_queue |= (uint64_t)1 << b;
    c->n_queued++;
}

/* A request enters the fixed latency. */
static void dram_enter_latency(struct channel *c, struct packet *p, uint32_t port,
                               uint64_t cycle)
{
    slot_id i = dram_new_slot(c, p, port, cycle + c->t->latency);

    if (!c->latency.n)
        c->wakes.latency = c->slots[i].ready;
    slot_push(c, &c->latency, i);
}

/* Takes a request from the next port that has one and may send it. */
static void take_request(struct channel *c, uint64_t tick, uint64_t cycle)
{
    gather_credits(c, tick);
    for (uint32_t left = c->offered; left;) {
        uint32_t at = first_in_set(left, c->last_port + 1);
        struct dram_port *port = c->port[at];

        left &= ~(1u << at);
        if (!dram_has_credit(c, at) || port->from_dram.n >= c->t->port_in ||
            !cycle_has_come(port->to_dram.head->ready, tick))
            continue;
        if (port->to_dram.n == c->t->port_out) /* its slice waits for this */
            slice_wakes_room(&c->slices[at], cycle);
        dram_enter_latency(c, queue_pop(&port->to_dram), at, cycle);
        queue_expect(&port->to_dram);
        if (!port->to_dram.n)
            c->offered &= ~(1u << at);
        dram_take_credit(c, at);
        return;
    }
}

/* One tick, in core cycle `cycle`. (perf: each part is tested here first, because most
 * have nothing to do in most ticks) */
static inline void run_channel_tick(struct channel *c, uint64_t tick, uint64_t cycle)
{
    INVARIANT(c->n_queued <= c->t->queue);
    if (c->n_held)
        move_held_data(c, tick);
    if (c->has_queue & ~c->has_current)
        dram_schedule_bank(c);
    if (c->wrong_row)
        issue_row_and_column(c, tick);
    else if (c->has_current && c->ccd <= tick)
        issue_first_column(c, tick);
    if (c->n_queued < c->t->queue) {
        if (c->offered)
            take_request(c, tick, cycle);
        if (c->latency.n && cycle_has_come(c->wakes.latency, cycle))
            dram_accept_request(c);
    }
}

/* The next tick in which a slice offers a request that the channel may take. */
static uint64_t next_offer(const struct channel *c, uint64_t tick)
{
    uint64_t next = NEVER;

    for (uint32_t left = c->offered; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);

        if (dram_has_credit(c, i))
            next = earlier(next, cycle_from_low(c->port[i]->to_dram.head->ready, tick));
    }
    return next;
}

/* A tick no later than the first in which a bank may get a command, or `soon`. */
static inline uint64_t next_command(const struct channel *c, uint64_t soon)
{
    uint64_t next = NEVER, at;

    if (!c->wrong_row && c->ccd >= soon) /* usually one is legal then */
        return c->ccd;
    for (uint64_t bits = c->wrong_row; bits; bits &= bits - 1) {
        at = dram_row_at(c, (uint32_t)__builtin_ctzll(bits));
        if (at <= soon)
            return soon;
        next = earlier(next, at);
    }
    /* None is legal before ccd: the first bank that may go then is as good as any. */
    soon = later(soon, c->ccd);
    for (uint64_t bits = c->has_current & ~c->wrong_row; bits && next > soon;
         bits &= bits - 1) {
        at = dram_column_at(c, (uint32_t)__builtin_ctzll(bits));
        next = earlier(next, at);
    }
    return next;
}

/* The next tick to run, no later than the first one that does anything, unless a slice
 * sends something. Data that wait for a slice are tried again every tick. */
static uint64_t next_tick(const struct channel *c, uint64_t tick, uint64_t cycle)
{
    bool has_room = c->n_queued < c->t->queue;
    uint64_t next = NEVER, at;

    if (c->returned.n || c->has_queue & ~c->has_current)
        return tick + 1;
    if (has_room) {
        next = next_offer(c, tick);
        if (next <= tick + 1)
            return tick + 1;
    }
    if (c->has_current)
        next = earlier(next, next_command(c, tick + 1));
    if (c->n_held) { /* in flight: none has been returned */
        at = cycle_from_low(c->wakes.landing, tick);
        next = earlier(next, at);
    }
    if (has_room && c->offered && c->credits.n) {
        at = c->credits.at[c->credits.first] / MAX_PORTS;
        next = earlier(next, at);
    }
    if (has_room && c->latency.n && next > tick + 1) {
        at = cycle_from_low(c->wakes.latency, cycle);
        at = at ? dram_ticks_until(c->t, at - 1) + 1 : 0;
        next = earlier(next, at);
    }
    return later(next, tick + 1);
}

void channel_run(struct channel *c, uint64_t last, uint64_t cycle)
{
    do {
        run_channel_tick(c, c->wakes.tick, cycle);
        c->wakes.tick = next_tick(c, c->wakes.tick, cycle);
    } while (c->wakes.tick <= last);
}

bool channel_is_idle(const struct channel *c)
{
    for (uint32_t i = 0; i < c->n_ports; i++)
        if (c->port[i]->from_dram.n)
            return false;
    for (uint32_t b = 0; b < c->t->n_banks; b++)
        if (c->bank[b].current != NO_SLOT)
            return false;
    return !c->latency.n && !c->n_queued && !c->in_flight.n && !c->returned.n;
}
