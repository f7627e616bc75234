/* rig.h - hand-made instruction streams on the h200 machine, and what they took.
 *
 * A program is a text of instructions, separated by ';', one word a fact:
 *
 *   fp32 d8 a40 b41 C42 s1      class; destination R8; sources of slots a, b, c, a
 *                               capital letter with the reuse flag; stall 1
 *   fp64 d8:2 a40:2             wide operands
 *   e8                          a destination that nobody looks at
 *   w0 r1 q02                   sets barrier 0 with its result, 1 when its sources are
 *                               read; waits for barriers 0 and 2
 *   y                           asks to yield
 *   P0 p0, U4 u4                a predicate, a uniform register, written and read
 *   @                           reads what the instruction before it has written
 *   jump3                       a taken branch over three instructions
 *   still                       meets its sides: BSYNC
 *   global shared const local   memory space; n8: bytes a lane; x128: bytes between
 *                               lanes; z4096: between
 *                               instructions of a warp; o64: from the start;
 *                               v4096: between warps; m65536: modulo; cg: not in L1;
 *                               k1: lanes that take part
 *
 * The text is repeated to a body, the body runs a number of times, closed by a taken
 * branch. No data: only timing.
 */
#ifndef LENO_TESTS_H200_RIG_H
#define LENO_TESTS_H200_RIG_H

#include "isa/stream.h"
#include "sim/gpu.h"

enum { RIG_WARPS = 64, RIG_SEQ = 8192 };

/* Where a memory instruction's lanes go. */
struct place {
    uint64_t offset, lane, step, warp, modulo;
};

struct step {
    struct inst inst;
    struct place place;
    uint32_t gap;   /* instructions skipped behind it */
    uint32_t lanes; /* that take part; 0: all */
};

struct program {
    struct step *step;
    size_t n, room;
    unsigned pattern; /* instructions of the text */
};

struct rig {
    struct machine *machine;
    struct gpu *gpu;
    struct trace *trace;
    struct err err;
    uint64_t issued[RIG_WARPS][RIG_SEQ]; /* cycles, by warp of block 0 */
    uint64_t base;                       /* of addresses */
};

/* SMs: 0 = all, with the whole memory side in any case. */
struct rig *rig_new(unsigned sms, const char *const *settings, unsigned n_settings);
/* The same with a scheme, or NULL: control without its interlock. */
struct rig *rig_new_scheme(unsigned sms, const char *scheme,
                           const char *const *settings, unsigned n_settings);
void rig_free(struct rig *r);

/* body: instructions the text is repeated to, at least. */
void program_make(struct program *p, const char *text, unsigned body);
void program_free(struct program *p);

struct run {
    unsigned warps;  /* of a block */
    unsigned blocks; /* 0: 1 */
    unsigned trips;  /* of the body */
    unsigned shared; /* bytes of shared memory of a block */
    bool watch;      /* fill rig->issued */
    bool may_fail;   /* a violation is an answer */
};
/* Cycles it took; 0 and rig->err set if it failed and may. */
uint64_t rig_run(struct rig *r, const struct program *p, const struct run *run);

/* Cycles from one repetition of the text to the next, steady state, one warp. */
double rig_pace(struct rig *r, const char *text);
/* Instructions a cycle over all warps, steady state; body as long as it says. */
double rig_rate(struct rig *r, const char *text, unsigned warps, unsigned body);

#endif
