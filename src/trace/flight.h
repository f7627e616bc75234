/* flight.h - the instructions in flight, as the views keep them: by key, for as long as
 * they live. Memory is bounded by the machine's size, not by the length of the run,
 * except for one small record per warp.
 *
 * A view shows an instruction from the moment at which it is in flight inside the
 * window of cycles: when it is first reported, or, if already in flight, when the
 * window opens. Once shown it is followed to its end, even after the window.
 */
#ifndef LENO_TRACE_FLIGHT_H
#define LENO_TRACE_FLIGHT_H

#include "base/buf.h"
#include "trace/trace.h"

enum { FLIGHT_CAUSE = 40, FLIGHT_RING = 256, FLIGHT_ROWS = 64 };

struct flight {
    bool live;
    bool wanted; /* its warp and number are in the window; the cycle aside */
    bool shown;
    uint64_t kernel, block, seq;
    uint32_t warp_of;
    uint16_t sm, warp;
    uint32_t mask;
    uint8_t space;
    /* Of the instruction: at the end of a run that was stopped, its code is gone. */
    uint8_t class;
    uint64_t pc;             /* from the beginning of its kernel's code */
    const struct inst *inst; /* while it is in flight */
    const struct kernel *source;
    uint64_t serial; /* order of first appearance */
    size_t track;    /* its warp, in flights.tracks */
    /* the last stage that began; N_TRACE_STAGE: none yet */
    uint8_t stage;
    unsigned seen;                 /* stages that began, as bits */
    uint64_t began[N_TRACE_STAGE]; /* cycles, of those in seen */
    char cause[FLIGHT_CAUSE];      /* why it waits; "": it does not */

    uint64_t id;                 /* Konata: the instruction's number in the file */
    uint64_t since;              /* cycle in which the view began to show it */
    bool dirty;                  /* Konata: stage or cause changed in this cycle */
    uint8_t drawn;               /* Konata: stage that is open in the file */
    char overlaid[FLIGHT_CAUSE]; /* Konata: cause that is open in the file */
    uint64_t producer;           /* Konata: last arrow drawn; UINT64_MAX: none */
    unsigned row;                /* Perfetto: of its warp */
    char name[32];               /* Perfetto: its opcode */
};

/* One warp of the run that the window wants. */
struct track {
    uint64_t kernel, block;
    uint32_t warp_of;
    uint64_t count; /* its instructions so far: highest number + 1 */
};

/* An instruction that was shown, perhaps long ago: the source of an arrow. */
struct shown {
    uint64_t seq, id;
    size_t track;
};

/* The warp in a warp slot of an SM, and the view's state of the slot. */
struct resident {
    bool used;
    size_t track;
    struct shown *ring; /* Konata: the last ones shown, by seq % FLIGHT_RING */
    uint64_t *free_at;  /* Perfetto: cycle from which a row is free */
    unsigned named;     /* Perfetto: rows that have a name in the file */
};

struct resident_sm {
    struct resident *warps;
    size_t n;
    bool named; /* Perfetto */
};

struct flights {
    struct flight *slot; /* by key */
    size_t n_slots;
    struct track *tracks;
    size_t n_tracks, cap_tracks;
    struct resident_sm *sms;
    size_t n_sms;
    uint64_t serial;
    bool opened; /* the window of cycles has begun */
};

/* The instruction, new or known; NULL if the view does not want its warp. A new one is
 * not shown yet. A key that names another instruction than before is taken over: the
 * old one never ends. */
struct flight *flight_at(struct flights *f, const struct trace *t,
                         const struct trace_inst *i, uint64_t cycle);

/* A stage begins or repeats: true if it differs from the one before. */
bool flight_enter(struct flight *fl, enum trace_stage stage, uint64_t cycle);

/* Sets why it waits; NULL or "": it does not. */
void flight_wait(struct flight *fl, const char *cause);

/* The warp slot of an instruction; it stays where it is until the next new one. */
struct resident *flight_resident(struct flights *f, unsigned sm, unsigned warp);

/* The keys of the instructions in flight that are wanted and not shown yet, in order of
 * appearance, for the opening of the window; the caller frees them. */
uint32_t *flight_waiting(const struct flights *f, size_t *n);

void flight_free(struct flights *f);

/* Memory or the end of the program, as with struct buf. */
void *flight_grow(void *array, size_t from, size_t to, size_t size);

/* The instruction's text, in visible ASCII without backslashes, tabs and quotes. */
void flight_text(const struct flight *fl, struct buf *out);
void flight_clean(struct buf *out, const char *text);

#endif
