/* pipes.c - units and issue, register banks: streams of one warp in which nothing but
 * the named thing limits.
 */
#include "rig.h"
#include "rows.h"

/* FFMA and the like with every source the same register. */
#define FFMA  "fp32 d8 a40 b40 c40"
#define IADD3 "int d10 a40 b40 c40"
#define IMAD  "imul d12 a40 b40 c40"
#define HFMA2 "half d14 a40 b40 c40"
#define HMMA2 "half_mma d16 a40 b40 c40"
#define DFMA  "fp64 d18:2 a40:2 b40:2 c40:2"
#define UIADD "uniform U8 u4"
#define WIDE  "imul_wide d20:2 a40 b40"

struct line {
    const char *name, *text;
    double cycles; /* of all instructions of the text together */
};

static void add(struct report *r, struct rig *rig, const char *section,
                const struct line *l)
{
    row_add(r, ROW(section, ROW_RATE, l->cycles, rig_pace(rig, l->text)), "%s",
            l->name);
}

#define LDS      "load shared n4 x4 a40 s1 w0"
#define SIX(one) one ";" one ";" one ";" one ";" one ";" one

/* Queues before units: how instructions of a burst are spaced. */
static void queues(struct report *r, struct rig *rig)
{
    static const char *const section = "5 Queues before the units";
    const uint64_t *at = rig->issued[0];
    struct program p;
    size_t first, k;

    program_make(&p, "none s15;none s15;sfu d22 b40;sfu d23 b40;sfu d24 b40", 5);
    rig_run(rig, &p, &(struct run){ .warps = 1, .trips = 3, .watch = true });
    first = 2 * p.n + 2;
    program_free(&p);
    row_add(r, ROW(section, ROW_CYCLES, 1, (double)(at[first + 1] - at[first])),
            "MUFU, from the first to the second of a burst");
    row_add(r, ROW(section, ROW_CYCLES, 8, (double)(at[first + 2] - at[first])),
            "MUFU, from the first to the third");

    /* All sub-cores busy: LDS go at one in 2 cycles until the queue is full. */
    program_make(
        &p, "barrier s5;" SIX("none s15") ";" SIX("none s15") ";" SIX(SIX(LDS)), 49);
    rig_run(rig, &p, &(struct run){ .warps = 4, .trips = 3, .watch = true });
    first = 2 * p.n + 13;
    for (k = first; at[k + 1] - at[k] <= 2;)
        k++;
    program_free(&p);
    row_add(r, ROW(section, ROW_CYCLES, 17.5, (double)(k - first + 1)),
            "LDS of a sub-core before it is throttled to 1 in 4 cycles");
}

void rows_pipes(struct report *r)
{
    static const struct line lines[] = {
        { "FFMA", FFMA, 1 },
        { "IADD3", IADD3, 2 },
        { "IMAD", IMAD, 2 },
        { "HFMA2", HFMA2, 2 },
        { "HFMA2.MMA", HMMA2, 2 },
        { "DFMA", DFMA, 2 },
        { "UIADD3", UIADD, 2 },
        { "MUFU", "sfu d22 b40", 8 },
        { "POPC, F2I", "conv d22 b40", 8 },
        { "F2F.F64.F32, I2F.F64", "conv d22:2 b40", 8 },
        { "F2F.F32.F64, F2I.F64", "conv d22 b40:2", 9 },
        { "HMMA.16816", "tensor d24:4 a40:4 b40:2 c40:4", 6 },
        { "HMMA.1688", "tensor_small d24:4 a40:2 b40 c40:4", 4 },
        { "DMMA.8x8x4", "tensor_fp64 d24:4 a40:2 b40:2 c40:4", 16 },
        { "IMAD.WIDE", WIDE, 4 },
        { "NOP", "none", 1 },
        { "S2R", "sreg d26", 8 },
        { "LDS, one sub-core", "load shared n4 x4 d28 a40 w0", 2 },
        { "STS, one sub-core", "store shared n4 x4 a40 b41 r0", 4 },
        { "FFMA IADD3", FFMA ";" IADD3, 2 },
        { "FFMA IMAD", FFMA ";" IMAD, 2 },
        { "IADD3 IMAD", IADD3 ";" IMAD, 2 },
        { "FFMA HFMA2.MMA", FFMA ";" HMMA2, 2 },
        { "DFMA FFMA", DFMA ";" FFMA, 2 },
        { "DFMA IADD3", DFMA ";" IADD3, 2 },
        { "UIADD3 FFMA", UIADD ";" FFMA, 2 },
        { "UIADD3 IADD3", UIADD ";" IADD3, 2 },
        { "IADD3 LOP3", IADD3 ";" IADD3, 4 },
        { "IADD3 VOTE", IADD3 ";vote d22 a40", 4 },
        { "IMAD VIADD", IMAD ";" IMAD, 4 },
        { "DFMA HFMA2.MMA", DFMA ";" HMMA2, 4 },
        { "FFMA HFMA2", FFMA ";" HFMA2, 4 },
        { "IMAD HFMA2", IMAD ";" HFMA2, 4 },
        { "FFMA FFMA IMAD", FFMA ";" FFMA ";" IMAD, 4 },
        { "FFMA FFMA FFMA IMAD", FFMA ";" FFMA ";" FFMA ";" IMAD, 4 },
        { "FFMA FFMA HFMA2", FFMA ";" FFMA ";" HFMA2, 5 },
        { "IMAD.WIDE IADD3", WIDE ";" IADD3, 5 },
        { "IMAD.WIDE FFMA FFMA FFMA", WIDE ";" FFMA ";" FFMA ";" FFMA, 7 },
    };
    struct rig *rig = rig_new(1, NULL, 0);

    for (unsigned k = 0; k < sizeof lines / sizeof *lines; k++)
        add(r, rig, "2 Pipes: cycles of the sequence, one warp", &lines[k]);
    queues(r, rig);
    rig_free(rig);
}

void rows_banks(struct report *r)
{
    static const struct line lines[] = {
        { "FFMA 40,40,40", FFMA, 1 },
        { "FFMA 40,41,42", "fp32 d8 a40 b41 c42", 2 },
        { "FFMA 40,42,41", "fp32 d8 a40 b42 c41", 2 },
        { "FFMA 40,40,42", "fp32 d8 a40 b40 c42", 2 },
        { "FFMA 40,RZ,42", "fp32 d8 a40 c42", 2 },
        { "FADD 40,42", "fp32 d8 a40 b42", 2 },
        { "FFMA 40,42,44", "fp32 d8 a40 b42 c44", 3 },
        { "FFMA 41,43,45", "fp32 d8 a41 b43 c45", 3 },
        { "FFMA 40,44,48", "fp32 d8 a40 b44 c48", 3 },
        { "FFMA 40,42,44 reuse a", "fp32 d8 A40 b42 c44", 2 },
        { "FFMA 40,42,44 reuse b", "fp32 d8 a40 B42 c44", 2 },
        { "FFMA 40,42,44 reuse c", "fp32 d8 a40 b42 C44", 2 },
        { "FFMA 40,42,44 reuse a, b", "fp32 d8 A40 B42 c44", 1 },
        { "FFMA even x 3, IADD3 odd x 3 (two)",
          "fp32 d8 a40 b42 c44;int d10 a41 b43 c45", 3 },
        { "FFMA 40,41,42, FADD 40,41 (two)", "fp32 d8 a40 b41 c42;fp32 d9 a40 b41", 3 },
        { "FFMA 40,41,42, CS2R (two)", "fp32 d8 a40 b41 c42;int d10", 2 },
        { "FFMA 40,41,42, UIADD3 (two)", "fp32 d8 a40 b41 c42;" UIADD, 2 },
        { "IADD3 40,42,44", "int d8 a40 b42 c44", 3 },
        { "IMAD 40,42,44", "imul d8 a40 b42 c44", 3 },
        { "DFMA 40,42,44", "fp64 d8:2 a40:2 b42:2 c44:2", 3 },
    };
    struct rig *rig = rig_new(1, NULL, 0);

    for (unsigned k = 0; k < sizeof lines / sizeof *lines; k++)
        add(r, rig, "2.1 Register banks: cycles of the sequence, one warp", &lines[k]);
    rig_free(rig);
}
