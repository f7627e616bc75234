# isa-trap.S - an ISA test that meets an instruction it does not expect to trap.
#include "skeleton.inc"
    .file "isa-trap.S"
    begin
    want 2, zero, 0
    .word 0xffffffff
    end
