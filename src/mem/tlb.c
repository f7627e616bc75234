/* tlb.c - a table of translations: set-associative, least recently used.
 *
 * LIMIT: a missing translation enters the table at once, so of two instructions that
 * miss the same page shortly after each other only the first waits for the walk.
 */
#include "mem/tlb.h"

#include <stdlib.h>

int tlb_init(struct tlb *t, uint32_t entries, uint32_t ways, uint32_t page_bits,
             struct err *err)
{
    *t =
        (struct tlb){ .ways = ways < entries ? ways : entries, .page_bits = page_bits };
    t->sets = entries / t->ways ? entries / t->ways : 1;
    t->page = calloc((size_t)t->sets * t->ways, sizeof *t->page);
    t->used = calloc((size_t)t->sets * t->ways, sizeof *t->used);
    if (t->page && t->used)
        return 0;
    tlb_free(t);
    return err_memory(err, "a TLB of %u entries", entries);
}

void tlb_free(struct tlb *t)
{
    free(t->page);
    free(t->used);
    *t = (struct tlb){ 0 };
}

bool tlb_look_up(struct tlb *t, uint64_t addr)
{
    uint64_t page = addr >> t->page_bits;
    size_t first = (size_t)(page % t->sets) * t->ways, oldest = first;

    t->clock++;
    for (size_t i = first; i < first + t->ways; i++) {
        if (t->page[i] == page + 1) {
            t->used[i] = t->clock;
            return true;
        }
        if (t->used[i] < t->used[oldest])
            oldest = i;
    }
    t->page[oldest] = page + 1;
    t->used[oldest] = t->clock;
    return false;
}
