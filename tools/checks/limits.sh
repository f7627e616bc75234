#!/bin/sh
# No test fails because the host is busy: hanging tests end by CPU time, or after hours.
# usage: tools/checks/limits.sh
set -eu
cd "$(dirname "$0")/../.."
if grep -nE '\btimeout +(-[^ ]+ +)*[0-9]{1,4}s? ' test.sh tests/*.sh tests/*/*.sh tests/*/*.inc; then
    echo "expected a limit on CPU time (ulimit -t), as in test.sh"
    exit 1
fi
echo "ok: no test is limited by the clock"
