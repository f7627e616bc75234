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

# The architectures of a workload: those that its host says, or all.
archs_of() { # NAME
    range=$(sed -n 's/^ *\.sm = { \([0-9]*\), \([0-9]*\) },$/\1 \2/p' "workloads/$1/host.c")
    for arch in $ARCHS; do
        echo "$arch ${range:-0 999}" | awk -F'[_ ]' '$2 >= $3 && $2 <= $4 { print "sm_" $2 }'
    done
}
# One for sm_90 alone may use what only that has.
target_of() { # NAME ARCH
    [ "$(archs_of "$1")" != sm_90 ] || { echo sm_90a && return; }
    echo "$2"
}

for name; do
    source=workloads/$name/$name.cu
    if [ ! -f "$source" ]; then
        echo "cubins.sh: no $source" >&2
        exit 1
    fi
    for arch in $(archs_of "$name"); do
        kept=workloads/$name/$arch.cubin
        target=$(target_of "$name" "$arch")
        # The same file names in every build: names go into the cubin.
        (cd "workloads/$name" && "$NVCC" -cubin -arch="$target" -O3 -I.. -o "$scratch/out.cubin" "$name.cu")
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
