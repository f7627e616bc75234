#!/bin/sh
# Compiles the workloads for Vortex: workloads/vortex/NAME.c to tiny/NAME.elf and
# small/NAME.elf there, with the library in lib/. The same compiler gives the same bytes
# (they were made with Debian 12's gcc-riscv64-unknown-elf 12.2).
# Programs of tests/riscv go to FOLDER itself: NAME.c with the library, as a .vxbin; NAME.S
# alone, as a bare ELF file.
# usage: tools/vortex.sh [FOLDER for tiny/ and small/ [FOLDER for tests]]
set -eu
cd "$(dirname "$0")/../workloads/vortex"
out=${1:-.}
tests=${2:-../../tests/riscv}
cc=${RISCV_CC:-riscv64-unknown-elf-gcc}
# Lanes that wait for others must find the registers that they left: no code may move across
# split, join and pred, and a loop must be entered by the same test by which it is left.
flags="-march=rv32imaf_zicsr -mabi=ilp32f -std=gnu17 -O2 -Wall -Wextra -Werror
    -ffreestanding -fno-tree-loop-distribute-patterns -fno-thread-jumps -fno-tree-ch -fno-crossjumping
    -fno-asynchronous-unwind-tables -ffp-contract=fast -ftls-model=local-exec
    -nostdlib -nostartfiles -static -Ilib -Wl,--build-id=none -Wl,-Tlib/link.ld"
library="lib/rig.c lib/spawn.c lib/print.c lib/memory.c"
for size in tiny small; do
    mkdir -p "$out/$size"
    is_tiny=$([ $size = tiny ] && echo 1 || echo 0)
    for source in *.c; do
        # shellcheck disable=SC2086
        $cc $flags -DTINY="$is_tiny" -o "$out/$size/${source%.c}.elf" \
            lib/start.S "$source" $library
    done
done

# The address of the first byte and the one after the last, 64 bits each, then the bytes.
vxbin() {
    riscv64-unknown-elf-objcopy -O binary "$1" "$1.bytes"
    {
        riscv64-unknown-elf-nm "$1" | awk '
            function put(word, n) {
                for (n = 0; n < 4; n++)
                    printf "\\%o", int(word / 256 ^ n) % 256
                printf "\\0\\0\\0\\0"
            }
            function number(hex, value, n) {
                for (n = 1; n <= 8; n++)
                    value = value * 16 + index("0123456789abcdef", substr(hex, n, 1)) - 1
                return value
            }
            $3 == "_start" { first = number($1) }
            $3 == "_end" { last = number($1) }
            END { put(first); put(last) }' | xargs -0 printf
        cat "$1.bytes"
    } > "$2"
    rm "$1.bytes"
}
mkdir -p "$tests"
for source in ../../tests/riscv/*.c; do
    name=$(basename "$source" .c)
    [ "$name" != host ] || continue
    # shellcheck disable=SC2086
    $cc $flags -o "$tests/$name.elf" lib/start.S "$source" $library
    vxbin "$tests/$name.elf" "$tests/$name.vxbin"
    rm "$tests/$name.elf"
done
for source in ../../tests/riscv/*.S; do
    [ -f "$source" ] || continue
    $cc -march=rv32imaf_zicsr_zifencei -mabi=ilp32f -nostdlib -static -Wl,--build-id=none \
        -Wl,-T../../tests/riscv/bare.ld -o "$tests/$(basename "$source" .S).elf" "$source"
done
