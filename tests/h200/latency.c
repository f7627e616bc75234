/* latency.c - chains of dependent instructions: fixed latencies as the smallest stall
 * count that still reads the right value, variable ones through barriers.
 */
#include <string.h>

#include "rig.h"
#include "rows.h"

/* The smallest stall of `first` with which `second`, which reads or overwrites its result,
 * is right: below it the check of versions stops the run. */
static double smallest_stall(struct rig *rig, const char *first, const char *second)
{
    for (unsigned stall = 1; stall < 16; stall++) {
        struct program p;
        char text[200];
        uint64_t cycles;

        snprintf(text, sizeof text, "%s s%u;%s s15", first, stall, second);
        program_make(&p, text, 8);
        cycles =
            rig_run(rig, &p, &(struct run){ .warps = 1, .trips = 3, .may_fail = true });
        program_free(&p);
        if (cycles)
            return stall;
        /* A run that failed leaves its SM in the middle of things. */
        gpu_free(rig->gpu);
        rig->gpu = gpu_new(rig->machine, &rig->err);
    }
    return 99;
}

/* A wide product's halves, a double's predicate, and two writes of one register: measured
 * by tools/hw/hazards.py. */
#define WIDE "imul_wide d8:2 a44 b45 c42:2"
static const struct {
    const char *name, *first, *second;
    double stall;
} pairs[] = {
    { "IADD3 to IMAD.WIDE, a", "int d44 a40", WIDE, 5 },
    { "IADD3 to IMAD.WIDE, b", "int d45 a40", WIDE, 5 },
    { "IADD3 to IMAD.WIDE, lower half of c", "int d42 a40", WIDE, 5 },
    { "IADD3 to IMAD.WIDE, upper half of c", "int d43 a40", WIDE, 3 },
    { "IMAD to IMAD.WIDE, a", "imul d44 a40", WIDE, 4 },
    { "IMAD to IMAD.WIDE, lower half of c", "imul d42 a40", WIDE, 4 },
    { "IMAD to IMAD.WIDE, upper half of c", "imul d43 a40", WIDE, 1 },
    { "FADD to IMAD.WIDE, lower half of c", "fp32 d42 a40", WIDE, 4 },
    { "DADD to IMAD.WIDE, c", "fp64 d42:2 a40:2", WIDE, 8 },
    { "IMAD.WIDE, lower half, to IADD3", WIDE, "int d20 a8", 3 },
    { "IMAD.WIDE, upper half, to IADD3", WIDE, "int d20 a9", 5 },
    { "IMAD.WIDE, lower half, to IMAD", WIDE, "imul d20 a8", 1 },
    { "IMAD.WIDE, upper half, to IMAD", WIDE, "imul d20 a9", 4 },
    { "IMAD.WIDE, upper half, to FADD", WIDE, "fp32 d20 a9", 4 },
    { "IMAD.WIDE to IMAD.WIDE, c", WIDE, "imul_wide d20:2 a40 b41 c8:2", 1 },
    { "DSETP to SEL", "fp64 P0 a40:2", "int d20 p0", 6 },
    { "DSETP to BRA", "fp64 P0 a40:2", "branch p0", 14 },
    { "IADD3, then IMAD to its register", "int d8 a40", "imul d8 a44", 1 },
    { "IMAD.WIDE, then IADD3 to its lower half", WIDE, "int d8 a40", 1 },
    { "IMAD.WIDE, then IADD3 to its upper half", WIDE, "int d9 a40", 1 },
    { "DADD, then IADD3 to its register", "fp64 d8:2 a40:2", "int d8 a44", 2 },
    { "DADD, then IMAD.WIDE to its register", "fp64 d8:2 a40:2", WIDE, 2 },
    { "DADD, then DADD to its register", "fp64 d8:2 a40:2", "fp64 d8:2 a42:2", 1 },
    { "HFMA2.MMA, then IMAD to its register", "half_mma d8 a40", "imul d8 a44", 2 },
    { "UIADD3, then UMOV to its register", "uniform U8", "uniform_move U8", 6 },
};

static void rows_pairs(struct report *r, struct rig *rig)
{
    for (unsigned k = 0; k < sizeof pairs / sizeof *pairs; k++)
        row_add(r,
                ROW("3.1 Smallest legal stall", ROW_EXACT, pairs[k].stall,
                    smallest_stall(rig, pairs[k].first, pairs[k].second)),
                "%s", pairs[k].name);
}

void rows_fixed(struct report *r)
{
    static const char *const names[] = { "FFMA",  "IMAD",      "IADD3",
                                         "HFMA2", "HFMA2.MMA", "DFMA" };
    static const char *const text[] = { "fp32 d8 a40",     "imul d8 a40",
                                        "int d8 a40",      "half d8 a40",
                                        "half_mma d8 a40", "fp64 d8:2 a40:2" };
    static const char *const readers[] = { "fp32 d20 @",     "imul d20 @",
                                           "int d20 @",      "half d20 @",
                                           "half_mma d20 @", "fp64 d20:2 @" };
    static const double measured[6][7] = {
        { 4, 4, 5, 5, 6, 6, 4 }, { 4, 4, 5, 5, 6, 6, 4 }, { 5, 5, 4, 5, 6, 6, 4 },
        { 5, 5, 5, 4, 6, 6, 4 }, { 8, 8, 8, 8, 8, 8, 6 }, { 8, 8, 8, 8, 8, 8, 6 },
    };
    struct rig *rig = rig_new(1, NULL, 0);

    for (unsigned p = 0; p < 6; p++) {
        for (unsigned c = 0; c < 6; c++)
            row_add(r,
                    ROW("3.1 Smallest legal stall", ROW_EXACT, measured[p][c],
                        smallest_stall(rig, text[p], readers[c])),
                    "%s to %s", names[p], names[c]);
        row_add(r,
                ROW("3.1 Smallest legal stall", ROW_EXACT, measured[p][6],
                    smallest_stall(rig, text[p], "sfu d20 @")),
                "%s to MUFU", names[p]);
    }
    row_add(r,
            ROW("3.1 Smallest legal stall", ROW_EXACT, 4,
                smallest_stall(rig, "uniform U8", "uniform U9 @")),
            "UIADD3 to UIADD3");
    row_add(r,
            ROW("3.1 Smallest legal stall", ROW_EXACT, 6,
                smallest_stall(rig, "uniform U8", "int d20 @")),
            "UIADD3 to IADD3");
    row_add(r,
            ROW("3.1 Smallest legal stall", ROW_EXACT, 4,
                smallest_stall(rig, "vote d8 a40", "int d20 @")),
            "VOTE to IADD3");
    row_add(r,
            ROW("3.1 Smallest legal stall", ROW_EXACT, 4,
                smallest_stall(rig, "int P0 a40", "int d20 @")),
            "ISETP to SEL");
    row_add(r,
            ROW("3.1 Smallest legal stall", ROW_EXACT, 13,
                smallest_stall(rig, "int P0 a40", "branch @")),
            "ISETP to BRA");
    rows_pairs(r, rig);
    rig_free(rig);
}

struct chain {
    const char *name, *text;
    double cycles;
};

void rows_latency(struct report *r)
{
    static const struct chain chains[] = {
        { "IMAD.WIDE through a (stall 5)", "imul_wide d8:2 a8 c10:2 s5", 7 },
        { "IMAD.WIDE through c (stall 2)", "imul_wide d8:2 a12 c8:2 s2", 4 },
        { "IMAD.HI (stall 6)", "imul_wide d8 a8 s6", 9 },
        { "MUFU", "sfu d8 b8 s2 w0 q0", 17 },
        { "POPC, FLO, F2I", "conv d8 b8 s2 w0 q0", 17 },
        { "FCHK to SEL (26) and back (4)", "sfu P0 a8 s2 w0;int d8 p0 q0 s4", 30 },
        { "F2F.F32.F64", "conv d8 b8:2 s2 w0 q0", 18 },
        { "S2R", "sreg d8 s2 w0 q0", 22 },
        { "SHFL.BFLY", "shuffle d8 a8 s2 w0 q0", 24 },
        { "SHFL.IDX", "shuffle d8 a8 b9 s2 w0 q0", 26 },
        { "DMMA.8x8x4", "tensor_fp64 d8:4 a12:2 b14 c8:4 s2 w0 q0", 26 },
        { "LDC, hit", "ldc const n4 d8 a8 s2 w0 q0", 28 },
        { "LDC, second level", "ldc const n4 z64 m16384 d8 a8 s2 w0 q0", 98 },
        { "LDS.32", "load shared n4 x4 d8 a8 s2 w0 q0", 23 },
        { "LDS.32 broadcast", "load shared n4 d8 a8 s2 w0 q0", 23 },
        { "LDS.32 2-way", "load shared n4 x8 d8 a8 s2 w0 q0", 25 },
        { "LDS.32 4-way", "load shared n4 x16 d8 a8 s2 w0 q0", 29 },
        { "LDS.32 8-way", "load shared n4 x32 d8 a8 s2 w0 q0", 37 },
        { "LDS.32 16-way", "load shared n4 x64 d8 a8 s2 w0 q0", 53 },
        { "LDS.32 32-way", "load shared n4 x128 d8 a8 s2 w0 q0", 85 },
        { "LDS.64", "load shared n8 x8 d8:2 a8 s2 w0 q0", 25 },
        { "LDS.128", "load shared n16 x16 d8:4 a8 s2 w0 q0", 29 },
        { "ATOMS.OR, data RZ", "atomic shared n4 x4 d8 a8 s2 w0 q0", 23 },
        { "ATOMS.OR, data RZ, 2-way", "atomic shared n4 x8 d8 a8 s2 w0 q0", 25 },
        { "ATOMS.OR, data RZ, one word", "atomic shared n4 d8 a8 s2 w0 q0", 85 },
        { "ATOMS.ADD", "atomic shared n4 x4 d8 a8 b9 s2 w0 q0", 26 },
        { "ATOMS.ADD, 2-way", "atomic shared n4 x8 d8 a8 b9 s2 w0 q0", 28 },
        { "ATOMS.ADD, one word", "atomic shared n4 d8 a8 b9 s2 w0 q0", 88 },
        { "LDG.64, L1 hit, one lane", "load global n8 k1 d8:2 a8:2 s2 w0 q0", 32 },
        { "LDG.64, L1 hit, 8 B a lane", "load global n8 x8 d8:2 a8:2 s2 w0 q0", 34 },
        { "LDG.64, L1 hit, 16 B a lane", "load global n8 x16 d8:2 a8:2 s2 w0 q0", 38 },
        { "LDG.64, L1 hit, 32 B a lane", "load global n8 x32 d8:2 a8:2 s2 w0 q0", 47 },
        { "LDG.64, L1 hit, 64 B a lane", "load global n8 x64 d8:2 a8:2 s2 w0 q0", 65 },
        { "LDG.64, L1 hit, 128 B a lane", "load global n8 x128 d8:2 a8:2 s2 w0 q0",
          101 },
        { "MEMBAR.SC.CTA, nothing outstanding", "fence r0 q0 s6", 8 },
        { "MEMBAR.SC.GPU, ERRBAR, CGAERRBAR, CCTL.IVALL",
          "fence n1 s6; fence s0; fence s8; fence s8", 265 },
        { "MEMBAR.SC.SYS, the same after it",
          "fence n2 s6; fence s0; fence s8; fence s8", 1034 },
    };
    struct rig *rig = rig_new(1, NULL, 0);

    for (unsigned k = 0; k < sizeof chains / sizeof *chains; k++)
        row_add(r,
                ROW("3.2 Variable latency", ROW_CYCLES, chains[k].cycles,
                    rig_pace(rig, chains[k].text)),
                "%s", chains[k].name);
    rig_free(rig);
}

/* BAR.SYNC of so many warps, one after another. */
static double barrier(struct rig *rig, unsigned warps)
{
    struct program p;
    size_t first;

    program_make(&p, "barrier s5", 32);
    rig_run(rig, &p, &(struct run){ .warps = warps, .trips = 3, .watch = true });
    first = 2 * p.n + 8;
    program_free(&p);
    return (double)(rig->issued[0][first + 16] - rig->issued[0][first]) / 16;
}

#define FADD4  "fp32 d8 a8 b9 s4;fp32 d8 a8 b9 s4;fp32 d8 a8 b9 s4;fp32 d8 a8 b9 s4"
#define FADD16 FADD4 ";" FADD4 ";" FADD4 ";" FADD4

void rows_control(struct report *r)
{
    static const struct chain lines[] = {
        { "BRA taken, 1 ahead", "branch jump1 s5", 10 },
        { "BRA taken, 3 ahead", "branch jump2 s5", 10 },
        { "BRA not taken (stall 1)", "branch s1", 1 },
        { "BRA not taken (stall 5)", "branch s5", 5 },
        { "IADD3, ISETP, BRA taken", "int d8 a8 s5;int P0 a8 s13;branch p0 jump3 s5",
          28 },
        { "BSSY, BSYNC", "branch s4;branch still s5", 17 },
        { "WARPSYNC", "branch s5", 5 },
    };
    static const double bar[] = { 14, 16, 20, 28, 44, 75 };
    struct rig *rig = rig_new(1, NULL, 0);

    for (unsigned k = 0; k < sizeof lines / sizeof *lines; k++)
        row_add(r,
                ROW("3.3 Control flow", ROW_CYCLES, lines[k].cycles,
                    rig_pace(rig, lines[k].text)),
                "%s", lines[k].name);
    row_add(r,
            ROW("3.3 Control flow", ROW_RATE, 94,
                rig_pace(rig, "branch s4;branch s5;" FADD16
                              ";branch jump16 s5;branch still s5")),
            "if, else of 16 FADD: all one way");
    row_add(r,
            ROW("3.3 Control flow", ROW_RATE, 1.4,
                rig_rate(rig, "branch jump1 s5", 32, 96)),
            "BRA taken, 32 warps, per cycle");
    for (unsigned k = 0; k < 6; k++)
        row_add(r, ROW("3.3 Control flow", ROW_CYCLES, bar[k], barrier(rig, 1u << k)),
                "BAR.SYNC, %u warps", 1u << k);
    rig_free(rig);
}
