/* micro.c - micro.elf and mem.elf beside the RTL.
 *
 * The RTL's cycles are those of mariazerva/diploma (vortex_base, vortex_coroni with 8
 * collector units, vortex_rrs with 8 and 12 entries, vortex_ghost) in Verilator, for the
 * same files. A line is the time from warp 0's wspawn until it is alone again: a warp's
 * own time depends on which warps reach their first mark before seven of them fill the
 * fetch stage, and moves by a quarter where the whole takes the same time.
 */
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIMES = 0x10000, /* 256 bytes per line */
    LINE_WORDS = 64,
    START = 32, /* words of warp 0: before wspawn, and alone again */
    END = 33,
};

static const struct micro_program micro = { "tests/vortex/micro.elf",
                                            8,
                                            3,
                                            { "li", "addi", "add", "fmadd", "lw hit",
                                              "add chain", "lw, lw, mul, add",
                                              "flw, flw, fmadd, addi" } };
static const struct micro_program mem = {
    "tests/vortex/mem.elf", 6, 2, { "hit", "sthit", "stmiss", "miss", "ldst", "use" }
};

/* Program, machine, scheme, warps, threads, and the RTL's cycles, pass by pass. */
const struct micro_column micro_columns[] = {
    { &micro,
      "base 4 x 4",
      RTL_BASE,
      4,
      4,
      { 4833,  4655,  4717,  6823, 6702, 6765, 8914, 8747, 8813, 10852, 10795, 10861,
        11840, 11785, 12038, 8769, 8748, 8813, 7894, 8488, 7945, 7811,  7755,  7825 } },
    { &micro,
      "LOOG 4 x 4",
      RTL_LOOG,
      4,
      4,
      { 5101,  4575,  4623,  6113, 5799, 5849, 8274, 7635, 8192, 10444, 9693, 9727,
        11914, 11727, 11778, 6509, 6257, 6343, 8400, 7970, 7917, 8522,  7336, 7775 } },
    { &micro, "RRS 4 x 4", RTL_RRS, 4, 4, { 5129,  4566,  4644,  6016, 5085,  5130,
                                            7586,  7962,  8005,  9515, 10700, 9383,
                                            11942, 11725, 11780, 6284, 5394,  6084,
                                            7822,  7366,  7450,  7982, 7265,  7452 } },
    { &micro, "GhOST 4 x 4", RTL_GHOST, 4, 4, { 5437,  4658,  4719,  6752,  6707,
                                                6760,  8835,  8760,  8809,  10873,
                                                10814, 10860, 12021, 11795, 11851,
                                                8966,  8850,  8897,  8500,  8273,
                                                8275,  8550,  8137,  8359 } },
    { &micro, "base 16 x 4", RTL_BASE, 16, 4, { 19286, 19454, 19499, 26749, 26688,
                                                26810, 34790, 34773, 34921, 42920,
                                                42873, 43034, 46418, 46404, 46831,
                                                36358, 36445, 36557, 33123, 33417,
                                                33569, 32289, 31676, 31782 } },
    { &micro, "LOOG 16 x 4", RTL_LOOG, 16, 4, { 18965, 18835, 19157, 23762, 23864,
                                                23278, 31453, 30986, 30527, 38617,
                                                39081, 38425, 46151, 46207, 46567,
                                                29184, 28949, 29111, 30916, 27340,
                                                29786, 30304, 27762, 28030 } },
    { &micro,
      "base 8 x 8",
      RTL_BASE,
      8,
      8,
      { 10975, 11205, 11344, 14694, 14799, 14947, 18360, 18393,
        18546, 22014, 21989, 22150, 23756, 23688, 23884, 20233,
        20436, 20566, 19811, 19066, 19489, 18719, 18153, 18640 } },
    { &mem,
      "base 4 x 4",
      RTL_BASE,
      4,
      4,
      { 4907, 4821, 6936, 6879, 6877, 6874, 16800, 16903, 13877, 13831, 10644,
        10580 } },
    { &mem,
      "base 16 x 4",
      RTL_BASE,
      16,
      4,
      { 19941, 19728, 26836, 21755, 31084, 21725, 66155, 66102, 54463, 53976, 41413,
        41079 } },
    { &mem,
      "base 8 x 8",
      RTL_BASE,
      8,
      8,
      { 19380, 19276, 26622, 25112, 27192, 25096, 46246, 46313, 39532, 39407, 30518,
        30617 } },
    { &mem,
      "LOOG 4 x 4",
      RTL_LOOG,
      4,
      4,
      { 4831, 4735, 6917, 6845, 6832, 6837, 16719, 16545, 13793, 13862, 10429,
        10417 } },
    { &mem,
      "RRS 4 x 4",
      RTL_RRS,
      4,
      4,
      { 4816, 4683, 6901, 6865, 6844, 6828, 16719, 16488, 13847, 13767, 10258,
        10139 } },
};
const size_t n_micro_columns = sizeof micro_columns / sizeof *micro_columns;

unsigned micro_lines(const struct micro_program *p)
{
    return p->n_rows * p->n_passes;
}

int micro_measure(const struct micro_column *c, uint32_t cycles[MICRO_LINES])
{
    uint32_t words[MICRO_LINES][LINE_WORDS];
    struct rig *r = malloc(sizeof *r);
    int failed;

    if (!r)
        abort();
    rig_init(r, rtl_schemes[c->scheme], c->warps, c->threads);
    r->is_alone = true;
    failed = rig_run_file(r, c->program->path, TIMES, words, sizeof words);
    if (failed)
        fprintf(stderr, "%s\n", r->err.text);
    for (unsigned n = 0; !failed && n < micro_lines(c->program); n++)
        cycles[n] = words[n][END] - words[n][START];
    rig_free(r);
    free(r);
    return failed;
}

bool micro_fits(uint32_t rtl, uint32_t ours)
{
    return 100 * (uint64_t)ours >= 95 * (uint64_t)rtl &&
           100 * (uint64_t)ours <= 105 * (uint64_t)rtl;
}

const struct misfit *misfit_find(const struct micro_column *c, unsigned line)
{
    const char *row = c->program->rows[line / c->program->n_passes];

    for (const struct misfit *m = misfits; m->column; m++)
        if (!strcmp(m->column, c->title) && !strcmp(m->row, row) &&
            m->pass == line % c->program->n_passes)
            return m;
    return NULL;
}

/* The columns of one program, side by side. */
static void put_program(struct buf *out, const struct micro_program *p)
{
    uint32_t ours[16][MICRO_LINES];
    unsigned n = 0;

    buf_puts(out, "| row | pass |");
    for (size_t i = 0; i < n_micro_columns; i++)
        if (micro_columns[i].program == p) {
            if (n == 16 || micro_measure(&micro_columns[i], ours[n++]))
                abort();
            buf_printf(out, " %s RTL | ours |", micro_columns[i].title);
        }
    buf_puts(out, "\n| --- | ---: |");
    for (unsigned i = 0; i < 2 * n; i++)
        buf_puts(out, " ---: |");
    for (unsigned line = 0; line < micro_lines(p); line++) {
        n = 0;
        buf_printf(out, "\n| %s | %u |", p->rows[line / p->n_passes],
                   line % p->n_passes);
        for (size_t i = 0; i < n_micro_columns; i++)
            if (micro_columns[i].program == p)
                buf_printf(out, " %u | %u |", micro_columns[i].rtl[line],
                           ours[n++][line]);
    }
    buf_puts(out, "\n");
}

void micro_table(struct buf *out)
{
    put_program(out, &micro);
    buf_puts(out, "\n");
    put_program(out, &mem);
}
