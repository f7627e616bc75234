/* texfilter.h - the arithmetic of a linear filter, from texels and weights to a channel.
 *
 * Tap k of eight is the second texel of axis x, y, z where bit 0, 1, 2 of k is set.
 */
#ifndef LENO_SASS_TEXFILTER_H
#define LENO_SASS_TEXFILTER_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXFILTER_TAPS = 8, TEXFILTER_ONE = 256 };

/* The taps' weights, in 1/256, from the weights of the second texel of every axis. all: the
 * sum of them, 256 unless the taps are those of one of two levels. */
void texfilter_weights(const uint32_t axis[3], uint32_t all,
                       uint32_t weight[TEXFILTER_TAPS]);

/* Taps as singles; present: those that an axis does not give weight 0. A half result is
 * rounded as one, and returned as a single. */
uint32_t texfilter_blend_float(const uint32_t tap[TEXFILTER_TAPS],
                               const uint32_t weight[TEXFILTER_TAPS], unsigned present,
                               bool is_half);

/* Taps as integers of 8 or 16 bits that stand for fractions; the result is a single. */
uint32_t texfilter_blend_unit(const int32_t tap[TEXFILTER_TAPS],
                              const uint32_t weight[TEXFILTER_TAPS], bool is_signed,
                              unsigned channel_bytes);

#endif
