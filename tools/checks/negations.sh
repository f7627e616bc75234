#!/bin/sh
# Tests of what must not be there decide something: sh -e passes over `! command`, whatever
# its status, unless || exit 1 follows.
# usage: tools/checks/negations.sh
set -eu
cd "$(dirname "$0")/../.."
if grep -nE '^! ' tests/*/*.sh | grep -vE '\|\||\\$'; then
    echo 'expected "! command || exit 1": sh -e passes over "! command"'
    exit 1
fi
echo "ok: every negation in a test decides"
