# start.S - from reset to main() and back.
#
# Every core begins here with lane 0 of warp 0. All lanes of all warps are given their gp,
# sp and tp, and their thread-local variables, before main() runs in lane 0. What main()
# returns is the status of the program; counters are left where hosts look for them.

    .file "start.S"
    .equ CSR_NUM_WARPS, 0xfc1
    .equ CSR_NUM_CORES, 0xfc2
    .equ CSR_THREAD_ID, 0xcc0
    .equ CSR_WARP_ID, 0xcc1
    .equ CSR_CORE_ID, 0xcc2
    .equ STACK_TOP, 0xffff0000
    .equ STACK_LOG2, 13
    .equ COUNTERS, 0x80
    .equ STATUS, 0x88
    .equ GLOBAL, 0x80000000 # of a barrier: for cores

    .macro tmc mask
    .insn r 0x0b, 0, 0, x0, \mask, x0
    .endm
    .macro wspawn n, at
    .insn r 0x0b, 1, 0, x0, \n, \at
    .endm
    .macro bar id, n
    .insn r 0x0b, 4, 0, x0, \id, \n
    .endm

    .section .init, "ax"
    .globl _start
_start:
    csrr s0, CSR_NUM_WARPS
    la   s1, start_warp
    wspawn s0, s1
    li   s0, -1
    tmc  s0
    call init_lanes
    li   s0, 1
    tmc  s0
    wspawn s0, x0           # until the other warps are done
    csrr s0, CSR_CORE_ID
    bnez s0, 2f             # .bss is cleared once, before anyone uses it
    la   s0, __bss_start
    la   s1, __bss_end
1:  bgeu s0, s1, 2f
    sw   x0, 0(s0)
    addi s0, s0, 4
    j    1b
2:  csrr s0, CSR_NUM_CORES
    li   s1, 1
    beq  s0, s1, 3f
    li   s1, GLOBAL
    bar  s1, s0
3:  call main
    tail _exit

start_warp:
    li   s0, -1
    tmc  s0
    call init_lanes
    tmc  x0

    .text
# gp, sp, tp of all active lanes, and their thread-local variables.
init_lanes:
    .option push
    .option norelax
    la   gp, __global_pointer$
    .option pop
    csrr t0, mhartid
    li   sp, STACK_TOP
    slli t1, t0, STACK_LOG2
    sub  sp, sp, t1
    la   t2, __tls_size     # its value; a multiple of 16
    mul  t1, t0, t2
    la   tp, __tls_blocks
    add  tp, tp, t1
    la   t1, __tdata_start  # initial values, then zeros
    la   t3, __tdata_end
    mv   t4, tp
    add  t5, tp, t2
1:  bgeu t1, t3, 2f
    lw   t6, 0(t1)
    sw   t6, 0(t4)
    addi t1, t1, 4
    addi t4, t4, 4
    j    1b
2:  bgeu t4, t5, 3f
    sw   x0, 0(t4)
    addi t4, t4, 4
    j    2b
3:  ret

# vx_run_warp(): the function of the spawn in all lanes of this warp, which it leaves in
# lane 0. Lanes that the last spawn left in the middle of something get their stack anew;
# lane 0 of warp 0 is main()'s and keeps its own.
    .globl vx_run_warp
vx_run_warp:
    addi sp, sp, -16
    sw   ra, 12(sp)
    li   t0, -1
    tmc  t0
    csrr t0, mhartid
    li   t1, STACK_TOP
    slli t0, t0, STACK_LOG2
    sub  t1, t1, t0
    csrr t0, CSR_THREAD_ID
    snez t0, t0
    neg  t0, t0             # lanes but the first
    xor  t1, t1, sp
    and  t1, t1, t0
    xor  sp, sp, t1
    call vx_spawned
    li   t0, 1
    tmc  t0
    lw   ra, 12(sp)
    addi sp, sp, 16
    ret

# Where other warps of a spawn begin.
    .globl vx_start_spawned
vx_start_spawned:
    call vx_run_warp
    tmc  x0

# _exit(status): counters, status, end.
    .globl _exit
_exit:
    csrr t0, CSR_CORE_ID
    slli t1, t0, 8
    addi t1, t1, COUNTERS
    .set n, 0
    .rept 32
    .if n != 1              # the place of the status
    csrr t2, 0xb00 + n
    csrr t3, 0xb80 + n
    sw   t2, 8 * n(t1)
    sw   t3, 8 * n + 4(t1)
    .endif
    .set n, n + 1
    .endr
    bnez t0, 1f
    sw   a0, STATUS(x0)
1:  fence
    tmc  x0
