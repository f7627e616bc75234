/* dram_rules.h - the rules of a memory channel: credits, the order of requests in a bank,
 * and the first tick in which a command is legal.
 *
 * dram.c and plain_dram.c differ in when they look at the channel, not in these rules.
 */
#ifndef LENO_MEM_DRAM_RULES_H
#define LENO_MEM_DRAM_RULES_H

#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/dram.h"

static inline void slot_push(struct channel *c, struct slot_queue *q, slot_id i)
{
    c->slots[i].next = NO_SLOT;
    if (q->n++)
        c->slots[q->tail].next = i;
    else
        q->head = i;
    q->tail = i;
}

static inline slot_id slot_pop(struct channel *c, struct slot_queue *q)
{
    slot_id i = q->head;

    INVARIANT(q->n && i != NO_SLOT);
    q->head = c->slots[i].next;
    q->n--;
    return i;
}

static inline void slot_free(struct channel *c, slot_id i)
{
    c->slots[i].next = c->free;
    c->free = i;
}

/* The request of a packet takes a slot of the channel until its data have left. From here
 * on the MSHR identifies its packet, or the packet is no longer needed. */
static inline slot_id dram_new_slot(struct channel *c, struct packet *p, uint32_t port,
                                    uint64_t ready)
{
    bool is_write = p->kind == PACKET_WRITEBACK;
    slot_id i = c->free;
    struct dram_slot *s = &c->slots[i];

    INVARIANT(i != NO_SLOT && p->bank < c->t->n_banks);
    c->free = s->next;
    s->ready = (uint32_t)ready;
    s->row = p->row;
    s->mshr = p->mshr;
    s->bank = p->bank;
    s->port = (uint8_t)port;
    s->is_write = is_write;
    s->n_sectors = (uint8_t)n_sectors(is_write ? p->sectors : p->fetch);
    if (is_write || p->kind == PACKET_FETCH)
        packet_drop(c->packets, p);
    return i;
}

/* Every slice may always have one request in the channel; the other credits are
 * shared. */
static inline bool dram_has_credit(const struct channel *c, uint32_t port)
{
    return !c->borrowed[port] | (c->shared < c->t->credits);
}

static inline void dram_take_credit(struct channel *c, uint32_t port)
{
    INVARIANT(dram_has_credit(c, port));
    c->shared += c->borrowed[port];
    c->borrowed[port] = 1;
    c->last_port = port;
}

/* A request of this port has left the channel. */
static inline void dram_drop_credit(struct channel *c, uint32_t port)
{
    INVARIANT(c->borrowed[port] || c->shared);
    c->shared -= !c->borrowed[port];
    c->borrowed[port] = 0;
}

/* Takes the oldest request for the row in use or, if there is none, the oldest of
 * all. */
static inline slot_id dram_choose_request(struct channel *c, struct bank *b)
{
    slot_id at = b->queue.head, before = NO_SLOT;
    struct dram_slot *all = c->slots;

    while (!c->t->is_fifo && at != NO_SLOT && all[at].row != b->wanted) {
        before = at;
        at = all[at].next;
    }
    if (at == NO_SLOT || before == NO_SLOT)
        return slot_pop(c, &b->queue);
    all[before].next = all[at].next;
    if (b->queue.tail == at)
        b->queue.tail = before;
    b->queue.n--;
    return at;
}

/* A bank without a request gets its next one. */
static inline const struct dram_slot *dram_start_request(struct channel *c, uint32_t i)
{
    struct bank *b = &c->bank[i];
    const struct dram_slot *s;

    INVARIANT(b->current == NO_SLOT && b->queue.n && c->n_queued);
    b->current = dram_choose_request(c, b);
    c->n_queued--;
    c->stats->dram_requests++;
    s = &c->slots[b->current];
    c->stats->dram_row_hits += s->row == b->wanted;
    b->wanted = s->row;
    b->is_write = s->is_write;
    b->bursts = c->t->bursts[s->n_sectors];
    c->first_bank = c->first_bank + 1 == c->t->n_banks ? 0 : c->first_bank + 1;
    return s;
}

/* True if the bank's open row is not the one that its request needs. */
static inline bool bank_has_wrong_row(const struct bank *b)
{
    return !b->is_open | (b->row != b->wanted);
}

/* The first tick in which a bank with the right row open may get a column command. */
static inline uint64_t dram_column_at(const struct channel *c, uint32_t i)
{
    const struct bank *b = &c->bank[i];
    uint64_t at = later(c->ccd, c->ccdl[b->group]);

    if (b->is_write)
        return later(at, later(b->write_at, c->rtw));
    return later(at, later(b->read_at, c->wtr));
}

/* The first tick in which a bank with the wrong row may get its next row command. */
static inline uint64_t dram_row_at(const struct channel *c, uint32_t i)
{
    const struct bank *b = &c->bank[i];

    if (!b->is_open)
        return later(c->rrd, b->activate_at);
    return later(b->precharge_at, c->rtpl[b->group]);
}

/* A column command: one burst of the bank's request. Returns the request if this was its
 * last burst, with its data in tick last_data, or NO_SLOT. */
static inline slot_id dram_issue_column(struct channel *c, uint32_t i, uint64_t tick)
{
    const struct dram_timing *t = c->t;
    struct bank *b = &c->bank[i];
    uint32_t g = b->group, delay = t->cl;
    slot_id done = b->current;

    INVARIANT(b->bursts && b->is_open && b->row == b->wanted);
    c->ccd = tick + t->ccd;
    c->ccdl[g] = tick + t->ccdl;
    if (b->is_write) {
        c->wtr = tick + t->wtr;
        b->precharge_at = later(b->precharge_at, tick + t->wtp);
        c->stats->dram_writes++;
        delay = t->wl;
    } else {
        c->rtw = tick + t->rtw;
        c->rtpl[g] = tick + t->rtpl;
        b->precharge_at = later(b->precharge_at, tick + t->rtp);
        c->stats->dram_reads++;
    }
    c->stats->dram_busy += t->burst_ticks;
    if (--b->bursts)
        return NO_SLOT;
    /* Data leave in the order of the commands, one per tick. */
    c->last_data = later(tick + delay, c->last_data + 1);
    b->current = NO_SLOT;
    return done;
}

/* A row command: closes the wrong row, or opens the right one. */
static inline void dram_issue_row(struct channel *c, uint32_t i, uint64_t tick)
{
    const struct dram_timing *t = c->t;
    struct bank *b = &c->bank[i];

    INVARIANT(b->current != NO_SLOT && bank_has_wrong_row(b));
    if (b->is_open) {
        b->is_open = false;
        b->activate_at = later(b->activate_at, tick + t->rp);
        c->stats->dram_precharges++;
    } else {
        b->is_open = true;
        b->row = b->wanted; /* row of the current request: it was scheduled last */
        c->rrd = tick + t->rrd;
        b->read_at = tick + t->rcd;
        b->write_at = tick + t->rcdwr;
        b->precharge_at = tick + t->ras;
        b->activate_at = tick + t->rc;
        c->stats->dram_activates++;
    }
    c->first_bank = i + 1 == t->n_banks ? 0 : i + 1;
}

#endif
