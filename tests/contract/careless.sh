#!/bin/sh
# The battery and a careless author: a scheme that writes behind its arrays is named, with
# the program and the signal, on every machine; an argument that is none is an error that
# lists what is understood.
# usage: tests/contract/careless.sh BUILD
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/contract/link.inc

expect() { # name, status, pattern, lines, command...
    name=$1 want=$2 pattern=$3 lines=$4
    shift 4
    status=0
    "$@" > "$work/log" 2>&1 || status=$?
    found=$(grep -cE "$pattern" "$work/log" || true)
    if [ "$status" = "$want" ] && [ "$found" = "$lines" ]; then
        echo "ok    $name"
    else
        echo "FAIL  $name: status $status, $found lines with $pattern"
        cat "$work/log"
        bad=1
    fi
}

bad=0
# The example of the documentation, with an index that runs away.
awk '/^```/ { inside = 0; next } index($0, "/* peek.c - ") == 1 { inside = 1 } inside' \
    docs/adding-a-scheme.md |
    sed -e 's/scheme_peek/scheme_careless/; s/"peek"/"careless"/' \
        -e 's/^    w->n++;$/    w[w->n++ << 20 << u->warp].n++;/' > "$work/careless.c"
grep -q '<< 20' "$work/careless.c" || { echo "no insert found"; exit 1; }
link_battery careless
expect "an overrun is named" 1 \
    '^\*\*\*   careless on [a-z0-9/.-]*, program [0-9]+, run: .*sched.policy=' 5 \
    "$work/battery" short careless
expect "its signal" 1 '^      ended (by signal [0-9]+ \([A-Z]|with status )' 5 \
    "$work/battery" short careless
expect "the battery goes on" 1 '^FAIL  careless  ' 5 "$work/battery" short careless
expect "an unknown argument" 1 "^battery: 'nosuch' is not understood; expected" 1 \
    "$build/tests/contract/battery" short nosuch
expect "what is understood" 1 '^schemes: .*ghost .*inorder ' 1 \
    "$build/tests/contract/battery" nosuch
exit $bad
