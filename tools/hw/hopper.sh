#!/bin/sh
# hopper.sh - measures the asynchronous machinery of an H200 and records what tensor copies do.
# usage: tools/hw/hopper.sh OUT    needs nvcc, python3 and the GPU; about three minutes
#   OUT/tensor.out    becomes tests/exec/tensor.out
#   OUT/maps.out      becomes tests/exec/tensor-maps.out
#   OUT/tensor.txt    the same cases with everything that arrived
#   OUT/risky.txt     reductions that the PTX manual does not promise, a process each
#   OUT/hopper.txt, OUT/wgmma.txt    rows of cycles
set -eu
out=$1
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
command -v nvcc > /dev/null 2>&1 || PATH=$PATH:/usr/local/cuda/bin
how="-w -std=c++17 -cudart shared -gencode arch=compute_90a,code=sm_90a"
python3 tools/hw/wgmma.py "$work/wgmma.cu"
nvcc $how -o "$work/wgmma" "$work/wgmma.cu" > "$out/wgmma.log" 2>&1 &
slow=$!
nvcc $how -o "$work/hopper" tools/hw/hopper.cu -lcuda > "$out/hopper.log" 2>&1 &
other=$!
nvcc $how -o "$work/tensor" tests/exec/tensor.cu -lcuda > "$out/tensor.log" 2>&1
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader > "$out/gpu.txt" || true
timeout 60 "$work/tensor" maps > "$out/maps.out" 2> "$out/maps.err" || echo "maps: status $?" >> "$out/failed.txt"
timeout 100 "$work/tensor" > "$out/tensor.out" 2> "$out/tensor.err" || echo "tensor: status $?" >> "$out/failed.txt"
timeout 100 "$work/tensor" -v > "$out/tensor.txt" 2>> "$out/tensor.err" || echo "tensor -v: status $?" >> "$out/failed.txt"
# what a case after a failed one would have printed: each group on its own
if [ -s "$out/failed.txt" ]; then
    for name in $(sed -n 's/^\([a-z]*[0-9]*\): .*/\1/p' "$out/maps.out" | grep -v limit); do
        timeout 10 "$work/tensor" -v only "$name" >> "$out/single.txt" 2>&1 || true
    done
fi
for type in 0 1 2 3 4 5 6 7 8 9 10 11 12; do
    for op in 0 1 2 3 4 5 6 7; do
        timeout 10 "$work/tensor" -v only "reduce$((type * 10 + op))" >> "$out/risky.txt" 2>&1 || true
    done
done
wait $other || true
timeout 60 "$work/hopper" > "$out/hopper.txt" 2> "$out/hopper.err" || echo "hopper: status $?" >> "$out/failed.txt"
wait $slow || true
timeout 60 "$work/wgmma" > "$out/wgmma.txt" 2> "$out/wgmma.err" || echo "wgmma: status $?" >> "$out/failed.txt"
wc "$out"/*
