/* fuzz_riscv.c - libFuzzer: any bytes as a program for Vortex, loaded and run for a
 * while on a small machine. */
#include "frontend/riscv/riscv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct riscv_launch l = { .memory = riscv_memory_new(NULL),
                              .name = "fuzz",
                              .n_cores = 2,
                              .n_warps = 4,
                              .n_threads = 4 };
    struct riscv_image image;
    struct riscv_result result;
    struct err err;

    if (!l.memory)
        return 0;
    if (!riscv_load(l.memory, "fuzz", data, size, &image, &err)) {
        l.start = image.start;
        l.tohost = image.tohost;
        riscv_run(&l, 20000, &result, &err);
    }
    riscv_memory_free(l.memory);
    return 0;
}
