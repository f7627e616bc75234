#!/bin/sh
# Speed by number of threads: for each program, executing and replaying, the seconds inside
# kernels with 1, 2, 4 ... threads and the speed-up over one, best of REPEAT runs in turns.
# usage: tools/threads.sh [LENO [PROGRAM...]]
# environment: GPU (h200), SIZE (small), THREADS (1 2 4 8 16), REPEAT (3)
set -eu
cd "$(dirname "$0")/.."
leno=${1:-build/leno}
[ $# = 0 ] || shift
programs=${*:-hotspot nn matrixmul mandelbrot vecadd reduction histogram}
gpu=${GPU:-h200}
size=${SIZE:-small}
threads=${THREADS:-1 2 4 8 16}
repeat=${REPEAT:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

arch=$("$leno" run --gpu "$gpu" --dump-config | sed -n 's/^arch = \(sm_[0-9]*\).*/\1/p')
seconds() { # threads, program
    "$leno" run "$2" --gpu "$gpu" --size "$size" --threads "$1" --json 2> /dev/null |
        sed -n 's/.*"seconds": \([0-9.]*\).*/\1/p'
}
row() { # name, program
    rm -f "$work"/best.*
    k=0
    while [ $k -lt "$repeat" ]; do
        for n in $threads; do seconds "$n" "$2" >> "$work/best.$n"; done
        k=$((k + 1))
    done
    printf '| %s |' "$1"
    for n in $threads; do
        best=$(sort -g "$work/best.$n" | head -1)
        [ "$n" != "${threads%% *}" ] || first=$best
        awk -v a="$first" -v b="$best" 'BEGIN { printf " %.2f s, %.2f |", b, a / b }'
    done
    echo
}
printf '| %s, %s |' "$gpu" "$size"
for n in $threads; do printf ' %s |' "$n"; done
printf '\n| --- |'
for n in $threads; do printf ' ---: |'; done
echo
for program in $programs; do
    row "$program" "$program"
    "$leno" record "$program" --size "$size" --arch "$arch" -o "$work/$program.leno" \
        > /dev/null 2>&1
    row "$program, replayed" "$work/$program.leno"
done
