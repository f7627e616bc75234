/* energy.c - events, their energies, and their sum. */
#include "cost/energy.h"

#include <math.h>
#include <string.h>

#define FEMTO 1e-15

/* ---- parameters: those of events, those of classes, the others ---- */

#define ROW(name, unit, member, help)         \
    { name,                                   \
      PARAM_TYPE_NUM,                         \
      offsetof(struct energy_params, member), \
      0,                                      \
      0,                                      \
      ENERGY_MOST,                            \
      unit,                                   \
      "",                                     \
      help },
#define EVENT(component, name, of, and, help) ROW(#name, "fJ", name, help)
#define CLASS(id, help)                       ROW("lane_" #id, "fJ", lane[CLASS_##id], "a lane: " help)
static const struct param_desc rows[] = {
    ENERGY_EVENTS(EVENT) INST_CLASSES(CLASS)
        ROW("table_write", "fJ", table_write,
            "a bit written to a window or a scheme's table")
            ROW("table_read", "fJ", table_read, "a bit read from one")
                ROW("table_search", "fJ", table_search, "a bit compared in one")
                    ROW("launch", "nJ", launch, "a launch of a kernel")
                        ROW("active", "mW", active, "an SM while it holds a block") ROW(
                            "idle", "mW", idle,
                            "the chip and its board at all times, per SM of the chip")
};
#undef CLASS
#undef EVENT
#undef ROW

const struct param_group energy_param_group = {
    .prefix = "energy",
    .help = "energies of events (configs/energy, docs/energy.md)",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(struct energy_params),
};

/* ---- events ---- */

static const struct event {
    const char *name, *of, *and;
    size_t each;
    enum energy_component component;
} events[] = {
#define EVENT(component, name, of, and, help) \
    { #name, of, and, offsetof(struct energy_params, name), ENERGY_##component },
    ENERGY_EVENTS(EVENT)
#undef EVENT
#define CLASS(id, help)               \
    { "lane_" #id, "unit." #id, NULL, \
      offsetof(struct energy_params, lane[CLASS_##id]), ENERGY_units },
        INST_CLASSES(CLASS)
#undef CLASS
};
enum { N_EVENTS = sizeof events / sizeof *events };
_Static_assert(N_EVENTS + N_ENERGY_ACCESS + 3 <= MAX_ENERGY_PARTS,
               "room for all parts");

static void add_part(struct energy *e, enum energy_component component,
                     const char *name, double count, double each)
{
    struct energy_part *p = &e->part[e->n_parts++];

    *p = (struct energy_part){ name, component, count, count * each };
    e->joules += p->joules;
}

static int find_count(const struct energy_input *in, const char *name, double *count,
                      struct err *err)
{
    uint64_t n = 0;

    if (!name)
        return 0;
    if (!stat_find(in->stats, name, &n))
        return err_set(err, "energy: this machine has no statistic %s; expected SMs",
                       name);
    *count += (double)n;
    return 0;
}

static int add_event(struct energy *e, const struct energy_input *in,
                     const struct event *v, struct err *err)
{
    const char *p = (const char *)in->params + v->each;
    double count = 0;

    if (find_count(in, v->of, &count, err) || find_count(in, v->and, &count, err))
        return -1;
    add_part(e, v->component, v->name, count,
             *(const uint32_t *)(const void *)p * FEMTO);
    return 0;
}

/* Registers that an instruction names, at most: three sources and a result. */
enum { NAMES = 4 };

double energy_of_access(const struct energy_params *p, const struct energy_tables *t,
                        enum energy_access a)
{
    const double compared = t->scheme.searched * p->table_search;
    const double both = (double)p->table_write + p->table_read;
    const struct energy_queue *loads = &t->scheme.loads, *stores = &t->scheme.stores;
    const double femto[N_ENERGY_ACCESS] = {
        [ACCESS_insert] = t->scheme.entry * p->table_write,
        [ACCESS_check] = compared + NAMES * t->scheme.indexed * p->table_read,
        [ACCESS_issue] = t->scheme.entry * p->table_read,
        [ACCESS_wake] = compared + t->scheme.indexed * p->table_write,
        [ACCESS_keep] = t->scheme.result * both,
        [ACCESS_load] = loads->entry * both + stores->searched * p->table_search,
        [ACCESS_store] = stores->entry * both + loads->searched * p->table_search,
        [ACCESS_lookup] = t->skip.entry * p->table_read,
        [ACCESS_skip] = t->skip.entry * p->table_write,
    };

    return femto[a] * FEMTO;
}

/* Instructions pass through the window: written once, read once at issue, compared with the
 * others of their warp when they are inserted; a result is compared with all of them, and
 * written and read once if the scheme keeps it. Loads and stores are written to their queue
 * and read once, and compared with the other queue. Scoreboards and alias tables are read
 * for each name, and written by a result. Every instruction is looked up by an eliminator,
 * whether it is skipped or not; a skipped one writes. */
static int add_tables(struct energy *e, const struct energy_input *in, struct err *err)
{
    double in_n = 0, out_n = 0, results = 0, skipped = 0, loads = 0, stores = 0;

    if (find_count(in, "sm.fetched", &in_n, err) ||
        find_count(in, "sm.warp_insts", &out_n, err) ||
        find_count(in, "sm.results", &results, err) ||
        find_count(in, "sm.skipped", &skipped, err) ||
        find_count(in, "sm.loads", &loads, err) ||
        find_count(in, "sm.stores", &stores, err) ||
        find_count(in, "sm.atomics", &stores, err))
        return -1;

    const double times[N_ENERGY_ACCESS] = {
        [ACCESS_insert] = in_n,
        [ACCESS_check] = in_n,
        [ACCESS_issue] = out_n,
        [ACCESS_wake] = results,
        [ACCESS_load] = loads,
        [ACCESS_store] = stores,
        [ACCESS_keep] = results,
        [ACCESS_skip] = skipped,
        [ACCESS_lookup] = in_n + skipped,
    };
#define ACCESS(component, name, help)                            \
    add_part(e, ENERGY_##component, #name, times[ACCESS_##name], \
             energy_of_access(in->params, &in->tables, ACCESS_##name));
    ENERGY_ACCESSES(ACCESS)
#undef ACCESS
    return 0;
}

static int add_rest(struct energy *e, const struct energy_input *in, struct err *err)
{
    const struct energy_params *p = in->params;
    double kernels = 0, sm_cycles = 0;

    if (find_count(in, "gpu.kernels", &kernels, err) ||
        find_count(in, "sm.cycles", &sm_cycles, err))
        return -1;
    e->seconds = in->cycles / in->core_clock;
    add_part(e, ENERGY_launch, "launch", kernels, p->launch * 1e-9);
    add_part(e, ENERGY_active, "active", sm_cycles, p->active * 1e-3 / in->core_clock);
    add_part(e, ENERGY_idle, "idle", in->cycles * in->n_sms,
             p->idle * 1e-3 / in->core_clock);
    return 0;
}

/* Components must add up to the total, which was summed otherwise. */
static int sum_components(struct energy *e, struct err *err)
{
    double sum = 0;

    for (unsigned n = 0; n < e->n_parts; n++)
        e->component[e->part[n].component] += e->part[n].joules;
    for (unsigned c = 0; c < N_ENERGY_COMPONENT; c++)
        sum += e->component[c];
    if (!(fabs(sum - e->joules) <= 1e-9 * e->joules))
        return err_set(err, "energy: components add up to %g J, expected %g J", sum,
                       e->joules);
    return 0;
}

int energy_compute(struct energy *e, const struct energy_input *in, struct err *err)
{
    *e = (struct energy){ 0 };
    for (unsigned n = 0; n < N_EVENTS; n++)
        if (add_event(e, in, &events[n], err))
            return -1;
    if (add_tables(e, in, err) || add_rest(e, in, err))
        return -1;
    return sum_components(e, err);
}

/* Structures that a register's number indexes; all others are searched. */
static const char *const indexed[] = { "scoreboard", "RAT" };

static bool is_indexed(const char *structure)
{
    for (size_t k = 0; k < sizeof indexed / sizeof *indexed; k++)
        if (!strcmp(structure, indexed[k]))
            return true;
    return false;
}

/* Values of lanes. Operands in collectors are energy of `operand`, whatever the collector is
 * called; results are written when they are computed, not when an instruction is inserted. */
static const struct {
    const char *structure, *field; /* structure NULL: any */
    bool is_result;
} data[] = {
    { NULL, "source data", false },
    { "collector unit", "result", true },
    { "RRS", "result", true },
    { "result broadcast", "buffer", true },
};

/* The number of bits of an entry that hold values; adds those of results to the table. */
static double data_bits(const struct cost *c, const struct cost_structure *s,
                        struct energy_table *t)
{
    double bits = 0;

    for (unsigned k = s->first; k < s->end; k++)
        for (size_t d = 0; d < sizeof data / sizeof *data; d++)
            if (!strcmp(c->part[k].field, data[d].field) &&
                (!data[d].structure ||
                 !strcmp(c->part[k].structure, data[d].structure))) {
                bits += c->part[k].bits;
                t->result += data[d].is_result ? c->part[k].bits : 0;
            }
    return bits;
}

/* The queue of loads or of stores that a structure is; NULL: neither. */
static struct energy_queue *queue_of(struct energy_table *t, const char *structure)
{
    return !strcmp(structure, "load queue")    ? &t->loads
           : !strcmp(structure, "store queue") ? &t->stores
                                               : NULL;
}

static void add_structure(struct energy_table *t, const struct cost *c,
                          const struct cost_structure *s, unsigned n_warps)
{
    const char *name = c->part[s->first].structure;
    struct energy_queue *queue = queue_of(t, name);
    double values, searched;

    if (is_indexed(name)) {
        t->indexed += s->entry_bits;
        return;
    }
    values = data_bits(c, s, t);
    searched = n_warps ? ((double)s->bits - values * (double)s->entries) / n_warps : 0;
    *(queue ? &queue->entry : &t->entry) += s->entry_bits - values;
    *(queue ? &queue->searched : &t->searched) += searched;
}

struct energy_table energy_table(const struct cost *c, unsigned n_warps)
{
    struct energy_table t = { 0 };

    for (unsigned n = 0; n < c->n_structures; n++)
        add_structure(&t, c, &c->structure[n], n_warps);
    return t;
}
