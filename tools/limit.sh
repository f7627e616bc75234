#!/bin/sh
# The limit study of docs/schemes/limit.md: every combination of limit's switches, the
# idealised bound, and in-order issue with as many entries; speed-ups over inorder.
# usage: tools/limit.sh [SIZE [WINDOW [WORKLOAD... | --all]]]      tiny, 64, the dozen of ./run.sh
set -eu
cd "$(dirname "$0")/.."
size=${1:-tiny}
window=${2:-64}
[ $# -lt 2 ] || shift
[ $# -lt 1 ] || shift
programs=${*:-backprop histogram hotspot lud mandelbrot matrixmul nn pathfinder rbfs \
    reduction scan vecadd}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Cycles by program, and the share of instructions that passed older ones.
measure() { # name, options...
    name=$1
    shift
    # shellcheck disable=SC2086
    ${LENO:-build/leno} run $programs --size "$size" --gpu rtx2060s-ghost "$@" --csv > "$work/csv"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
             { print $1, $at["gpu.cycles"], $at["sm.reordered"] / $at["sm.warp_insts"] }' \
        "$work/csv" > "$work/$name"
}

# One row: geometric mean, least, most, and the mean share.
row() { # name, text
    awk -v text="$2" '
        NR == FNR { base[$1] = $2; next }
        {
            s = base[$1] / $2
            sum += log(s); share += $3; n++
            if (!low || s < low) { low = s; lowest = $1 }
            if (s > high) { high = s; highest = $1 }
        }
        END { printf "| %s | %.3f | %.3f %s | %.3f %s | %.1f %% |\n", text,
              exp(sum / n), low, lowest, high, highest, 100 * share / n }
    ' "$work/base" "$work/$1"
}

measure base --scheme inorder
echo "| rename, alias, branch | speed-up | least | most | reordered |"
echo "| --- | ---: | --- | --- | ---: |"
for on in rename:alias:branch rename:alias rename:branch alias:branch rename alias branch none
do
    set --
    for switch in $(echo "$on" | tr : ' '); do
        [ "$switch" = none ] || set -- "$@" --set "limit.$switch=on"
    done
    measure "$on" --scheme limit --set "limit.window=$window" "$@"
    row "$on" "$(echo "$on" | sed 's/:/, /g')"
done
measure ideal --scheme limit --set limit.ideal=on
row ideal "ideal (window of 256)"
entries=$((window > 64 ? 64 : window))
measure inorder --scheme inorder --set "inorder.entries=$entries" --set inorder.refill=room
row inorder "in order, $entries entries, refilled when there is room"
