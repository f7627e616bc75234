/* memory.c - latencies and bandwidths of L1, L2 and DRAM. */
#include "rig.h"
#include "rows.h"

/* Cycles of a chain's step, averaged over the whole run: addresses differ throughout. */
static double chase(struct rig *rig, const char *text)
{
    struct program p;
    size_t last;
    double pace;

    program_make(&p, text, 96);
    rig_run(rig, &p, &(struct run){ .warps = 1, .trips = 8, .watch = true });
    last = 8 * p.n - 1;
    pace = (double)(rig->issued[0][last] - rig->issued[0][0]) / (double)last;
    program_free(&p);
    return pace;
}

static void latencies(struct report *r)
{
    static const char *const section = "6 Memory: latency";
    static const char *const load = "load global n4 k1 z1152 d8 a8:2 s2 w0 q0";
    struct rig *rig = rig_new(1, NULL, 0);
    double far;

    row_add(r, ROW(section, ROW_RATE, 685, chase(rig, load)), "LDG, DRAM, mean");
    row_add(r, ROW(section, ROW_RATE, 280, chase(rig, load)), "LDG, L2, mean");
    /* Runs of 4 KB have their home near and far in turn; the first is near. */
    rig->base += 1 << 30;
    chase(rig, "load global n4 k1 z128 m8192 d8 a8:2 s2 w0 q0");
    row_add(r,
            ROW(section, ROW_RATE, 303,
                chase(rig, "atomic global n4 k1 z128 m4096 d8 a8:2 b10 s2 w0 q0")),
            "ATOMG, 1 lane, near");
    row_add(r,
            ROW(section, ROW_RATE, 324,
                chase(rig, "atomic global n4 x4 z128 m4096 d8 a8:2 b10 s2 w0 q0")),
            "ATOMG, 32 lanes in one line, near");
    row_add(r,
            ROW(section, ROW_RATE, 379,
                chase(rig, "atomic global n4 d8 a8:2 b10 s2 w0 q0")),
            "ATOMG, 32 lanes on one word, near");
    row_add(r,
            ROW(section, ROW_RATE, 376,
                chase(rig, "atomic global n4 x128 d8 a8:2 b10 s2 w0 q0")),
            "ATOMG, 32 lines, near");
    far = chase(rig, "atomic global n4 k1 o4096 d8 a8:2 b10 s2 w0 q0");
    row_add(r, ROW(section, ROW_RATE, 303 + 195, far), "ATOMG, 1 lane, far");
    rig_free(rig);
}

/* Streams name no destination: their results come back in any order.
 *
 * Warp instructions per cycle and SM, or cycles of one: two runs of the same kind, one
 * longer. New addresses for each when cold. */
struct stream_run {
    const char *text;
    unsigned sms, warps, blocks; /* warps of a block */
    unsigned few, many;          /* trips of a body */
    bool is_cold;
    unsigned body; /* instructions */
};

static double cycles_each(struct rig *rig, const struct stream_run *s)
{
    struct run run = { .warps = s->warps, .blocks = s->blocks, .trips = s->many };
    unsigned body = s->body;
    struct program p;
    uint64_t some, more;

    program_make(&p, s->text, body);
    if (!s->is_cold)
        rig_run(rig, &p, &run);
    run.trips = s->few;
    some = rig_run(rig, &p, &run);
    rig->base += s->is_cold ? (uint64_t)4 << 30 : 0;
    run.trips = s->many;
    more = rig_run(rig, &p, &run);
    program_free(&p);
    return (double)(more - some) * s->sms /
           ((s->many - s->few) * (double)body * s->warps * s->blocks);
}

static void l1_rates(struct report *r)
{
    static const struct {
        unsigned stride;
        double cycles;
    } strides[] = { { 4, 1 }, { 8, 2 }, { 16, 4 }, { 32, 8 }, { 64, 16 }, { 128, 32 } };
    struct stream_run s = { NULL, 1, 32, 1, 4, 12, false, 16 };
    struct rig *rig = rig_new(1, NULL, 0);
    char text[100];

    s.text = text;
    for (unsigned k = 0; k < 6; k++) {
        snprintf(text, sizeof text, "load global n4 x%u a40:2 s2 w0",
                 strides[k].stride);
        row_add(r,
                ROW("6.1 L1: cycles of a load, one SM", ROW_RATE, strides[k].cycles,
                    cycles_each(rig, &s)),
                "LDG.32, %u B a lane", strides[k].stride);
    }
    s.text = "load global n8 x8 a40:2 s2 w0";
    row_add(r,
            ROW("6.1 L1: cycles of a load, one SM", ROW_RATE, 2, cycles_each(rig, &s)),
            "LDG.64");
    s.text = "load global n16 x16 a40:2 s2 w0";
    row_add(r,
            ROW("6.1 L1: cycles of a load, one SM", ROW_RATE, 4, cycles_each(rig, &s)),
            "LDG.128");
    rig_free(rig);
}

static void shared_rates(struct report *r)
{
    static const struct {
        const char *name, *text;
        double cycles;
    } widths[] = { { "LDS.32", "load shared n4 x4 a40 s2 w0", 1 },
                   { "LDS.64", "load shared n8 x8 a40 s2 w0", 2 },
                   { "LDS.128", "load shared n16 x16 a40 s2 w0", 4 } };
    struct stream_run s = { NULL, 1, 32, 1, 4, 12, false, 16 };
    struct rig *rig = rig_new(1, NULL, 0);

    for (unsigned k = 0; k < 3; k++) {
        s.text = widths[k].text;
        row_add(r,
                ROW("6.7 Shared memory: cycles of a load, one SM", ROW_RATE,
                    widths[k].cycles, cycles_each(rig, &s)),
                "%s", widths[k].name);
    }
    rig_free(rig);
}

/* L1 hits of a chain over so many KB, read twice: the average of the second time. */
static double capacity(struct rig *rig, unsigned kb, unsigned shared)
{
    struct run run = { .warps = 1, .trips = 1, .shared = shared };
    unsigned n = kb * 8;
    struct program p;
    uint64_t once, twice;
    char text[100];

    snprintf(text, sizeof text, "load global n4 k1 z128 m%u d8 a8:2 s2 w0 q0",
             kb * 1024);
    program_make(&p, text, n);
    run.trips = 2; /* warms L2, too */
    rig_run(rig, &p, &run);
    run.trips = 1;
    once = rig_run(rig, &p, &run);
    run.trips = 3;
    twice = rig_run(rig, &p, &run);
    program_free(&p);
    return (double)(twice - once) / (2.0 * n);
}

static void l1_capacity(struct report *r)
{
    static const char *const section = "6.1 L1: cycles of a hit by size of the set";
    static const char *const on[] = { "fetch.perfect=on", "fetch.l0_bytes=0" };
    struct rig *rig = rig_new(1, on, 2);

    row_add(r, ROW(section, ROW_CYCLES, 32, capacity(rig, 200, 0)), "200 KB");
    row_add(r, ROW(section, ROW_CYCLES, 32, capacity(rig, 216, 0)), "216 KB");
    row_add(r, ROW(section, ROW_RATE, 280, capacity(rig, 320, 0)), "320 KB");
    row_add(r, ROW(section, ROW_CYCLES, 32, capacity(rig, 20, 220 << 10)),
            "20 KB, shared memory at its largest");
    row_add(r, ROW(section, ROW_RATE, 280, capacity(rig, 40, 220 << 10)),
            "40 KB, shared memory at its largest");
    rig_free(rig);
}

void rows_memory(struct report *r)
{
    latencies(r);
    l1_rates(r);
    l1_capacity(r);
    shared_rates(r);
}

struct wide_row {
    const char *name;
    double measured;
    unsigned bytes; /* of an instruction: bytes a cycle are reported; 0: cycles, 1: of
                     * all SMs together */
    struct stream_run s;
};

/* As recorded.txt has them, but for those of L2 to all SMs. */
static const struct wide_row wide_rows[] = {
    { "L2 to one SM, B/clk",
      122,
      512,
      { "load global n16 x16 z8192 m1048576 v512 cg a40:2 s2 w0", 1, 16, 1, 4, 12,
        false, 16 } },
    { "L2 to all SMs, B/clk/SM",
      40,
      512,
      { "load global n16 x16 z1081344 v512 m16777216 cg a40:2 s2 w0", 132, 16, 132, 1,
        2, false, 24 } },
    { "DRAM to all SMs, B/clk/SM",
      18,
      512,
      { "load global n16 x16 z1081344 v512 a40:2 s2 w0", 132, 16, 132, 1, 3, true,
        8 } },
    { "STG.32, 4 B a lane, one SM, cycles",
      4,
      0,
      { "store global n4 x4 z4096 v128 m1048576 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.32, 8 B a lane, one SM, cycles",
      10,
      0,
      { "store global n4 x8 z4096 v256 m1048576 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.32, 16 B a lane, one SM, cycles",
      20,
      0,
      { "store global n4 x16 z4096 v512 m1048576 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.32, 32 B a lane, one SM, cycles",
      40,
      0,
      { "store global n4 x32 z4096 v1024 m1048576 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.32, 64 B a lane, one SM, cycles",
      48,
      0,
      { "store global n4 x64 z4096 v2048 m1048576 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.32, 128 B a lane, one SM, cycles",
      64,
      0,
      { "store global n4 x128 z4096 v4096 m1048576 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.32, 8 lanes of a line, one SM, cycles",
      2.001,
      0,
      { "store global n4 x4 z4096 v128 m1048576 k8 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.32, 24 lanes of a line, one SM, cycles",
      2.999,
      0,
      { "store global n4 x4 z4096 v128 m1048576 k24 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.64, one SM, cycles",
      8,
      0,
      { "store global n8 x8 z8192 v256 m1048576 a40:2 b42:2 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.128, one SM, cycles",
      16,
      0,
      { "store global n16 x16 z16384 v512 m1048576 a40:2 b44:4 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "STG.128, all SMs, B/clk/SM",
      19.2,
      512,
      { "store global n16 x16 z1081344 v512 m16777216 a40:2 b44:4 s2 r0", 132, 16, 132,
        1, 2, false, 8 } },
    { "LDG.32.cg, 4 B a lane, one SM, cycles",
      1.041,
      0,
      { "load global n4 x4 z4096 v128 m1048576 cg a40:2 s2 w0", 1, 32, 1, 4, 12, false,
        16 } },
    { "LDG.32.cg, 32 B a lane, one SM, cycles",
      8.416,
      0,
      { "load global n4 x32 z4096 v1024 m1048576 cg a40:2 s2 w0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "LDG.32.cg, 128 B a lane, one SM, cycles",
      32.02,
      0,
      { "load global n4 x128 z4096 v4096 m1048576 cg a40:2 s2 w0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "ATOMG, words of a line, one SM, cycles",
      5.009,
      0,
      { "atomic global n4 x4 z4096 v128 m1048576 e60 a40:2 b42 s2 w0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "ATOMG, 32 sectors, one SM, cycles",
      40,
      0,
      { "atomic global n4 x32 z4096 v1024 m1048576 e60 a40:2 b42 s2 w0", 1, 16, 1, 1, 3,
        false, 16 } },
    { "ATOMG, 32 lines, one SM, cycles",
      64,
      0,
      { "atomic global n4 x128 z4096 v4096 m1048576 e60 a40:2 b42 s2 w0", 1, 16, 1, 1,
        3, false, 16 } },
    { "ATOMG, one word, one SM, cycles",
      64,
      0,
      { "atomic global n4 e60 a40:2 b42 s2 w0", 1, 16, 1, 1, 3, false, 16 } },
    { "RED, words of a line, one SM, cycles",
      4.999,
      0,
      { "atomic global n4 x4 z4096 v128 m1048576 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "RED, one lane, one SM, cycles",
      2.002,
      0,
      { "atomic global n4 x4 z4096 v128 m1048576 k1 a40:2 b42 s2 r0", 1, 32, 1, 4, 12,
        false, 16 } },
    { "RED, 32 sectors, one SM, cycles",
      40,
      0,
      { "atomic global n4 x32 z4096 v1024 m1048576 a40:2 b42 s2 r0", 1, 16, 1, 1, 3,
        false, 16 } },
    { "RED, 32 lines, one SM, cycles",
      32,
      0,
      { "atomic global n4 x128 z4096 v4096 m1048576 a40:2 b42 s2 r0", 1, 16, 1, 1, 3,
        false, 16 } },
    { "RED, one word, one SM, cycles",
      46.55,
      0,
      { "atomic global n4 a40:2 b42 s2 r0", 1, 16, 1, 1, 3, false, 16 } },
    { "ATOMG, own lines, all SMs, cycles",
      14.72,
      0,
      { "atomic global n4 x4 z270336 v128 m16777216 e60 a40:2 b42 s2 w0", 132, 16, 132,
        1, 3, false, 8 } },
    { "ATOMG, the same 32 words, all SMs, cycles over the GPU",
      4.072,
      1,
      { "atomic global n4 x4 e60 a40:2 b42 s2 w0", 132, 2, 132, 1, 2, false, 8 } },
    { "ATOMG, one word, all SMs, cycles over the GPU",
      46.33,
      1,
      { "atomic global n4 e60 a40:2 b42 s2 w0", 132, 1, 132, 1, 2, false, 16 } },
    { "RED, own lines, all SMs, cycles",
      8.452,
      0,
      { "atomic global n4 x4 z270336 v128 m16777216 a40:2 b42 s2 r0", 132, 16, 132, 1,
        3, false, 8 } },
    { "RED, the same 32 words, all SMs, cycles over the GPU",
      4.212,
      1,
      { "atomic global n4 x4 a40:2 b42 s2 r0", 132, 2, 132, 8, 12, false, 8 } },
    { "RED, one word, all SMs, cycles over the GPU",
      46.33,
      1,
      { "atomic global n4 a40:2 b42 s2 r0", 132, 1, 132, 5, 7, false, 16 } },
};

/* 32 warps ask for eight loads of 512 bytes each and wait for them: 1024 lines. */
static double dram_to_one_sm(void)
{
#define FOUR(x) x x x x
    struct stream_run s = {
        FOUR("load global n16 x16 z16384 v512 cg a40:2 s2 w0;")
            FOUR("load global n16 x16 z16384 v512 cg a40:2 s2 w0;") "int q0",
        1,
        32,
        1,
        8,
        24,
        true,
        9
    };
    struct rig *rig = rig_new(1, NULL, 0);
    double cycles = cycles_each(rig, &s);

    rig_free(rig);
    return 512 / (cycles * 9 / 8);
}

void rows_bandwidth(struct report *r)
{
    row_add(r, ROW("6 Memory: bandwidth", ROW_RATE, 104.8, dram_to_one_sm()),
            "DRAM to one SM, 1024 lines asked, B/clk");
    for (unsigned k = 0; k < sizeof wide_rows / sizeof *wide_rows; k++) {
        const struct wide_row *w = &wide_rows[k];
        struct rig *rig = rig_new(w->s.sms, NULL, 0);
        double cycles = cycles_each(rig, &w->s);

        row_add(r,
                ROW("6 Memory: bandwidth", ROW_RATE, w->measured,
                    w->bytes > 1 ? w->bytes / cycles
                    : w->bytes   ? cycles / w->s.sms
                                 : cycles),
                "%s", w->name);
        rig_free(rig);
    }
}
