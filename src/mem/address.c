/* address.c - maps an address to its channel, L2 slice, DRAM bank and row. */
#include "mem/address.h"

#include "base/bits.h"
#include "base/hash.h"

enum {
    PARTITION_MIX = 3
}; /* value of l2.partition_hash; the other values are enum cache_index */

int address_map_init(struct address_map *m, const struct memory_params *p,
                     uint32_t n_channels, struct err *err)
{
    const struct dram_params *d = &p->dram;
    uint32_t per = p->l2.slices_per_channel, wide = 1;

    *m = (struct address_map){ .n_channels = n_channels,
                               .n_slices = n_channels * per,
                               .per_channel = per,
                               .slice_bits = bits_log2(per),
                               .channel_bit = d->channel_bit,
                               .channel_bits = bits_log2(n_channels),
                               .is_power = !(n_channels & (n_channels - 1)),
                               .partition_hash = p->l2.partition_hash,
                               .low_bank_bits = d->bank_low_bits,
                               .high_bank_bits = d->bank_high_bits,
                               .row_bits = d->row_bits > 31 ? 31 : d->row_bits };
    if (per & (per - 1) || m->slice_bits > d->bank_low_bits)
        return err_set(err,
                       "l2.slices_per_channel = %u: must be a power of two and at most "
                       "1 << dram.bank_low_bits (%u)",
                       per, 1u << d->bank_low_bits);
    if (1u << (d->bank_low_bits + d->bank_high_bits) > d->banks)
        return err_set(
            err,
            "dram.banks = %u: too few for the %u bank bits of the address map "
            "(dram.bank_low_bits + dram.bank_high_bits)",
            d->banks, d->bank_low_bits + d->bank_high_bits);
    if (d->banks % d->groups)
        return err_set(err, "dram.groups = %u does not divide dram.banks = %u",
                       d->groups, d->banks);
    m->low_bank_at = d->burst_bits + d->column_low_bits;
    m->high_bank_at = m->low_bank_at + d->bank_low_bits + d->column_high_bits;
    m->row_at = m->high_bank_at + d->bank_high_bits;
    m->below_channel = ((uint64_t)1 << m->channel_bit) - 1;
    m->below_bank = ((uint64_t)1 << m->low_bank_at) - 1;
    while (wide < n_channels)
        wide *= 2;
    index_hash_init(&m->spread, p->l2.partition_hash, wide * per);
    index_hash_init(&m->bank_spread, d->bank_hash, d->banks);
    return 0;
}

/* n bits of a, starting at bit `at`. */
static inline uint32_t extract_bits(uint64_t a, uint32_t at, uint32_t n)
{
    return (uint32_t)(a >> at) & ((1u << n) - 1);
}

/* The address with its channel bits removed. */
static uint64_t rest_of(const struct address_map *m, uint64_t addr)
{
    uint64_t low = addr & m->below_channel;
    uint64_t high = addr >> m->channel_bit;

    high = m->is_power ? high >> m->channel_bits : high / m->n_channels;
    return high << m->channel_bit | low;
}

/* Spreads neighbouring lines evenly over all slices, starting at a pseudo-random one,
 * so that no stride concentrates on a few slices. */
static uint32_t mix_slice(const struct address_map *m, uint64_t high)
{
    uint64_t first = hash_mix(high / m->n_slices) % m->n_slices;

    return (uint32_t)((first + high % m->n_slices) % m->n_slices);
}

static uint32_t slice_from(const struct address_map *m, uint64_t addr, uint64_t rest)
{
    uint64_t high = addr >> m->channel_bit;
    uint32_t channel = m->is_power ? (uint32_t)high & (m->n_channels - 1)
                                   : (uint32_t)(high % m->n_channels);
    uint32_t slice =
        channel * m->per_channel + extract_bits(rest, m->low_bank_at, m->slice_bits);

    if (m->partition_hash == CACHE_INDEX_LINEAR)
        return slice;
    if (m->partition_hash == PARTITION_MIX)
        return mix_slice(m, high);
    high =
        m->is_power ? high >> (m->channel_bits + m->slice_bits) : high / m->n_channels;
    slice = index_hash(&m->spread, high, slice);
    return slice % m->n_slices;
}

static uint32_t bank_from(const struct address_map *m, uint64_t rest, uint32_t row)
{
    uint32_t plain = extract_bits(rest, m->low_bank_at, m->low_bank_bits) |
                     extract_bits(rest, m->high_bank_at, m->high_bank_bits)
                         << m->low_bank_bits;

    return index_hash(&m->bank_spread, row, plain);
}

struct place address_place(const struct address_map *m, uint64_t addr)
{
    uint64_t rest = rest_of(m, addr);
    uint64_t below = rest & m->below_bank;
    uint32_t row = extract_bits(rest >> m->row_at, 0, m->row_bits);

    return (struct place){
        .within = rest >> (m->low_bank_at + m->slice_bits) << m->low_bank_at | below,
        .slice = slice_from(m, addr, rest),
        .row = row,
        .bank = (uint8_t)bank_from(m, rest, row),
    };
}
