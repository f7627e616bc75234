#!/bin/bash
# record.sh - records what a real GPU does with the workloads' sm_90 cubins.
#
# OUT=FOLDER tools/hw/record.sh [NAME...]    all workloads, or the named ones
#
# For a machine with a Hopper GPU, nvcc's headers, ncu and python3. Leaves in FOLDER
# (default hw-out): record.log, and hw.tar.gz with
#   golden/NAME.txt      what belongs into tests/golden/hw
#   bytes/NAME.tiny      the result buffers of size tiny, in the order of golden/NAME.txt
#   ncu/NAME.csv         ncu's source page, one table per launch, size tiny
#   sass/NAME.sm_XX.txt  the disassembly of their cubins, if nvdisasm is there
#   san/NAME.TOOL.txt    with SANITIZE=1: compute-sanitizer's racecheck and initcheck
# and, for all workloads, whatever tools/hw/extra.sh, if it exists, adds to FOLDER. Exit 0 if every
# workload's own check passed and every count could be read.
set -u
cd "$(dirname "$0")/../.." || exit 1

OUT=${OUT:-hw-out}
LIMIT=${LIMIT:-200} # seconds after which no further profile is begun
mkdir -p "$OUT" || exit 1
OUT=$(cd "$OUT" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work"/{golden,bytes,ncu,sass,san,run}
bad=0

say() { echo "$*" | tee -a "$OUT/record.log"; }
fail() { say "FAILED: $*"; bad=1; }

# The description of the machine in the heads of the golden files.
machine() {
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null ||
        echo "unknown GPU"
}

run_outputs() { # NAME: hashes of tiny and small, bytes of tiny
    "$work/runner" "$1" tiny "$work/bytes/$1.tiny" >"$work/run/$1" 2>>"$OUT/record.log" ||
        fail "$1 tiny"
    "$work/runner" "$1" small >>"$work/run/$1" 2>>"$OUT/record.log" || fail "$1 small"
}

# Two steps: profile into a report, then print its source page. One table per launch. Not
# by the section SourceCounters: with it lanes run together that otherwise do not.
run_counts() { # NAME
    local report=$work/$1.ncu-rep

    timeout 60 ncu --replay-mode kernel --clock-control none \
        --metrics inst_executed,thread_inst_executed,thread_inst_executed_true -f -o "$report" "$work/runner" "$1" tiny >"$work/ncu.log" 2>&1 ||
        { cat "$work/ncu.log" >>"$OUT/record.log"; return 1; }
    ncu --import "$report" --page source --print-source sass --print-units base --csv \
        >"$work/ncu/$1.csv" 2>>"$OUT/record.log"
}

run_sanitizer() { # NAME TOOL
    timeout 100 compute-sanitizer --tool "$2" --error-exitcode 9 \
        "$work/runner" "$1" tiny >"$work/san/$1.$2.txt" 2>&1
}

disassemble() { # NAME...
    command -v nvdisasm >/dev/null || return 0
    for name in "$@"; do ls "workloads/$name"/sm_*.cubin; done | WORK=$work xargs -P 8 -I{} sh -c '
        name=$(basename "$(dirname {})").$(basename {} .cubin)
        nvdisasm -c -hex {} >"$WORK/sass/$name.txt"' 2>>"$OUT/record.log"
}

: >"$OUT/record.log"
gpu=$(machine)
say "machine: $gpu"
tools/hw/runner.sh "$work/runner" 2>>"$OUT/record.log" || { fail "runner does not build"; exit 1; }
[ $# -gt 0 ] || mapfile -t names < <("$work/runner" --list)
[ $# -eq 0 ] || names=("$@")

for name in "${names[@]}"; do
    run_outputs "$name"
done
say "outputs after $SECONDS s"

for name in "${names[@]}"; do
    if [ "$SECONDS" -gt "$LIMIT" ]; then
        fail "$name: no time left for its profile"
    elif ! run_counts "$name"; then
        fail "$name: ncu"
    fi
    python3 tools/hw/parse.py --name "$name" --machine "$gpu" \
        --cubin "workloads/$name/sm_90.cubin" --run "$work/run/$name" \
        --csv "$work/ncu/$name.csv" --out "$work/golden/$name.txt" \
        2>>"$OUT/record.log" || fail "$name: counts"
done
say "counts after $SECONDS s"

if [ "${SANITIZE:-0}" = 1 ]; then
    for name in "${names[@]}"; do
        run_sanitizer "$name" initcheck &
        run_sanitizer "$name" racecheck || fail "$name: racecheck"
        wait $! || fail "$name: initcheck"
    done
    say "sanitizers after $SECONDS s"
fi
disassemble "${names[@]}"
tar -C "$work" -czf "$OUT/hw.tar.gz" golden bytes ncu sass san || fail "tar"
if [ $# -eq 0 ] && [ -x tools/hw/extra.sh ]; then
    tools/hw/extra.sh "$OUT" >>"$OUT/record.log" 2>&1 || fail "extra.sh"
fi
say "done after $SECONDS s"
tail -n 40 "$OUT/record.log" >&2
exit $bad
