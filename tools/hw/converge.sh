#!/bin/bash
# converge.sh - counts on a GPU what the warps of tests/data/converge execute.
# usage: tools/hw/converge.sh OUT   writes OUT/recorded.txt and OUT/recursion.txt, the
# patterns of the files of these names in tests/data/converge with the counts of this
# machine's GPU. It is the GPU's own counter: where ncu patches the code to count by
# instruction, lanes may run together that otherwise do not.
# For a machine with a Hopper GPU, nvcc's headers and ncu.
set -eu
cd "$(dirname "$0")/../.."
out=$1
data=tests/data/converge
cuda=${CUDA:-/usr/local/cuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
${CC:-gcc} -O1 -I"$cuda/include" -o "$work/converge" tools/hw/converge.c \
    -L"$cuda/lib64/stubs" -lcuda
record() { # CUBIN RECORD
    ncu --clock-control none --metrics smsp__inst_executed.sum --csv --page raw \
        "$work/converge" "$data/$1" "$data/$2" | grep '^"' >"$work/ncu.csv"
    python3 "$work/merge.py" "$work/ncu.csv" "$data/$2" >"$out/$2"
}

cat >"$work/merge.py" <<'END'
import csv, sys

rows = list(csv.reader(open(sys.argv[1])))
at = rows[0].index("smsp__inst_executed.sum")
counts = [row[at].replace(",", "") for row in rows[1:] if row[0]]
lines = open(sys.argv[2]).read().splitlines()
if len(counts) != sum(not l.startswith("#") for l in lines):
    sys.exit("%d launches counted, expected one a line" % len(counts))
for line in lines:
    if not line.startswith("#"):
        word = line.split()
        ours = "".join(word[1].partition("/")[1:])
        line = " ".join([word[0], counts.pop(0) + ours] + word[2:])
    print(line)
END
record sm_90.cubin recorded.txt
record recursion.sm_90.cubin recursion.txt
