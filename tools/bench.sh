#!/bin/sh
# Functional speed: millions of warp instructions a second, by workload, best of
# three after a warm-up. matrixmul comes first, as the figure to watch.
# usage: tools/bench.sh PROGRAM [size] [arch]
set -eu
leno=$1
size=${2:-small}
arch=${3:-sm_90}
names=$("$leno" list workloads | sed -n 's/^\([a-z0-9_]*\)  .*/\1/p' | grep -vx matrixmul)
printf '%-12s %14s %10s   (%s, %s, best of 3)\n' workload 'warp insts' 'M insts/s' \
    "$size" "$arch"
for name in matrixmul $names; do
    "$leno" emu "$name" --size tiny --arch "$arch" > /dev/null
    for i in 1 2 3; do
        "$leno" emu "$name" --size "$size" --arch "$arch" | tail -n 1
    done | awk -v name="$name" '
        $6 > best { best = $6 }
        { insts = $5; if ($NF != "ok") failed = 1 }
        END { printf "%-12s %14d %10.1f%s\n", name, insts, best, failed ? "  FAIL" : "" }'
done
