#!/bin/bash
# leno.sh - builds the instruction suite against build/libleno.a and runs it in the simulator.
# usage: tools/isa/leno.sh [ARCH...] [-- suite options]   default: sm_90 sm_75 sm_86
set -eu
cd "$(dirname "$0")/../.."
archs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do archs+=("$1"); shift; done
[ $# -gt 0 ] && shift
[ ${#archs[@]} -gt 0 ] || archs=(sm_90 sm_75 sm_86)
bash tools/isa/unpack.sh build/isa
mkdir -p build/tests/isa
${CC:-gcc} -std=c17 -O2 -g -D_GNU_SOURCE -DSUITE_LENO -Isrc -Isrc/driver -Wall -Wextra -o build/tests/isa/suite \
    tests/isa/*.c build/libleno.a -lm
refs=()
[ -f tests/isa/data/golden.txt ] && refs+=(--golden tests/isa/data/golden.txt)
[ -f tests/isa/data/expect.txt ] && refs+=(--expect tests/isa/data/expect.txt)
status=0
for arch in "${archs[@]}"; do
    build/tests/isa/suite build/isa --arch "$arch" --fork "${refs[@]}" "$@" || status=1
done
exit $status
