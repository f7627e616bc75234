/* dram_new.c - a memory channel out of its parameters. */
#include <stdlib.h>

#include "base/bits.h"
#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/dram.h"

/* Data follow their command by a tick or more. */
void dram_timing_init(struct dram_timing *t, const struct memory_params *p)
{
    const struct dram_params *d = &p->dram;
    uint32_t burst = d->burst / d->data_rate ? d->burst / d->data_rate : 1;

    *t = (struct dram_timing){ .ccd = d->ccd,
                               .ccdl = d->ccdl,
                               .rrd = d->rrd,
                               .rcd = d->rcd,
                               .ras = d->ras,
                               .rp = d->rp,
                               .rc = d->rc,
                               .cl = d->cl ? d->cl : 1,
                               .wl = d->wl ? d->wl : 1,
                               .rtp = burst,
                               .rtpl = d->rtpl,
                               .burst_ticks = burst,
                               .burst_bytes = d->burst * d->bus_bytes,
                               .n_banks = d->banks,
                               .n_groups = d->groups,
                               .group_shift = bits_log2(d->banks / d->groups),
                               .group_low = d->group_low,
                               .dual_bus = d->dual_bus,
                               .is_fifo = d->scheduler == 0,
                               .queue = d->queue,
                               .return_queue = d->return_queue,
                               .latency = d->latency,
                               .port_in = p->l2.queue_dram_l2,
                               .port_out = p->l2.queue_l2_dram,
                               .clock = d->clock,
                               .core_clock = d->core_clock };
    for (uint32_t i = 0; i <= LINE_SECTORS; i++)
        t->bursts[i] =
            (uint8_t)((i * SECTOR_BYTES + t->burst_bytes - 1) / t->burst_bytes);
    t->rcdwr = d->rcdwr ? d->rcdwr : d->rcd > d->wl + 1 ? d->rcd - d->wl - 1 : 0;
    t->rtw = d->cl + burst + 2 > d->wl ? d->cl + burst + 2 - d->wl : 0;
    t->wtr = d->wl + burst + d->cdlr;
    t->wtp = d->wl + burst + d->wr;
    t->credits = d->queue + d->return_queue;
    t->credits -= p->l2.slices_per_channel - 1 < t->credits
                      ? p->l2.slices_per_channel - 1
                      : t->credits;
}

static int new_slots(struct channel *c, struct err *err)
{
    /* Every port has one slot besides the credits; returned data no longer hold a
     * credit. */
    uint32_t n = c->t->credits + c->n_ports, all = n + c->n_ports * c->t->port_in;

    for (c->credits.mask = 1; c->credits.mask < n;)
        c->credits.mask *= 2;
    c->slots = calloc(all, sizeof *c->slots);
    c->credits.at = calloc(c->credits.mask--, sizeof *c->credits.at);
    if (!c->slots || !c->credits.at)
        return err_memory(err, "%u requests of a channel", all);
    for (uint32_t i = 0; i < all; i++)
        c->slots[i].next = (slot_id)(i + 1 < all ? i + 1 : NO_SLOT);
    return 0;
}

int channel_init(struct channel *c, const struct dram_timing *t, struct err *err)
{
    c->t = t;
    for (uint32_t b = 0; b < t->n_banks; b++) {
        c->bank[b].current = NO_SLOT;
        c->bank[b].group =
            (uint8_t)(t->group_low ? b & (t->n_groups - 1) : b >> t->group_shift);
    }
    for (uint32_t i = 0; i < c->n_ports; i++)
        c->slices[i] = (struct slice_wakes){ NEVER, NEVER, NEVER, NEVER };
    c->last_port = c->n_ports - 1;
    c->wakes.tick = *c->visit = NEVER;
    return new_slots(c, err);
}

void channel_free(struct channel *c)
{
    free(c->slots);
    free(c->credits.at);
}
