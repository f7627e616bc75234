/* misfits.c - rows that do not fit: their present values, and why. A change of any of them
 * is noticed; one that fits is to be taken out.
 */
#include <stddef.h>

#include "rows.h"

const struct misfit misfits[] = {
    { "6 Memory: bandwidth", "DRAM to one SM, B/clk", 128.2,
      "what limits one SM there is not known" },
    { "6 Memory: bandwidth", "writes of one SM, 8 B a lane", 8.006,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there" },
    { "6 Memory: bandwidth", "writes of one SM, 16 B a lane", 16,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there" },
    { "6 Memory: bandwidth", "writes of one SM, 32 B a lane", 32,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there" },
    { "6 Memory: bandwidth", "writes of one SM, 128 B a lane", 64,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there" },
    { "6 Memory: bandwidth", "writes of all SMs, B/clk/SM", 16.05,
      "writes of a whole line stand in each other's way in the crossbar" },
    { "6 Memory: bandwidth", "LDG.32.cg, 4 B a lane, cycles", 1,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there; LDG.32 reaches less than LDG.128 there" },
    { "6 Memory: bandwidth", "LDG.32.cg, 32 B a lane", 8,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there; LDG.32 reaches less than LDG.128 there" },
    { "6 Memory: bandwidth", "LDG.32.cg, 128 B a lane", 32,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there; LDG.32 reaches less than LDG.128 there" },
    { "6 Memory: bandwidth", "ATOMG, words of a line, one SM, cycles", 4.003,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there" },
    { "6 Memory: bandwidth", "RED, words of a line, one SM, cycles", 4.003,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there" },
    { "6 Memory: bandwidth", "RED, one word, one SM, cycles", 64,
      "atomics with and without a result take the same time here" },
    { "6 Memory: bandwidth", "RED, 32 sectors, one SM, cycles", 32,
      "the way to L2 runs at the SM's clock here, at 1.71 GHz there" },
    { "6 Memory: bandwidth", "ATOMG, own lines, all SMs, cycles", 8.961,
      "time of a slice for an atomic: 1 cycle a sector stands between this and the same 32 words" },
    { "6 Memory: bandwidth", "ATOMG, the same 32 words, all SMs, cycles over the GPU",
      6,
      "time of a slice for an atomic: 1 cycle a sector stands between this and own lines" },
    { "6 Memory: bandwidth", "ATOMG, one word, all SMs, cycles over the GPU", 64,
      "2 cycles a lane, as one SM shows (64 for 32); all SMs together need 1.5" },
    { "6 Memory: bandwidth", "RED, own lines, all SMs, cycles", 8.812,
      "time of a slice for an atomic: 1 cycle a sector stands between this and the same 32 words" },
    { "7 Instruction fetch: cycles of an instruction", "32 KB, 8 warps", 2.256,
      "two warps of a sub-core overlap fetches fully there" },
    { "4 Throughput, compiled: instructions a cycle and SM", "LDS.128, 1 warps", 0.1373,
      "four chains here; the measured loop had other chains or a longer loop" },
    { NULL, NULL, 0, NULL },
};
