/* conflict.h - conflicts of L1's banks: the unit's statistic, and per instruction. */
#ifndef LENO_CORE_LSU_CONFLICT_H
#define LENO_CORE_LSU_CONFLICT_H

#include "core/lsu/base.h"

/* A transaction of this instruction waits for its bank in a cycle. */
static inline void l1_count_conflict(struct lsu *l, uop_id u)
{
    l->stats.bank_conflicts++;
    if (l->hot)
        hot_add(l->hot, l->pool[u].hot, HOT_l1_conflicts, 1);
}

#endif
