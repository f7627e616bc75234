/* gemm.h - hosts of matrix products: input, launch and check of one product.
 *
 * C is m x n, A m x k, B k x n, as in the kernels of product.cuh, tensor.cuh and skinny.cuh.
 * A is stored by rows unless a_across (then by columns, that is, by depth); B by columns,
 * each contiguous along the depth, unless b_across.
 */
#ifndef GEMM_H
#define GEMM_H

#include "../workload.h"

/* How a kernel adds up. */
enum gemm_form {
    GEMM_FLOAT,  /* in the order of depth */
    GEMM_SKINNY, /* lane by lane, then over the warp */
    GEMM_HALF, /* half precision on tensor cores: small whole numbers, any order is exact */
};

/* Tiles of a kernel and threads of a block. */
struct gemm_tile {
    unsigned rows, cols, threads;
};

extern const struct gemm_tile gemm_large, gemm_square, gemm_tall, gemm_flat, gemm_small,
    gemm_tensor, gemm_skinny;

struct gemm {
    const char *kernel;
    const struct gemm_tile *tile;
    enum gemm_form form;
    bool a_across, b_across;
    unsigned size[N_WORKLOAD_SIZE][3]; /* m, n, k */
};

/* Runs one product; its result is named like the kernel. */
void gemm_run(struct rig *r, const struct gemm *g);

/* A workload that consists of n products. */
int gemm_run_all(struct workload_env *env, const struct gemm *products, unsigned n);

/* ---- for other hosts ---- */

/* The grid that covers an m x n result. */
struct launch gemm_launch(const char *kernel, const struct gemm_tile *tile, unsigned m,
                          unsigned n);

/* n floats in [-1, 1). */
float *gemm_floats(struct rig *r, size_t n, uint64_t salt);

/* n whole numbers in [-4, 4] as floats, and the same as halves on the device. */
float *gemm_halves(struct rig *r, size_t n, uint64_t salt, CUdeviceptr *device);

#endif
