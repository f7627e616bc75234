#!/bin/sh
# Breaks one rule at a time in a copy of the tree, builds it and runs the tests that a list
# names: one of them must fail. A list (tests/*/mutants.txt) is lines of
#   make TARGET...               what to build
#   run SECONDS COMMAND...       a test, and the CPU time it may take
#   NAME | FILE | TEXT | TEXT    a mutant: the second text takes the place of the first, which
#                                is in the file exactly once (\n a new line, \| a bar)
# usage: tests/mutants.sh [-j N] LIST [NAME...]   all mutants by default, N at a time
#        tests/mutants.sh -n LIST...              only look for the texts
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

# The tree as it is, built: what every worker starts from. Its tests must pass.
make_base() {
    for f in Makefile mk src configs include python tests workloads tools docs hw; do
        rm -rf "${work:?}/base/$f"
        cp -a "$f" "$work/base/"
    done
    build "$work/base" "$jobs" || return
    tree=$work/base
    by=
    run_tests
    [ -z "$by" ] || { cat "$tree/log"; echo "without a mutant, this fails: $by"; return 1; }
}

build() { # tree, jobs
    # shellcheck disable=SC2046
    make -s -C "$1" -j"$2" WERROR=-w FUSE= BUILD=build $(sed -n 's/^make //p' "$list")
}

# Runs the tests until one fails; $by is what it says has failed, or else its name.
run_tests() {
    while read -r limit command; do
        # shellcheck disable=SC2086
        (cd "$tree" && ulimit -t "$limit" && timeout 10800 $command) > "$tree/log" 2>&1 < /dev/null && continue
        by=$(sed -n -e 's/^FAIL  \([^:]*\):.*/\1/p' -e 's/^\[  FAILED  \] \([a-z_]*\)$/\1/p' \
            "$tree/log" | sort -u | head -n 3 | tr '\n' ' ')
        [ -n "$by" ] || by=$command
        return
    done < "$work/todo"
}

# Breaks one rule, tells whether a test failed, and repairs it.
try_mutant() { # a mutant, split
    by=
    if replace "$tree/$file" "$from" "$to"; then
        if build "$tree" 2 > "$tree/log" 2>&1; then run_tests; else tail -n 5 "$tree/log"; fi
    fi
    if [ -n "$by" ]; then
        printf 'ok    %-20s caught by %s\n' "$name" "$by"
    else
        printf 'FAIL  %-20s missed\n' "$name"
    fi
    cp "$file" "$tree/$file"
}

# Tries every Nth mutant that is wanted, in a tree of its own.
try_share() { # which
    tree=$work/$1
    rm -rf "$tree"
    cp -a "$work/base" "$tree"
    n=0
    while IFS= read -r line; do
        split "$line" || continue
        case $wanted in '  ' | *" $name "*) ;; *) continue ;; esac
        [ $((n % jobs)) != "$1" ] || try_mutant
        n=$((n + 1))
    done < "$list"
    rm -rf "$tree"
}

if [ "${1:-}" = -n ]; then
    shift
    look "$@"
    exit
fi
jobs=1
if [ "${1:-}" = -j ]; then
    jobs=${2:?expected a number after -j}
    shift 2
fi
list=${1:?expected a list}
shift
wanted=" ${*:-} "
work=build-mutants/$(basename "$(dirname "$list")")
mkdir -p "$work/base"
sed -n 's/^run //p' "$list" > "$work/todo"
make_base || exit 1
share=0
while [ $share -lt "$jobs" ]; do
    try_share $share &
    share=$((share + 1))
done | tee "$work/results"
wait
caught=$(grep -c '^ok ' "$work/results")
missed=$(grep -c '^FAIL ' "$work/results")
echo "$caught caught, $missed missed"
[ "$missed" = 0 ] && [ "$caught" != 0 ]
