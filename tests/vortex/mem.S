# Memory of a Vortex core: every lane has a line of its own (stride 256 bytes over all
# threads), all warps run the same instructions, twice. The lines of a0, a1 = a0 + 16 KiB
# and a2 = a0 + 32 KiB meet in one set of the direct-mapped cache.
#   hit     128 x  lw 0(a0)                      always in the cache
#   sthit   128 x  sw 0(a0)                      the line is in the cache
#   stmiss  128 x  sw 0(a2)                      the line is not
#   miss     64 x  lw 0(a0); lw 0(a1)            every one misses
#   ldst     43 x  lw 0(a0); lw 0(a1); sw 0(a2)
#   use      32 x  lw 0(a0); lw 0(a1); add; sw 0(a2)   the store waits for both
# Two passes per row (micro.inc), without a barrier.
.equ PASSES, 2
.include "micro.inc"

.section .init,"ax"
.global _start
_start:
 li s0, RES
 csrr s4, 0xfc1
 launch hit
 launch sthit
 launch stmiss
 launch miss
 launch ldst
 launch use
 j print
.macro enter row
.section .text.\row,"ax"
.balign 64
warp_\row:
 la ra, over
warp0_\row:
 li t0, -1
 tmc t0
 csrr s1, 0x340
 csrr s2, 0xcc1           # warp
 csrr t0, 0xf14           # hart
 slli t1, t0, 8
 li a0, 0x40000
 add a0, a0, t1
 li t2, 0x4000
 add a1, a0, t2
 add a2, a1, t2
 lw a3, 0(a0)
 add a3, a3, a1
 li t0, -1
 tmc t0
 csrr s8, 0xb00
.endm
.section .text,"ax"
over:
 tmc x0

 enter hit
 .rept 128
 lw a4, 0(a0)
 .endr
 leave

 enter sthit
 .rept 128
 sw a4, 0(a0)
 .endr
 leave

 enter stmiss
 .rept 128
 sw a4, 0(a2)
 .endr
 leave

 enter miss
 .rept 64
 lw a4, 0(a0)
 lw a5, 0(a1)
 .endr
 leave

 enter ldst
 .rept 43
 lw a4, 0(a0)
 lw a5, 0(a1)
 sw a6, 0(a2)
 .endr
 leave

 enter use
 .rept 32
 lw a4, 0(a0)
 lw a5, 0(a1)
 add a6, a4, a5
 sw a6, 0(a2)
 .endr
 leave

.section .text
 console
