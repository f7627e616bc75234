#!/bin/bash
# extra.sh - builds the instruction suite on a GPU machine, runs it, records what every kernel leaves.
# usage: tools/hw/extra.sh OUT   writes OUT/isa-golden.txt, OUT/isa-log.txt and OUT/isa-dump.tar.gz
# Nothing stops it: a kernel that fails, hangs or ruins its context costs its own line only.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$1
mkdir -p "$out"
dir=$(mktemp -d)
golden=$out/isa-golden.txt
log=$out/isa-log.txt
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")")
bash tools/isa/unpack.sh "$dir/data"
mkdir -p "$dir/dump"
libs="-L$cuda/lib64/stubs -L$cuda/targets/x86_64-linux/lib/stubs -L/usr/lib/x86_64-linux-gnu -lcuda"
cc=$(command -v gcc || command -v cc || command -v clang)
if [ -n "$cc" ]; then
    # shellcheck disable=SC2086
    "$cc" -std=gnu17 -O2 -D_GNU_SOURCE -I"$cuda/include" -I"$cuda/targets/x86_64-linux/include" \
        -o "$dir/suite" tests/isa/*.c $libs >"$log" 2>&1
else
    # shellcheck disable=SC2086
    nvcc -O2 -D_GNU_SOURCE -o "$dir/suite" tests/isa/*.c $libs >"$log" 2>&1
fi
[ -x "$dir/suite" ] || { cat "$log"; exit 1; }
echo "# recorded by tools/hw/extra.sh on $(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1)" >"$golden"
run() { timeout "$1" "$dir/suite" "$dir/data" --write "$golden" --dump "$dir/dump" "${@:2}" >>"$log" 2>&1 || echo "status $? of ${*:2}" >>"$log"; }
for module in $(grep -v '^#' tests/isa/suite.tab | cut -d' ' -f1 | sort -u) vec; do
    run 60 --module "$module"
done
# A form that fails ends its process: continue after it.
for table in int fp half memrun warprun; do
    first=0
    for _ in 1 2 3 4 5 6 7 8; do
        run 60 --module form-$table --first $first
        failed=$(grep "^FAIL form $table " "$log" | tail -1 | sed 's/[^0-9]*\([0-9]*\):.*/\1/')
        [ -n "$failed" ] && [ "$failed" -ge "$first" ] || break
        first=$((failed + 1))
    done
done
# Forms that failed because of a ruined context are run again in processes of their own.
for kernel in $(grep -v '^#' tests/isa/suite.tab | cut -d' ' -f2); do
    grep -q "^$kernel " "$golden" && continue
    sed -i "/^# $kernel: /d" "$golden"
    run 20 --only "$kernel"
done
tar -C "$dir/dump" -czf "$out/isa-dump.tar.gz" .
rm -rf "$dir"
grep -v '^#' "$golden" | wc -l
grep '^#' "$golden"
tail -40 "$log"
