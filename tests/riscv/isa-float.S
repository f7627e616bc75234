# isa-float.S - an ISA test of the float group: each result with the exceptions it left.
#include "skeleton.inc"
    .file "isa-float.S"

    .macro operands a, b, c
    li   t0, \a
    fmv.w.x fa0, t0
    li   t0, \b
    fmv.w.x fa1, t0
    li   t0, \c
    fmv.w.x fa2, t0
    .endm

    .macro check number, flags, result
    fsflags a1, zero
    want \number, a0, \result
    want \number, a1, \flags
    .endm

    # To a float register, and to an integer one.
    .macro to_float number, instruction, flags, result, a, b=0, c=0
    operands \a, \b, \c
    \instruction
    fmv.x.w a0, fa3
    check \number, \flags, \result
    .endm
    .macro to_int number, instruction, flags, result, a, b=0
    operands \a, \b, 0
    \instruction
    check \number, \flags, \result
    .endm

    begin
    to_float 2, "fadd.s fa3,fa0,fa1", 0, 0x40600000, 0x40200000, 0x3f800000
    to_float 3, "fadd.s fa3,fa0,fa1", 1, 0xc49a4000, 0xc49a6333, 0x3f8ccccd
    to_float 4, "fsub.s fa3,fa0,fa1", 16, 0x7fc00000, 0x7f800000, 0x7f800000
    to_float 5, "fmin.s fa3,fa0,fa1", 16, 0x3f800000, 0x7f800001, 0x3f800000
    to_float 6, "fmax.s fa3,fa0,fa1", 0, 0x7fc00000, 0x7fc00000, 0xffc00001
    to_float 7, "fmin.s fa3,fa0,fa1", 0, 0x80000000, 0, 0x80000000
    to_float 8, "fmax.s fa3,fa0,fa1", 0, 0, 0x80000000, 0
    to_float 9, "fdiv.s fa3,fa0,fa1", 8, 0x7f800000, 0x3f800000, 0
    to_float 10, "fdiv.s fa3,fa0,fa1", 16, 0x7fc00000, 0, 0
    to_float 11, "fsqrt.s fa3,fa0", 16, 0x7fc00000, 0xbf800000
    to_float 12, "fsqrt.s fa3,fa0", 1, 0x3fb504f3, 0x40000000
    to_float 13, "fmul.s fa3,fa0,fa1", 5, 0x7f800000, 0x7f7fffff, 0x40000000
    to_float 14, "fmul.s fa3,fa0,fa1,rtz", 5, 0x7f7fffff, 0x7f7fffff, 0x40000000
    to_float 15, "fmul.s fa3,fa0,fa1", 3, 0x00000001, 0x00000001, 0x3f400000
    to_float 16, "fnmadd.s fa3,fa0,fa1,fa2", 0, 0xc0a00000, 0x3f800000, 0x40200000, 0x40200000
    to_float 17, "fmadd.s fa3,fa0,fa1,fa2", 16, 0x7fc00000, 0x7f800000, 0, 0x7fc00000
    to_float 18, "fmadd.s fa3,fa0,fa1,fa2,rdn", 1, 0x3f800000, 0x3f800000, 0x3f800000, 1
    to_float 19, "fmadd.s fa3,fa0,fa1,fa2,rup", 1, 0x3f800001, 0x3f800000, 0x3f800000, 1
    to_int 20, "fcvt.w.s a0,fa0,rtz", 1, -1, 0xbf8ccccd
    to_int 21, "fcvt.w.s a0,fa0,rdn", 1, -2, 0xbf8ccccd
    to_int 22, "fcvt.wu.s a0,fa0,rtz", 16, 0, 0xc0400000
    to_int 23, "fcvt.wu.s a0,fa0,rtz", 1, 0, 0xbf666666
    to_int 24, "fcvt.w.s a0,fa0,rtz", 16, 0x7fffffff, 0x7fc00000
    to_int 25, "fcvt.w.s a0,fa0,rtz", 16, 0x80000000, 0xff800000
    to_int 26, "fcvt.wu.s a0,fa0,rtz", 16, -1, 0xffffffff
    to_int 27, "fclass.s a0,fa0", 0, 0x100, 0x7f800001
    to_int 28, "fclass.s a0,fa0", 0, 4, 0x807fffff
    to_int 29, "flt.s a0,fa0,fa1", 16, 0, 0x7fc00000, 0
    to_int 30, "feq.s a0,fa0,fa1", 0, 0, 0x7fc00000, 0
    to_int 31, "feq.s a0,fa0,fa1", 16, 0, 0x7f800001, 0
    to_int 32, "fmv.x.w a0,fa0", 0, 0x7f800001, 0x7f800001
    li   a0, 0x1234
    fscsr a1, a0
    frcsr a0
    want 33, a0, 0x34
    la   a0, data
    flw  fa0, 4(a0)                 # a NaN comes and goes as it is
    fsw  fa0, 8(a0)
    lw   a1, 8(a0)
    want 34, a1, 0xffa55aa5
    .word 0x00b55553                # fadd.s of a rounding mode that is none
    want 35, zero, 1
mtvec_handler:
    csrr a0, mcause
    want 36, a0, 2
    j    pass
    end
data:   .word 0, 0xffa55aa5, 0
