#!/bin/sh
# Breaks one rule at a time in a copy of the tree, builds it and runs the tests that a list
# names: one of them must fail. A list (tests/*/mutants.txt) is lines of
#   make TARGET...               what to build
#   run SECONDS COMMAND...       a test, and the CPU time it may take
#   NAME | FILE | TEXT | TEXT    a mutant: the second text takes the place of the first, which
#                                is in the file exactly once (\n a new line, \| a bar)
# usage: tests/mutants.sh [-j N] [-e N] LIST [NAME...]   all mutants by default
#        tests/mutants.sh -n LIST...                     only look for the texts
#   -j N   N mutants at a time
#   -e N   every Nth mutant only, beginning with another one each day
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

# The tree as it is, built: what every worker starts from. Lists share it, and each builds what
# the ones before it have not.
make_base() {
    for f in Makefile mk src configs include python tests workloads tools docs hw; do
        rm -rf "${base:?}/$f"
        cp -a "$f" "$base/"
    done
    build "$base" "$jobs"
}

build() { # tree, jobs
    # shellcheck disable=SC2046
    make -s -C "$1" -j"$2" WERROR=-w DEBUG= FUSE= BUILD=build $(sed -n 's/^make //p' "$list")
}

# The tests must pass without a mutant.
try_none() {
    by=
    run_tests
    [ -n "$by" ] || return 0
    tail -n 20 "$tree/log"
    printf 'FAIL  %-20s without a mutant, this fails: %s\n' none "$by"
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

# The mutants that are named, or all; a line each.
list_named() {
    while IFS= read -r line; do
        split "$line" || continue
        case $wanted in '  ' | *" $name "*) printf '%s\n' "$line" ;; esac
    done < "$list"
}

# Those of today; of a short list at least one.
list_wanted() {
    list_named > "$work/named"
    awk -v every="$every" -v day=$(($(date +%s) / 86400)) -v all="$(wc -l < "$work/named")" '
        BEGIN { every = all && all < every ? all : every }
        (day + NR) % every == 0' "$work/named"
}

# Tries its share of the mutants, in a tree of its own.
try_share() { # which
    tree=$work/$1
    n=0
    [ "$1" != 0 ] || try_none
    while IFS= read -r line; do
        split "$line"
        [ $((n % jobs)) != "$1" ] || try_mutant
        n=$((n + 1))
    done < "$work/wanted"
    rm -rf "$tree"
}

if [ "${1:-}" = -n ]; then
    shift
    look "$@"
    exit
fi
jobs=1
every=1
while getopts j:e: option; do
    case $option in
    j) jobs=$OPTARG ;;
    e) every=$OPTARG ;;
    *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
list=${1:?expected a list}
shift
wanted=" ${*:-} "
base=build-mutants/base
work=build-mutants/$(basename "$(dirname "$list")")
mkdir -p "$base" "$work"
sed -n 's/^run //p' "$list" > "$work/todo"
list_wanted > "$work/wanted"
[ -s "$work/wanted" ] || { echo "$list: no such mutant"; exit 1; }
(
    flock 9
    make_base || exit 1
    for share in $(seq 0 $((jobs - 1))); do
        rm -rf "${work:?}/$share"
        cp -a "$base" "$work/$share" || exit 1
    done
) 9> build-mutants/lock || exit 1
for share in $(seq 0 $((jobs - 1))); do
    try_share "$share" &
done | tee "$work/results"
wait
caught=$(grep -c '^ok ' "$work/results")
missed=$(grep -c '^FAIL ' "$work/results")
echo "$caught caught, $missed missed"
[ "$missed" = 0 ] && [ "$caught" != 0 ]
