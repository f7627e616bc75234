#!/bin/sh
# Writes configs/*.ini as rows for src/config/preset.c to standard output: name, first
# line, bytes.
# usage: tools/presets.sh FILE.ini...
set -eu
for f in "$@"; do
    name=${f##*/}
    summary=$(sed -n '1s/^; *//p' "$f" | sed 's/[\\"]/\\&/g')
    [ -n "$summary" ] || { echo "$f:1: expected '; what it is'" >&2; exit 1; }
    printf 'PRESET("%s", "%s"' "${name%.ini}" "$summary"
    od -An -v -tu1 "$f" | awk '{ for (i = 1; i <= NF; i++) printf ",%s%s",
        (i == 1 ? "\n" : ""), $i }'
    printf ')\n'
done
