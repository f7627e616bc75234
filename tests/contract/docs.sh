#!/bin/sh
# The examples in docs/adding-a-scheme.md: the scheme and the eliminator compile with all
# warnings, and the battery passes with each of them.
# usage: tests/contract/docs.sh BUILD
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/contract/link.inc

example() { # NAME: the code block of the page that begins with that file's name
    awk -v head="/* $1.c - " '/^```/ { inside = 0; next } index($0, head) == 1 { inside = 1 }
        inside' docs/adding-a-scheme.md > "$work/$1.c"
    [ "$(wc -l < "$work/$1.c")" -gt 60 ] || { echo "no code found for $1"; exit 1; }
    clang-format --style=file:.clang-format --dry-run -Werror "$work/$1.c"
}

example peek
example again
link_battery peek again
"$work/battery" peek
"$work/battery" short skip=again peek
"$work/battery" short skip=again loog
