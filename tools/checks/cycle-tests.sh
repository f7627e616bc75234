#!/bin/sh
# Every cycle test has a number of its own and begins with its name.
# usage: tools/checks/cycle-tests.sh
set -eu
cd "$(dirname "$0")/../.."
bad=0
for number in $(ls tests/cycle | sed -n 's/^\([0-9]*\)-.*\.txt$/\1/p' | sort | uniq -d); do
    echo "$number: the number of several tests:" tests/cycle/"$number"-*.txt
    bad=1
done
n=0
for file in tests/cycle/*.txt; do
    name=$(basename "$file" .txt)
    n=$((n + 1))
    case $(head -n 1 "$file") in "# $name: "?*) continue ;; esac
    echo "$file:1: expected # $name: what it is about"
    bad=1
done
[ "$bad" = 0 ] && echo "ok: $n tests"
