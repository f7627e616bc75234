/* sm.h - a streaming multiprocessor: blocks in, cycles, statistics out.
 *
 * The GPU gives it blocks while it has room and lets it run for some cycles at a time.
 * The steps of one cycle, in order, are in cycle.c and docs/cycle.md.
 */
#ifndef LENO_CORE_SM_H
#define LENO_CORE_SM_H

#include "core/async.h"
#include "core/gpc.h"
#include "core/lsu/lsu.h"
#include "core/params.h"
#include "core/scheme.h"
#include "core/skip.h"
#include "trace/trace.h"

struct sm;
struct hot_index;
struct hot_table;
struct latency_table;

/* One compilation of sm_run(): for any scheme and machine, or fused (sim/fused.c). */
struct sm_core {
    int (*run)(struct sm *s, uint64_t end, struct err *err);
};

struct sm_config {
    struct core_params core;
    struct fetch_params fetch;
    struct regfile_params regfile;
    struct sched_params sched;
    struct class_params classes;
    struct async_params async;
    struct cluster_params cluster;
    const struct lsu_config *lsu;
    const struct scheme_ops *scheme;
    const void *scheme_params;
    const struct skip_ops *skip; /* NULL: none */
    const void *skip_params;
    /* for this scheme: with collectors or with ports; without counters per instruction or
     * with; NULL: none */
    const struct sm_core *fused[2][2];
    uint32_t core_clock; /* kHz */
    uint32_t n_sms;      /* number of SMs; a launch's blocks are spread over them */
};

/* Nanoseconds from cycle 0 to this one. */
static inline uint64_t sm_cycle_ns(uint32_t core_clock, uint64_t cycle)
{
    return (uint64_t)((double)cycle * 1e6 / core_clock);
}

#define SM_STATS(STAT)                                                                 \
    STAT(cycles, "cycle", "", "cycles in which the SM held a block")                   \
    STAT(warp_insts, "warp inst", "", "instructions issued")                           \
    STAT(dual_issued, "warp inst", "",                                                 \
         "of these, in the same slot as another one of their warp")                    \
    STAT(thread_insts, "thread inst", "gpu_tot_sim_insn",                              \
         "the same, counted once per lane whose guard held")                           \
    STAT(fetched, "warp inst", "", "instructions fetched and inserted into windows")   \
    STAT(skipped, "warp inst", "", "instructions dropped at fetch by an eliminator")   \
    STAT(reordered, "warp inst", "",                                                   \
         "instructions issued before an older one of their warp")                      \
    STAT(blocks, "block", "gpgpu_n_cta", "blocks completed")                           \
    STAT(warp_cycles, "warp cycle", "", "cycles x resident warps")                     \
    STAT(warp_slots, "warp cycle", "", "cycles x warps that could be resident")        \
    STAT(bank_reads, "read", "", "reads of register banks")                            \
    STAT(bank_waits, "read", "", "reads that waited for their bank in a step")         \
    STAT(reuses, "read", "", "reads saved by the reuse cache")                         \
    STAT(redirects, "warp inst", "", "branches after which fetch was redirected")      \
    STAT(loads, "warp inst", "gpgpu_n_load_insn", "loads issued")                      \
    STAT(stores, "warp inst", "gpgpu_n_store_insn", "stores issued")                   \
    STAT(atomics, "warp inst", "", "atomics and reductions issued")                    \
    STAT(branches, "warp inst", "", "control instructions issued")                     \
    STAT(barriers, "warp inst", "", "barrier instructions issued")                     \
    STAT(divergent, "warp inst", "", "instructions issued with inactive lanes")        \
    STAT(icache_hits, "access", "", "fetches that hit the instruction cache")          \
    STAT(icache_misses, "access", "", "fetches that missed it")                        \
    STAT(results, "warp inst", "", "instructions that wrote registers")                \
    STAT(reg_writes, "write", "", "registers written, each once per instruction")      \
    STAT(shared_words, "word", "", "32-bit words of lanes, to and from shared memory") \
    STAT(memory_words, "word", "", "the same, other memory but constants")             \
    STAT(copy_words, "word", "",                                                       \
         "words that copies read from or write to shared memory")                      \
    STAT(copy_lines, "line", "", "the same, requests of up to 32 words")               \
    STAT(products, "8 columns", "",                                                    \
         "of products of warpgroups, per warp, beyond the first 8 of each")

/* Lanes that executed, by class of instruction; what an eliminator reuses is not executed. */
struct unit_stats {
    uint64_t lanes[N_INST_CLASS];
};
extern const struct stat_group unit_stat_group;

struct sm_stats {
    SM_STATS(STAT_FIELD)
    struct unit_stats unit;
    uint64_t slot[MAX_SUBCORES][N_STALL]; /* issued, or the stall reason */
};
extern const struct stat_group sm_stat_group;

/* Counts words of a copy that so many shared memories read or write. */
static inline void sm_count_copy(struct sm_stats *t, unsigned words, unsigned memories)
{
    t->copy_words += (uint64_t)words * memories;
    t->copy_lines += (words + 31u) / 32 * memories;
}

void sm_set_latency(struct sm *s, struct latency_table *t);
struct sm *sm_new(const struct sm_config *c, unsigned index, struct memory *memory,
                  struct err *err);
void sm_free(struct sm *s);

/* Blocks from this cycle on belong to this kernel. Returns how many fit at a time; 0
 * with err set if not even one does. */
unsigned sm_kernel_start(struct sm *s, struct kernel *k, uint32_t number,
                         uint64_t cycle, struct err *err);
/* The kernel is over: its blocks are removed, whatever their state. */
void sm_kernel_end(struct sm *s);
/* Without a block, stores of those that have ended go on: sends them, and takes their answers,
 * before this cycle. */
void sm_go_on(struct sm *s, uint64_t end);
bool sm_is_settled(const struct sm *s); /* all its stores are answered */
/* So many cycles, in which it holds no block, count nowhere. */
void sm_hide(struct sm *s, uint64_t cycles);
bool sm_has_room(const struct sm *s);
/* Blocks of a kernel that an SM with so many bytes of shared memory holds at once. */
unsigned sm_blocks_that_fit(const struct core_params *p, uint32_t shared,
                            const struct kernel *k);
/* Starts a block of the current kernel, which comes to the SM in cycle `first`, or this one if
 * that is later; its stream is closed when it is done. */
void sm_start_block(struct sm *s, struct stream *stream, uint64_t block, uint64_t cycle,
                    uint64_t first);
/* The streams of its blocks end early, from this cycle on, which has not been run: what
 * waits for other warps goes on. */
void sm_cut(struct sm *s, uint64_t cycle);
unsigned sm_blocks(const struct sm *s); /* resident */
uint64_t sm_insts(const struct sm *s);  /* issued so far */
/* The stream of resident block n, counted from 0; *block: its number in the grid. */
struct stream *sm_stream(const struct sm *s, unsigned n, uint64_t *block);

/* Runs the cycles before end that have not been run, except those slept through; stops
 * after a cycle in which a block ends. 0, or -1 with err set: a version or order
 * violation, or an error of the front end. */
int sm_run(struct sm *s, uint64_t end, struct err *err);
/* The last cycle that it did not sleep through. */
uint64_t sm_cycle(const struct sm *s);
/* The next cycle in which it has something to do, replies included; NEVER or later:
 * none. */
uint64_t sm_wakes(const struct sm *s);
/* Brings the statistics up to a cycle through which it slept. */
void sm_account(struct sm *s, uint64_t cycle);

const struct sm_stats *sm_stats(struct sm *s);
const void *sm_scheme_stats(const struct sm *s);
const void *sm_skip_stats(const struct sm *s);
/* Why claims of its eliminator were not checked (skip.h); NULL: there are none, or all
 * were. */
const char *sm_unchecked(const struct sm *s);
struct lsu *sm_lsu(struct sm *s);
/* From now on it counts per instruction (stats/hot.h): into this table, from the next part of
 * its cycles on. */
int sm_set_hot(struct sm *s, struct hot_index *index, struct err *err);
void sm_set_hot_table(struct sm *s, struct hot_table *t);
/* The kernel is over: its counters are complete up to where sm_account() came, and numbers
 * are forgotten. */
void sm_end_hot(struct sm *s);
void sm_set_trace(struct sm *s, struct trace *t);

/* Prints its agenda (wake.h) and every warp with its stall reason and details. */
void sm_dump(const struct sm *s, struct buf *out);
/* The first of its warps, of which there must be one, and the instruction that it is stuck
 * with. */
void sm_put_stuck(const struct sm *s, struct buf *out);

#endif
