#!/bin/sh
# Text files are ASCII, end with a newline, and have no space at the end of a line;
# test data (tests/data) is exempt. No file has marks of an unfinished merge.
set -eu
cd "$(dirname "$0")/../.."
files=$(find . -path './build*' -prune -o -path ./tests/data -prune -o -path ./.git -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.md' -o -name '*.sh' -o -name '*.cu' \
    -o -name '*.py' -o -name '*.ini' -o -name '*.mk' -o -name Makefile \) -print | sort)
bad=
for f in $files; do
    if grep -nP '[^\x00-\x7f]' "$f" /dev/null; then bad=1; fi
    if grep -nE '[[:space:]]+$' "$f" /dev/null; then bad=1; fi
    [ -z "$(tail -c 1 "$f")" ] || { echo "$f: no newline at the end"; bad=1; }
done
if grep -rnIE '^(<<<<<<<|>>>>>>>) ' --exclude-dir='build*' --exclude-dir=.git .; then bad=1; fi
[ -z "$bad" ]
