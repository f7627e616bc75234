# halt.S - a program that ends as tests for Vortex do: by ecall, with no handler and no
# tohost. mret goes on, machine CSRs take what they are given and read zero; gp is the
# number of the test that failed, 1 if none did.
    .file "halt.S"
    .section .text.init, "ax"
    .globl _start
_start:
    la   t0, wrong
    csrw mtvec, t0
    csrw mepc, t0
    csrr a0, mtvec
    li   gp, 2
    bnez a0, end
    csrr a0, mstatus
    li   gp, 3
    bnez a0, end
    li   gp, 4
    mret
    li   gp, 1
end:
    ecall
wrong:
    li   gp, 5
    ecall
