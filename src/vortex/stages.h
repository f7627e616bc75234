/* stages.h - the steps of a Vortex core's stages, and the two models that take them.
 *
 * A step does one thing in the cycle k->cycle, or in a cycle it is given; whether it can be
 * done then is for the model to ask: plain.c in every cycle, ahead.c when there may be
 * something to do.
 */
#ifndef LENO_VORTEX_STAGES_H
#define LENO_VORTEX_STAGES_H

#include "vortex/state.h"

/* Before the definition of a step that is taken for every instruction (perf: gcc inlines it
 * into ahead.c at link time, 2 % of a run; clang warns of static helpers in such steps). */
#ifdef __clang__
#define VX_STEP
#else
#define VX_STEP inline
#endif

/* plain.c, ahead.c: one cycle */
__attribute__((cold)) void vx_plain_tick(struct vx_core *k, uint64_t cycle);
void vx_ahead_tick(struct vx_core *k, uint64_t cycle);

/* ahead.c */
void vx_ahead_reset(struct vx_core *k);
/* Commits of earlier cycles, up to that one, that have been put off. */
void vx_ahead_catch_up(struct vx_core *k, uint64_t cycle);
/* An instruction that would be staged now goes to its unit, if nothing can hold it up. */
bool vx_ahead_go_straight(struct vx_core *k, struct uop *u);
/* Lookups of this cycle or later that have been made already. */
unsigned vx_ahead_lookups(const struct vx_core *k, uint64_t cycle);
/* When the next instruction can be decoded, as far as is known; not before it comes
 * there. */
uint64_t vx_ahead_decode_at(const struct vx_core *k);

/* core.c: the start of a cycle; the issue stage, whose slot is charged */
void vx_core_begin_cycle(struct vx_core *k, uint64_t cycle);
void vx_core_issue(struct vx_core *k);

/* sleep.c */
/* The next cycle in which ahead.c has something to do, after one without progress; NEVER,
 * or later: no source names one. */
uint64_t vx_core_next(const struct vx_core *k);
void vx_core_print_agenda(const struct vx_core *k, struct buf *out); /* a line */
/* The cycles before that one, in which nothing moves, are like the last. */
void vx_core_sleep(struct vx_core *k, uint64_t cycle);

/* fetch.c */
void vx_fetch_wake_warps(struct vx_core *k); /* those that are ready by now */
/* The lowest-numbered warp that is ready fetches. NULL: none does, or an error. */
struct uop *vx_fetch_schedule(struct vx_core *k);
/* The cache looks up the next request, unless its queue and last stage are taken. */
void vx_fetch_look_up(struct vx_core *k);
bool vx_fetch_is_stalled(const struct vx_core *k, uint64_t cycle);
/* The first instruction that came goes to the issue stage; false: that has no room. */
bool vx_decode_insert(struct vx_core *k);
/* Cycles that the instruction at decode has waited there and that are not counted. */
uint64_t vx_decode_waited(const struct vx_core *k);
void vx_warp_set_ready(struct vx_core *k, unsigned warp, uint64_t cycle);
void vx_retire_uop(struct vx_core *k, struct uop *u);
/* The SFU executes an instruction that reads a counter: its value is known now. */
void vx_fetch_tell_time(struct vx_core *k, const struct uop *u);

/* control.c: what warp control does, in the cycle in which it takes effect */
void vx_control_execute(struct vx_core *k, struct uop *u, uint64_t cycle);

/* unit.c */
void vx_unit_reset(struct vx_core *k);
/* The staging register, after the operands, takes an instruction in this cycle. */
static inline bool vx_stage_is_free(const struct vx_core *k)
{
    return k->dispatch.stage.free_at <= k->cycle; /* not before it is empty */
}
void vx_stage_push(struct vx_core *k, struct uop *u);
/* To the unit's dispatch buffer, or a stall is counted. */
void vx_stage_dispatch(struct vx_core *k);
uint64_t *vx_stage_stalls(struct vx_core *k); /* the counter of what is staged */
/* The unit can take what is in its dispatch buffer; it does. */
bool vx_unit_accepts(const struct vx_core *k, unsigned ex);
void vx_unit_take(struct vx_core *k, unsigned ex);
/* ALU or FPU start it in that cycle, this one or a later one. */
void vx_unit_start(struct vx_core *k, const struct uop *u, uint64_t cycle);
/* Whose packet is next in that cycle, units taking turns; N_VX_EX: there is none. */
unsigned vx_commit_choose(const struct vx_core *k, uint64_t cycle);
void vx_commit_packet(struct vx_core *k, unsigned ex, uint64_t cycle);
/* The issue stage hears of the commit, if there is one, that it is to see now. */
void vx_commit_settle(struct vx_core *k);

/* A packet is at the commit stage in that cycle, before or after others of its unit. */
static inline void vx_commit_add_by(struct vx_core *k, enum vx_ex ex, uop_id uop,
                                    uint64_t at, bool goes_first)
{
    vx_queue_add_by(&k->commit.out[ex], uop, at, goes_first);
    k->commit.out_at = earlier(k->commit.out_at, at);
    k->commit.settle_at = earlier(k->commit.settle_at, at + VX_SETTLE);
}

static inline void vx_commit_add(struct vx_core *k, enum vx_ex ex, uop_id uop,
                                 uint64_t at)
{
    vx_commit_add_by(k, ex, uop, at, false);
}

/* lsu.c */
void vx_lsu_reset(struct vx_core *k);
/* All but stores are answered. */
static inline bool vx_lsu_answers(const struct inst *i)
{
    return i->memory & (INST_READS | INST_ORDERS);
}
/* Packets find a place before commit. */
static inline bool vx_lsu_has_place(const struct vx_core *k)
{
    return k->commit.out[VX_LSU].n < VX_LSU_PLACES;
}
void vx_lsu_answer(struct vx_core *k); /* the next answer becomes a packet */
/* The cache is offered the words that the coalescer has sent. */
void vx_lsu_access(struct vx_core *k);
/* The coalescer can send, an entry being free and memory having room; it does. */
bool vx_lsu_can_send(const struct vx_core *k);
void vx_lsu_send(struct vx_core *k);
/* The instruction comes to the memory scheduler a cycle after that one; it is taken. */
void vx_lsu_start(struct vx_core *k, const struct uop *u, uint64_t cycle);
void vx_lsu_take(struct vx_core *k);

/* memory.c: requests at a cache's bus in that cycle; their makers hear of answers */
void vx_icache_read(struct vx_core *k, uint32_t addr, uop_id what, uint64_t cycle);
/* Whether a read in a cycle to come is sure to hit: no line is on its way. */
uint64_t vx_icache_free(const struct vx_core *k); /* a fetch can be looked up */
bool vx_icache_will_hit(const struct vx_core *k, uint32_t addr);
/* The bank of an address takes a request from this cycle on. */
uint64_t vx_dcache_free(const struct vx_core *k, uint32_t addr);
void vx_dcache_read(struct vx_core *k, uint32_t addr, uint32_t what, uint64_t cycle);
void vx_dcache_write(struct vx_core *k, uint32_t addr, uint64_t cycle);
void vx_io_read(struct vx_core *k, uint32_t addr, uint32_t what, uint64_t cycle);
void vx_io_write(struct vx_core *k, uint32_t addr, uint64_t cycle);
/* An instruction is at decode, a word of a batch at the LSU, in that cycle. */
void vx_fetch_arrived(struct vx_core *k, uop_id id, uint64_t cycle);
void vx_lsu_answered(struct vx_core *k, uint32_t batch, uint64_t cycle);

#endif
