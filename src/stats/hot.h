/* hot.h - counters per static instruction: where a kernel's time goes (leno run --hot).
 *
 * An SM counts in the same places where it counts its statistics, so that the sums agree
 * (sim/hot.c checks). Instructions have numbers, which all SMs of a GPU share; those that one
 * thread runs count into one table, by number (perf: a table per SM would not fit into the
 * host's caches). Number 0 takes issue slots that belong to no instruction: no warp, or one
 * that has not issued yet.
 */
#ifndef LENO_STATS_HOT_H
#define LENO_STATS_HOT_H

#include <pthread.h>
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

/* The counters of an instruction. (perf: whole lines of the host's cache, and in a table the
 * first is of those that count every execution) */
enum { HOT_LINE = 64, HOT_WORDS = (N_HOT + N_STALL + 7) / 8 * 8 };
struct hot_row {
    uint64_t count[N_HOT];
    uint64_t slot[HOT_WORDS - N_HOT]; /* issue slots: issued, or lost by cause */
};
_Static_assert(sizeof(struct hot_row) % HOT_LINE == 0, "whole lines");

enum { HOT_NONE = 0 }; /* the number of no instruction */

/* Rows by number. One thread at a time uses it; channels of memory add to theirs atomically. */
struct hot_table {
    struct hot_row *row;
    uint32_t cap;
};

/* Small allocations: the program ends if they fail. */
void hot_reserve(struct hot_table *t, uint32_t n); /* for numbers below n */
void hot_clear(struct hot_table *t);
void hot_free(struct hot_table *t);
void hot_add_all(struct hot_row *to, const struct hot_row *from);

/* Instructions by number. */
struct inst;
struct hot_key {
    uint64_t pc;
    const struct inst *inst;
};
struct hot_index {
    struct hot_key *key;
    uint32_t n, cap;
    uint32_t *place; /* numbers by address, a power of two; HOT_NONE: free */
    uint32_t mask;
    pthread_mutex_t lock;
};

/* Has HOT_NONE only. */
void hot_index_init(struct hot_index *x);
void hot_index_free(struct hot_index *x);
void hot_index_clear(struct hot_index *x); /* as after hot_index_init() */
/* The number of an instruction, given now if it has none; for any thread. */
uint32_t hot_index_number(struct hot_index *x, uint64_t pc, const struct inst *inst);
uint32_t hot_index_size(struct hot_index *x); /* numbers so far; for any thread */
/* All numbers but HOT_NONE, by address; the caller frees them. */
uint32_t *hot_index_order(const struct hot_index *x);

/* The numbers that an SM knows. */
struct hot_known {
    struct hot_number {
        uint64_t pc;
        uint32_t number; /* HOT_NONE: free */
    } * at;              /* by address, a power of two */
    uint32_t n, mask;
};

void hot_known_init(struct hot_known *k);
void hot_known_free(struct hot_known *k);
void hot_known_clear(struct hot_known *k);
void hot_known_add(struct hot_known *k, uint64_t pc, uint32_t number);

/* HOT_NONE: it does not know the instruction. */
static inline uint32_t hot_known_find(const struct hot_known *k, uint64_t pc)
{
    uint64_t at = pc >> 3;

    while (k->at[at & k->mask].number && k->at[at & k->mask].pc != pc)
        at++;
    return k->at[at & k->mask].number;
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
