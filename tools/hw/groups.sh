#!/bin/bash
# groups.sh - records on a GPU in which order the groups of random programs run, and how
# many instructions its own counter counts.
# usage: tools/hw/groups.sh OUT   writes OUT/groups.txt: the lines of
# tests/data/converge/groups.txt, without the columns for where we differ.
# For a machine with a Hopper GPU, nvcc's headers and ncu.
set -eu
cd "$(dirname "$0")/../.."
cuda=${CUDA:-/usr/local/cuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$1"
${CC:-gcc} -O1 -I"$cuda/include" -o "$work/groups" tools/hw/groups.c \
    -L"$cuda/lib64/stubs" -lcuda
ncu --clock-control none --metrics smsp__inst_executed.sum --csv --page raw \
    "$work/groups" tests/data/converge/groups.sm_90.cubin >"$work/out"
grep '^g[0-9]' "$work/out" >"$work/order"
python3 - "$work/out" >"$work/counts" <<'END'
import csv, sys

rows = list(csv.reader(line for line in open(sys.argv[1]) if line[0] == '"'))
at = rows[0].index("smsp__inst_executed.sum")
for row in rows[1:]:
    if row[0]:
        print(row[at].replace(",", ""))
END
paste -d' ' "$work/order" "$work/counts" >"$1/groups.txt"
