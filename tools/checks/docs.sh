#!/bin/sh
# The documentation is up to date: subcommands exist, links lead somewhere, and the generated
# pages are what the program prints (make docs writes them).
set -eu
cd "$(dirname "$0")/../.."
bad=
commands=$(build/leno --help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
for f in README.md $(find docs workloads -name '*.md' | sort); do
    [ -f "$f" ] || continue
    for word in $(grep -oE '(`|^ *|build/)leno [a-z]+' "$f" | sed 's/.*leno //' | sort -u)
    do
        echo "$commands" | grep -qx "$word" ||
            { echo "$f: there is no leno $word"; bad=1; }
    done
    for link in $(grep -oE '\]\([^)#]+' "$f" | sed 's/^](//' | grep -v '^http' | sort -u)
    do
        [ -e "$(dirname "$f")/$link" ] || { echo "$f: no file $link"; bad=1; }
    done
done
tools/docs.sh build/leno | diff docs/commands.md - ||
    { echo "docs/commands.md is out of date: make docs"; bad=1; }
for page in params stats; do
    build/leno list $page --markdown | diff docs/$page.md - > /dev/null ||
        { echo "docs/$page.md is out of date: make docs"; bad=1; }
done
[ -z "$bad" ]
