/* ghost.h - parameters, statistics, state and hooks that ghost and ghost.precise share;
 * the hooks are in ghost.c.
 */
#ifndef LENO_SCHEME_GHOST_H
#define LENO_SCHEME_GHOST_H

#include <stddef.h>

#include "core/scheme.h"

enum {
    GHOST_MAX_ENTRIES = 64,
    GHOST_MAX_BUFFER = 64,
    GHOST_ITAB = 2,       /* instructions of a warp that the warp scheduler is shown */
    GHOST_MAX_LOADS = 16, /* precise: largest value of the load counters */
};

#define GHOST_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(entries, 8, 1, GHOST_MAX_ENTRIES, "inst", "issue buffer (IsB) per warp")     \
    NUM(buffer, 4, 1, GHOST_MAX_BUFFER, "inst",                                      \
        "instruction buffer (IB) per warp, before the checkers")                     \
    ENUM(refill, 0, "empty|room",                                                    \
         "when the IB is refilled: once empty, or whenever it has room")             \
    NUM(checkers, 4, 1, 64, "", "dependence checkers per scheduler")                 \
    BOOL(fallback, true,                                                             \
         "a warp with nothing in the ITab offers the oldest instruction in its IsB") \
    NUM(countdown, 0, 0, 64, "cycle",                                                \
        "artifact: 2; in place of checkers, instructions wait this long at the "     \
        "head of the IB")                                                            \
    BOOL(rar, false, "artifact: common sources are dependences too")                 \
    BOOL(stores_pass, false,                                                         \
         "artifact: stores pass older loads (here only those that they do not "      \
         "overlap)")                                                                 \
    BOOL(release_at_issue, false,                                                    \
         "artifact: instructions after a branch may issue once the branch has "      \
         "issued")
struct ghost_params {
    GHOST_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
enum { GHOST_REFILL_EMPTY, GHOST_REFILL_ROOM };

#define GHOST_STATS(STAT)                                                          \
    STAT(from_itab, "warp inst", "", "instructions issued from the ITab")          \
    STAT(from_fallback, "warp inst", "",                                           \
         "instructions issued as the oldest of a warp that had none in the ITab")  \
    STAT(early_loads, "warp inst", "", "loads issued before an older load")        \
    STAT(early_branches, "warp inst", "",                                          \
         "branches issued before an older instruction")                            \
    STAT(isb_cycles, "inst cycle", "",                                             \
         "cycles that instructions spent in the IsB, summed")                      \
    STAT(isb_full, "warp inst", "", "instructions that found the IsB full")        \
    STAT(sync_waits, "warp inst", "",                                              \
         "sync instructions that waited for an empty IsB")                         \
    STAT(picks, "pick", "", "warps that the GhOST scheduler looked at")            \
    STAT(picks_ready, "warp inst", "", "instructions it found ready in their IsB") \
    STAT(picks_placed, "warp inst", "", "of these, placed in the ITab")            \
    STAT(dependent, "warp inst", "",                                               \
         "instructions that depended on an older one in the IsB")                  \
    STAT(stores_held, "warp inst", "",                                             \
         "stores_pass: stores that overlapped an older load")                      \
    STAT(precise_waits, "warp inst", "",                                           \
         "precise: instructions that waited only for the translation of older "    \
         "loads")
struct ghost_stats {
    GHOST_STATS(STAT_FIELD)
};

/* One instruction in the IsB. (perf: a host cache line, found by a shift) */
struct ghost_entry {
    _Alignas(SCHEME_ALIGN) const struct inst *regs; /* of its uop */
    /* IB-dep: places of the older instructions in the IsB that it waits for ... */
    uint64_t dep;
    uint64_t waiters; /* ... and of the younger ones that wait for it */
    uint64_t branch;  /* number + 1 of the branch it waits for; 0: valid */
    uint32_t since;   /* cycle in which it entered, which differs within a warp */
    uop_id uop;
    uint8_t loads; /* precise: InstLoadCounter, older loads not yet translated */
    bool was_held; /* precise: already counted in precise_waits */
};

/* A warp. Sets of places in the IsB are bits. (perf: one host cache line, but for the
 * entries) */
struct ghost_warp {
    _Alignas(SCHEME_ALIGN) uint64_t used; /* places in use ... */
    uint64_t open; /* ... of these, that wait for no other and no branch, ... */
    /* ... of these, that a pick found ready, which they stay until they issue, ... */
    uint64_t ready;
    uint64_t itab; /* ... and of these, the ones in the ITab */
    /* youngest unresolved branch that has reached the IsB, as in ghost_entry */
    uint64_t branch;
    uint64_t checked_at; /* first cycle in which it may leave the checker: ... */
    uop_id checking;     /* ... the instruction in a checker */
    uop_id ib_first;     /* the IB is the rest of the warp's window, from this one on */
    uint8_t ib_n;        /* instructions in the IB */
    uint8_t oldest;      /* place of the oldest in the IsB, if there are any */
    uint8_t loads;       /* precise: LoadCounter */
    bool control;        /* a sync instruction is in the IsB and keeps others out */
    bool was_counted;    /* the IB's oldest has been counted as waiting */
    struct ghost_entry entry[GHOST_MAX_ENTRIES];
};
_Static_assert(offsetof(struct ghost_warp, entry) == SCHEME_ALIGN, "one line");

/* State that the warps of one scheduler share. Its warps are bits (shape_bit()). (perf: a
 * host cache line) */
struct ghost_sub {
    /* something in the IB that nothing is known to hold there */
    _Alignas(SCHEME_ALIGN) uint64_t waiting;
    uint64_t checking; /* an instruction in a checker */
    uint64_t wwb;      /* WWb: results were written since the last pick */
    uint64_t ite;      /* ITE: room in the ITab, and new instructions to pick from */
    uint64_t picked;   /* warp whose ITab changes in the next cycle; 0: none */
    uint64_t pick;     /* places of the instructions picked last */
    uint8_t last_checked, last_picked; /* bits, for taking turns */
    uint8_t n_picks;                   /* counts round (for tests) */
    uint8_t index;
};
_Static_assert(sizeof(struct ghost_sub) == SCHEME_ALIGN, "one line");

struct ghost {
    struct scheme base;
    struct ghost_sub sub[MAX_SUBCORES];
    struct ghost_warp warp[];
};

int ghost_init(struct scheme *s, struct err *err);
int ghost_init_precise(struct scheme *s, struct err *err);
unsigned ghost_room(const struct scheme *s, unsigned warp);
void ghost_insert(struct scheme *s, struct uop *u);
struct offer ghost_candidate(struct scheme *s, unsigned warp);
void ghost_issued(struct scheme *s, struct uop *u);
void ghost_written_back(struct scheme *s, struct uop *u);
void ghost_warp_start(struct scheme *s, unsigned warp);
void ghost_resolved(struct scheme *s, struct uop *u);
void ghost_checked(struct scheme *s, struct uop *u);
void ghost_tick(struct scheme *s, uint64_t cycle);
void ghost_warp_end(struct scheme *s, unsigned warp);
void ghost_dump(const struct scheme *s, unsigned warp, struct buf *out);
unsigned ghost_window(const void *params);

/* Is it ghost.precise? */
static inline bool is_precise(const struct ghost *g)
{
    return SCHEME_OPS(&g->base)->init == ghost_init_precise;
}

/* The fields of the scheme_ops table that both schemes have in common. */
#define GHOST_HOOKS                                                             \
    .state_size = sizeof(struct ghost), .warp_size = sizeof(struct ghost_warp), \
    .room = ghost_room, .insert = ghost_insert, .candidate = ghost_candidate,   \
    .issued = ghost_issued, .written_back = ghost_written_back,                 \
    .warp_start = ghost_warp_start, .resolved = ghost_resolved,                 \
    .checked = ghost_checked, .tick = ghost_tick, .warp_end = ghost_warp_end,   \
    .dump = ghost_dump, .window = ghost_window

#endif
