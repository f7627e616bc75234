# Traces on the machines of GhOST's artifact and of Accel-Sim: within 1.5 % of the cycles that
# the authors' simulator takes for them, in order and out of order, and within 0.02 of its
# speed-up (docs/schemes/ghost.md); within 1.5 % of Accel-Sim's cycles (docs/validation.md).
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
gains_alike() { # what, in order and out of order, the artifact's two
    awk -v a="$2" -v b="$3" -v c="$4" -v d="$5" \
        'BEGIN { apart = a / b - c / d; exit !(apart < .02 && apart > -.02) }' || {
        echo "$1: from $2 to $3 cycles, the artifact from $4 to $5"
        exit 1
    }
}
while read -r name inorder artifact accel; do
    rm -rf "$TMP/$name"
    exits 0 "$LENO" record "$name" --size tiny --traceg "$TMP/$name"
    list=$TMP/$name/kernelslist.g
    before=$(cycles "$list" --gpu rtx2060s-ghost-traced)
    after=$(cycles "$list" --gpu rtx2060s-ghost-traced --scheme ghost.artifact)
    is_near "$name" "$before" "$inorder"
    is_near "$name out of order" "$after" "$artifact"
    gains_alike "$name" "$before" "$after" "$inorder" "$artifact"
    [ "$accel" = - ] ||
        is_near "$name on Accel-Sim" "$(cycles "$list" --gpu rtx2060s-traced)" "$accel"
    rm -rf "$TMP/$name"
done << END
backprop 5495 4675 13300
btree 12745 11147 -
cp 11362 10904 12677
histogram 23368 22531 30039
hotspot 8831 8254 14221
lib 81020 74960 -
lps 21957 20340 -
lud 130450 117487 105536
mandelbrot 4793 4731 7563
matrixmul 9752 9327 11866
nn 2603 2269 6461
pathfinder 13521 12655 19981
pg_convolution 73961 62801 -
rbfs 61852 56390 109194
reduction 14272 13305 29064
scan 7690 6794 18787
srad_v1 53379 49229 -
sssp 27491 24638 102686
sto 30446 29931 -
vecadd 2187 2177 6315
END

# Where the blocks of a kernel start: lud's first launch has one block, on SM 0.
starts_on() { # SM, options
    sm=$1
    shift
    exits 0 "$LENO" run lud --size tiny --gpu rtx2060s-traced "$@" --konata "$TMP/lud.log" \
        --view "kernels=1 blocks=0 warps=0 insts=0-0"
    says "$TMP/lud.log" "lud_perimeter, launch 1, block 0, warp 0\\nseq 0, mask ffffffff, SM $sm,"
}
starts_on 1
starts_on 0 --set gpu.block_order=first
