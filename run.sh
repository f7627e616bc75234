#!/bin/sh
# From a clean clone to a result: installs what is missing, builds, and runs every
# workload on a simulated GPU, checking what it computes. Arguments go to leno run.
set -eu
cd "$(dirname "$0")"
tools/deps.sh build
make -s -j"$(nproc)" >&2
exec build/leno run --all "$@"
