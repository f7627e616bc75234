/* address.h - maps an address to its channel, L2 slice, DRAM bank and row.
 *
 * The map of GPGPU-Sim's configurations: the channel starts at dram.channel_bit
 * (modulo, if the number of channels is not a power of two); the rest is, from the top
 * down, row, bank, column, bank, column, burst. The low bits of the bank give the slice
 * within a channel.
 */
#ifndef LENO_MEM_ADDRESS_H
#define LENO_MEM_ADDRESS_H

#include <stdint.h>

#include "base/err.h"
#include "mem/hash.h"

struct address_map {
    uint32_t n_channels, n_slices; /* n_slices: over all channels */
    uint32_t per_channel, slice_bits;
    uint32_t channel_bit, channel_bits;
    bool is_power; /* the number of channels is a power of two */
    uint32_t partition_hash;
    struct index_hash spread; /* distributes addresses over slices */
    struct index_hash bank_spread;
    uint32_t low_bank_at, low_bank_bits;
    uint32_t high_bank_at, high_bank_bits;
    uint32_t row_at, row_bits;
    uint64_t below_channel,
        /* masks: address bits below the channel; rest bits below the bank */
        below_bank;
};

struct place {
    uint64_t within; /* the address without channel and slice: selects the set of L2 */
    uint32_t slice;
    uint32_t row; /* DRAM row */
    uint8_t bank;
};

int address_map_init(struct address_map *m, const struct memory_params *p,
                     uint32_t n_channels, struct err *err);
struct place address_place(const struct address_map *m, uint64_t addr);

#endif
