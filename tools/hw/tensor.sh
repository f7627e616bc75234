#!/bin/sh
# tensor.sh - records what tensor copies do on an H200; see tests/exec/tensor.cu.
# usage: tools/hw/tensor.sh OUT    needs nvcc and the GPU; less than a minute
#   OUT/tensor.out and OUT/tensor-maps.out become those of tests/exec
#   OUT/tensor.txt    the same cases with everything that arrived
#   OUT/single.txt    if a case fails: all of them, a process each
set -eu
out=$1
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
command -v nvcc > /dev/null 2>&1 || PATH=$PATH:/usr/local/cuda/bin
nvcc -w -std=c++17 -cudart shared -gencode arch=compute_90a,code=sm_90a -o "$work/tensor" tests/exec/tensor.cu -lcuda
timeout 60 "$work/tensor" maps > "$out/tensor-maps.out"
timeout 100 "$work/tensor" > "$out/tensor.out" 2> "$out/tensor.err" || echo "tensor: status $?" >> "$out/failed.txt"
timeout 100 "$work/tensor" -v > "$out/tensor.txt" 2>> "$out/tensor.err" || true
if [ -s "$out/failed.txt" ]; then # what would have come after the case that failed
    for name in $(sed -n 's/^\([a-z]*[0-9]*\): .*/\1/p' "$out/tensor-maps.out" | grep -v limit); do
        timeout 10 "$work/tensor" -v only "$name" >> "$out/single.txt" 2>&1 || true
    done
fi
wc "$out"/*
