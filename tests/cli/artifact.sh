# Traces on the machine of GhOST's artifact: within 1.5 % of the cycles that the authors'
# simulator takes for them, in order and out of order (docs/schemes/ghost.md). histogram out
# of order is not.
. tests/cli/lib.inc
cycles() { # trace, options
    "$LENO" run "$@" --gpu rtx2060s-ghost-traced --json > "$TMP/out"
    grep -o '"gpu.cycles": *[0-9]*' "$TMP/out" | grep -o '[0-9]*$'
}
is_near() { # what, found, expected
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a < b * 1.015 && a > b * .985) }' || {
        echo "$1: $2 cycles, expected $3"
        exit 1
    }
}
while read -r name inorder artifact; do
    rm -rf "$TMP/$name"
    exits 0 "$LENO" record "$name" --size tiny --traceg "$TMP/$name"
    is_near "$name" "$(cycles "$TMP/$name/kernelslist.g")" "$inorder"
    test "$artifact" = - || is_near "$name out of order" \
        "$(cycles "$TMP/$name/kernelslist.g" --scheme ghost.artifact)" "$artifact"
    rm -rf "$TMP/$name"
done << END
backprop 5495 4675
histogram 23368 -
hotspot 8831 8254
lud 130450 117487
mandelbrot 4793 4731
matrixmul 9752 9327
nn 2603 2269
pathfinder 13521 12655
rbfs 61852 56390
reduction 14272 13305
scan 7690 6794
vecadd 2187 2177
END
