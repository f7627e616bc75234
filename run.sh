#!/bin/sh
# From a clean clone to a result: installs what is missing, builds, and runs every
# workload's machine code, checking what it computes. Arguments go to leno emu.
set -eu
cd "$(dirname "$0")"
tools/deps.sh build
make -s -j"$(nproc)" >&2
exec build/leno emu --all "$@"
