#!/bin/sh
# Compiles the workloads for Vortex: workloads/vortex/NAME.c to tiny/NAME.elf and
# small/NAME.elf there, with the library in lib/. The same compiler gives the same bytes
# (they were made with Debian 12's gcc-riscv64-unknown-elf 12.2).
# usage: tools/vortex.sh [FOLDER that holds tiny/ and small/]
set -eu
cd "$(dirname "$0")/../workloads/vortex"
out=${1:-.}
cc=${RISCV_CC:-riscv64-unknown-elf-gcc}
# Lanes that wait for others must find what they left: no code moves across split, join and
# pred, loops are not entered by another test than the one they are left by.
flags="-march=rv32imaf_zicsr -mabi=ilp32f -std=gnu17 -O2 -Wall -Wextra -Werror
    -ffreestanding -fno-tree-loop-distribute-patterns -fno-thread-jumps -fno-tree-ch -fno-crossjumping
    -fno-asynchronous-unwind-tables -ffp-contract=fast -ftls-model=local-exec
    -nostdlib -nostartfiles -static -Ilib -Wl,--build-id=none -Wl,-Tlib/link.ld"
for size in tiny small; do
    mkdir -p "$out/$size"
    is_tiny=$([ $size = tiny ] && echo 1 || echo 0)
    for source in *.c; do
        # shellcheck disable=SC2086
        $cc $flags -DTINY="$is_tiny" -o "$out/$size/${source%.c}.elf" \
            lib/start.S "$source" lib/rig.c lib/spawn.c lib/print.c lib/memory.c
    done
done
