#!/bin/sh
# cubins.sh - builds the committed cubins from the kernels' sources.
#
# tools/cubins.sh [NAME...]   rebuild all workloads, or the named ones
#
# Needs nvcc 13.0: another version would give other machine code, and the recorded
# counts of tests/golden/hw would no longer belong to it. Says for every cubin whether
# it changed. Run from anywhere.
set -eu

cd "$(dirname "$0")/.."
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
ARCHS="sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120"

if ! "$NVCC" --version 2>/dev/null | grep -q 'release 13\.0'; then
    echo "cubins.sh: $NVCC is not nvcc 13.0" >&2
    exit 1
fi
if [ $# -eq 0 ]; then
    for source in workloads/*/*.cu; do
        set -- "$@" "$(basename "$source" .cu)"
    done
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for name; do
    source=workloads/$name/$name.cu
    if [ ! -f "$source" ]; then
        echo "cubins.sh: no $source" >&2
        exit 1
    fi
    for arch in $ARCHS; do
        kept=workloads/$name/$arch.cubin
        # The same file names in every build: names go into the cubin.
        (cd "workloads/$name" && "$NVCC" -cubin -arch="$arch" -O3 -I.. -o "$scratch/out.cubin" "$name.cu")
        if [ ! -f "$kept" ]; then
            word=new
        elif cmp -s "$scratch/out.cubin" "$kept"; then
            word=same
        else
            word=changed
        fi
        [ "$word" = same ] || cp "$scratch/out.cubin" "$kept"
        echo "$kept: $word"
    done
done
