/* address.h - where an address lives: channel, slice of L2, DRAM bank and row.
 *
 * The map of GPGPU-Sim's configurations: the channel is taken from dram.channel_bit up
 * (modulo, when the channels are no power of two), what is left is row, bank, column,
 * bank, column, burst from the top down. The slice within a channel is the low bits of
 * the bank.
 */
#ifndef LENO_MEM_ADDRESS_H
#define LENO_MEM_ADDRESS_H

#include <stdint.h>

#include "base/err.h"
#include "mem/hash.h"

struct address_map {
    uint32_t n_channels, n_slices; /* slices: of all channels */
    uint32_t per_channel, slice_bits;
    uint32_t channel_bit, channel_bits;
    bool is_power; /* channels are a power of two */
    uint32_t partition_hash;
    struct index_hash spread; /* of slices */
    struct index_hash bank_spread;
    uint32_t low_bank_at, low_bank_bits;
    uint32_t high_bank_at, high_bank_bits;
    uint32_t row_at, row_bits;
    uint64_t below_channel, below_bank; /* bits of an address; of one without channel */
};

struct place {
    uint64_t within; /* the address without channel and slice: picks the set of L2 */
    uint32_t slice;
    uint32_t row; /* of DRAM */
    uint8_t bank;
};

int address_map_init(struct address_map *m, const struct memory_params *p,
                     uint32_t n_channels, struct err *err);
struct place address_place(const struct address_map *m, uint64_t addr);

#endif
