#!/bin/sh
# From a clean clone to a result: installs what is missing, builds, and compares schemes on
# a dozen workloads, checking what it computes (--all: on every one). Results are cached in leno-out, with a page of
# charts: run again, it goes on from there. Arguments go to leno compare.
set -eu
cd "$(dirname "$0")"
tools/deps.sh build
make -s -j"$(nproc)" build/leno >&2
mkdir -p leno-out
exec build/leno compare --report leno-out/report.html "$@"
