#!/bin/sh
# results.sh - makes the tables of docs/results.md again: every scheme, alone and with each
# eliminator, on every workload. Results are cached; after an interruption the same command
# goes on from there. Arguments go to leno reproduce results: --jobs N, --out DIR, --size.
set -eu
cd "$(dirname "$0")/.."
tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
build/leno reproduce results --markdown "$@" > "$tables"
awk -v tables="$tables" '
    /^<!-- tables: end -->$/ { inside = 0 }
    !inside { print }
    /^<!-- tables: begin -->$/ {
        inside = 1
        while ((getline line < tables) > 0)
            print line
    }' docs/results.md > docs/results.new
mv docs/results.new docs/results.md
