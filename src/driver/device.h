/* device.h - the GPUs that can be simulated: one per machine-code architecture, with
 * the limits that the driver interface reports and launches are checked against.
 */
#ifndef LENO_DRIVER_DEVICE_H
#define LENO_DRIVER_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/sass/arch.h"

struct device {
    const char *name;
    uint32_t sm; /* 75, 80, 86 ... */
    uint32_t n_sms;
    uint32_t warps_per_sm, blocks_per_sm;
    uint32_t regs_per_sm;
    uint32_t shared_per_sm;
    uint32_t shared_optin;    /* most that one block may ask for */
    uint32_t shared_reserved; /* the system's share of each block */
    uint32_t shared_unit;     /* allocation granularity */
    uint32_t clock_khz, memory_khz, bus_bits, l2_bytes;
    uint32_t double_ratio; /* single over double precision rate */
    bool has_ecc;
    uint64_t memory_bytes; /* a multiple of 64 KB */
};

const struct device *device_of(enum sass_arch arch);

/* The most L2 that accesses may persist in, and the most bytes that one window covers; 0
 * before sm_80. */
uint64_t device_persisting_l2(const struct device *dev);
uint64_t device_policy_window(const struct device *dev);

/* Blocks of a kernel that one SM holds at once; 0 if not even one fits. shared is all
 * of a block's shared memory except the system's share. */
uint32_t device_blocks_per_sm(const struct device *dev, uint32_t threads,
                              uint32_t n_regs, uint32_t shared);

/* Clusters of that many blocks that n_sms SMs hold at once, of which each holds
 * blocks_per_sm blocks. */
uint32_t device_clusters(uint32_t n_sms, uint32_t blocks_per_sm, uint32_t cluster);

#endif
