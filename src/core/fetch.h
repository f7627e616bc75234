/* fetch.h - state of fetch and decode, and what other stages call (fetch.c). */
#ifndef LENO_CORE_FETCH_H
#define LENO_CORE_FETCH_H

#include "base/err.h"
#include "core/skip.h"
#include "core/uop.h"
#include "core/warpset.h"

struct sm;

/* Instructions of a warp that its front end has executed and fetch has not taken yet.
 * (perf: executing several at a time keeps a warp's registers in the host's caches) */
enum { AHEAD = 8 };
struct ahead {
    uint8_t first, n;
    bool has_ended; /* the stream has given its last instruction */
    uop_id at[AHEAD];
};

enum { NO_LATCH = MAX_WARP_SLOTS };

/* Written by fetch.c; block.c adds warps to `refill`, and sm.c makes the parts. */
struct sm_fetch {
    unsigned latch;  /* warp fetched for and not yet decoded; NO_LATCH: none */
    unsigned last;   /* warp fetched for last */
    bool has_icache; /* false: perfect */
    /* fetch.at_barrier: groups of instructions for which a held warp accesses the
     * cache */
    unsigned code_ahead;
    struct icache *icache;
    struct narrow *narrow;      /* if hazards are switched off; else NULL */
    struct warpset stream_wait; /* warps whose stream waits for other warps */
    struct warpset refill;    /* warps that fetch at once what they could not before */
    struct warpset skip_wait; /* warps whose fetch the eliminator holds back */
    struct warpset passed; /* warps whose next instruction has passed the skip stage */
};

int fetch_tick(struct sm *s, struct err *err);
unsigned fetch_code_ahead(const struct sm *s); /* sm_fetch.code_ahead, once */

/* skip.c, with an eliminator only. */
int skip_tick(struct sm *s, struct err *err); /* the stage in front of fetch */
/* Asks about the warps again that the eliminator has woken. */
void skip_wake_warps(struct sm *s);
/* The stage is to look at the warp's next instruction, if there is anything new. */
void skip_show_warp(struct sm *s, unsigned warp);
/* Asks the eliminator about an instruction: 0, or -1 with the violation in err. */
int skip_ask(struct sm *s, struct uop *u, bool is_fetched, enum skip_verdict *v,
             struct err *err);

/* The window has room: marks the warp as one that can fetch if nothing else blocks
 * it. */
void fetch_open(struct sm *s, unsigned warp);
/* Does its next instruction only wait for fetch, or for the skip stage? */
bool fetch_can_go_on(const struct sm *s, unsigned warp);
/* Sees to it that the warp's next instruction has been executed: 1, there is one; 0, none
 * for now; -1 with err set. */
int fetch_fill_ahead(struct sm *s, unsigned warp, struct err *err);
/* Takes the warp's next executed instruction, of which there is one. */
struct uop *fetch_take_executed(struct sm *s, struct ahead *a);
/* The instruction ends here; another one's result replaces its own. */
void fetch_drop_inst(struct sm *s, struct uop *u);
/* Asks the streams that waited for other warps again: after barriers and exits. */
void fetch_release_streams(struct sm *s);
/* A warp that was held goes on. */
void fetch_go_on(struct sm *s, unsigned warp);
/* An instruction that reads the time issues: its result is known, the warp can go on. */
void fetch_tell_time(struct sm *s, const struct uop *u);

#endif
