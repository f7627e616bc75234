# isa-int.S - an ISA test of the integer groups: offsets and alignment, products and
# quotients at their edges, code that is written over, reservations, atomics.
#include "skeleton.inc"
    .file "isa-int.S"
    begin
    la   a3, data + 32
    lw   a0, -32(a3)
    want 2, a0, 0x00ff00ff
    addi a3, a3, -35
    lw   a0, 7(a3)                  # the base is not aligned, the sum is
    want 3, a0, 0xff00ff00
    la   a3, data
    lh   a0, 1(a3)                  # the sum is not
    want 4, a0, 0xffffff00
    lhu  a0, 3(a3)
    want 5, a0, 0
    li   a1, 0x12345678
    sh   a1, 61(a3)
    lbu  a0, 62(a3)
    want 6, a0, 0x56
    sw   a1, 63(a3)                 # across a line
    lw   a0, 64(a3)
    want 7, a0, 0x00123456
    la   t1, 1f
    jalr t1, 1(t1)                  # bit 0 of the sum is dropped
    j    fail
1:  li   a0, 0x80000000
    li   a1, -1
    div  a2, a0, a1
    want 8, a2, 0x80000000
    rem  a2, a0, a1
    want 9, a2, 0
    div  a2, a0, zero
    want 10, a2, -1
    remu a2, a0, zero
    want 11, a2, 0x80000000
    mulh a2, a0, a0
    want 12, a2, 0x40000000
    mulhsu a2, a0, a1
    want 13, a2, 0x80000000
    mulhu a2, a1, a1
    want 14, a2, 0xfffffffe
    la   a3, patched                # half a word at a time
    lhu  a0, patch
    lhu  a1, patch + 2
    sh   a0, 0(a3)
    sh   a1, 2(a3)
    fence.i
patched:
    li   a4, 111
    want 15, a4, 222
    la   a3, word
    sc.w a4, zero, (a3)             # nothing is reserved
    want 16, a4, 1
    la   a0, data
    lr.w a1, (a0)                   # something else is
    sc.w a4, a1, (a3)
    want 17, a4, 1
    li   a2, 100
2:  lr.w.aq a4, (a3)
    addi a4, a4, 3
    sc.w.rl a4, a4, (a3)
    bnez a4, 2b
    addi a2, a2, -1
    bnez a2, 2b
    lw   a4, (a3)
    want 18, a4, 300
    lr.w a4, (a3)
    sw   zero, (a3)                 # a store of its own ends a reservation
    sc.w a4, a4, (a3)
    want 19, a4, 1
    li   a1, 0x80000000
    amoswap.w a4, a1, (a3)
    want 20, a4, 0
    li   a1, -2048
    amomax.w.aqrl a4, a1, (a3)
    want 21, a4, 0x80000000
    amominu.w a4, zero, (a3)
    want 22, a4, 0xfffff800
    lw   a4, (a3)
    want 23, a4, 0
    end
data:   .word 0x00ff00ff, 0xff00ff00
    .zero 72
word:   .word 0
patch:  li a4, 222
