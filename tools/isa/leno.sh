#!/bin/bash
# leno.sh - builds the instruction suite against libleno.a and runs it in the simulator.
# usage: tools/isa/leno.sh [ARCH...] [-- suite options]   default: sm_90 sm_75 sm_86
set -eu
cd "$(dirname "$0")/../.."
archs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do archs+=("$1"); shift; done
[ $# -gt 0 ] && shift
[ ${#archs[@]} -gt 0 ] || archs=(sm_90 sm_75 sm_86)
make -s suite
bash tools/isa/unpack.sh build/isa
status=0
for arch in "${archs[@]}"; do
    build/tests/isa/suite build/isa --arch "$arch" --fork --golden tests/isa/data/golden.txt \
        --expect tests/isa/data/expect.txt "$@" || status=1
done
exit $status
