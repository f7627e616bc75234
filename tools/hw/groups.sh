#!/bin/bash
# groups.sh - records on a GPU in which order the groups of random programs run.
# usage: tools/hw/groups.sh OUT   writes OUT/groups.txt: the lines of
# tests/data/converge/groups.txt, without the columns for where we differ.
# For a machine with a Hopper GPU and nvcc's headers.
set -eu
cd "$(dirname "$0")/../.."
cuda=${CUDA:-/usr/local/cuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$1"
${CC:-gcc} -O1 -I"$cuda/include" -o "$work/groups" tools/hw/groups.c \
    -L"$cuda/lib64/stubs" -lcuda
"$work/groups" tests/data/converge/groups.sm_90.cubin >"$1/groups.txt"
