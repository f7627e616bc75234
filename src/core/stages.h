/* stages.h - what the stages of an SM call of each other (sm fetch issue sched collect
 * ports unit block cause check check_skip violation view .c).
 */
#ifndef LENO_CORE_STAGES_H
#define LENO_CORE_STAGES_H

#include "base/cycles.h"
#include "base/invariant.h"
#include "core/known.h"

/* Events: the instruction has one in this later cycle. */
static inline void wheel_add(struct sm *s, struct uop *u, uint64_t cycle)
{
    unsigned at = (unsigned)(cycle % WHEEL);

    INVARIANT(cycle > s->cycle && cycle - s->cycle < WHEEL);
    u->next_event = s->wheel[at];
    s->wheel[at] = u->id;
    s->wheel_set[at / 64] |= bit64(at % 64);
    s->n_events++;
}

/* fetch.c */
int fetch_tick(struct sm *s, struct err *err);
void fetch_wake(struct sm *s); /* warps that the skipper held back and lets go */
void fetch_open(struct sm *s,
                unsigned warp); /* there is room: may it be fetched for? */
/* May a warp be fetched for now? Most often there is no room. */
static inline void fetch_refresh(struct sm *s, unsigned warp)
{
    if (ops_of(s)->room(s->scheme, warp))
        fetch_open(s, warp);
    else
        warpset_drop(&s->fetchable, warp);
}

/* issue.c */
/* A warp, as a bit, into the mask of its key. */
static inline void subcore_file(struct subcore *c, unsigned key, uint64_t bit)
{
    INVARIANT(key < N_FILED && !(c->filed[key] & bit));
    c->filed[key] |= bit;
    c->keys |= bit64(key);
    c->offering |= key >= FILED_OFFER ? bit : 0;
}
void issue_forget(struct sm *s, unsigned warp); /* it is gone and offers nothing */
int issue_tick(struct sm *s, struct err *err);
void issue_account(struct sm *s, uint64_t cycle); /* slots up to this cycle */
void issue_rest(struct sm *s); /* nothing is left: idle from the next cycle on */

/* cause.c: what a cycle in which a warp offers nothing is charged to */
enum stall cause_of_offer(const struct sm *s, const struct offer *o);

/* sched.c: which of the warps that could issue does; both as bits of the sub-core. */
unsigned sched_pick(struct sm *s, struct subcore *c, uint64_t able);

/* collect.c: operands; the other way is in ports.h */
int collect_issue(struct sm *s, struct subcore *c, struct warp *w, struct uop *u,
                  struct err *err);
int collect_taken(struct sm *s, struct subcore *c, struct err *err); /* by the LSU */
int collect_tick(struct sm *s, struct err *err); /* pipe_order: those that wait */
uint64_t collect_next(const struct sm *s, const struct subcore *c); /* when to ask */
/* A read behind step `entry`: the step in which it is served. */
uint64_t collect_read(struct sm *s, struct subcore *c, const struct uop *u,
                      unsigned reg, uint64_t entry);
/* An instruction that leaves in this step, for its unit or for the LSU. */
void collect_unit(struct sm *s, struct subcore *c, struct uop *u, uint64_t leave);
void collect_lsu(struct sm *s, struct subcore *c, uop_id id, uint64_t issued,
                 uint64_t leave);

/* station.c: collectors as reservation stations */
int station_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err);
int station_tick(struct sm *s, struct err *err);

/* unit.c */
/* An instruction whose result is known as it issues. */
int unit_reuse(struct sm *s, struct warp *w, struct uop *u, struct err *err);
int unit_tick(struct sm *s, struct err *err);
/* The SM does nothing before this cycle: the LSU alone, the cycle in which it matters. */
uint64_t unit_sleep(struct sm *s, uint64_t end);
int uop_stages(struct sm *s, struct uop *u, struct err *err);
/* Waits for the next thing that happens to an issued instruction: mostly its result. */
static inline int uop_phase(struct sm *s, struct uop *u, uint64_t done, struct err *err)
{
    if (!s->is_plain)
        return uop_stages(s, u, err);
    u->stage = UOP_READ;
    if (u->pipe == PIPE_mem)
        return 0;
    u->stage = UOP_WRITE;
    wheel_add(s, u, done);
    return 0;
}
int writeback_tick(struct sm *s, struct err *err);

/* block.c */
void block_arrive(struct sm *s, struct uop *u);
void block_exit(struct sm *s, unsigned warp);
void warp_check_done(struct sm *s, unsigned warp);
void warp_settle(struct sm *s, unsigned warp); /* a fence or atomic may be satisfied */
void warp_timer(struct sm *s, uint64_t cycle, unsigned warp);

/* check/check.c: 0, or -1 with the violation in err */
/* With renaming: the word with the bit of a version, which is version % 64. */
static inline struct version_bits *check_version_bits(const struct sm *s, unsigned warp,
                                                      uint16_t version)
{
    return &s->versions[warp * VERSION_WORDS + version / 64];
}
void check_fetched(struct sm *s, struct warp *w, struct uop *u);
void check_dropped(struct sm *s, struct uop *u); /* as if written at once */
int check_version(struct sm *s, struct warp *w, struct uop *u, struct err *err);
/* The registers of an instruction that issues. While those of its warp do so in program
 * order, and only when all that they name is written, nothing can go wrong and a set is
 * enough to see it. From the first on that does not, its warp goes by versions. */
static inline int check_issued(struct sm *s, struct warp *w, struct uop *u,
                               struct err *err)
{
    const struct inst *i = u->dyn.inst;

    if (w->by_version || u->dyn.seq != w->n_named ||
        regset_meets(&i->touches, &w->unwritten))
        return check_version(s, w, u, err);
    regset_join(&w->unwritten, &i->writes);
    w->n_named++;
    return 0;
}
/* reg: read before it was forwarded; N_REGID: none. */
int check_forwarded(struct sm *s, const struct uop *u, unsigned reg, struct err *err);
int check_written(struct sm *s, struct warp *w, struct uop *u, struct err *err);
/* Stations: sources are where the scheme takes them from; results are in the file. */
int check_captured(struct sm *s, const struct uop *u, struct err *err);
void check_filed(struct sm *s, const struct uop *u);
/* A memory operation reaches memory, or a fence or barrier takes effect, at one of these
 * places: what the LSU does not see, a texture in a unit of its own, as it leaves for its
 * unit. */
enum performed { PERFORMED_AT_ISSUE, PERFORMED_AT_DISPATCH, PERFORMED_BY_LSU };
static inline bool check_is_performed_in(const struct sm *s, const struct uop *u,
                                         enum performed place)
{
    const struct inst *i = u->dyn.inst;

    if (!i->memory)
        return false;
    if (inst_orders_memory(i))
        return place == PERFORMED_AT_ISSUE;
    if (u->pipe == PIPE_mem)
        return place == PERFORMED_BY_LSU;
    return place == (has_stations(s) ? PERFORMED_AT_DISPATCH : PERFORMED_AT_ISSUE);
}
int check_performed(struct sm *s, struct uop *u, struct err *err);

/* check/skip.c: what an eliminator says; 0, or -1 with what is wrong in err */
int check_skip_new(struct sm *s, struct err *err);
/* Before and after the eliminator is asked about an instruction. */
void check_skip_ask(struct sm *s, const struct uop *u);
int check_skip_said(struct sm *s, const struct uop *u, enum skip_verdict v,
                    struct err *err);

/* check/violation.c: what is said of one that broke program order; all return -1 */
/* It issues now. */
static inline void violation_note(const struct sm *s, struct warp *w,
                                  const struct uop *u)
{
    w->note[u->dyn.seq % ISSUE_NOTES] =
        (struct issue_note){ u->dyn.inst, (uint32_t)u->dyn.seq, (uint32_t)s->cycle };
}
#define VIOLATION_NOBODY UINT64_MAX
struct violation {
    const char *kind;    /* "RAW", "WAR", "WAW", "memory order" */
    const struct uop *u; /* the one that is wrong ... */
    uint64_t other;      /* ... and the number of the one it must heed */
    const char *rest;    /* after that one, e.g. " has written it"; may be NULL */
};
/* does: between the two, e.g. "reads R4 before". */
int violation_report(const struct sm *s, const struct violation *v, struct err *err,
                     const char *does, ...) __attribute__((format(printf, 4, 5)));
/* The same of an eliminator's verdict, "drop" or "reuse". */
int violation_of_skip(const struct sm *s, const struct uop *u, const char *verdict,
                      const char *what, struct err *err);
/* "#7 at 0x70 `IADD3 ...`"; i NULL: only its number is known. */
void violation_put_code(const struct sm *s, const struct inst *i, uint64_t seq,
                        struct buf *out);
/* The same, and "(issued in cycle 12)", as far as it is known. */
void violation_put_inst(const struct sm *s, unsigned warp, uint64_t seq,
                        struct buf *out);
/* The youngest writer of a register before u, if it is not long ago; VIOLATION_NOBODY. */
uint64_t violation_last_writer(const struct sm *s, const struct uop *u, unsigned reg);

/* view.c: what a pipeline view is told; nothing when nobody listens */
void view_stage(struct sm *s, const struct uop *u, enum trace_stage stage);
void view_wait(struct sm *s, unsigned warp, enum stall cause);
void view_retire(struct sm *s, const struct uop *u);
void view_warps(struct sm *s); /* their number has changed */

#endif
