# Programs for Vortex without timing: results, consoles, statuses, bad files.
. tests/cli/lib.inc
for size in tiny small; do
    for program in workloads/vortex/$size/*.elf; do
        name=$(basename "$program" .elf)
        exits 0 "$LENO" emu "$program"
        says "$TMP/out" "#0: $name: ok"
        says "$TMP/out" "$program: status 0,"
    done
done
# All machines: lanes, warps and cores of one, of many, and of odd numbers.
for gpu in vortex-1x1 vortex-2x8 vortex-16x4 vortex-32x32 vortex-3x2x3 vortex-4x4x4; do
    for program in workloads/vortex/tiny/*.elf; do
        exits 0 "$LENO" emu "$program" --gpu $gpu
    done
done
# Functions of floats.
exits 0 "$LENO" emu tests/riscv/maths.vxbin
says "$TMP/out" "#0: maths: ok"
# Ends by a trap, by ecall, by leaving a status; a .vxbin.
exits 0 "$LENO" emu tests/riscv/traps.elf tests/riscv/halt.elf
says "$TMP/out" "traps.elf: status 0"
# Arguments and buffers, as a host would hand them over: n, then three addresses.
printf '\4\0\0\0\0\0\1\0\100\0\1\0\200\0\1\0' > "$TMP/args"
printf '1234' > "$TMP/a"
inputs="--load 0x10000=$TMP/a --load 65600=$TMP/a --args $TMP/args"
exits 0 "$LENO" emu tests/riscv/args.vxbin $inputs
says "$TMP/out" "#0: 4 words, launch 1"
exits 0 "$LENO" run tests/riscv/args.vxbin --gpu vortex-4x4 $inputs
says "$TMP/log" "#0: 4 words, launch 1"
for command in emu "run --gpu vortex-4x4"; do
    exits 1 "$LENO" $command tests/riscv/args.vxbin
    says "$TMP/log" "none were given (--args FILE)"
    for bad in "0x10000" "x=$TMP/a" "0x100000000=$TMP/a"; do
        exits 1 "$LENO" $command tests/riscv/args.vxbin --load "$bad"
        says "$TMP/log" "expected ADDRESS=FILE"
    done
    exits 1 "$LENO" $command tests/riscv/args.vxbin --load "0xfffffffe=$TMP/a"
    says "$TMP/log" "$TMP/a: "
    exits 1 "$LENO" $command tests/riscv/args.vxbin --args "$TMP/nowhere"
done
# ISA tests: what they say of themselves, with timing and without. One has no ending.
cp tests/riscv/isa-int.elf "$TMP/isa-p-int"
for command in "emu" "run --scheme inorder" "run --scheme loog" "run --scheme loog.rrs" \
    "run --scheme ghost"; do
    for gpu in vortex-4x4 vortex-1x1x2; do
        leno="$LENO $command --gpu $gpu"
        for test in "$TMP/isa-p-int" tests/riscv/isa-float.elf; do
            exits 0 $leno "$test"
            cat "$TMP/out" "$TMP/log" > "$TMP/told"
            says "$TMP/told" passed
        done
        exits 3 $leno tests/riscv/isa-fail.elf
        says "$TMP/log" "isa-fail.elf: test 5 failed"
        exits 3 $leno tests/riscv/isa-trap.elf
        says "$TMP/log" "mcause 2 at 0x800000f4"
        exits 4 $leno tests/riscv/isa-spin.elf
        says "$TMP/log" "jumps to itself at 0x80000"
        exits 2 $leno tests/riscv/isa-ask.elf
        says "$TMP/log" "asks for a service of the host"
    done
done
(cd "$TMP" && exits 0 "$LENO" run isa-p-int --gpu vortex-4x4)
exits 3 "$LENO" emu tests/riscv/isa-fail.elf tests/riscv/isa-int.elf tests/riscv/isa-spin.elf
says "$TMP/out" "isa-int.elf: status 0 (passed)"
says "$TMP/log" "isa-fail.elf: test 5 failed"
says "$TMP/log" "2 of 3 failed"
exits 0 "$LENO" disasm "$TMP/isa-p-int"
exits 0 "$LENO" emu workloads/vortex/tiny/vecadd.elf --json
is_json "$TMP/out"
says "$TMP/log" "#0: vecadd: ok"
# Random sequences of instructions leave what QEMU leaves (tests/riscv/mkrandom.py).
exits 0 "$LENO" emu tests/riscv/random.elf
# Listings: what an assembler was given.
exits 0 "$LENO" disasm tests/riscv/halt.elf --hex
says "$TMP/out" "80000014:  00200193  addi gp,zero,2"
says "$TMP/out" "  30200073  mret"
exits 0 "$LENO" disasm tests/riscv/args.vxbin
says "$TMP/out" "vx_wspawn s0,s1"
exits 1 "$LENO" disasm tests/riscv/halt.elf --control
# What is refused.
exits 5 "$LENO" emu workloads/vortex/small/sgemm.elf --max-insts 1000
exits 1 "$LENO" emu workloads/vortex/tiny/vecadd.elf --gpu rtx2060s
says "$TMP/log" "expected vortex-WxT"
exits 1 "$LENO" emu workloads/vortex/tiny/vecadd.elf --gpu vortex-4x3
says "$TMP/log" "3 threads a warp"
exits 1 "$LENO" emu workloads/vortex/tiny/vecadd.elf vecadd
exits 1 "$LENO" emu "$TMP/nowhere.elf"
exits 1 "$LENO" emu workloads/vecadd/sm_90.cubin
says "$TMP/log" "expected 32-bit"
head -c 3000 workloads/vortex/tiny/vecadd.elf > "$TMP/short.elf"
exits 1 "$LENO" emu "$TMP/short.elf"
says "$TMP/log" "short.elf: "
