/* misfits.c - lines of micro.elf and mem.elf that do not fit: their present values, and
 * why. A change of any of them is noticed; one that fits is to be taken out.
 */
#include <stddef.h>

#include "micro.h"

#define ORDER                                                                          \
    "the loop's warps lock into another order than on the RTL, where other passes of " \
    "the row agree; which cycle before the loop parts them is not known"

const struct misfit misfits[] = {
    { "RRS 4 x 4", "add", 0, 8045, ORDER },
    { "LOOG 16 x 4", "lw, lw, mul, add", 1, 29320, ORDER },
    { "LOOG 16 x 4", "flw, flw, fmadd, addi", 1, 29610, ORDER },
    { "base 8 x 8", "lw, lw, mul, add", 1, 20118, ORDER },
    { NULL, NULL, 0, 0, NULL },
};
