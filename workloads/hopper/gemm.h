/* gemm.h - the host of matrix products by tensor copies (gemm.cuh). */
#ifndef HOPPER_GEMM_H
#define HOPPER_GEMM_H

#include "../workload.h"

struct hopper_shape {
    int m, n, k;
};

/* A kernel, its template's arguments, and the shapes it is launched for. */
struct hopper_gemm {
    const char *kernel;
    enum rig_element element;
    unsigned rows, cols, stages, cluster;
    struct hopper_shape shapes[N_WORKLOAD_SIZE];
};

int hopper_gemm_run(struct workload_env *env, const struct hopper_gemm *gemms,
                    size_t n);

#endif
