# isa-fail.S - an ISA test of which number 5 fails.
#include "skeleton.inc"
    .file "isa-fail.S"
    begin
    li   a0, 3
    want 4, a0, 3
    want 5, a0, 4
    end
