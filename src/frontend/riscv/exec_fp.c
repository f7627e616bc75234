/* exec_fp.c - the F extension. Exceptions of all lanes are one set of flags, the warp's,
 * as is the rounding mode. */
#include "frontend/riscv/single.h"
#include "frontend/riscv/state.h"

#define SIGN 0x80000000u

static int bad_rounding(struct riscv_warp *w, const struct riscv_inst *i,
                        struct err *err)
{
    if (riscv_has_traps(w))
        return riscv_illegal(w, (uint32_t)i->inst.pc, i->word, err);
    return err_kind(err, ERR_UNSUPPORTED,
                    "%s at 0x%llx: rounding mode %u, expected 0 to 4",
                    riscv_op_name(i->inst.op), (unsigned long long)i->inst.pc,
                    i->rm == 7 ? w->frm : i->rm);
}

/* ROUNDED(id, value): of lanes' a, b and c, in rounding mode rm, exceptions to flags. */
#define ROUNDED(id, value)                                                          \
    HANDLER(id)                                                                     \
    {                                                                               \
        unsigned rm = i->rm == 7 ? w->frm : i->rm;                                  \
        uint8_t *flags = &w->fflags;                                                \
                                                                                    \
        if (rm >= N_RM)                                                             \
            return bad_rounding(w, i, err);                                         \
        for (uint32_t m = w->mask; m; m &= m - 1) {                                 \
            unsigned l = (unsigned)__builtin_ctz(m);                                \
            uint32_t a = w->r[i->rs1][l], b = w->r[i->rs2][l], c = w->r[i->rs3][l]; \
                                                                                    \
            (void)b, (void)c, (void)flags;                                          \
            w->r[i->rd][l] = (value);                                               \
        }                                                                           \
        return 0;                                                                   \
    }

ROUNDED(fadd_s, single_add(a, b, rm, flags))
ROUNDED(fsub_s, single_add(a, b ^ SIGN, rm, flags))
ROUNDED(fmul_s, single_mul(a, b, rm, flags))
ROUNDED(fdiv_s, single_div(a, b, rm, flags))
ROUNDED(fsqrt_s, single_sqrt(a, rm, flags))
ROUNDED(fmadd_s, single_fma(a, b, c, rm, flags))
ROUNDED(fmsub_s, single_fma(a, b, c ^ SIGN, rm, flags))
ROUNDED(fnmsub_s, single_fma(a ^ SIGN, b, c, rm, flags))
ROUNDED(fnmadd_s, single_fma(a ^ SIGN, b, c ^ SIGN, rm, flags))
ROUNDED(fcvt_w_s, single_to_int(a, true, rm, flags))
ROUNDED(fcvt_wu_s, single_to_int(a, false, rm, flags))
ROUNDED(fcvt_s_w, single_from_int((int32_t)a, rm, flags))
ROUNDED(fcvt_s_wu, single_from_int(a, rm, flags))
/* Those without a rounding mode have 0 for it. */
ROUNDED(fsgnj_s, (a & ~SIGN) | (b & SIGN))
ROUNDED(fsgnjn_s, (a & ~SIGN) | (~b & SIGN))
ROUNDED(fsgnjx_s, a ^ (b & SIGN))
ROUNDED(fmin_s, single_min(a, b, flags))
ROUNDED(fmax_s, single_max(a, b, flags))
ROUNDED(fle_s, single_less_equal(a, b, flags))
ROUNDED(flt_s, single_less(a, b, flags))
ROUNDED(feq_s, single_equal(a, b, flags))
ROUNDED(fclass_s, single_class(a))
ROUNDED(fmv_x_w, a)
ROUNDED(fmv_w_x, a)
