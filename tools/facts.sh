#!/bin/sh
# facts.sh - writes workloads/facts.txt: of every workload and size its kernels, with their
# launches, blocks and warp instructions on the first architecture that it has code for, mostly
# sm_75 (the CSV of leno emu --launches). leno list workloads shows them, and
# tests/cli/facts.sh checks those of size tiny.
#
# tools/facts.sh             of all workloads (some minutes, for size paper)
# tools/facts.sh NAME...     of these; the lines of the others stay
# tools/facts.sh -m          of those that have no lines
set -eu
cd "$(dirname "$0")/.."
facts=workloads/facts.txt
[ -f $facts ] || : > $facts
all=$(ls workloads/*/host.c | cut -d/ -f2)
names=${*:-$all}
if [ "${1:-}" = -m ]; then
    names=
    for name in $all; do
        grep -q "^$name,paper," $facts || names="$names $name"
    done
fi
[ -n "$names" ] || exit 0
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
for size in tiny small paper; do
    : > "$new/$size"
    for name in $names; do
        arch=$(ls workloads/$name/sm_*.cubin | sort -V | sed -n '1s/.*\/\(.*\)\.cubin/\1/p')
        build/leno emu $name --size $size --arch $arch --launches "$new/one" > /dev/null
        cat "$new/one" >> "$new/$size"
    done
done
for name in $names; do
    sed -i "/^$name,/d" $facts
done
{
    grep -h '^program,' "$new/tiny" | head -n 1
    for name in $all; do
        for size in tiny small paper; do
            grep -h "^$name,$size," "$new/$size" $facts || :
        done
    done
} > "$new/facts"
cp "$new/facts" $facts
