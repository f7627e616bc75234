#!/bin/sh
# sanitize.sh - what compute-sanitizer finds in the programs of tests/exec/faults.cu on a GPU, to be
# set beside what leno exec --sanitize finds (docs/exec.md).
# usage: tools/hw/sanitize.sh OUT   writes OUT/sanitize.txt: a line per case and tool
#                                   and OUT/sanitize-CASE-TOOL.txt: all that the tool printed
# Needs nvcc and compute-sanitizer; takes about a minute.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:-${OUT:?usage: tools/hw/sanitize.sh OUT}}
mkdir -p "$out"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PATH="$PATH:/usr/local/cuda/bin"
arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
nvcc -arch="$arch" -lineinfo -o "$dir/faults" tests/exec/faults.cu > "$out/sanitize-build.txt" 2>&1 ||
    { cat "$out/sanitize-build.txt"; exit 1; }
tool=$(command -v compute-sanitizer || ls /usr/local/cuda*/extras/compute-sanitizer/compute-sanitizer 2> /dev/null | tail -n 1)
[ -n "$tool" ] || { echo "there is no compute-sanitizer" | tee "$out/sanitize.txt"; exit 1; }
{
    echo "# $("$tool" --version | tail -n 1)"
    echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1), $arch"
} > "$out/sanitize.txt"
cases=$(awk '/^faults="/ { on = 1; sub(/^faults="/, "") }
    on { line = $0; sub(/".*/, "", line); print line } on && /"/ { exit }' tests/exec/run.sh)
for case in $cases; do
    for check in memcheck initcheck racecheck synccheck; do
        log=$out/sanitize-$case-$check.txt
        more=
        [ $check != racecheck ] || more="--racecheck-report all"
        # shellcheck disable=SC2086
        timeout 60 "$tool" --tool $check $more "$dir/faults" "$case" > "$log" 2>&1
        status=$?
        # The first thing that it says, and its summary.
        first=$(grep -m 1 -E '^========= (Invalid|Uninitialized|Barrier|Error:|Warning:|Divergent)' "$log" |
            sed 's/^========= //' | cut -c 1-160)
        where=$(grep -m 1 -oE 'faults\.cu:[0-9]+' "$log")
        sum=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log" | tail -n 1 | sed 's/^========= //')
        echo "$case | $check | status $status | ${sum:-no summary} | ${first:--} | ${where:--}" >> "$out/sanitize.txt"
    done
done
cat "$out/sanitize.txt"
