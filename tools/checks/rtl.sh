#!/bin/sh
# The modules of hw/ are those that hw/results.ini was made from; if not: make cost-rtl.
set -eu
cd "$(dirname "$0")/../.."
bad=
for top in $(awk '!/^#/ { print $2 }' hw/modules.txt); do
    found=$(hw/sources.sh "$top")
    grep -qx "sources = $found" hw/results.ini ||
        { echo "hw/results.ini: $top: no result of sources $found; run make cost-rtl"; bad=1; }
done
[ -z "$bad" ]
