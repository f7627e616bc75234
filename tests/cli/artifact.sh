# Traces on the machines of GhOST's artifact and of Accel-Sim: within 1.5 % of the cycles that
# the authors' simulator takes for them, in order and out of order (docs/schemes/ghost.md), and
# of those that Accel-Sim takes (docs/validation.md).
. tests/cli/lib.inc
cycles() { # trace, options
    "$LENO" run "$@" --json > "$TMP/out"
    grep -o '"gpu.cycles": *[0-9]*' "$TMP/out" | grep -o '[0-9]*$'
}
is_near() { # what, found, expected
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a < b * 1.015 && a > b * .985) }' || {
        echo "$1: $2 cycles, expected $3"
        exit 1
    }
}
while read -r name inorder artifact accel; do
    rm -rf "$TMP/$name"
    exits 0 "$LENO" record "$name" --size tiny --traceg "$TMP/$name"
    list=$TMP/$name/kernelslist.g
    is_near "$name" "$(cycles "$list" --gpu rtx2060s-ghost-traced)" "$inorder"
    is_near "$name out of order" \
        "$(cycles "$list" --gpu rtx2060s-ghost-traced --scheme ghost.artifact)" "$artifact"
    is_near "$name on Accel-Sim" "$(cycles "$list" --gpu rtx2060s-traced)" "$accel"
    rm -rf "$TMP/$name"
done << END
backprop 5495 4675 13300
cp 11362 10904 12677
histogram 23368 22531 30039
hotspot 8831 8254 14221
lud 130450 117487 105536
mandelbrot 4793 4731 7563
matrixmul 9752 9327 11866
nn 2603 2269 6461
pathfinder 13521 12655 19981
rbfs 61852 56390 109194
reduction 14272 13305 29064
scan 7690 6794 18787
sssp 27491 24638 102686
vecadd 2187 2177 6315
END
