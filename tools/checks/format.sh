#!/bin/sh
# Every C file is laid out as .clang-format says.
set -eu
cd "$(dirname "$0")/../.."
find src tests workloads tools -name '*.[ch]' | sort |
    xargs clang-format --dry-run -Werror
