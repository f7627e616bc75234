/* conv.h - hosts of convolutions: input, launches and check of one layer.
 *
 * Layouts and the order of sums as in conv.cuh. Checks are exact: in float every sum is
 * repeated in its order; input in half precision is small whole numbers. Channels and filters
 * are multiples of the depth of a slab: 8, or 32 in half precision.
 */
#ifndef CONV_H
#define CONV_H

#include "conv_shape.h"
#include "gemm.h"

/* The layer's result, in float. */
void conv_run_forward(struct rig *r, const struct conv *v,
                      const struct gemm_tile *tile);

/* The same in half precision, by the kernel conv_tensor. */
void conv_run_tensor(struct rig *r, const struct conv *v);

/* The result and the gradients of input and filters. Stride 1, square filters, as many
 * positions as pixels. */
void conv_run_train(struct rig *r, const struct conv *v, const struct gemm_tile *tile);

#endif
