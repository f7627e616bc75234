#!/bin/sh
# Every float instruction against QEMU: float.c run by both must print the same lines. A
# line is one instruction in one rounding mode, a block of cases a column.
# usage: LENO=program tests/riscv/qemu/compare.sh [CASES of an instruction]
set -eu
cd "$(dirname "$0")"
cases=${1:-100000}
cc=riscv64-unknown-elf-gcc
for tool in $cc qemu-riscv32; do
    command -v $tool > /dev/null || { echo "skip  float.c against QEMU: no $tool"; exit 0; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-march=rv32imaf_zicsr -mabi=ilp32f -std=gnu17 -O2 -Wall -Wextra -Werror -ffreestanding
    -nostdlib -nostartfiles -static -Wl,--build-id=none -DCASES=$cases"
# shellcheck disable=SC2086
$cc $flags -o "$work/linux.elf" float.c
# shellcheck disable=SC2086
$cc $flags -DVORTEX -o "$work/vortex.elf" float.c
qemu-riscv32 "$work/linux.elf" > "$work/qemu"
"$LENO" emu "$work/vortex.elf" --gpu vortex-1x1 | sed -n 's/^#0: //p' > "$work/leno"
[ -s "$work/qemu" ]
while read -r name form sums; do
    if grep -qxF "$name $form $sums" "$work/leno"; then
        echo "ok    $name $form"
    else
        echo "FAIL  $name $form: not as QEMU computes it"
        grep "^$name $form " "$work/qemu" "$work/leno" || true
    fi
done < "$work/qemu"
