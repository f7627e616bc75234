/* mufu.h - the special function unit: MUFU, bit for bit.
 *
 * Each function equals an H200 on all 2^32 inputs. Other chips were not tried; their
 * tables may differ. Source modifiers act on the sign bit before.
 */
#ifndef LENO_SASS_MUFU_H
#define LENO_SASS_MUFU_H

#include <stdint.h>

/* The values of the instruction's function field. */
enum mufu_fn {
    MUFU_COS, /* operand in turns */
    MUFU_SIN,
    MUFU_EX2,
    MUFU_LG2,
    MUFU_RCP,
    MUFU_RSQ,
    MUFU_RCP64H, /* operand and result: the high word of a double */
    MUFU_RSQ64H,
    MUFU_SQRT,
    MUFU_TANH,
    N_MUFU_FN
};

uint32_t mufu_f32(enum mufu_fn fn, uint32_t x);

/* The 16-bit forms (EX2 and TANH have instructions): the f32 function of the widened
 * operand, truncated. */
uint16_t mufu_f16(enum mufu_fn fn, uint16_t x);
uint16_t mufu_bf16(enum mufu_fn fn, uint16_t x);

/* mufu_f32 over 32 lanes, faster; d may be a. */
void mufu_lanes(enum mufu_fn fn, uint32_t *d, const uint32_t *a);

#endif
