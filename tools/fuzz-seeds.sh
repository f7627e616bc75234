#!/bin/sh
# Seeds of the fuzzers: cubins, for fuzz_exec pieces of their code after a byte for the
# architecture, for fuzz_config the machines of configs/, whole and by
# sections, studies, recordings, traces, and programs for Vortex.
# usage: tools/fuzz-seeds.sh PROGRAM FOLDER
# leaves FOLDER/cubin, code, ini, sweep, replay, traceg, riscv
set -eu
leno=$1
mkdir -p "$2/cubin" "$2/code" "$2/ini" "$2/sweep" "$2/replay" "$2/traceg" "$2/riscv"
cp tests/data/cubin/*.cubin "$2/cubin"
cp configs/*.ini "$2/ini"
cp tests/riscv/*.elf tests/riscv/*.vxbin workloads/vortex/tiny/*.elf "$2/riscv"
for part in gpu class l1 dram; do
    sed -n "/^\\[$part\\]/,/^\$/p" configs/rtx2060s.ini > "$2/ini/$part"
done
printf '%s\n' 'schemes = inorder, ghost:entries=4' 'gpus = v100, h200' 'seed = 2' '[set]' \
    'l1.latency = 9' '[sweep]' 'ghost.checkers = 1, 2' 'sched.policy = gto, lrr' \
    'core.warps, core.threads = 16:512, 32:1024' \
    > "$2/sweep/study"
n=0
for arch in 75 86 90; do
    for cubin in workloads/*/sm_$arch.cubin tests/data/cubin/*.sm_$arch.cubin; do
        "$leno" info "$cubin" | awk '$NF ~ /^\.text/ { print $2 }' > "$2/places"
        while read -r place; do
            {
                printf "\\$(printf %o "$n")"
                dd if="$cubin" bs=16 skip=$((0x$place / 16)) count=32 2> /dev/null
            } > "$2/code/$(echo "$cubin" | tr / .).$place"
        done < "$2/places"
    done
    n=$((n + 1))
done
rm "$2/places"
cp tests/data/replay/vecadd.leno "$2/replay/version-1.leno"
cp tests/data/replay/version-[45].leno "$2/replay"
for w in hopper_multicast flash3; do
    "$leno" record "$w" --arch sm_90 --size tiny -o "$2/replay/$w.leno" > "$2/log"
done
for w in vecadd scan reduction matrixmul; do
    "$leno" record "$w" -o "$2/replay/$w.leno" > "$2/log"
    "$leno" record "$w" --traceg "$2/traces" > "$2/log"
    for f in "$2/traces"/kernel-*; do
        head -c 20000 "$f" > "$2/traceg/$w.${f##*/}"
    done
    rm -r "$2/traces"
done
cp tests/data/replay/*.xz tests/data/replay/named.traceg "$2/traceg"
rm "$2/log"
