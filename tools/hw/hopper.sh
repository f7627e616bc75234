#!/bin/sh
# hopper.sh - measures the asynchronous machinery of an H200; tensor.sh records what it does.
# usage: tools/hw/hopper.sh OUT    needs nvcc, python3 and the GPU; about two minutes
#   OUT/hopper.txt, OUT/wgmma.txt    rows of cycles
#   OUT/risky.txt    reductions that the PTX manual does not promise, a process each
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
nvcc $how -o "$work/hopper" tools/hw/hopper.cu -lcuda
nvcc $how -o "$work/tensor" tests/exec/tensor.cu -lcuda
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader > "$out/gpu.txt" || true
for type in 0 1 2 3 4 5 6 7 8 9 10 11 12; do
    for op in 0 1 2 3 4 5 6 7; do
        timeout 10 "$work/tensor" -v only "reduce$((type * 10 + op))" >> "$out/risky.txt" 2>&1 || true
    done
done
timeout 60 "$work/hopper" > "$out/hopper.txt" 2> "$out/hopper.err" || echo "hopper: status $?" >> "$out/failed.txt"
wait $slow || true
timeout 60 "$work/wgmma" > "$out/wgmma.txt" 2> "$out/wgmma.err" || echo "wgmma: status $?" >> "$out/failed.txt"
wc "$out"/*
