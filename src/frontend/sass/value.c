/* value.c - what an instruction has written, as a digest, for whoever compares results.
 *
 * All registers that its static instruction says it writes are in it, lanes whose guard
 * did not hold as zero. Convergence barriers are not: nothing is computed with them.
 */
#include "frontend/sass/value.h"

#include <string.h>

#include "base/hash.h"
#include "frontend/sass/fpcore.h"

#define ROW_KEY UINT64_C(0x9e3779b97f4a7c15) /* odd, its bits without a pattern */

/* Uniform, affine or neither. */
static uint8_t shape_of(const uint32_t *row)
{
    uint32_t step = row[1] - row[0], odd = 0;

    for (unsigned l = 1; l < WARP_LANES; l++)
        odd |= (row[l] - row[l - 1]) ^ step;
    return odd ? VALUE_OTHER : step ? VALUE_AFFINE : VALUE_UNIFORM;
}

/* Of 32 words: products of two pairs each, folded, which do not wait for each other. */
static uint64_t digest_of(const uint32_t *row)
{
    uint64_t digest = 0, pair[2], key = ROW_KEY;

    for (unsigned l = 0; l < WARP_LANES; l += 4, key += 2 * ROW_KEY) {
        fp_u128 product;

        memcpy(pair, row + l, sizeof pair);
        product = (fp_u128)(pair[0] ^ key) * (pair[1] ^ (key + ROW_KEY));
        digest += (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    return digest;
}

static void add_row(struct value *v, const uint32_t *row, uint32_t mask)
{
    uint8_t shape = mask == ALL_LANES ? shape_of(row) : VALUE_OTHER;
    uint32_t kept[WARP_LANES];

    for (unsigned l = 0; l < WARP_LANES && mask != ALL_LANES; l++)
        kept[l] = mask >> l & 1 ? row[l] : 0;
    v->digest = hash_mix(v->digest ^ digest_of(mask == ALL_LANES ? row : kept));
    v->shape = shape > v->shape ? shape : v->shape;
}

/* Of a predicate: a bit for each lane. */
static void add_bits(struct value *v, uint32_t bits, uint32_t mask)
{
    v->digest = hash_mix(v->digest ^ (bits & mask));
    if (mask != ALL_LANES || (bits && bits != ALL_LANES))
        v->shape = VALUE_OTHER;
}

static void add_register(struct value *v, const struct sass_warp *w, unsigned id,
                         uint32_t mask)
{
    if (id < REGID_UR)
        add_row(v, w->r[id + 1], mask);
    else if (id < REGID_P)
        add_row(v, w->u[id - REGID_UR], ALL_LANES);
    else if (id < REGID_UP)
        add_bits(v, w->p[id - REGID_P], mask);
    else if (id < REGID_B)
        add_bits(v, w->up[id - REGID_UP], ALL_LANES);
}

void sass_value(const struct sass_warp *w, struct dyn *d)
{
    d->value = (struct value){ .shape = VALUE_UNIFORM };
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = d->inst->writes.w[k]; m; m &= m - 1)
            add_register(&d->value, w, k * 64 + (unsigned)__builtin_ctzll(m), d->mask);
}
