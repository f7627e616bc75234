#!/bin/sh
# runner.sh - builds runner.c with the hosts of all workloads. usage: tools/hw/runner.sh FILE
# CUDA: the toolkit's folder (default /usr/local/cuda); CC: the compiler (default gcc).
set -eu
cd "$(dirname "$0")/../.."
CUDA=${CUDA:-/usr/local/cuda}
defs=$(mktemp -d)
trap 'rm -rf "$defs"' EXIT
for host in workloads/*/host.c; do
    echo "WORKLOAD($(basename "$(dirname "$host")"))"
done >"$defs/workloads.def"
"${CC:-gcc}" -std=c17 -O2 -ffp-contract=off -D_GNU_SOURCE -I"$defs" -isystem "$CUDA/include" \
    -o "$1" tools/hw/runner.c workloads/workload.c \
    workloads/deepbench/*.c workloads/hopper/*.c workloads/attention/*.c workloads/*/host.c \
    -L"$CUDA/lib64/stubs" -L"$CUDA/lib/stubs" -lcuda -lm
