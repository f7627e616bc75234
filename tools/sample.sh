#!/bin/sh
# Sampling within a launch beside full runs: for each machine, launches of programs with many
# blocks, timed whole and with --sample; whether the 95 % interval holds what the launch takes.
# Only launches that were cut are printed; the last line counts them all.
# usage: tools/sample.sh [LENO]
# environment: MACHINES ("GPU:SMS:SCHEME ..."), LAUNCHES ("PROGRAM:LAUNCHES ...")
set -eu
cd "$(dirname "$0")/.."
leno=${1:-build/leno}
machines=${MACHINES:-rtx2060s:1:inorder rtx2060s:2:ghost rtx2060s:4:inorder rtx3070:2:loog
    h200:1:control h200:2:ghost}
launches=${LAUNCHES:-vecadd:1 mandelbrot:1 backprop:2 scan:3 btree:2 dct8x8:3
    convolution_texture:2 sssp:2 hotspot:1 rbfs:2 srad_v1:3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

number() { sed -n 's/.*"'"$1"'": "*\([0-9a-f.]*\).*/\1/p' "$2"; } # member, file
compare_launch() { # gpu, sms, scheme, program, launch
    args="run $4 --gpu $1 --sms $2 --scheme $3 --kernels $5 --threads 1 --json"
    "$leno" $args --sample > "$work/sampled" 2> /dev/null || return 0
    grep -o '"estimate": {[^}]*}' "$work/sampled" > "$work/estimate"
    if [ "$(number cut "$work/estimate")" = 0 ]; then
        [ "$(number unstable "$work/estimate")" = 0 ] && echo few || echo unstable
        return 0
    fi
    "$leno" $args > "$work/whole" 2> /dev/null
    [ "$(number digest "$work/whole")" = "$(number digest "$work/sampled")" ] ||
        { echo "$args: other results"; exit 1; }
    awk -v name="$1, $2 SMs, $3 | $4, launch $5" -v whole="$(number gpu.cycles "$work/whole")" \
        -v cycles="$(number cycles "$work/estimate")" \
        -v width="$(number half_width "$work/estimate")" \
        -v share="$(number timed_share "$work/estimate")" 'BEGIN {
            printf "| %s | %d | %+.2f %% | %.2f %% | %.0f %% | %s |\n", name, whole,
                100 * (cycles - whole) / whole, 100 * width / whole, 100 * share,
                (cycles - width <= whole && whole <= cycles + width) ? "yes" : "NO" }'
}

echo "| machine | launch | cycles | error | half-width | timed | held |"
echo "| --- | --- | ---: | ---: | ---: | ---: | --- |"
for machine in $machines; do
    rest=${machine#*:}
    for of in $launches; do
        k=0
        while [ $k -lt "${of#*:}" ]; do
            k=$((k + 1))
            compare_launch "${machine%%:*}" "${rest%%:*}" "${rest#*:}" "${of%%:*}" $k
        done
    done
done | tee "$work/all" | grep '^|'
awk '/^few/ { few++ } /^unstable/ { unstable++ } /yes \|$/ { yes++ } /NO \|$/ { no++ }
    END { printf "%d launches: %d of too few blocks, %d not stable, %d cut, of which %d held\n",
        few + unstable + yes + no, few, unstable, yes + no, yes }' "$work/all"
