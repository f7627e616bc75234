/* counters.c - performance counters as CSRs show them: when the SFU executes the read, after
 * the commits and before decode and fetch of that cycle. */
#include <stddef.h>
#include <string.h>

#include "vortex/stages.h"

/* CSRs by class, and the statistics that they show. */
#define SHOWS(class_, csr_, field)                         \
    {                                                      \
        class_, csr_, offsetof(struct vortex_stats, field) \
    }
static const struct {
    uint8_t class;
    uint16_t csr;
    size_t offset;
} counters[] = {
    SHOWS(1, 0xb05, stall_ibuffer),
    SHOWS(1, 0xb06, rf_reads),
    SHOWS(1, 0xb07, rf_writes),
    SHOWS(1, 0xb0b, fetched),
    SHOWS(1, 0xb0c, loads),
    SHOWS(1, 0xb0d, stores),
    SHOWS(2, 0xb03, icache_reads),
    SHOWS(2, 0xb04, icache_misses),
    SHOWS(2, 0xb06, dcache_reads),
    SHOWS(2, 0xb07, dcache_writes),
    SHOWS(2, 0xb08, dcache_read_misses),
    SHOWS(2, 0xb09, dcache_write_misses),
    SHOWS(2, 0xb0c, l2_reads),
    SHOWS(2, 0xb0e, l2_misses),
    SHOWS(2, 0xb18, mem_reads),
    SHOWS(2, 0xb19, mem_writes),
    SHOWS(2, 0xb1a, mem_latency),
    SHOWS(2, 0xb1b, local_reads),
    SHOWS(2, 0xb1c, local_writes),
    SHOWS(2, 0xb1d, local_conflicts),
};

static uint64_t read_counter(struct vx_core *k, uint32_t class, unsigned csr)
{
    const struct vx_issue_ops *ops = k->issue->ops;
    uint64_t value, waited = vx_decode_waited(k);

    k->launch.n_counters++;
    if (csr == 0xb00) { /* mcycle */
        k->launch.n_counters = 0;
        return k->launch.mcycle = k->cycle;
    }
    if (csr == 0xb02) { /* minstret */
        vx_ahead_catch_up(k, k->cycle);
        return k->stats.thread_insts;
    }
    if (class == 1 && ops->counter && ops->counter(k->issue, csr, &value))
        return value;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (counters[i].class == class && counters[i].csr == csr) {
            memcpy(&value, (const char *)&k->stats + counters[i].offset, sizeof value);
            if (counters[i].offset == offsetof(struct vortex_stats, icache_reads))
                value -= vx_ahead_lookups(k, k->cycle);
            if (counters[i].offset == offsetof(struct vortex_stats, stall_ibuffer))
                value += waited ? waited - 1 : 0;
            return value;
        }
    return 0;
}

uint64_t vortex_counter(void *vortex, unsigned core, unsigned csr)
{
    struct vx_core *k = vortex_core_at(vortex, core);

    return k ? read_counter(k, vortex_counter_class(vortex), csr) : 0;
}
