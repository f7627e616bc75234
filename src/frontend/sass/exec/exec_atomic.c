/* exec_atomic.c - atomics and reductions on global, shared and generic addresses.
 *
 * Lanes go one after another in ascending order, so lanes at the same address see each
 * other. A generic atomic that shared memory cannot do (64-bit sums, floating point),
 * and any on local memory, is not done and says so in its predicate; the compiler puts
 * a loop after it. Without a predicate it is done anyway.
 */
#include "frontend/sass/decode/special.h"
#include "frontend/sass/exec/atomic.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/math/fp.h"

#define INT(b)               \
    {                        \
        .bytes = (b), .n = 1 \
    }
#define SIGNED(b)                               \
    {                                           \
        .bytes = (b), .n = 1, .is_signed = true \
    }
#define FLOAT(b, k)                                       \
    {                                                     \
        .bytes = (b), .n = 1, .is_float = true, .fp = (k) \
    }

/* The field at bit 73 before sm_90. */
static struct atom_type old_type(unsigned field)
{
    static const struct atom_type types[8] = {
        INT(4),
        SIGNED(4),
        INT(8),
        FLOAT(4, FP_ATOMIC_F32),
        FLOAT(4, FP_ATOMIC_F16X2),
        SIGNED(8),
        FLOAT(8, FP_ATOMIC_F64),
    };

    return types[field & 7];
}

/* sm_90 has integers and floating point in different opcodes. */
struct atom_type atomic_int_type(unsigned field)
{
    static const struct atom_type types[8] = {
        INT(4), SIGNED(4), INT(8), SIGNED(8), { .bytes = 8, .n = 2 }
    };

    return types[field & 7];
}

static struct atom_type float_type(unsigned field)
{
    static const struct atom_type groups[5] = { FLOAT(4, FP_ATOMIC_F16X2),
                                                FLOAT(4, FP_ATOMIC_BF16X2),
                                                { .n = 0 },
                                                FLOAT(4, FP_ATOMIC_F32),
                                                FLOAT(4, FP_ATOMIC_F32) };
    static const struct atom_type f64 = FLOAT(8, FP_ATOMIC_F64);
    struct atom_type t;

    if (field == 15)
        return f64;
    t = groups[field / 3];
    t.n = (uint8_t)(t.n << field % 3);
    t.keeps_denormals = field / 3 == 4;
    return t;
}

/* Minimum or maximum, by comparing as the type says. */
static uint64_t atom_minmax(struct atom_type t, bool is_max, uint64_t a, uint64_t b)
{
    uint64_t flip = t.is_signed ? (uint64_t)1 << (8 * t.bytes - 1) : 0;

    return ((a ^ flip) < (b ^ flip)) != is_max ? a : b;
}

/* Halves only, as HMNMX2 does it. LIMIT: measured for bulk copies, taken to be the same
 * for atomics. */
static uint64_t pick_halves(struct atom_type t, bool is_max, uint64_t a, uint64_t b)
{
    enum fp_format f = t.fp == FP_ATOMIC_BF16X2 ? FP_BF16 : FP_F16;

    return fp_minmax2(f, (struct fp_minmax){ .is_max = is_max }, (uint32_t)a,
                      (uint32_t)b);
}

static bool is_halves(struct atom_type t)
{
    return t.is_float && (t.fp == FP_ATOMIC_F16X2 || t.fp == FP_ATOMIC_BF16X2);
}

uint64_t atomic_apply(struct atom_type t, enum atom_op op, uint64_t old, uint64_t v)
{
    const struct fp_mode plain = { 0 };

    if (t.is_float && op == ATOM_ADD)
        return t.keeps_denormals ? fp_add(FP_F32, plain, v, old)
                                 : fp_atomic_add((enum fp_atomic)t.fp, old, v);
    switch (op) {
    case ATOM_ADD:
        return old + v;
    case ATOM_MIN:
    case ATOM_MAX:
        return t.is_float ? pick_halves(t, op == ATOM_MAX, old, v)
                          : atom_minmax(t, op == ATOM_MAX, old, v);
    case ATOM_INC:
        return old >= v ? 0 : old + 1;
    case ATOM_DEC:
        return !old || old > v ? v : old - 1;
    case ATOM_AND:
        return old & v;
    case ATOM_OR:
        return old | v;
    case ATOM_XOR:
        return old ^ v;
    default:
        return v;
    }
}

/* A lane's data, and where its old values go: up to four words. */
struct atom_data {
    uint32_t in[4][WARP_LANES], out[4][WARP_LANES];
};

static void read_data(struct sass_warp *w, const struct operand *o, unsigned n_words,
                      uint32_t in[][WARP_LANES])
{
    for (unsigned k = 0; k < n_words; k++) {
        const uint32_t *v = sass_source(w, o, k, SRC_BITS, in[k]);

        if (v != in[k])
            memcpy(in[k], v, sizeof in[k]);
    }
}

static void update_lane(struct atom_type t, enum atom_op op, uint8_t *at, unsigned l,
                        struct atom_data *d)
{
    for (unsigned e = 0; e < t.n; e++) {
        unsigned word = e * t.bytes / 4u;
        uint64_t old = 0, v = d->in[word][l], next;

        if (t.bytes == 8)
            v |= (uint64_t)d->in[word + 1][l] << 32;
        memcpy(&old, at + 4 * word, t.bytes);
        next = atomic_apply(t, op, old, v);
        memcpy(at + 4 * word, &next, t.bytes);
        d->out[word][l] = (uint32_t)old;
        if (t.bytes == 8)
            d->out[word + 1][l] = (uint32_t)(old >> 32);
    }
}

/* What nearly all atomics are: sums of 32-bit integers. */
static void add_words(uint8_t *const *at, uint32_t lanes, const uint32_t *in,
                      uint32_t *out)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t v;

        memcpy(&v, at[l], sizeof v);
        out[l] = v;
        v += in[l];
        memcpy(at[l], &v, sizeof v);
    }
}

static void atom_update(struct atom_type t, enum atom_op op, uint8_t *const *at,
                        uint32_t lanes, struct atom_data *d)
{
    if (op == ATOM_ADD && t.bytes == 4 && t.n == 1 && !t.is_float) {
        add_words(at, lanes, d->in[0], d->out[0]);
        return;
    }
    for (uint32_t m = lanes; m; m &= m - 1)
        update_lane(t, op, at[__builtin_ctz(m)], (unsigned)__builtin_ctz(m), d);
}

/* Lanes for which generic addressing cannot do it. Shared memory of another block in the
 * cluster takes all integers: the compiler has no loop for those. */
static uint32_t atom_refused(struct atom_type t, enum atom_op op,
                             const struct memory_place *p)
{
    if (t.is_float)
        return p->local | p->shared;
    if (t.bytes == 4 || op == ATOM_EXCH)
        return p->local;
    return p->local | (p->shared & ~p->remote);
}

bool atomic_can(struct atom_type t, enum atom_op op)
{
    if (!t.n || op >= N_ATOM_OP)
        return false;
    if (t.is_float)
        return op == ATOM_ADD || op == ATOM_EXCH ||
               (is_halves(t) && (op == ATOM_MIN || op == ATOM_MAX));
    return t.n == 1 || op == ATOM_EXCH;
}

/* The operands of an atomic; a reduction has no result, and only global ones say whether
 * they were done. */
struct atom_operands {
    const struct operand *done, *d, *address, *data;
};

_Static_assert(ATOM_PD == ATOM_F_PD && ATOM_D == ATOM_F_D &&
                   ATOM_ADDRESS == ATOM_F_ADDRESS && ATOM_DATA == ATOM_F_DATA &&
                   RED_ADDRESS == REDG_F_ADDRESS && RED_DATA == REDG_F_DATA,
               "operands_of() is for all of them");

static struct atom_operands operands_of(const struct sass_inst *i)
{
    const struct operand *o = i->opd;

    switch (i->base.op) {
    case OP_RED:
    case OP_REDG:
    case OP_REDG_F:
        return (struct atom_operands){ .address = &o[RED_ADDRESS],
                                       .data = &o[RED_DATA] };
    case OP_ATOMS:
        return (struct atom_operands){ .d = &o[ATOMS_D],
                                       .address = &o[ATOMS_ADDRESS],
                                       .data = &o[ATOMS_DATA] };
    default:
        return (struct atom_operands){ .done = &o[ATOM_PD],
                                       .d = &o[ATOM_D],
                                       .address = &o[ATOM_ADDRESS],
                                       .data = &o[ATOM_DATA] };
    }
}

static enum exec_result run_atom(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask, struct atom_type t, enum atom_op op)
{
    unsigned n_words = (unsigned)t.n * t.bytes / 4;
    struct atom_operands o = operands_of(i);
    struct memory_access what = { o.address, i->base.space, (uint8_t)(4 * n_words) };
    struct memory_place p;
    struct atom_data d;
    uint32_t lanes = mask;

    if (!atomic_can(t, op))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported atomic operation");
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    read_data(w, o.data, n_words, d.in);
    if (o.done && !is_pt(o.done) && what.space == SPACE_GENERIC)
        lanes &= ~atom_refused(t, op, &p);
    atom_update(t, op, p.at, lanes, &d);
    if (o.d)
        for (unsigned part = 0; part < n_words; part++)
            sass_result(w, o.d, part, d.out[part], lanes);
    if (o.done)
        set_predicate_bits(w, o.done, lanes, mask);
    return EXEC_NEXT;
}

_Static_assert(ATOM_TYPE == ATOMS_TYPE && ATOM_TYPE == RED_TYPE, "one type_of()");
_Static_assert(ATOM_OP == ATOMS_OP, "one exec_atom()");
_Static_assert(ATOM_F_TYPE == REDG_F_TYPE && ATOM_F_OP == REDG_F_OP,
               "one exec_atom_float()");

static struct atom_type type_of(const struct sass_warp *w, const struct sass_inst *i)
{
    unsigned field = sass_field(i, ATOM_TYPE);

    return w->block->grid->arch >= SM90 ? atomic_int_type(field) : old_type(field);
}

/* ATOM, ATOMG, ATOMS. */
enum exec_result exec_atom(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    return run_atom(w, i, mask, type_of(w, i), (enum atom_op)sass_field(i, ATOM_OP));
}

enum exec_result exec_red(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    return run_atom(w, i, mask, type_of(w, i), (enum atom_op)sass_field(i, RED_OP));
}

/* ATOM, ATOMG, RED of sm_90 on floating point; the operations have other numbers. */
enum exec_result exec_atom_float(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    static const uint8_t ops[8] = { ATOM_ADD, N_ATOM_OP, ATOM_MIN,  N_ATOM_OP,
                                    ATOM_MAX, N_ATOM_OP, N_ATOM_OP, N_ATOM_OP };

    return run_atom(w, i, mask, float_type(sass_field(i, ATOM_F_TYPE)),
                    (enum atom_op)ops[sass_field(i, ATOM_F_OP)]);
}

/* Swaps if memory holds the compare value. True if it did; the old words go to out. */
static bool swap_lane(uint8_t *at, unsigned l, unsigned n_words,
                      const struct atom_data *d, uint32_t next[][WARP_LANES],
                      uint32_t *old)
{
    bool same = true;

    memcpy(old, at, 4 * n_words);
    for (unsigned k = 0; k < n_words; k++)
        same &= old[k] == d->in[k][l];
    for (unsigned k = 0; same && k < n_words; k++)
        memcpy(at + 4 * k, &next[k][l], 4);
    return same;
}

_Static_assert(ATOM_CAS_TYPE == ATOMS_CAS_TYPE && ATOM_CAS_MODE == ATOMS_CAS_MODE,
               "one exec_atom_cas()");

/* CAST gives 1 if it swapped, else 0, instead of the old value. */
_Static_assert(ATOMS_CAST_PD == ATOMS_CAS_D && ATOMS_CAST_SWAP == ATOMS_CAS_SWAP,
               "one handler");
enum exec_result exec_atom_cas(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    enum { CAS, CAST, CAST_SPIN = 3 };
    static const uint8_t words[8] = { 1, 1, 2, 0, 4 };
    bool sets_predicate = i->base.op == OP_ATOMS_CAST;
    bool is_shared =
        i->base.op == OP_ATOMS_CAS || i->base.op == OP_ATOMS_CAS_100 || sets_predicate;
    const struct operand *to = &i->opd[is_shared ? ATOMS_CAS_D : ATOM_CAS_D];
    const struct operand *compare =
        &i->opd[is_shared ? ATOMS_CAS_COMPARE : ATOM_CAS_COMPARE];
    const struct operand *swap = &i->opd[is_shared ? ATOMS_CAS_SWAP : ATOM_CAS_SWAP];
    unsigned n = words[sass_field(i, ATOM_CAS_TYPE)];
    unsigned mode = sass_field(i, ATOM_CAS_MODE);
    struct memory_access what = {
        &i->opd[is_shared ? ATOMS_CAS_ADDRESS : ATOM_CAS_ADDRESS], i->base.space,
        (uint8_t)(4 * n)
    };
    uint32_t next[4][WARP_LANES], done = 0;
    struct memory_place p;
    struct atom_data d;

    if (!n || mode == 2 || (sets_predicate && mode == CAS))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported compare and swap");
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    read_data(w, compare, n, d.in);
    read_data(w, swap, n, next);
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t old[4];
        bool swapped = swap_lane(p.at[l], l, n, &d, next, old);

        done |= swapped ? sass_lane_bit[l] : 0;
        for (unsigned part = 0; part < n; part++)
            d.out[part][l] = mode == CAS ? old[part] : swapped && !part;
    }
    if (sets_predicate)
        set_predicate_bits(w, to, done, mask);
    for (unsigned part = 0; part < n && !sets_predicate; part++)
        sass_result(w, to, part, d.out[part], mask);
    if (!is_shared)
        set_predicate_bits(w, &i->opd[ATOM_CAS_PD], ALL_LANES, mask);
    return EXEC_NEXT;
}

enum exec_result exec_atoms_popc(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    unsigned popc_inc = w->block->grid->arch >= SM90 ? 11 : 10;
    struct memory_access what = { &i->opd[ATOMS_POPC_ADDRESS], SPACE_SHARED, 4 };
    struct memory_place p;

    if (!special_counts(i))
        return exec_atom_arrive(w, i, mask);
    if (sass_field(i, ATOMS_POPC_OP) != popc_inc || !is_rz(&i->opd[ATOMS_POPC_D]))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported atomic operation");
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint8_t *at = p.at[__builtin_ctz(m)];
        uint32_t v;

        memcpy(&v, at, sizeof v);
        v++;
        memcpy(at, &v, sizeof v);
    }
    return EXEC_NEXT;
}
