# Every scheme, with every parameter that changes what it needs, and every eliminator on
# every Vortex preset: it runs and is right, or is refused by name before the first cycle.
. tests/cli/lib.inc
programs="workloads/vortex/tiny/dotproduct.elf workloads/vortex/tiny/diverge.elf"
schemes=$("$LENO" list schemes | awk '$1 !~ /^[+]/ { print $1 }' | sort -u)
[ "$(echo "$schemes" | wc -l)" -ge 9 ]
eliminators=$("$LENO" list schemes | awk '$1 ~ /^[+]/ { print $1 }')
[ "$(echo "$eliminators" | wc -l)" -ge 3 ]

# What does not run, and what it needs.
missing() { # scheme
    case $1 in
    control) echo "it needs control words" ;;
    turbulence) echo "it needs distances of operands" ;;
    esac
}
try() { # machine, scheme, settings
    gpu=$1 scheme=$2
    shift 2
    why=$(missing "$scheme")
    if [ -z "$why" ]; then
        # shellcheck disable=SC2086
        exits 0 "$LENO" run $programs --gpu "$gpu" --scheme "$scheme" "$@"
        says "$TMP/log" "#0: dotproduct: ok"
        says "$TMP/log" "#0: diverge: ok"
    else
        # shellcheck disable=SC2086
        exits 2 "$LENO" run $programs --gpu "$gpu" --scheme "$scheme" "$@"
        says "$TMP/log" "scheme $scheme cannot run on machine $gpu: $why"
        says "$TMP/log" "; use another scheme, such as inorder"
    fi
}
for gpu in vortex-4x4 vortex-16x4 vortex-8x8 vortex-2x2x2; do
    for scheme in $schemes; do
        try $gpu "$scheme"
    done
    for set in inorder.war=on inorder.resolve=on limit.rename=on limit.alias=on \
        limit.branch=on limit.ideal=on limit.window=1 socgpu.oldest=on \
        socgpu.stop_at_issue=on socgpu.hold_stores=on control.interlock=off; do
        try $gpu "${set%%.*}" --set $set
    done
    try $gpu inorder --set inorder.war=on --set inorder.war_written=on
    try $gpu ghost.precise --set ghost.precise.release_at_issue=on
    for more in $eliminators; do
        exits 2 "$LENO" run $programs --gpu $gpu --scheme "inorder$more"
        says "$TMP/log" "scheme inorder$more cannot run on machine $gpu:"
        says "$TMP/log" "leave out $more"
    done
done
# The largest, where windows are as many as they can be.
for set in limit.ideal=on limit.window=64; do
    exits 0 "$LENO" run workloads/vortex/tiny/vecadd.elf --gpu vortex-32x32 --scheme limit \
        --set $set
done
# A comparison names the same settings.
exits 0 "$LENO" compare vecadd --gpu vortex-4x4 --size tiny --out "$TMP/kept" \
    --schemes inorder,limit:ideal=on,socgpu,ghost.precise
exits 2 "$LENO" compare vecadd --gpu vortex-4x4 --size tiny --out "$TMP/kept" \
    --schemes inorder,control
says "$TMP/log" "scheme control cannot run on machine vortex-4x4"

# A trace of Accel-Sim has no control words either; nor has a recording that was made of one.
trace=tests/data/replay/pair.traceg
exits 2 "$LENO" run $trace --scheme control
says "$TMP/log" "scheme control cannot run kernel"
says "$TMP/log" "it needs control words, which are in SASS only; use --scheme inorder"
exits 0 "$LENO" run $trace --scheme inorder
exits 0 "$LENO" run tests/data/replay/vecadd.leno --scheme control
exits 0 "$LENO" record $trace -o "$TMP/pair.leno"
exits 2 "$LENO" run "$TMP/pair.leno" --scheme control
says "$TMP/log" "scheme control cannot run kernel"
