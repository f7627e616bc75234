/* hot.h - counters per static instruction: where a kernel's time goes (leno run --hot).
 *
 * An SM counts into a table of its own, in the same places where it counts its statistics,
 * so that the sums agree (sim/hot.c checks). Row 0 takes issue slots that belong to no
 * instruction: no warp, or one that has not issued yet.
 */
#ifndef LENO_STATS_HOT_H
#define LENO_STATS_HOT_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/stall.h"

/* COUNT(name, column, statistic that the sum equals, unit, meaning). Columns have Nsight
 * Compute's names (source page) where the meaning is the same. */
#define HOT_COUNTS(COUNT)                                                              \
    COUNT(executed, "inst_executed", "sm.warp_insts", "warp inst",                     \
          "executions by warps")                                                       \
    COUNT(lanes, "thread_inst_executed_true", "sm.thread_insts", "thread inst",        \
          "the same, per lane whose guard held")                                       \
    COUNT(divergent, "inst_divergent", "sm.divergent", "warp inst",                    \
          "executions with inactive lanes")                                            \
    COUNT(reordered, "inst_reordered", "sm.reordered", "warp inst",                    \
          "executions issued before an older instruction of the warp")                 \
    COUNT(results, "results", "", "warp inst", "results written")                      \
    COUNT(latency, "latency_cycles", "", "cycle",                                      \
          "cycles from issue to the result, summed")                                   \
    COUNT(bank_reads, "register_reads", "sm.bank_reads", "read",                       \
          "reads of register banks")                                                   \
    COUNT(bank_waits, "register_conflicts", "sm.bank_waits", "read",                   \
          "reads that waited for their bank in a step")                                \
    COUNT(sectors, "memory_l1_sectors", "lsu.transactions", "sector",                  \
          "sectors of global and local memory (lines with lsu.coalesce=1)")            \
    COUNT(l1_reads, "l1_reads", "lsu.l1_reads", "sector", "loads looked up in L1")     \
    COUNT(l1_read_hits, "l1_read_hits", "lsu.l1_read_hits", "sector",                  \
          "of these, found")                                                           \
    COUNT(l1_writes, "l1_writes", "lsu.l1_writes", "sector", "stores looked up in L1") \
    COUNT(l1_write_hits, "l1_write_hits", "lsu.l1_write_hits", "sector",               \
          "of these, found")                                                           \
    COUNT(l1_conflicts, "l1_conflicts", "lsu.bank_conflicts", "cycle",                 \
          "cycles in which a transaction waited for its bank of L1")                   \
    COUNT(l2_reads, "l2_reads", "memory.l2_reads", "sector",                           \
          "loads and atomics looked up in L2, past L1 or after a miss there")          \
    COUNT(l2_read_hits, "l2_read_hits", "memory.l2_read_hits", "sector",               \
          "of these, found")                                                           \
    COUNT(l2_writes, "l2_writes", "memory.l2_writes", "sector",                        \
          "stores looked up in L2")                                                    \
    COUNT(l2_write_hits, "l2_write_hits", "memory.l2_write_hits", "sector",            \
          "of these, found")                                                           \
    COUNT(shared_cycles, "memory_l1_wavefronts_shared", "lsu.shared_cycles", "cycle",  \
          "cycles in which shared memory was accessed")                                \
    COUNT(shared_conflicts, "shared_conflicts", "lsu.shared_conflicts", "cycle",       \
          "of these, beyond one per execution: bank conflicts")

enum hot_count {
#define COUNT(name, column, sum, unit, help) HOT_##name,
    HOT_COUNTS(COUNT)
#undef COUNT
        N_HOT
};

/* The rows of HOT_COUNTS as text. */
struct hot_column {
    const char *name, *sum, *unit, *help;
};
extern const struct hot_column hot_columns[N_HOT];

struct inst;
struct hot_row {
    uint64_t pc;
    const struct inst *inst;
    uint64_t count[N_HOT];
    uint64_t slot[N_STALL]; /* issue slots: issued, or lost by cause */
};

enum { HOT_NONE = 0 }; /* the row of no instruction */
struct hot_table {
    struct hot_row *row;
    uint32_t n, cap;
    uint32_t *place; /* rows by address, a power of two; HOT_NONE: free */
    uint32_t mask;
};

/* Has row HOT_NONE only. Small allocations: the program ends if they fail. */
void hot_init(struct hot_table *t);
void hot_free(struct hot_table *t);
void hot_clear(struct hot_table *t); /* as after hot_init() */
void hot_add_all(struct hot_row *to, const struct hot_row *from);
/* Adds a row for an address that has none. */
uint32_t hot_new_row(struct hot_table *t, uint64_t pc, const struct inst *inst);

/* The row of an instruction. */
static inline uint32_t hot_find(struct hot_table *t, uint64_t pc,
                                const struct inst *inst)
{
    for (uint64_t at = pc >> 3;; at++) {
        uint32_t row = t->place[at & t->mask];

        if (t->row[row].pc == pc && row)
            return row;
        if (!row)
            return hot_new_row(t, pc, inst);
    }
}

static inline void hot_add(struct hot_table *t, uint32_t row, enum hot_count what,
                           uint64_t n)
{
    t->row[row].count[what] += n;
}

/* Issue slots that are not spent on issuing. */
uint64_t hot_lost(const struct hot_row *r);
/* The cause of most of them; STALL_issued: none were lost. */
enum stall hot_largest(const struct hot_row *r);

#endif
