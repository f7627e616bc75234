/* float.c - every float instruction in every rounding mode, on random operands, as
 * hashes of what it leaves: a line for each and each block of cases. Built twice, for an
 * emulator of Linux programs and for Vortex (-DVORTEX), the lines must be the same.
 *
 * A case is the result, all its bits, and the exceptions. Operands are numbers of
 * ordinary size, any bits, subnormals, NaNs of any payload, and the edges; the third is
 * at times what cancels the product of the others. */
#include <stdint.h>

#ifndef CASES
#define CASES 100000 /* of an instruction, all rounding modes together */
#endif
enum { BLOCKS = 10, N_MODE = 5, N_FORM = N_MODE + 1 };

typedef uint32_t run_fn(uint32_t a, uint32_t b, uint32_t c, uint32_t *flags);

/* One instruction on ft0 to ft2; to is where its result is found. */
#define RUN(id, text, to)                                                     \
    static uint32_t id(uint32_t a, uint32_t b, uint32_t c, uint32_t *flags)   \
    {                                                                         \
        uint32_t result;                                                      \
                                                                              \
        __asm__ volatile("fmv.w.x ft0,%2\n fmv.w.x ft1,%3\n fmv.w.x ft2,%4\n" \
                         "fsflags zero\n" text "\n" to "frflags %1\n"         \
                         : "=&r"(result), "=r"(*flags)                        \
                         : "r"(a), "r"(b), "r"(c)                             \
                         : "ft0", "ft1", "ft2", "ft3");                       \
        return result;                                                        \
    }
#define TO_FLOAT "fmv.x.w %0,ft3\n"
#define TO_INT   ""

/* ROUNDED has a rounding mode behind its operands, PLAIN has not. */
#define OPS(ROUNDED, PLAIN)                               \
    ROUNDED(fadd, "fadd.s ft3,ft0,ft1", TO_FLOAT)         \
    ROUNDED(fsub, "fsub.s ft3,ft0,ft1", TO_FLOAT)         \
    ROUNDED(fmul, "fmul.s ft3,ft0,ft1", TO_FLOAT)         \
    ROUNDED(fdiv, "fdiv.s ft3,ft0,ft1", TO_FLOAT)         \
    ROUNDED(fsqrt, "fsqrt.s ft3,ft0", TO_FLOAT)           \
    ROUNDED(fmadd, "fmadd.s ft3,ft0,ft1,ft2", TO_FLOAT)   \
    ROUNDED(fmsub, "fmsub.s ft3,ft0,ft1,ft2", TO_FLOAT)   \
    ROUNDED(fnmadd, "fnmadd.s ft3,ft0,ft1,ft2", TO_FLOAT) \
    ROUNDED(fnmsub, "fnmsub.s ft3,ft0,ft1,ft2", TO_FLOAT) \
    ROUNDED(fcvt_w, "fcvt.w.s %0,ft0", TO_INT)            \
    ROUNDED(fcvt_wu, "fcvt.wu.s %0,ft0", TO_INT)          \
    ROUNDED(fcvt_s_w, "fcvt.s.w ft3,%2", TO_FLOAT)        \
    ROUNDED(fcvt_s_wu, "fcvt.s.wu ft3,%2", TO_FLOAT)      \
    PLAIN(fsgnj, "fsgnj.s ft3,ft0,ft1", TO_FLOAT)         \
    PLAIN(fsgnjn, "fsgnjn.s ft3,ft0,ft1", TO_FLOAT)       \
    PLAIN(fsgnjx, "fsgnjx.s ft3,ft0,ft1", TO_FLOAT)       \
    PLAIN(fmin, "fmin.s ft3,ft0,ft1", TO_FLOAT)           \
    PLAIN(fmax, "fmax.s ft3,ft0,ft1", TO_FLOAT)           \
    PLAIN(feq, "feq.s %0,ft0,ft1", TO_INT)                \
    PLAIN(flt, "flt.s %0,ft0,ft1", TO_INT)                \
    PLAIN(fle, "fle.s %0,ft0,ft1", TO_INT)                \
    PLAIN(fclass, "fclass.s %0,ft0", TO_INT)              \
    PLAIN(fmv, "fmv.x.w %0,ft0", TO_INT)

#define MODES(id, text, to)        \
    RUN(id##_rne, text ",rne", to) \
    RUN(id##_rtz, text ",rtz", to) \
    RUN(id##_rdn, text ",rdn", to) \
    RUN(id##_rup, text ",rup", to) \
    RUN(id##_rmm, text ",rmm", to) \
    RUN(id##_dyn, text ",dyn", to)
OPS(MODES, RUN)
RUN(product, "fmul.s ft3,ft0,ft1,rne", TO_FLOAT)

static const struct op {
    const char *name;
    run_fn *run[N_FORM]; /* by mode, the last as frm says */
} ops[] = {
#define ROUNDED(id, text, to) \
    { #id, { id##_rne, id##_rtz, id##_rdn, id##_rup, id##_rmm, id##_dyn } },
#define PLAIN(id, text, to) { #id, { id, id, id, id, id, id } },
    OPS(ROUNDED, PLAIN)
};

static const uint32_t edges[32] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
    0x80800000, 0x00800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0xffc00000, 0x7f800001, 0xffbfffff, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000,
    0x3fc00000, 0x3f7fffff, 0x3f800001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001,
    0x4f7fffff, 0x4f800000, 0x4b7fffff, 0x4b000001,
};

static uint32_t next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static uint32_t operand(uint32_t *seed)
{
    uint32_t bits = next(seed), kind = next(seed);

    switch (kind & 7) {
    case 0:
        return edges[bits >> 27];
    case 1:
        return bits;
    case 2:
        return bits & 0x807fffff;
    case 3:
        return bits | 0x7f800000;
    case 4: /* few bits: ties, exact results */
        return bits & 0xfff80000;
    default: /* near one, or near the integers' ends */
        return (bits & 0x807fffff) | (((kind >> 8 & 63) + 100) << 23);
    }
}

static void put(char c)
{
#ifdef VORTEX
    __asm__ volatile("sb %0,0x40(zero)" ::"r"(c) : "memory");
#else
    register long a0 __asm__("a0") = 1, a7 __asm__("a7") = 64, a2 __asm__("a2") = 1;
    register const char *a1 __asm__("a1") = &c;

    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
#endif
}

static void put_text(const char *text)
{
    while (*text)
        put(*text++);
}

static void put_hex(uint32_t value)
{
    for (int shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[value >> shift & 15]);
}

static uint32_t hash(uint32_t sum, uint32_t value)
{
    return (sum ^ value) * 16777619u;
}

static uint32_t run_block(run_fn *run, unsigned form, uint32_t seed)
{
    uint32_t sum = 2166136261u;

    for (unsigned n = 0; n < CASES / (BLOCKS * N_FORM) + 1; n++) {
        uint32_t a = operand(&seed), b = operand(&seed), c = operand(&seed), flags;

        if (next(&seed) & 1)
            c = (product(a, b, 0, &flags) ^ (next(&seed) & 0x80000001));
        /* a mode of its own does not look at frm, which is another one */
        __asm__ volatile("fsrm %0" ::"r"((n + form) % N_MODE));
        sum = hash(sum, run(a, b, c, &flags));
        sum = hash(sum, flags);
    }
    return sum;
}

static void run_op(const struct op *op)
{
    static const char *const forms[N_FORM] = {
        "rne", "rtz", "rdn", "rup", "rmm", "dyn"
    };

    for (unsigned form = 0; form < N_FORM; form++) {
        put_text(op->name);
        put(' ');
        put_text(forms[form]);
        for (unsigned block = 0; block < BLOCKS; block++) {
            put(' ');
            put_hex(run_block(op->run[form], form, 0x9e3779b9u * (block + 1)));
        }
        put('\n');
    }
}

__attribute__((used)) void run_all(void)
{
    for (unsigned n = 0; n < sizeof ops / sizeof *ops; n++)
        run_op(&ops[n]);
    __asm__ volatile("li a0,0\n li a7,93\n ecall");
}

__asm__(".globl _start\n_start: la sp,stack_end\n j run_all\n"
        ".bss\n .align 4\n .zero 4096\nstack_end:\n .text\n");
