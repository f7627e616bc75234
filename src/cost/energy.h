/* energy.h - the energy of a run: events times the energy of each, plus static power times
 * time.
 *
 * Events are statistics, by name; the energies are parameters, one profile per technology
 * (configs/energy/NAME.ini), each line with its source. Windows and the tables of schemes and
 * eliminators have no energies of their own: an access costs what its bits cost. The parts
 * add up to the total: energy_compute() checks it.
 *
 * Not modelled: what values toggle, voltage and frequency, temperature (docs/energy.md).
 */
#ifndef LENO_COST_ENERGY_H
#define LENO_COST_ENERGY_H

#include "config/param.h"
#include "cost/cost.h"
#include "stats/stat.h"

/* Where energy goes: COMPONENT(id, contents). */
#define ENERGY_COMPONENTS(COMPONENT)                                         \
    COMPONENT(front, "fetch and decode")                                     \
    COMPONENT(window, "windows: insert, dependence check, wake-up, select")  \
    COMPONENT(eliminator, "tables of the redundancy eliminator")             \
    COMPONENT(registers, "register file and collectors")                     \
    COMPONENT(units, "arithmetic, control and address generation, by class") \
    COMPONENT(shared, "shared memory")                                       \
    COMPONENT(l1, "L1, constant cache, translation")                         \
    COMPONENT(network, "interconnect")                                       \
    COMPONENT(l2, "L2")                                                      \
    COMPONENT(dram, "DRAM")                                                  \
    COMPONENT(launch, "launches of kernels")                                 \
    COMPONENT(active, "SMs that hold a block, apart from events")            \
    COMPONENT(idle, "the whole chip and board, at all times")

enum energy_component {
#define COMPONENT(id, help) ENERGY_##id,
    ENERGY_COMPONENTS(COMPONENT)
#undef COMPONENT
        N_ENERGY_COMPONENT
};

/* Energies of events: EVENT(component, name, counted by, and by, what happens). The name is
 * the parameter's too. */
#define ENERGY_EVENTS(EVENT)                                                           \
    EVENT(front, icache, "sm.icache_hits", "sm.icache_misses",                         \
          "a fetch from the instruction cache")                                        \
    EVENT(front, decode, "sm.fetched", NULL, "an instruction fetched and decoded")     \
    EVENT(window, select, "sm.warp_insts", NULL, "an instruction chosen and issued")   \
    EVENT(registers, reg_read, "sm.bank_reads", NULL, "a read of a register bank")     \
    EVENT(registers, reg_write, "sm.reg_writes", NULL, "a register written")           \
    EVENT(registers, operand, "sm.bank_reads", "sm.reuses",                            \
          "an operand brought to its unit, also from the reuse cache")                 \
    EVENT(units, product, "sm.products", NULL,                                         \
          "8 columns of a warpgroup's product, per warp, after its first 8")           \
    EVENT(shared, shared, "lsu.shared_cycles", "sm.copy_lines",                        \
          "an access of all banks of shared memory")                                   \
    EVENT(shared, shared_word, "sm.shared_words", "sm.copy_words",                     \
          "a word between a lane, or a copy, and shared memory")                       \
    EVENT(l1, memory_word, "sm.memory_words", NULL, "a word between a lane and L1")    \
    EVENT(l1, l1, "lsu.l1_reads", "lsu.l1_writes", "a line looked up in L1")           \
    EVENT(l1, l1_fill, "lsu.l1_fills", NULL, "a reply written to L1")                  \
    EVENT(l1, constant, "lsu.const_reads", NULL, "a line of constants looked up")      \
    EVENT(l1, tlb, "lsu.tlb_lookups", "memory.tlb_lookups", "a page translated")       \
    EVENT(network, packet, "memory.requests", "memory.replies", "a packet")            \
    EVENT(network, flit, "memory.request_flits", "memory.reply_flits", "a flit")       \
    EVENT(l2, l2_read, "memory.l2_reads", NULL, "a sector read in L2")                 \
    EVENT(l2, l2_write, "memory.l2_writes", NULL, "a sector written in L2")            \
    EVENT(l2, l2_atomic, "memory.l2_atomics", NULL, "a sector's atomics, in addition") \
    EVENT(dram, dram_read, "memory.dram_reads", NULL, "a burst read from DRAM")        \
    EVENT(dram, dram_write, "memory.dram_writes", NULL, "a burst written to DRAM")     \
    EVENT(dram, dram_row, "memory.dram_activates", NULL, "a row opened")

#define ENERGY_MOST 4000000000u

struct energy_params {
#define EVENT(component, name, of, and, help) uint32_t name;
    ENERGY_EVENTS(EVENT)
#undef EVENT
    uint32_t lane[N_INST_CLASS];                    /* fJ per lane that executes */
    uint32_t table_write, table_read, table_search; /* fJ per bit */
    uint32_t launch;                                /* nJ */
    uint32_t active;                                /* mW per SM that holds a block */
    uint32_t idle;                                  /* mW per SM of the chip */
};
extern const struct param_group energy_param_group;

/* Accesses of the tables of a scheme and of an eliminator: ACCESS(component, name, what
 * happens). */
#define ENERGY_ACCESSES(ACCESS)                               \
    ACCESS(window, insert, "an instruction inserted")         \
    ACCESS(window, check, "its dependences looked for")       \
    ACCESS(window, issue, "it issues")                        \
    ACCESS(window, wake, "a result wakes others")             \
    ACCESS(window, keep, "a result kept until it is written") \
    ACCESS(window, load, "a load in its queue")               \
    ACCESS(window, store, "a store in its queue")             \
    ACCESS(eliminator, lookup, "an instruction looked up")    \
    ACCESS(eliminator, skip, "an instruction skipped")

enum energy_access {
#define ACCESS(component, name, help) ACCESS_##name,
    ENERGY_ACCESSES(ACCESS)
#undef ACCESS
        N_ENERGY_ACCESS
};

/* A queue of loads or stores: bits per entry, and bits that an entry of the other queue is
 * compared with. */
struct energy_queue {
    double entry, searched;
};

/* The storage that instructions pass through: bits that one of them writes and reads, bits
 * that are compared when it is inserted and when a result wakes others, and bits that a
 * register has in scoreboards and alias tables; bits of a result that is kept for a while;
 * and what loads and stores alone have. */
struct energy_table {
    double entry, searched, indexed, result;
    struct energy_queue loads, stores;
};
struct energy_table energy_table(const struct cost *c, unsigned n_warps);

struct energy_tables {
    struct energy_table scheme, skip;
};

/* Joules of one access. */
double energy_of_access(const struct energy_params *p, const struct energy_tables *t,
                        enum energy_access a);

struct energy_input {
    const struct energy_params *params;
    const struct stat_report *stats;
    struct energy_tables tables;
    double cycles;     /* of the run, without latencies of launches */
    double core_clock; /* Hz */
    double n_sms;
};

/* One kind of event in a run. */
struct energy_part {
    const char *name;
    enum energy_component component;
    double count, joules;
};

enum { MAX_ENERGY_PARTS = 64 };

struct energy {
    struct energy_part part[MAX_ENERGY_PARTS];
    unsigned n_parts;
    double component[N_ENERGY_COMPONENT]; /* joules */
    double joules, seconds;
};

/* -1: a statistic is missing (a machine without SMs), or the sums disagree. */
int energy_compute(struct energy *e, const struct energy_input *in, struct err *err);

static inline double energy_watts(const struct energy *e)
{
    return e->seconds > 0 ? e->joules / e->seconds : 0;
}

const char *energy_component_name(enum energy_component c);

/* For people: a row per component and their sum; as JSON: members, without braces. */
void energy_text(const struct energy *e, struct buf *out);
void energy_json(const struct energy *e, struct buf *out);
/* Accesses that cost something, by name: joules by enum energy_access. */
void energy_access_text(const double *joules, struct buf *out);
void energy_access_json(const double *joules, struct buf *out);

/* Profiles that come with the program (configs/energy); NULL after the last. */
const char *energy_profile_at(size_t i);
/* Reads a profile, or a file if the name ends with ".ini". */
int energy_profile_read(const char *name, struct energy_params *p, struct err *err);

#endif
