/* device.c - the GPUs that can be simulated, and how many blocks an SM of each holds.
 * sm_75 is the GeForce RTX 2060 Super, sm_80 the A100 (40 GB), sm_86 the GeForce RTX
 * 3070, sm_89 the GeForce RTX 4090, sm_90 the H200, sm_100 the B200, sm_120 the GeForce
 * RTX 5090; figures from the vendor's data sheets and its table of compute capabilities
 * and, for the H200, read off the device.
 */
#include "driver/device.h"

#include <stddef.h>

enum { WARP = 32, REG_UNIT = 256, WARP_UNIT = 4 };

/* More than the GeForce cards have: other machines run sm_75 code too, with up to 16 GiB. */
#define OTHER_MEMORY (16ull << 30)

static const struct device devices[N_SASS_ARCH] = {
    [SM75] = {
        .name = "Leno RTX 2060 Super",
        .sm = 75,
        .n_sms = 34,
        .warps_per_sm = 32,
        .blocks_per_sm = 16,
        .regs_per_sm = 65536,
        .shared_per_sm = 65536,
        .shared_optin = 65536,
        .shared_reserved = 0,
        .shared_unit = 256,
        .clock_khz = 1650000,
        .memory_khz = 7001000,
        .bus_bits = 256,
        .l2_bytes = 4194304,
        .double_ratio = 32,
        .memory_bytes = OTHER_MEMORY,
    },
    [SM80] = {
        .name = "Leno A100",
        .sm = 80,
        .n_sms = 108,
        .warps_per_sm = 64,
        .blocks_per_sm = 32,
        .regs_per_sm = 65536,
        .shared_per_sm = 167936,
        .shared_optin = 166912,
        .shared_reserved = 1024,
        .shared_unit = 128,
        .clock_khz = 1410000,
        .memory_khz = 1215000,
        .bus_bits = 5120,
        .l2_bytes = 41943040,
        .double_ratio = 2,
        .has_ecc = true,
        .memory_bytes = 40ull << 30,
    },
    [SM86] = {
        .name = "Leno RTX 3070",
        .sm = 86,
        .n_sms = 46,
        .warps_per_sm = 48,
        .blocks_per_sm = 16,
        .regs_per_sm = 65536,
        .shared_per_sm = 102400,
        .shared_optin = 101376,
        .shared_reserved = 1024,
        .shared_unit = 128,
        .clock_khz = 1725000,
        .memory_khz = 7001000,
        .bus_bits = 256,
        .l2_bytes = 4194304,
        .double_ratio = 64,
        .memory_bytes = OTHER_MEMORY,
    },
    [SM89] = {
        .name = "Leno RTX 4090",
        .sm = 89,
        .n_sms = 128,
        .warps_per_sm = 48,
        .blocks_per_sm = 24,
        .regs_per_sm = 65536,
        .shared_per_sm = 102400,
        .shared_optin = 101376,
        .shared_reserved = 1024,
        .shared_unit = 128,
        .clock_khz = 2520000,
        .memory_khz = 10501000,
        .bus_bits = 384,
        .l2_bytes = 75497472,
        .double_ratio = 64,
        .memory_bytes = 24ull << 30,
    },
    [SM90] = {
        .name = "Leno H200",
        .sm = 90,
        .n_sms = 132,
        .warps_per_sm = 64,
        .blocks_per_sm = 32,
        .regs_per_sm = 65536,
        .shared_per_sm = 233472,
        .shared_optin = 232448,
        .shared_reserved = 1024,
        .shared_unit = 128,
        .clock_khz = 1980000,
        .memory_khz = 3201000,
        .bus_bits = 6016,
        .l2_bytes = 62914560,
        .double_ratio = 2,
        .has_ecc = true,
        .memory_bytes = 150109880320,
    },
    [SM100] = {
        .name = "Leno B200",
        .sm = 100,
        .n_sms = 148,
        .warps_per_sm = 64,
        .blocks_per_sm = 32,
        .regs_per_sm = 65536,
        .shared_per_sm = 233472,
        .shared_optin = 232448,
        .shared_reserved = 1024,
        .shared_unit = 128,
        .clock_khz = 1965000,
        .memory_khz = 3996000,
        .bus_bits = 7680,
        .l2_bytes = 132120576,
        .double_ratio = 2,
        .has_ecc = true,
        .memory_bytes = 180ull << 30,
    },
    [SM120] = {
        .name = "Leno RTX 5090",
        .sm = 120,
        .n_sms = 170,
        .warps_per_sm = 48,
        .blocks_per_sm = 24,
        .regs_per_sm = 65536,
        .shared_per_sm = 102400,
        .shared_optin = 101376,
        .shared_reserved = 1024,
        .shared_unit = 128,
        .clock_khz = 2407000,
        .memory_khz = 14001000,
        .bus_bits = 512,
        .l2_bytes = 100663296,
        .double_ratio = 64,
        .memory_bytes = 32ull << 30,
    },
};

const struct device *device_of(enum sass_arch arch)
{
    return &devices[arch];
}

/* Ten sixteenths, as on an H200. */
uint64_t device_persisting_l2(const struct device *dev)
{
    return dev->sm >= 80 ? (uint64_t)dev->l2_bytes * 10 / 16 : 0;
}

uint64_t device_policy_window(const struct device *dev)
{
    return dev->sm >= 80 ? 128 << 20 : 0;
}

static uint32_t round_up(uint32_t x, uint32_t unit)
{
    return (x + unit - 1) / unit * unit;
}

static uint32_t smaller_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Registers go to warps in units of 256, and warps are spread over four sub-cores,
 * each with a quarter of the file; so a block's warps round up to a multiple of 4
 * once registers are the limit. */
uint32_t device_blocks_per_sm(const struct device *dev, uint32_t threads,
                              uint32_t n_regs, uint32_t shared)
{
    uint32_t warps = (threads + WARP - 1) / WARP;
    uint32_t limit, all_shared;

    if (!threads || threads > 1024 || shared > dev->shared_optin)
        return 0;
    limit = smaller_of(dev->blocks_per_sm, dev->warps_per_sm / warps);
    if (n_regs) {
        uint32_t per_warp = round_up(n_regs * WARP, REG_UNIT);
        uint32_t warps_fit = dev->regs_per_sm / per_warp / WARP_UNIT * WARP_UNIT;

        limit = smaller_of(limit, warps_fit / warps);
    }
    all_shared = round_up(shared + dev->shared_reserved, dev->shared_unit);
    if (all_shared)
        limit = smaller_of(limit, dev->shared_per_sm / all_shared);
    return limit;
}

/* Clusters as an H200 counts them: the blocks of one lie on different SMs of one group, and
 * an SM holds at most 8 blocks. groups: SMs of each; a machine with fewer SMs has the first
 * of them. */
uint32_t device_clusters(uint32_t n_sms, uint32_t blocks_per_sm, uint32_t cluster)
{
    enum { MOST_PER_SM = 8 };
    static const uint8_t groups[] = { 18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2 };
    uint32_t n = 0;

    blocks_per_sm = smaller_of(blocks_per_sm, MOST_PER_SM);
    for (size_t i = 0; i < sizeof groups && n_sms; i++) {
        uint32_t sms = smaller_of(groups[i], n_sms);

        if (sms >= cluster)
            n += sms * blocks_per_sm / cluster;
        n_sms -= sms;
    }
    return n;
}
