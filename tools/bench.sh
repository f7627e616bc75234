#!/bin/sh
# Speed on one core, in millions of warp instructions per second of CPU time.
# usage: tools/bench.sh PROGRAM [emu|run|all] [size] [gpu]
#   emu  functional execution, best of three; matrixmul comes first, the figure to watch
#   run  with timing: executing, and replaying a recording, best of three; simulated cycles
#        per second; the last line has the geometric means
set -eu
leno=$1
what=${2:-all}
size=${3:-small}
gpu=${4:-rtx2060s}
names=$("$leno" list workloads | sed -n 's/^\([a-z0-9_]*\)  .*/\1/p' | grep -vx matrixmul)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$what" != run ]; then
    printf '%-12s %14s %10s   (%s, sm_90, best of 3)\n' workload 'warp insts' \
        'M insts/s' "$size"
    for name in matrixmul $names; do
        "$leno" emu "$name" --size tiny > /dev/null
        for i in 1 2 3; do
            "$leno" emu "$name" --size "$size" | tail -n 1
        done | awk -v name="$name" '
            $6 > best { best = $6 }
            { insts = $5; if ($NF != "ok") failed = 1 }
            END { printf "%-12s %14d %10.1f%s\n", name, insts, best, failed ? "  FAIL" : "" }'
    done
fi
[ "$what" != emu ] || exit 0

# The same program three times makes a table, one line each: the fastest, or one that failed.
fastest() {
    "$leno" run "$@" --gpu "$gpu" | awk '
        $NF != "ok" && $2 ~ /^[0-9]+$/ { failed = $0 }
        $NF == "ok" && $(NF - 2) > best { best = $(NF - 2); line = $0 }
        END { print failed ? failed : line }'
}

printf '%-12s %12s %12s %10s %10s %10s   (%s, %s, best of 3)\n' workload 'warp insts' cycles \
    executing replaying 'M cycles/s' "$size" "$gpu"
for name in matrixmul $names; do
    "$leno" record "$name" --size "$size" -o "$work/r.leno" > /dev/null
    fastest "$name" "$name" "$name" --size "$size"
    fastest "$work/r.leno" "$work/r.leno" "$work/r.leno"
    rm -f "$work/r.leno"
done | awk '
    { rate = $(NF - 2); cycles_rate = $(NF - 1) }
    $NF != "ok" { failed = 1 }
    NR % 2 { name = $1; insts = $3; cycles = $2; run = rate; speed = cycles_rate; next }
    {
        if ($2 != cycles)
            failed = 1
        printf "%-12s %12d %12d %10.2f %10.2f %10.3f%s\n", name, insts, cycles, run, rate,
            speed, $2 != cycles ? "  DIFFERENT CYCLES" : ""
        a += log(run); b += log(rate); c += log(speed); n++
    }
    END {
        printf "%-12s %12s %12s %10.2f %10.2f %10.3f   geometric means\n", "", "", "",
            exp(a / n), exp(b / n), exp(c / n)
        exit failed
    }'
