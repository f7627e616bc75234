#!/bin/sh
# The instruction suite as a test: on every architecture all kernels leave what an H200
# recorded and what the CPU computed. Those in tests/isa/unsupported.txt must be refused
# as unsupported, and nothing else may fail.
# usage: tools/isa/check.sh [BUILD [ARCH...]]    BUILD is what `make suite` left
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
[ $# = 0 ] || shift
list=tests/isa/unsupported.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Reads the list and the suite's report; reports every deviation from the list.
judge() { # ARCH REPORT
    awk -F': ' -v arch="$1" '
        FNR == NR {
            if ($0 !~ /^#/ && NF && ((" " $2 " ") ~ (" " arch " ")))
                listed[$1] = 1
            next
        }
        /^WRONG / { print; bad++ }
        /^FAIL / {
            name = substr($1, 6)
            if (!(name in listed) || $2 !~ /^CUDA_ERROR_ILLEGAL_INSTRUCTION / ||
                $3 !~ /^unsupported /) {
                print; bad++
            }
            failed[name] = 1
        }
        $1 == arch { total = $2; n = split($2, word, /[ ,]+/) }
        END {
            for (name in listed)
                if (!(name in failed)) {
                    print name ": listed as unsupported, but was not refused"; bad++
                }
            for (i = 2; i <= n; i++)
                count[word[i]] = word[i - 1]
            n_failed = 0
            for (name in failed)
                n_failed++
            if (count["passed"] == 0 || count["wrong"] != 0 || count["failed"] != n_failed) {
                print "total: " total; bad++
            }
            exit bad ? 1 : 0
        }' "$list" "$2"
}

status=0
for arch in ${*:-sm_75 sm_86 sm_90 sm_100 sm_120}; do
    "$build/tests/isa/suite" "$build/isa" --arch $arch --fork \
        --golden tests/isa/data/golden.txt --expect tests/isa/data/expect.txt \
        > "$work/report" 2>&1 || true
    tail -n 1 "$work/report"
    judge $arch "$work/report" || status=1
    # Kernels that must fail, each with a process of its own.
    "$build/tests/isa/suite" "$build/isa" --arch $arch --fork --errors > "$work/errors" 2>&1 ||
        { cat "$work/errors"; status=1; }
done
exit $status
