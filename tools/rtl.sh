#!/bin/sh
# Writes hw/results.ini as rows for src/cost/area.c to standard output.
# usage: tools/rtl.sh hw/results.ini
set -eu
awk '
function finish() {
    if (name != "")
        printf "MODULE(\"%s\", \"%s\", AREA_PER_%s, \"%s\", %s)\n", name, v["scheme"],
            v["per"], v["parameters"], v["critical_path_ns"]
    delete v
}
/^;/ || !NF { next }
/^\[/ { finish(); name = substr($1, 2, length($1) - 2); next }
$2 != "=" || name == "" { print FILENAME ":" FNR ": expected KEY = VALUE" > "/dev/stderr"; bad = 1; exit }
$1 == "block" { printf "BLOCK(\"%s\", \"%s\", %d, %d, %d)\n", name, $3, $4, $5, $6; next }
{ key = $1; sub(/^[^=]*= */, ""); v[key] = $0 }
END { if (!bad) finish(); exit bad }' "$1"
