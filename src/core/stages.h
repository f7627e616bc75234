/* stages.h - functions that SM stages call in one another (sm fetch issue sched collect
 * ports unit block cause view .c, check/).
 */
#ifndef LENO_CORE_STAGES_H
#define LENO_CORE_STAGES_H

#include "base/cycles.h"
#include "base/invariant.h"
#include "core/known.h"

/* Adds an event of the instruction in this later cycle. */
static inline void wheel_add(struct sm *s, struct uop *u, uint64_t cycle)
{
    unsigned at = (unsigned)(cycle % WHEEL);

    INVARIANT(cycle > s->cycle && cycle - s->cycle < WHEEL);
    u->next_event = s->wheel[at];
    s->wheel[at] = u->id;
    s->wheel_set[at / 64] |= bit64(at % 64);
    s->n_events++;
}

/* cycle.c: brings the entries of an agenda up to date that are set before it sleeps */
void cycle_plan_sleep(const struct sm *s, struct agenda *a);

/* fetch.c */
int fetch_tick(struct sm *s, struct err *err);
void fetch_wake(struct sm *s); /* lets go warps that the skipper held back */
void fetch_open(
    struct sm *s,
    /* the window has room: marks the warp fetchable if nothing else blocks it */
    unsigned warp);
/* Updates whether a warp can fetch. Most often its window has no room. */
static inline void fetch_refresh(struct sm *s, unsigned warp)
{
    if (ops_of(s)->room(s->scheme, warp))
        fetch_open(s, warp);
    else
        wake_no_fetch(&s->wake, warp);
}

/* issue.c */
/* Files a warp, given as a bit, in the mask of its key. */
static inline void subcore_file(struct subcore *c, unsigned key, uint64_t bit)
{
    INVARIANT(key < N_FILED && !(c->filed[key] & bit));
    c->filed[key] |= bit;
    c->keys |= bit64(key);
    c->offering |= key >= FILED_OFFER ? bit : 0;
}
void issue_forget(struct sm *s,
                  unsigned warp); /* the warp is gone and offers nothing */
int issue_tick(struct sm *s, struct err *err);
void issue_account(struct sm *s,
                   uint64_t cycle); /* accounts for slots up to this cycle */
void issue_rest(struct sm *s);      /* nothing is left: idle from the next cycle on */

/* cause.c: the stall reason of a warp that offers nothing */
enum stall cause_of_offer(const struct sm *s, const struct offer *o);

/* sched.c: the warp that issues, of those that could; both as bits of the sub-core. */
unsigned sched_pick(struct sm *s, struct subcore *c, uint64_t able);

/* collect.c: operands through collectors; the alternative is in ports.h */
int collect_issue(struct sm *s, struct subcore *c, struct warp *w, struct uop *u,
                  struct err *err);
int collect_taken(struct sm *s, struct subcore *c,
                  struct err *err); /* the LSU took one */
int collect_tick(struct sm *s,
                 struct err *err); /* pipe_order: instructions that wait in latches */
uint64_t collect_next(const struct sm *s,
                      const struct subcore *c); /* the next cycle to call it */
/* Queues a read after step `entry`; returns the step in which it is served. */
uint64_t collect_read(struct sm *s, struct subcore *c, const struct uop *u,
                      unsigned reg, uint64_t entry);
/* An instruction leaves in this step, for its unit or for the LSU. */
void collect_unit(struct sm *s, struct subcore *c, struct uop *u, uint64_t leave);
void collect_lsu(struct sm *s, struct subcore *c, uop_id id, uint64_t issued,
                 uint64_t leave);

/* station.c: collectors as reservation stations */
int station_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err);
int station_tick(struct sm *s, struct err *err);

/* unit.c */
/* Completes an instruction whose result is known at issue. */
int unit_reuse(struct sm *s, struct warp *w, struct uop *u, struct err *err);
int unit_tick(struct sm *s, struct err *err);
/* The SM does nothing before this cycle: the LSU runs alone, up to one in which the SM
 * must act. */
void unit_sleep(struct sm *s, uint64_t end);
int uop_stages(struct sm *s, struct uop *u, struct err *err);
/* Schedules the next event of an issued instruction: usually its result. */
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

/* check/check.c: 0, or -1 with the violation in err */
/* With renaming: the word that contains the bit of a version, bit version % 64. */
static inline struct version_bits *check_version_bits(const struct sm *s, unsigned warp,
                                                      uint16_t version)
{
    return &s->versions[warp * VERSION_WORDS + version / 64];
}
void check_fetched(struct sm *s, struct warp *w, struct uop *u);
void check_dropped(struct sm *s, struct uop *u); /* counts as written at once */
int check_version(struct sm *s, struct warp *w, struct uop *u, struct err *err);
/* Checks the registers of an instruction that issues. As long as the instructions of a
 * warp issue in program order, and only when all registers they name are written,
 * nothing can go wrong, and a set is enough to see that. From the first one that does
 * not, its warp goes by versions. */
static inline int check_issued(struct sm *s, struct warp *w, struct uop *u,
                               struct err *err)
{
    struct pending *p = &s->pending[u->warp];

    if (w->by_version || u->dyn.seq != w->n_named ||
        regset_meets(&u->dyn.inst->touches, &p->all)) {
        if (check_version(s, w, u, err))
            return -1;
    } else {
        w->n_named++;
    }
    if (!s->scheme->renames)
        pending_issued(p, &u->dyn);
    if (!has_stations(s))
        u->issued_low = (uint16_t)s->cycle;
    return 0;
}
/* reg: a register read before it was forwarded, or N_REGID. */
int check_forwarded(struct sm *s, const struct uop *u, unsigned reg, struct err *err);
int check_written(struct sm *s, struct warp *w, struct uop *u, struct err *err);
/* Stations: checks that sources are where the scheme takes them from, and that results
 * are in the register file. */
int check_captured(struct sm *s, const struct uop *u, struct err *err);
void check_filed(struct sm *s, const struct uop *u);
/* The point at which a memory operation reaches memory, or a fence or barrier takes
 * effect. Operations that the LSU does not see (a texture in a unit of its own) do so
 * when they leave for their unit. */
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

/* check/skip.c: claims of an eliminator; 0, or -1 with the violation in err */
int check_skip_new(struct sm *s, struct err *err);
/* Call these before and after asking the eliminator about an instruction. */
void check_skip_ask(struct sm *s, const struct uop *u);
int check_skip_said(struct sm *s, const struct uop *u, enum skip_verdict v,
                    struct err *err);

/* check/violation.c: reports of violations of program order; all return -1 */
/* Notes that an instruction issues now. */
static inline void violation_note(const struct sm *s, struct warp *w,
                                  const struct uop *u)
{
    w->note[u->dyn.seq % ISSUE_NOTES] =
        (struct issue_note){ u->dyn.inst, (uint32_t)u->dyn.seq, (uint32_t)s->cycle };
}
#define VIOLATION_NOBODY UINT64_MAX
struct violation {
    const char *kind;    /* "RAW", "WAR", "WAW", "memory order" */
    const struct uop *u; /* the offending instruction ... */
    uint64_t other;      /* ... and the number of the one it conflicts with */
    const char *rest;    /* text after that one, e.g. " has written it"; may be NULL */
    bool at_issue;       /* u issues in this cycle */
};
/* does: text between the two, e.g. "reads R4 before". */
int violation_report(const struct sm *s, const struct violation *v, struct err *err,
                     const char *does, ...) __attribute__((format(printf, 4, 5)));
/* Reports a wrong verdict of an eliminator, "drop" or "reuse". */
int violation_of_skip(const struct sm *s, const struct uop *u, const char *verdict,
                      const char *what, struct err *err);
/* "#7 at 0x70 `IADD3 ...`"; i NULL: only its number is known. */
void violation_put_code(const struct sm *s, const struct inst *i, uint64_t seq,
                        struct buf *out);
/* The same with "(issued in cycle 12)", as far as it is known. */
void violation_put_inst(const struct sm *s, unsigned warp, uint64_t seq,
                        struct buf *out);
/* The youngest writer of a register before u, if it is recent; else
 * VIOLATION_NOBODY. */
uint64_t violation_last_writer(const struct sm *s, const struct uop *u, unsigned reg);

/* view.c: tells the pipeline view; does nothing without one */
void view_stage(struct sm *s, const struct uop *u, enum trace_stage stage);
void view_wait(struct sm *s, unsigned warp, enum stall cause);
void view_retire(struct sm *s, const struct uop *u);
void view_warps(struct sm *s); /* the number of warps has changed */

#endif
