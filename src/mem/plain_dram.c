/* plain_dram.c - a memory channel, tick by tick: the specification of dram.c.
 *
 * A request of a slice passes through these queues of its channel:
 *
 *     port.to_dram -> latency -> queue of its bank -> bank -> in_flight -> returned
 *         -> port.from_dram
 *
 * In each tick every step moves at most one request, the last step first. dram_rules.h
 * has the order of requests in a bank and the timing of commands.
 */
#include "mem/dram_rules.h"
#include "mem/plain.h"

/* Data that were read go to the slice, if its queue has room. */
static void return_data(struct channel *c)
{
    uint8_t port;

    if (!c->returned.n)
        return;
    port = c->slots[c->returned.head].port;
    if (c->port[port]->from_dram.n >= c->t->port_in)
        return;
    dram_drop_credit(c, port);
    slot_push(c, &c->port[port]->from_dram, slot_pop(c, &c->returned));
}

/* Data that are on the bus in this tick are read, or written, which ends a write. */
static void land_data(struct channel *c, uint64_t tick)
{
    slot_id i = c->in_flight.head;

    if (!c->in_flight.n || !cycle_has_come(c->slots[i].ready, tick) ||
        c->returned.n >= c->t->return_queue)
        return;
    slot_pop(c, &c->in_flight);
    if (!c->slots[i].is_write) {
        slot_push(c, &c->returned, i);
        return;
    }
    dram_drop_credit(c, c->slots[i].port);
    slot_free(c, i);
}

/* The bank that comes `step` after the one that is examined first. */
static uint32_t bank_after(const struct channel *c, uint32_t step)
{
    uint32_t i = c->first_bank + step;

    return i < c->t->n_banks ? i : i - c->t->n_banks;
}

/* The first bank without a request gets one of its queue. */
static void schedule_bank(struct channel *c)
{
    for (uint32_t step = 0; c->n_queued && step < c->t->n_banks; step++) {
        uint32_t i = bank_after(c, step);

        if (c->bank[i].current == NO_SLOT && c->bank[i].queue.n) {
            dram_start_request(c, i);
            return;
        }
    }
}

static bool column_is_legal(const struct channel *c, uint32_t i, uint64_t tick)
{
    const struct bank *b = &c->bank[i];

    return b->current != NO_SLOT && !bank_has_wrong_row(b) &&
           dram_column_at(c, i) <= tick;
}

static bool row_is_legal(const struct channel *c, uint32_t i, uint64_t tick)
{
    const struct bank *b = &c->bank[i];

    return b->current != NO_SLOT && bank_has_wrong_row(b) && dram_row_at(c, i) <= tick;
}

static void issue_column(struct channel *c, uint32_t i, uint64_t tick)
{
    slot_id done = dram_issue_column(c, i, tick);

    if (done == NO_SLOT)
        return;
    c->slots[done].ready = (uint32_t)c->last_data;
    slot_push(c, &c->in_flight, done);
}

/* One bus: the first legal column command, and a row command if its bank comes before. A
 * row command moves first_bank, and the walk continues from there with the steps that are
 * left, as in GPGPU-Sim. No bank gets two commands in a tick. */
static void issue_on_one_bus(struct channel *c, uint64_t tick)
{
    const uint32_t none = c->t->n_banks;
    uint32_t row = none;

    for (uint32_t step = 0; step < c->t->n_banks; step++) {
        uint32_t i = bank_after(c, step);

        if (i != row && column_is_legal(c, i, tick)) {
            issue_column(c, i, tick);
            return;
        }
        if (row == none && row_is_legal(c, i, tick)) {
            row = i;
            dram_issue_row(c, row, tick);
        }
    }
}

/* The first bank for which a command is legal; n_banks: none. */
static uint32_t first_legal(const struct channel *c, uint64_t tick,
                            bool (*is_legal)(const struct channel *, uint32_t,
                                             uint64_t))
{
    for (uint32_t step = 0; step < c->t->n_banks; step++)
        if (is_legal(c, bank_after(c, step), tick))
            return bank_after(c, step);
    return c->t->n_banks;
}

/* Two buses: the first legal row command and the first legal column command. */
static void issue_on_two_buses(struct channel *c, uint64_t tick)
{
    uint32_t column = first_legal(c, tick, column_is_legal);
    uint32_t row = first_legal(c, tick, row_is_legal);

    if (row < c->t->n_banks)
        dram_issue_row(c, row, tick);
    if (column < c->t->n_banks)
        issue_column(c, column, tick);
}

/* True if no request is in the channel: each holds a credit. */
static bool is_empty(const struct channel *c)
{
    uint32_t n = c->shared;

    for (uint32_t i = 0; i < c->n_ports; i++)
        n += c->borrowed[i];
    return !n;
}

static void issue_commands(struct channel *c, uint64_t tick)
{
    if (is_empty(c)) /* perf: spares the walk over banks without requests */
        return;
    if (c->t->dual_bus)
        issue_on_two_buses(c, tick);
    else
        issue_on_one_bus(c, tick);
}

/* Takes a request from the next slice that has one, a credit, and room for its data. */
static void take_request(struct channel *c, uint64_t cycle)
{
    for (uint32_t n = 1; n <= c->n_ports; n++) {
        uint32_t at = (c->last_port + n) % c->n_ports;
        struct dram_port *port = c->port[at];

        if (!port->to_dram.n || !dram_has_credit(c, at) ||
            port->from_dram.n >= c->t->port_in)
            continue;
        slot_push(
            c, &c->latency,
            dram_new_slot(c, queue_pop(&port->to_dram), at, cycle + c->t->latency));
        dram_take_credit(c, at);
        return;
    }
}

/* A request whose fixed latency is over reaches the queue of its bank. */
static void end_latency(struct channel *c, uint64_t cycle)
{
    slot_id i = c->latency.head;

    if (!c->latency.n || !cycle_has_come(c->slots[i].ready, cycle))
        return;
    slot_pop(c, &c->latency);
    slot_push(c, &c->bank[c->slots[i].bank].queue, i);
    c->n_queued++;
}

void plain_channel_tick(struct channel *c, uint64_t tick, uint64_t cycle)
{
    return_data(c);
    land_data(c, tick);
    schedule_bank(c);
    issue_commands(c, tick);
    if (c->n_queued < c->t->queue) {
        take_request(c, cycle);
        end_latency(c, cycle);
    }
}
