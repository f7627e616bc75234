#!/bin/sh
# Every machine of configs/ says in its first line what it is, and in every line that
# sets something where the value comes from; paths are no source. So do the energies of
# configs/energy, of which each file has all.
set -eu
cd "$(dirname "$0")/../.."
names=$(mktemp)
trap 'rm -f "$names"' EXIT
awk '
function complain(text) {
    print FILENAME ":" FNR ": " text
    bad = 1
}
FNR == 1 && !/^; [^ ]/ { complain("expected ; and what it is") }
/^$|^;|^\[[a-z0-9.]+\]$/ { next }
!/^[a-z0-9_.]+ = [^ ;]+ +; [^ ]...../ { complain("expected name = value ; its source") }
/; .*(\/home|\/tmp|\/work|\/usr|\.\.\/)/ { complain("a path is no source") }
/[^ -~]/ { complain("not plain text") }
/ $/ { complain("a space at the end") }
END { exit bad }' configs/*.ini configs/energy/*.ini

# EVENT(component, name, ...) of energy.h, a class of inst.h, and the others of energy.c.
{
    sed -n 's/^ *EVENT([a-z0-9]*, \([a-z0-9_]*\),.*/\1/p' src/cost/energy.h
    sed -n '/define INST_CLASSES/,/^$/s/^ *CLASS(\([a-z0-9_]*\), .*/lane_\1/p' src/isa/inst.h
    sed -n 's/.*ROW("\(table_[a-z]*\|launch\|active\)", .*/\1/p' src/cost/energy.c
    echo idle
} | sort > "$names"
for file in configs/energy/*.ini; do
    sed -n 's/^\([a-z0-9_]*\) = .*/\1/p' "$file" | sort | diff "$names" - ||
        { echo "$file: expected every energy once"; exit 1; }
done
