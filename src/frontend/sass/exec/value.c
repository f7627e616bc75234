/* value.c - what an instruction has written, as a digest, for whoever compares results.
 *
 * A result that is uniform or affine is described by base and stride, which all 32 lanes
 * were compared with; of others the bits are hashed. All registers that its static
 * instruction says it writes are in it, lanes whose guard did not hold as zero. Convergence
 * barriers are not: nothing is computed with them.
 */
#include "frontend/sass/exec/value.h"

#include <string.h>

#include "frontend/sass/math/fpcore.h"

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

/* Results so far. */
struct sum {
    struct value value;
    unsigned n;
};

/* One more: what it is in lane 0, its shape, and its line or else a hash of its bits. */
static void add_result(struct sum *s, uint32_t first, uint8_t shape, uint64_t digest)
{
    struct value *v = &s->value;

    v->first = s->n ? v->first : first;
    v->shape = shape > v->shape ? shape : v->shape;
    v->digest = value_join(v->digest, s->n++, digest);
}

static void add_row(struct sum *s, const uint32_t *row, uint32_t mask)
{
    uint8_t shape = mask == ALL_LANES ? shape_of(row) : VALUE_OTHER;
    uint32_t kept[WARP_LANES];

    if (shape != VALUE_OTHER) {
        add_result(s, row[0], shape, value_line(row[0], row[1] - row[0]));
        return;
    }
    for (unsigned l = 0; l < WARP_LANES; l++)
        kept[l] = mask >> l & 1 ? row[l] : 0;
    add_result(s, kept[0], shape, digest_of(kept));
}

/* Of a predicate: a bit for each lane. */
static void add_bits(struct sum *s, uint32_t bits, uint32_t mask)
{
    bool is_uniform = mask == ALL_LANES && (!bits || bits == ALL_LANES);

    bits &= mask;
    if (is_uniform)
        add_result(s, bits & 1, VALUE_UNIFORM, value_line(bits & 1, 0));
    else
        add_result(s, bits & 1, VALUE_OTHER, ~(uint64_t)bits);
}

static void add_register(struct sum *s, const struct sass_warp *w, unsigned id,
                         uint32_t mask)
{
    if (id < REGID_UR)
        add_row(s, w->r[id + 1], mask);
    else if (id < REGID_P)
        add_row(s, w->u[id - REGID_UR], ALL_LANES);
    else if (id < REGID_UP)
        add_bits(s, w->p[id - REGID_P], mask);
    else if (id >= REGID_UR_HIGH)
        add_row(s, w->u[id - REGID_UR_HIGH + UR_LOW], ALL_LANES);
    else if (id < REGID_B)
        add_bits(s, w->up[id - REGID_UP], ALL_LANES);
}

void sass_value(const struct sass_warp *w, struct dyn *d)
{
    struct sum s = { .value.shape = VALUE_UNIFORM };

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = d->inst->writes.w[k]; m; m &= m - 1)
            add_register(&s, w, k * 64 + (unsigned)__builtin_ctzll(m), d->mask);
    d->value = s.value;
    d->value.form = s.n == 1 && s.value.shape != VALUE_OTHER ? VALUE_LINE : VALUE_HASH;
}
