#!/bin/sh
# Running out of memory is reported only by err_memory() (src/base/err.h).
# usage: tools/checks/memory.sh
set -eu
cd "$(dirname "$0")/../.."
if grep -rnE '"[^"]*(out of (host )?memory|no (host )?memory|not enough memory)' src workloads \
    --include='*.[ch]' | grep -vE '^(src/base/err|workloads/workload)\.c:|5 limit reached'; then
    echo "expected err_memory(), which has the message"
    exit 1
fi
echo "ok: $(grep -rnE '\berr_memory(_exit)?\(|\bcall_memory\(' src --include='*.c' | wc -l) places"
