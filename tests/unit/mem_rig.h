/* mem_rig.h - load/store units and their memory, driven by hand.
 *
 * Stands in for the pipeline of an SM: an instruction issued in cycle t reaches its
 * load/store unit at t + 3 or, when that takes none, later; the next instruction of a
 * chain issues in the cycle in which the result is written. Ticks come in the order of
 * the simulator: memory, then the units.
 */
#ifndef LENO_TESTS_MEM_RIG_H
#define LENO_TESTS_MEM_RIG_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/lsu/lsu.h"
#include "core/lsu/params.h"
#include "core/lsu/stats.h"
#include "mem/memory.h"
#include "mem/memory_stats.h"
#include "mem/params.h"

enum { RIG_SMS = 64, RIG_UOPS = 512 };

struct rig {
    struct memory_params mp;
    struct lsu_config lc;
    unsigned n_sms;
    uint64_t grid_blocks; /* of the kernel */
    unsigned lead;        /* cycles that memory works ahead; 0: none */
    bool is_plain;        /* units go cycle by cycle */
    bool skips;           /* jumps over cycles in which nothing can happen */
    uint64_t stop;        /* but not over this one */
    struct memory *memory;
    struct lsu *lsu[RIG_SMS];
    struct uop *pool[RIG_SMS];
    struct inst inst[8];
    uint64_t cycle;
    uint32_t n_result, n_done;
    uint64_t result_at[RIG_SMS][RIG_UOPS], done_at[RIG_SMS][RIG_UOPS];
    uint8_t busy[RIG_SMS][RIG_UOPS];
};

enum rig_op { RIG_LOAD, RIG_STORE, RIG_ATOMIC, RIG_RED, RIG_LOAD_CG };

static inline void rig_fill(const struct param_group *g, void *values)
{
    for (size_t i = 0; i < g->n_rows; i++) {
        const struct param_desc *d = &g->rows[i];
        unsigned char *at = (unsigned char *)values + d->offset;
        bool flag = d->def != 0;

        if (d->type == PARAM_TYPE_BOOL)
            memcpy(at, &flag, sizeof flag);
        else
            memcpy(at, &d->def, sizeof d->def);
    }
}

static inline void rig_defaults(struct rig *r, unsigned n_sms)
{
    memset(r, 0, sizeof *r);
    r->n_sms = n_sms;
    r->grid_blocks = 100;
    r->stop = UINT64_MAX - 1;
    rig_fill(&l2_param_group, &r->mp.l2);
    rig_fill(&dram_param_group, &r->mp.dram);
    rig_fill(&icnt_param_group, &r->mp.icnt);
    rig_fill(&tlb_param_group, &r->mp.tlb);
    rig_fill(&l1_param_group, &r->lc.l1);
    rig_fill(&shared_param_group, &r->lc.shared);
    rig_fill(&lsu_param_group, &r->lc.lsu);
    rig_fill(&const_param_group, &r->lc.constant);
}

static inline struct memory_params rig_memory(void)
{
    struct rig r;

    rig_defaults(&r, 1);
    return r.mp;
}

/* A kernel of blocks of 2 warps, 4 per SM, that need so much shared memory in all. */
static inline void rig_kernel_start(struct rig *r, unsigned sm, uint32_t shared)
{
    lsu_kernel_start(r->lsu[sm], &(struct lsu_kernel){ .shared = shared,
                                                       .block_warps = 2,
                                                       .blocks = 4,
                                                       .n_blocks = r->grid_blocks });
}

static inline void rig_build(struct rig *r)
{
    static const uint8_t classes[] = { CLASS_load, CLASS_store, CLASS_atomic,
                                       CLASS_atomic, CLASS_load };
    struct err err = { 0 };

    r->memory = memory_new(&r->mp, r->n_sms, &err);
    assert_string_equal(err.text, "");
    assert_non_null(r->memory);
    if (r->lead)
        assert_int_equal(memory_set_lead(r->memory, r->lead, 32, &err), 0);
    for (unsigned op = 0; op < 5; op++) {
        r->inst[op].class = classes[op];
        r->inst[op].memory = inst_class_memory((enum inst_class)classes[op]);
        r->inst[op].n_dst = op != RIG_STORE && op != RIG_RED;
        r->inst[op].flags = op == RIG_LOAD_CG ? INST_BYPASS_L1 : 0;
    }
    for (unsigned s = 0; s < r->n_sms; s++) {
        r->pool[s] = lines_alloc(RIG_UOPS * sizeof *r->pool[s]);
        for (unsigned i = 0; i < RIG_UOPS; i++)
            r->pool[s][i].id = (uop_id)i;
        r->lsu[s] = (r->is_plain ? lsu_new_plain : lsu_new)(&r->lc, s, r->pool[s],
                                                            r->memory, &err);
        assert_string_equal(err.text, "");
        rig_kernel_start(r, s, 0);
    }
    r->cycle = 1;
}

static inline void rig_free(struct rig *r)
{
    for (unsigned s = 0; s < r->n_sms; s++) {
        lsu_free(r->lsu[s]);
        free(r->pool[s]);
    }
    memory_free(r->memory);
}

/* Prepares an instruction; lane l's address is base + l * stride. */
static inline struct uop *rig_uop(struct rig *r, unsigned sm, enum rig_op op,
                                  uint8_t space, uint64_t base, int64_t stride)
{
    struct uop *u = NULL;

    for (unsigned i = 0; i < RIG_UOPS && !u; i++)
        if (!r->busy[sm][i])
            u = &r->pool[sm][i];
    if (!u)
        return NULL;
    u->dyn.inst = &r->inst[op];
    r->inst[op].bytes = r->inst[op].bytes ? r->inst[op].bytes : 4;
    u->dyn.space = space;
    u->dyn.mask = u->dyn.active = UINT32_MAX;
    addresses_set_line(&u->dyn.addr, base, stride);
    return u;
}

static inline void rig_take(struct rig *r, unsigned sm, struct uop *u)
{
    r->busy[sm][u->id] = 1;
    lsu_take(r->lsu[sm], u, r->cycle);
}

/* The execute stage of all SMs, for one cycle. */
static inline void rig_tick_lsus(struct rig *r)
{
    struct lsu_event e;

    for (unsigned s = 0; s < r->n_sms; s++) {
        lsu_tick(r->lsu[s], r->cycle);
        while (lsu_event(r->lsu[s], &e)) {
            assert_int_equal(r->busy[s][e.uop] & 1, 1);
            if (e.has_result) {
                r->result_at[s][e.uop] = r->cycle;
                r->n_result++;
            }
            if (e.kind == LSU_DONE) {
                r->done_at[s][e.uop] = r->cycle;
                r->busy[s][e.uop] = 0;
                r->n_done++;
            }
        }
    }
}

static inline void rig_tick(struct rig *r)
{
    memory_tick(r->memory, r->cycle);
    rig_tick_lsus(r);
}

/* On to the next cycle, or to the next in which something can happen. */
static inline void rig_step(struct rig *r)
{
    uint64_t next = memory_next(r->memory);

    for (unsigned s = 0; r->skips && s < r->n_sms; s++) {
        uint64_t at = lsu_run(r->lsu[s], 0, true);

        next = at < next ? at : next;
    }
    if (r->skips && next > r->cycle + 1 && next <= r->stop)
        r->cycle = next;
    else
        r->cycle++;
    rig_tick(r);
}

static inline bool rig_is_idle(const struct rig *r)
{
    for (unsigned s = 0; s < r->n_sms; s++)
        if (!lsu_is_idle(r->lsu[s]))
            return false;
    return memory_next(r->memory) == UINT64_MAX;
}

static inline void rig_drain(struct rig *r, uint64_t limit)
{
    uint64_t end = r->cycle + limit;

    while (!rig_is_idle(r) && r->cycle < end)
        rig_step(r);
    assert_true(rig_is_idle(r));
}

/* A chain of dependent instructions on one SM: cycles from issue to issue, averaged
 * over the last n of them after `warm` others. */
struct chain {
    enum rig_op op;
    uint8_t space;
    uint64_t stride;     /* from one to the next */
    int64_t lane_stride; /* from lane to lane */
    unsigned warm, n;
};
static inline double rig_chain(struct rig *r, const struct chain *c)
{
    uint64_t start = 0, issue = r->cycle, base = 0x7f0000000000;

    for (unsigned i = 0; i < c->warm + c->n; i++) {
        struct uop *u;
        unsigned id;

        if (i == c->warm)
            start = issue;
        while (r->cycle < issue + 3 || !lsu_can_take(r->lsu[0]))
            rig_step(r);
        u = rig_uop(r, 0, c->op, c->space, base + i * c->stride, c->lane_stride);
        id = u->id;
        r->done_at[0][id] = 0;
        rig_take(r, 0, u);
        while (!r->done_at[0][id])
            rig_step(r);
        issue = r->done_at[0][id];
    }
    return (double)(issue - start) / c->n;
}

#endif
