# isa-spin.S - an ISA test that fails before its first number, and waits for ever.
#include "skeleton.inc"
    .file "isa-spin.S"
    begin
    j    fail
    end
