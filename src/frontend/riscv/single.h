/* single.h - single precision as RISC-V's F extension computes it, on bit patterns.
 *
 * Every function rounds once, as rm says, and adds the exceptions it meets to *flags. A
 * NaN result is the canonical NaN. Host arithmetic rounds to nearest, as always.
 */
#ifndef LENO_RISCV_SINGLE_H
#define LENO_RISCV_SINGLE_H

#include <stdbool.h>
#include <stdint.h>

enum { FP_NX = 1, FP_UF = 2, FP_OF = 4, FP_DZ = 8, FP_NV = 16 };
enum { RM_RNE, RM_RTZ, RM_RDN, RM_RUP, RM_RMM, N_RM };

uint32_t single_add(uint32_t a, uint32_t b, unsigned rm, uint8_t *flags);
uint32_t single_mul(uint32_t a, uint32_t b, unsigned rm, uint8_t *flags);
uint32_t single_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, uint8_t *flags);
uint32_t single_div(uint32_t a, uint32_t b, unsigned rm, uint8_t *flags);
uint32_t single_sqrt(uint32_t a, unsigned rm, uint8_t *flags);

uint32_t single_from_int(int64_t value, unsigned rm, uint8_t *flags);
uint32_t single_to_int(uint32_t a, bool is_signed, unsigned rm, uint8_t *flags);

uint32_t single_min(uint32_t a, uint32_t b, uint8_t *flags);
uint32_t single_max(uint32_t a, uint32_t b, uint8_t *flags);
bool single_equal(uint32_t a, uint32_t b, uint8_t *flags);      /* quiet */
bool single_less(uint32_t a, uint32_t b, uint8_t *flags);       /* signalling */
bool single_less_equal(uint32_t a, uint32_t b, uint8_t *flags); /* signalling */
uint32_t single_class(uint32_t a);

#endif
