#!/bin/sh
# A hash of all that the result of a module depends on. usage: hw/sources.sh TOP
set -eu
cd "$(dirname "$0")"
row=$(awk -v top="$1" '$2 == top' modules.txt)
[ -n "$row" ] || { echo "hw/modules.txt has no module $1" >&2; exit 1; }
{ echo "$row"; cat common/*.sv "${row%% *}"/*.sv*; } | sha256sum | cut -c 1-12
