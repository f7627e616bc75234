#!/bin/sh
# Prints what the gain of GhOST's artifact consists of, per workload: speed-ups over in-order
# issue as coded, with instructions always in the cache, with collectors that do not starve,
# and of 12 in-order entries alone (docs/schemes/ghost.md).
# usage: tools/ghost-parts.sh [WORKLOAD...]      LENO=build/leno, SIZE=tiny
set -eu
leno=${LENO:-build/leno}
[ $# -gt 0 ] || set -- backprop histogram hotspot lud mandelbrot matrixmul nn pathfinder \
    rbfs reduction scan vecadd

cycles() { # workload, options...
    "$leno" run "$@" --size "${SIZE:-tiny}" --gpu rtx2060s-ghost-traced --json |
        sed -n 's/.*"gpu.cycles": \([0-9]*\).*/\1/p'
}

speedup() { # workload, settings of both
    before=$(cycles "$@")
    after=$(cycles "$@" --scheme ghost.artifact)
    awk "BEGIN { printf \" %8.3f\", $before / $after }"
}

printf '%-12s %8s %8s %8s %8s\n' '' coded warm fair buffer
for name; do
    printf '%-12s' "$name"
    speedup "$name"
    speedup "$name" --set fetch.perfect=on --set const.perfect=on
    speedup "$name" --set regfile.choice=first
    before=$(cycles "$name")
    after=$(cycles "$name" --set inorder.entries=12 --set inorder.refill=room)
    awk "BEGIN { printf \" %8.3f\n\", $before / $after }"
done
