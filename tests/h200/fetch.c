/* fetch.c - instruction fetch: a loop over straight-line code of so many KB, after the
 * first pass; and the order in which a scheduler takes its warps.
 */
#include <stdio.h>
#include <string.h>

#include "rig.h"
#include "rows.h"

/* Cycles of an instruction of every warp; first: of the first pass. */
static double loop(unsigned kb, unsigned warps, bool first)
{
    struct rig *rig = rig_new(1, NULL, 0);
    struct run run = { .warps = warps, .trips = 1 };
    struct program p;
    uint64_t some, more;
    double n;

    program_make(&p, "fp32 d8 a40 b40 c40", kb * 64);
    n = (double)p.n - 1;
    some = rig_run(rig, &p, &run);
    if (!first) {
        some = rig_run(rig, &p, &run);
        run.trips = 4;
        more = rig_run(rig, &p, &run);
        n *= 3;
        some = more - some;
    }
    program_free(&p);
    rig_free(rig);
    /* Less the branch back, which is not one of them. */
    return ((double)some - 10 * (first ? 1 : 3)) / n;
}

void rows_fetch(struct report *r)
{
    static const char *const section = "7 Instruction fetch: cycles of an instruction";
    static const struct {
        unsigned kb, warps;
        double cycles;
    } rows[] = {
        { 2, 1, 1.0 },  { 5, 1, 1.0 },   { 8, 1, 2.2 },    { 32, 1, 2.2 },
        { 96, 1, 2.2 }, { 160, 1, 5.6 }, { 2, 4, 1.0 },    { 32, 4, 2.2 },
        { 5, 8, 2.05 }, { 32, 8, 2.03 }, { 160, 8, 5.85 },
    };

    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        row_add(r,
                ROW(section, ROW_RATE, rows[k].cycles,
                    loop(rows[k].kb, rows[k].warps, false)),
                "%u KB, %u warps", rows[k].kb, rows[k].warps);
    row_add(r, ROW(section, ROW_RATE, 2.2, loop(64, 1, true)),
            "64 KB, 1 warps, first pass");
}

/* Issue order of warps 0, 4, 8, 12 (all on one sub-core), as bursts. */
static void bursts(struct rig *rig, const char *text, unsigned *warp, unsigned *length,
                   unsigned max)
{
    struct program p;
    unsigned n = 0;
    uint64_t from, to = 0;

    program_make(&p, text, 64);
    rig_run(rig, &p, &(struct run){ .warps = 16, .trips = 3, .watch = true });
    /* The last trip begins together: its first instruction is a barrier's next. */
    from = UINT64_MAX;
    for (unsigned w = 0; w < 16; w += 4) {
        uint64_t first = rig->issued[w][2 * p.n + 1],
                 last = rig->issued[w][3 * p.n - 2];

        from = first < from ? first : from;
        to = last > to ? last : to;
    }
    memset(length, 0, max * sizeof *length);
    for (uint64_t c = from; c <= to; c++)
        for (unsigned w = 0; w < 16; w += 4)
            for (size_t k = 2 * p.n + 1; k < 3 * p.n - 1; k++)
                if (rig->issued[w][k] == c) {
                    if (n && warp[n - 1] == w)
                        length[n - 1]++;
                    else if (n < max) {
                        warp[n] = w;
                        length[n++] = 1;
                    }
                }
    program_free(&p);
}

/* Instructions are watched from a barrier on, as on the GPU. */
#define EIGHT(one) one ";" one ";" one ";" one ";" one ";" one ";" one ";" one
#define F          "fp32 d8 a40 b40 c40 s1"

static void add_order(struct report *r, struct rig *rig, const char *name,
                      const char *text, const char *expected)
{
    unsigned warp[16] = { 0 }, length[16];
    char seen[100] = "";
    size_t at = 0;

    bursts(rig, text, warp, length, 16);
    for (unsigned k = 0; k < 6 && length[k]; k++)
        at += (size_t)snprintf(seen + at, sizeof seen - at, "%s%u", k ? " " : "",
                               warp[k]);
    /* A row of words as a number: 1 = as measured. */
    row_add(r,
            ROW("5 Scheduler: 1 = as seen", ROW_CYCLES, 1,
                strncmp(seen, expected, strlen(expected)) ? 99 : 1),
            "%s: warps %s", name, seen);
}

void rows_scheduler(struct report *r)
{
    struct rig *rig = rig_new(1, NULL, 0);

    add_order(r, rig, "stall 1: one warp after another, youngest first",
              "barrier s5;" EIGHT(F) ";" EIGHT(F) ";" EIGHT(F) ";" EIGHT(F),
              "12 8 4 0");
    add_order(r, rig, "one in 8 with stall 4: bursts in turn",
              "barrier s5;" EIGHT(F) ";fp32 d9 s4;" EIGHT(F) ";fp32 d9 s4;" EIGHT(F),
              "12 8 4 0 12");
    add_order(r, rig, "every fourth yields: two alternate",
              "barrier s5;" F ";" F ";" F ";" F " y;" F ";" F ";" F ";" F " y;" F ";" F
              ";" F ";" F " y;" F ";" F ";" F ";" F " y;",
              "12 8 12 8");
    row_add(r, ROW("5 Scheduler: 1 = as seen", ROW_CYCLES, 2, rig_pace(rig, F " y")),
            "a lone warp that yields: cycles an instruction");
    rig_free(rig);
}
