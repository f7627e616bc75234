#!/bin/sh
# The committed programs for Vortex equal what their sources compile to, where the same
# compiler is installed.
set -eu
cd "$(dirname "$0")/../.."
cc=riscv64-unknown-elf-gcc
command -v $cc > /dev/null || { echo "skipped: no $cc"; exit 0; }
version=$($cc -dumpfullversion)
[ "$version" = 12.2.0 ] || { echo "skipped: $cc is $version, not 12.2.0"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools/vortex.sh "$work/workloads" "$work/tests"
for size in tiny small; do
    diff -r "$work/workloads/$size" workloads/vortex/$size
done
for f in "$work/tests"/*; do
    cmp "$f" "tests/riscv/${f##*/}"
done
