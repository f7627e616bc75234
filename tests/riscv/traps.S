# traps.S - a program as bare-metal test suites have them: machine mode set up from reset,
# a trap handler that reports through tohost, tests in user mode. Its status is the number
# of the test that failed, 0 if none did.
    .file "traps.S"

    .macro test number, register, expected
    li   gp, \number
    li   t6, \expected
    bne  \register, t6, fail
    .endm

    .section .text.init, "ax"
    .globl _start
_start:
    j    reset
    .align 2
handler:
    csrr t5, mcause
    li   t6, 8              # ecall, user mode
    beq  t5, t6, report
    li   t6, 2              # an instruction that is none: skipped, and counted
    bne  t5, t6, other
    csrr t5, mepc
    addi t5, t5, 4
    csrw mepc, t5
    addi s11, s11, 1
    mret
other:
    li   gp, 1337
report:
    sw   gp, tohost, t5
    sw   x0, tohost + 4, t5
    j    report

reset:
    csrr a0, mhartid
1:  bnez a0, 1b             # one hart does it
    la   t0, 2f
    csrw mtvec, t0          # whatever of the following is not there is skipped
    csrwi 0x744, 8          # mnstatus
    csrwi satp, 0
    li   t0, -1
    csrw pmpaddr0, t0
    li   t0, 31
    csrw pmpcfg0, t0
    .align 2
2:  csrwi mie, 0
    csrwi medeleg, 0
    csrwi mideleg, 0
    la   t0, handler
    csrw mtvec, t0
    li   t0, 0x6000         # the float unit is on
    csrwi mstatus, 0
    csrs mstatus, t0
    csrwi fcsr, 0
    li   s11, 0
    la   t0, tests
    csrw mepc, t0
    mret

    .text
tests:
    csrr a0, misa
    test 2, a0, 0x40001121
    .word 0                 # no instruction
    test 3, s11, 1
    csrr a0, 0x8c0          # no CSR
    test 4, s11, 2
    la   a1, data           # misaligned accesses
    lw   a0, 1(a1)
    test 5, a0, 0x55443322
    lhu  a0, 3(a1)
    test 6, a0, 0x5544
    li   a0, 0xaabbccdd
    sw   a0, 6(a1)
    lw   a0, 4(a1)
    test 7, a0, 0xccdd6655
    la   a1, patched        # code that is written over
    la   a2, patch
    lw   a0, 0(a2)
    sw   a0, 0(a1)
    fence.i
patched:
    li   a0, 1
    test 8, a0, 2
    la   a1, word           # a lock by reservation
3:  lr.w.aq a0, (a1)
    addi a0, a0, 5
    sc.w.rl a2, a0, (a1)
    bnez a2, 3b
    lw   a0, 0(a1)
    test 9, a0, 15
    amomaxu.w a0, a1, (a1)
    lw   a0, 0(a1)
    sub  a0, a0, a1
    test 10, a0, 0
    fsflags x0              # exceptions and rounding
    li   a0, 1
    fcvt.s.w fa0, a0
    li   a0, 3
    fcvt.s.w fa1, a0
    fdiv.s fa2, fa0, fa1
    fsflags a0, x0
    test 11, a0, 1
    fmv.x.w a0, fa2
    test 12, a0, 0x3eaaaaab
    fsrmi 1
    fdiv.s fa2, fa0, fa1
    fmv.x.w a0, fa2
    test 13, a0, 0x3eaaaaaa
    fdiv.s fa2, fa0, fa1, rup
    fmv.x.w a0, fa2
    test 14, a0, 0x3eaaaaab
    frcsr a0
    test 15, a0, 0x21
    csrr a0, cycle
    csrr a1, cycle
    sltu a0, a0, a1
    test 16, a0, 1
pass:
    fence
    li   gp, 1
    li   a7, 93
    li   a0, 0
    ecall
fail:
    fence
    slli gp, gp, 1
    ori  gp, gp, 1
    li   a7, 93
    mv   a0, gp
    ecall
patch:
    li   a0, 2

    .section .tohost, "aw", @progbits
    .align 6
    .globl tohost
tohost: .dword 0
    .data
data:   .word 0x44332211, 0x88776655, 0
word:   .word 10
