#!/bin/sh
# Breaks one rule at a time in a copy of the tree, builds it and runs the tests that a list
# names: one of them must fail. A list (tests/*/mutants.txt) is lines of
#   make TARGET...               what to build
#   run SECONDS COMMAND...       a test, and the CPU time it may take
#   NAME | FILE | TEXT | TEXT    a mutant: the second text takes the place of the first, which
#                                is in the file exactly once (\n a new line, \| a bar)
# usage: tests/mutants.sh LIST [NAME...]      all mutants by default
#        tests/mutants.sh -n LIST...          only look for the texts
set -u
cd "$(dirname "$0")/.." || exit 1

# Puts one text in the place of another, which must be there once.
replace() { # file, from, to
    FROM=$2 TO=$3 perl -0pi -e '
        my ($from, $to) = @ENV{qw(FROM TO)};
        s/\\n/\n/g, s/\\\|/|/g for $from, $to;
        my $n = () = /\Q$from\E/g;
        if ($n != 1) { print STDERR "$ARGV: found $n times: $from\n"; $bad = 1 }
        else { s/\Q$from\E/$to/ }
        END { exit($bad ? 1 : 0) }' "$1"
}

# Takes a line of a list apart. False if it is no mutant.
split() { # line
    case $1 in '#'* | '' | 'make '* | 'run '*) return 1 ;; esac
    name=${1%% | *}
    rest=${1#* | }
    file=${rest%% | *}
    rest=${rest#* | }
    from=${rest%% | *}
    to=${rest#* | }
}

look() { # list...
    copy=$(mktemp)
    trap 'rm -f "$copy"' EXIT
    bad=0
    for list in "$@"; do
        while IFS= read -r line; do
            split "$line" || continue
            cp "$file" "$copy"
            replace "$copy" "$from" "$to" || { echo "$list: $name: $file"; bad=1; }
        done < "$list"
    done
    return $bad
}

copy_tree() {
    mkdir -p "$work"
    for f in Makefile mk src configs tests workloads tools docs; do
        rm -rf "${work:?}/$f"
        cp -a "$f" "$work/"
    done
    # Objects of an earlier mutant may be younger than the files just copied.
    while IFS= read -r line; do
        split "$line" && touch "$work/$file"
    done < "$list"
}

build() {
    # shellcheck disable=SC2046
    make -s -C "$work" -j2 WERROR=-w FUSE= BUILD=build $(sed -n 's/^make //p' "$list")
}

# Runs the tests until one fails; $by is what it says has failed, or else its name.
run_tests() {
    while read -r limit command; do
        # shellcheck disable=SC2086
        (cd "$work" && ulimit -t "$limit" && timeout 10800 $command) > "$work/log" 2>&1 < /dev/null && continue
        by=$(sed -n -e 's/^FAIL  \([^:]*\):.*/\1/p' -e 's/^\[  FAILED  \] \([a-z_]*\)$/\1/p' \
            "$work/log" | sort -u | head -n 3 | tr '\n' ' ')
        [ -n "$by" ] || by=$command
        return
    done < "$work/todo"
}

if [ "${1:-}" = -n ]; then
    shift
    look "$@"
    exit
fi
list=${1:?expected a list}
shift
wanted=" ${*:-} "
work=build-mutants/$(basename "$(dirname "$list")")
copy_tree
sed -n 's/^run //p' "$list" > "$work/todo"
caught=0
missed=0
while IFS= read -r line; do
    split "$line" || continue
    case $wanted in '  ' | *" $name "*) ;; *) continue ;; esac
    by=
    if replace "$work/$file" "$from" "$to"; then
        if build > "$work/log" 2>&1; then run_tests; else tail -n 5 "$work/log"; fi
    fi
    if [ -n "$by" ]; then
        caught=$((caught + 1))
        printf 'ok    %-20s caught by %s\n' "$name" "$by"
    else
        missed=$((missed + 1))
        printf 'FAIL  %-20s missed\n' "$name"
    fi
    cp "$file" "$work/$file"
done < "$list"
echo "$caught caught, $missed missed"
[ "$missed" = 0 ]
