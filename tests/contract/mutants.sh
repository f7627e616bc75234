#!/bin/sh
# Breaks one rule at a time (mutants.txt) in a copy of the tree, builds it and runs the
# cycle tests and the battery: each mutant must be caught by one of them.
# usage: tests/contract/mutants.sh [NAME...]      all by default
set -u
cd "$(dirname "$0")/../.." || exit 1
list=tests/contract/mutants.txt
work=build-mutant
wanted=" ${*:-} "
mkdir -p "$work"
for f in Makefile src configs tests workloads tools; do
    rm -rf "${work:?}/$f"
    cp -a "$f" "$work/"
done
# Objects of an earlier mutant may be younger than the files just copied.
sed -n 's/^[a-z-]* | \([^ ]*\) | .*/\1/p' "$list" | sort -u | (cd "$work" && xargs touch)

# Puts one text in the place of another, which must be there once.
replace() { # file, from, to
    FROM=$2 TO=$3 perl -0pi -e '
        my ($from, $to) = @ENV{qw(FROM TO)};
        s/\\n/\n/g for $from, $to;
        my $n = () = /\Q$from\E/g;
        if ($n != 1) { print STDERR "$ARGV: found $n times: $from\n"; $bad = 1 }
        else { s/\Q$from\E/$to/ }
        END { exit($bad ? 1 : 0) }' "$1"
}

caught=0
missed=0
while IFS= read -r line; do
    case $line in '#'* | '') continue ;; esac
    name=${line%% | *}
    rest=${line#* | }
    file=${rest%% | *}
    rest=${rest#* | }
    from=$(printf '%s\n' "${rest%% | *}" | sed 's/\\|/|/g')
    to=$(printf '%s\n' "${rest#* | }" | sed 's/\\|/|/g')
    case $wanted in '  ' | *" $name "*) ;; *) continue ;; esac
    cp "$file" "$work/$file"
    by=
    if ! replace "$work/$file" "$from" "$to"; then
        by=
    elif ! make -s -C "$work" -j2 WERROR=-w FUSE= BUILD=build cycle > "$work/log" 2>&1; then
        tail -n 5 "$work/log"
    elif ! (cd "$work" && timeout 100 build/tests/cycle/run) > "$work/log" 2>&1; then
        by=$(sed -n 's/^FAIL  \([^:]*\):.*/\1/p' "$work/log" | head -n 3 | tr '\n' ' ')
        [ -n "$by" ] || by='cycle tests'
    elif ! (cd "$work" && timeout 300 build/tests/contract/battery) > "$work/log" 2>&1; then
        by=battery
    elif ! (cd "$work" && timeout 300 build/tests/contract/battery skip) > "$work/log" 2>&1; then
        by='battery skip'
    elif ! (cd "$work" && timeout 300 build/tests/contract/battery hostile skip) \
        > "$work/log" 2>&1; then
        by='battery hostile skip'
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
