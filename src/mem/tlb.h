/* tlb.h - a table of translations: set-associative, least recently used. */
#ifndef LENO_MEM_TLB_H
#define LENO_MEM_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct tlb {
    uint64_t *page; /* 0: none; otherwise the page's number + 1 */
    uint64_t *used; /* last use, counted in lookups */
    uint64_t clock;
    uint32_t sets, ways, page_bits;
};

int tlb_init(struct tlb *t, uint32_t entries, uint32_t ways, uint32_t page_bits,
             struct err *err);
void tlb_free(struct tlb *t);
bool tlb_look_up(struct tlb *t, uint64_t addr); /* false: missed, and now entered */

#endif
