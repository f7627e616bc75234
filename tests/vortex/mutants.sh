#!/bin/sh
# Breaks one rule of the Vortex core at a time (mutants.txt) in a copy of the tree, builds
# it and runs its tests: each mutant must be caught by one of them.
# usage: tests/vortex/mutants.sh [NAME...]      all by default
set -u
cd "$(dirname "$0")/../.." || exit 1
list=tests/vortex/mutants.txt
work=build-vxmutant
wanted=" ${*:-} "
tests='test_vortex_core test_vortex_dram test_vortex_memory test_vortex_rtl'
mkdir -p "$work"
for f in Makefile src configs tests workloads tools docs; do
    rm -rf "${work:?}/$f"
    cp -a "$f" "$work/"
done
# Objects of an earlier mutant may be younger than the files just copied.
sed -n 's/^[a-z0-9-]* | \([^ ]*\) | .*/\1/p' "$list" | sort -u | (cd "$work" && xargs touch)

# Puts one text in the place of another, which must be there once.
replace() { # file, from, to
    FROM=$2 TO=$3 perl -0pi -e '
        my ($from, $to) = @ENV{qw(FROM TO)};
        my $n = () = /\Q$from\E/g;
        if ($n != 1) { print STDERR "$ARGV: found $n times: $from\n"; $bad = 1 }
        else { s/\Q$from\E/$to/ }
        END { exit($bad ? 1 : 0) }' "$1"
}

build() {
    # shellcheck disable=SC2086
    make -s -C "$work" -j2 WERROR=-w FUSE= BUILD=build $(printf 'build/tests/unit/%s ' $tests)
}

# The names of the tests that fail; what ends otherwise is caught too.
run() {
    for t in $tests; do
        (cd "$work" && timeout 100 build/tests/unit/$t) > "$work/log" 2>&1 && continue
        by=$(sed -n 's/^\[  FAILED  \] \([a-z_]*\)$/\1/p' "$work/log" | sort -u | tr '\n' ' ')
        [ -n "$by" ] || by="$t"
        return
    done
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
    if replace "$work/$file" "$from" "$to"; then
        if build > "$work/log" 2>&1; then run; else tail -n 5 "$work/log"; fi
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
