/* regset.h - register ids and sets of them. Registers of all spaces share one id space, so
 * that a hazard check is a few ANDs.
 */
#ifndef LENO_ISA_REGSET_H
#define LENO_ISA_REGSET_H

#include <stdbool.h>
#include <stdint.h>

/* Register ids: general, uniform, predicates, uniform predicates, barriers, uniform from
 * UR64 on. */
enum {
    REGID_R = 0,
    REGID_UR = 256,
    REGID_P = 320,
    REGID_UP = 328,
    REGID_B = 336,
    REGID_UR_HIGH = 352,
    N_REGID = 384
};

/* Uniform registers that have an id. */
enum { UR_LOW = REGID_P - REGID_UR, N_UR = UR_LOW + N_REGID - REGID_UR_HIGH };
static inline unsigned regid_uniform(unsigned n)
{
    return n < UR_LOW ? REGID_UR + n : REGID_UR_HIGH + n - UR_LOW;
}

/* Writes its name: "R4", "UP1". */
enum { REGID_NAME = 16 };
void regid_name(unsigned id, char name[REGID_NAME]);

/* Vectors of four and two words (perf: one instruction each on hosts with vectors). */
typedef long long regset_quad __attribute__((vector_size(32), aligned(8)));
typedef long long regset_pair __attribute__((vector_size(16), aligned(8)));

struct regset {
    union {
        uint64_t w[N_REGID / 64];
        struct {
            regset_quad general;
            regset_pair others;
        };
    };
};
_Static_assert(REGID_UR == 4 * 64 && N_REGID == 6 * 64, "general registers, others");

/* The members of two sets in rising order: registers read, then registers written. Sets
 * that do not fit are not listed: then is_whole is false and the list is empty. */
enum { MAX_LISTED = 44, FEW_WRITES = 4 };
struct reglist {
    bool is_whole;
    bool is_short; /* whole, and only a few registers are written */
    uint8_t n_reads, n_writes;
    uint16_t reg[MAX_LISTED];
};

static inline void regset_add(struct regset *s, unsigned id)
{
    s->w[id >> 6] |= (uint64_t)1 << (id & 63);
}

static inline bool regset_has(const struct regset *s, unsigned id)
{
    return s->w[id >> 6] >> (id & 63) & 1;
}

/* Its first member from an id on; N_REGID: none. */
static inline unsigned regset_next(const struct regset *s, unsigned id)
{
    for (uint64_t w; id < N_REGID; id = (id | 63) + 1)
        if ((w = s->w[id >> 6] >> (id & 63)))
            return id + (unsigned)__builtin_ctzll(w);
    return N_REGID;
}

static inline bool regset_meets(const struct regset *a, const struct regset *b)
{
#ifdef __AVX__ /* compilers do not find this by themselves */
    return !__builtin_ia32_ptestz256(a->general, b->general) ||
           !__builtin_ia32_ptestz128(a->others, b->others);
#else
    regset_quad general = a->general & b->general;
    regset_pair others = a->others & b->others;

    return general[0] | general[1] | general[2] | general[3] | others[0] | others[1];
#endif
}

static inline bool regset_any(const struct regset *s)
{
    return regset_meets(s, s);
}

static inline void regset_join(struct regset *to, const struct regset *s)
{
    to->general |= s->general;
    to->others |= s->others;
}

static inline void regset_drop(struct regset *from, const struct regset *s)
{
    from->general &= ~s->general;
    from->others &= ~s->others;
}

void reglist_make(struct reglist *l, const struct regset *reads,
                  const struct regset *writes);

#endif
