# Throughput of a Vortex core: all warps run the same 512 straight-line instructions.
# Three passes per row (micro.inc):
#   pass 0  the code is not in the cache yet
#   pass 1  the same again; the code is in the cache
#   pass 2  the same with a barrier of all warps before the first mark
.equ PASSES, 3
.include "micro.inc"

.section .init,"ax"
.global _start
_start:
 li s0, RES
 csrr s4, 0xfc1
 launch li
 launch addi
 launch add
 launch fmadd
 launch lw
 launch chain
 launch mix
 launch fmix
 j print

# Registers, in pass 2 the barrier, and the first mark.
.macro enter row
.section .text.\row,"ax"
.balign 64
warp_\row:               # warps other than 0 begin here with one lane
 la ra, over
warp0_\row:
 li t0, -1
 tmc t0
 csrr s1, 0x340
 csrr s2, 0xcc1           # warp
 csrr t0, 0xcc0           # lane
 slli t1, s2, 6
 slli t2, t0, 2
 add t1, t1, t2
 li a0, 0x30000
 add a0, a0, t1           # a word of its own in a line of its warp
 li a1, 3
 li a2, 5
 fcvt.s.w fa0, a1
 fcvt.s.w fa1, a2
 fcvt.s.w fa2, a1
 lw a3, 0(a0)             # the line is there
 add a3, a3, a1
 li t5, RES
 sub t5, s1, t5
 srli t5, t5, 8
 li t6, 3
 remu t5, t5, t6
 li t6, 2
 bne t5, t6, 2f
 csrr t6, 0xfc1
 li t5, 0
 bar t5, t6
2:
 li t0, -1
 tmc t0
 csrr s8, 0xb00
.endm
.section .text,"ax"
over:
 tmc x0

 enter li
 .rept 64
 li a4, 1
 li a5, 2
 li a6, 3
 li a7, 4
 li t3, 5
 li t4, 6
 li t5, 7
 li t6, 8
 .endr
 leave

 enter addi
 .rept 64
 addi a4, a1, 1
 addi a5, a1, 2
 addi a6, a1, 3
 addi a7, a1, 4
 addi t3, a1, 5
 addi t4, a1, 6
 addi t5, a1, 7
 addi t6, a1, 8
 .endr
 leave

 enter add
 .rept 64
 add a4, a1, a2
 add a5, a1, a2
 add a6, a1, a2
 add a7, a1, a2
 add t3, a1, a2
 add t4, a1, a2
 add t5, a1, a2
 add t6, a1, a2
 .endr
 leave

 enter fmadd
 .rept 64
 fmadd.s fa3, fa0, fa1, fa2
 fmadd.s fa4, fa0, fa1, fa2
 fmadd.s fa5, fa0, fa1, fa2
 fmadd.s fa6, fa0, fa1, fa2
 fmadd.s fa7, fa0, fa1, fa2
 fmadd.s ft0, fa0, fa1, fa2
 fmadd.s ft1, fa0, fa1, fa2
 fmadd.s ft2, fa0, fa1, fa2
 .endr
 leave

 enter lw
 .rept 64
 lw a4, 0(a0)
 lw a5, 0(a0)
 lw a6, 0(a0)
 lw a7, 0(a0)
 lw t3, 0(a0)
 lw t4, 0(a0)
 lw t5, 0(a0)
 lw t6, 0(a0)
 .endr
 leave

 enter chain
 .rept 512
 add a4, a4, a1
 .endr
 leave

 enter mix
 .rept 128
 lw a4, 0(a0)
 lw a5, 0(a0)
 mul a6, a4, a5
 add a7, a7, a6
 .endr
 leave

 enter fmix
 .rept 128
 flw fa3, 0(a0)
 flw fa4, 0(a0)
 fmadd.s fa5, fa3, fa4, fa5
 addi a7, a7, 1
 .endr
 leave

.section .text
 console
