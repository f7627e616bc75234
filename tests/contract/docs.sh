#!/bin/sh
# The scheme in docs/adding-a-scheme.md: compiles with all warnings, and holds under the
# battery when it is added to the others.
# usage: tests/contract/docs.sh BUILD
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/contract/link.inc
sed -n '/^```c$/,/^```$/p' docs/adding-a-scheme.md | sed '/^```/d' > "$work/single.c"
[ "$(wc -l < "$work/single.c")" -gt 60 ] || { echo "no code found"; exit 1; }
clang-format --style=file:.clang-format --dry-run -Werror "$work/single.c"
link_battery single
"$work/battery" single
