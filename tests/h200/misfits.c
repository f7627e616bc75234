/* misfits.c - rows that do not fit: their present values, and why. A change of any of them
 * is noticed; one that fits is to be taken out.
 */
#include <stddef.h>

#include "rows.h"

const struct misfit misfits[] = {
    { "3.1 Smallest legal stall", "DADD, then IADD3 to its register", 3,
      "two results of one cycle: the later instruction's stays there, here it is an error" },
    { "3.1 Smallest legal stall", "DADD, then IMAD.WIDE to its register", 3,
      "two results of one cycle: the later instruction's stays there, here it is an error" },
    { "3.1 Smallest legal stall", "HFMA2.MMA, then IMAD to its register", 3,
      "two results of one cycle: the later instruction's stays there, here it is an error" },
    { "3.1 Smallest legal stall", "UIADD3, then UMOV to its register", 3,
      "UIADD3 reads its operands at least two cycles after its issue, and UMOV has none: it "
      "overtakes there; compiled code has no such pair" },
    { "6 Memory: bandwidth", "DRAM to one SM, 1024 lines asked, B/clk", 128.1,
      "a fifth less time from asking for 1024 lines to having them; why is not known" },
    { "6 Memory: bandwidth", "ATOMG, the same 32 words, all SMs, cycles over the GPU",
      10.41,
      "as for lines of their own; there requests of many SMs for one line take less than their flits" },
    { "6 Memory: bandwidth", "RED, the same 32 words, all SMs, cycles over the GPU",
      5.781,
      "as for lines of their own; there requests of many SMs for one line take less than their flits" },
    { "7 Instruction fetch: cycles of an instruction", "32 KB, 8 warps", 2.256,
      "two warps of a sub-core overlap fetches fully there" },
    { NULL, NULL, 0, NULL },
};
