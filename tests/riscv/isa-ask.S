# isa-ask.S - a program that asks a host for something through tohost, and waits.
#include "skeleton.inc"
    .file "isa-ask.S"
    begin
    la   a0, data
    sw   a0, tohost, t0
1:  lw   a0, data
    beqz a0, 1b
    end
data:   .word 0
