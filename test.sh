#!/bin/sh
# Every test and check. Installs what is missing, builds with gcc and clang, and runs
#   build clang   both compilers, warnings as errors
#   unit cli      unit tests, and the program as a user calls it
#   cycle         pipelines: cycle tests, every scheme on random programs and workloads
#   isa           the instruction suite, on every architecture; RISC-V's float against QEMU
#   exec          programs built by nvcc, where there is one
#   checks        include direction, globals, sizes, format, docs
#   asan          unit, cli, cycle and isa again under AddressSanitizer and UBSan
# usage: ./test.sh [part...]      all parts by default; the last line counts
set -u
cd "$(dirname "$0")" || exit 1
export LC_ALL=C
jobs=$(nproc)
parts=${*:-build clang unit cli cycle isa exec checks asan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
passed=0
failed=0
skipped=0

pass() {
    passed=$((passed + 1))
    printf 'ok    %s\n' "$1"
}

fail() {
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$1"
    grep -vE '^  (CC|AR|LD) ' "$log" | tail -n 40 | sed 's/^/      /'
    return 1
}

check() { # name, command...
    name=$1
    shift
    if "$@" > "$log" 2>&1; then pass "$name"; else fail "$name"; fi
}

# Runs commands (lines of a name, a tab and the command) on all cores; NAME.log and
# NAME.status in $work/runs say what became of them.
together() {
    rm -rf "$work/runs"
    mkdir -p "$work/runs"
    RUNS=$work/runs xargs -d '\n' -n 1 -P "$jobs" sh -c '
        name=${1%%	*}
        sh -c "${1#*	}" > "$RUNS/$name.log" 2>&1
        echo $? > "$RUNS/$name.status"' sh
}

# Takes up one of them again: its log, its status.
take() { # name
    cp "$work/runs/$1.log" "$log"
    status=$(cat "$work/runs/$1.status")
}

# What a cmocka program printed, its tests counted one by one. A program that dies
# counts as one more failure.
unit_program() { # label, name
    take "$2"
    good=$(grep -c '^ok ' "$log")
    bad=$(grep '^not ok ' "$log" | grep -vc '# SKIP')
    passed=$((passed + good))
    if [ "$status" = 0 ] && [ "$bad" = 0 ] && [ "$good" -gt 0 ]; then
        printf 'ok    %s: %d tests\n' "$1" "$good"
        sed -n 's/^ok [0-9]* - /        /p' "$log" > "$work/names"
        [ -z "${names:-}" ] || cat "$work/names"
        return
    fi
    [ "$bad" = 0 ] || failed=$((failed + bad - 1))
    fail "$1: status $status, $good passed, $bad failed"
}

unit_tests() { # label, build folder, one to leave out
    list=
    for program in "$2"/tests/unit/test_*; do
        case $program in *.[od] | */test_"${3:-}") continue ;; esac
        [ -x "$program" ] && list="$list ${program##*/test_}"
    done
    for name in $list; do
        printf '%s\tCMOCKA_MESSAGE_OUTPUT=TAP timeout 240 %s\n' "$name" \
            "$2/tests/unit/test_$name"
    done | together
    for name in $list; do
        unit_program "$1 $name" "$name"
    done
}

cli_tests() { # label, program
    for script in tests/cli/*.sh; do
        name=${script##*/}
        mkdir -p "$work/cli/${name%.sh}"
        printf '%s\tLENO=%s TMP=%s timeout 300 sh -eu %s\n' "${name%.sh}" "$PWD/$2" \
            "$work/cli/${name%.sh}" "$script"
    done | together
    rm -rf "$work/cli"
    for script in tests/cli/*.sh; do
        name=${script##*/}
        take "${name%.sh}"
        if [ "$status" = 0 ]; then pass "$1 ${name%.sh}"; else fail "$1 ${name%.sh}"; fi
    done
}

# Counts the "ok", "FAIL" or "skip" lines that a program has printed, one by one.
count_lines() { # label
    label=$1
    good=$(grep -c '^ok ' "$log")
    bad=$(grep -c '^FAIL ' "$log")
    left=$(grep -c '^skip ' "$log")
    passed=$((passed + good))
    skipped=$((skipped + left))
    if [ "$status" = 0 ] && [ "$bad" = 0 ] && [ "$good" = 0 ] && [ "$left" -gt 0 ]; then
        printf 'skip  %s: %d tests (%s)\n' "$label" "$left" \
            "$(sed -n '/^skip /s/^[^:]*: //p' "$log" | head -n 1)"
        return
    fi
    if [ "$status" = 0 ] && [ "$bad" = 0 ] && [ "$good" -gt 0 ]; then
        printf 'ok    %s: %d tests\n' "$label" "$good"
        [ -z "${names:-}" ] || sed -n 's/^ok  */        /p' "$log"
        return
    fi
    [ "$bad" = 0 ] || failed=$((failed + bad - 1))
    fail "$label: status $status, $good passed, $bad failed"
}

# Runs a program that prints such lines.
lines() { # label, command...
    label=$1
    shift
    "$@" > "$log" 2>&1
    status=$?
    count_lines "$label"
}

# Runs several on all cores: lines of a label, a tab and the command.
lines_together() {
    cat > "$work/list"
    together < "$work/list"
    while IFS= read -r line; do
        take "${line%%	*}"
        count_lines "${line%%	*}"
    done < "$work/list"
}

tools/deps.sh test || exit 1
for part in $parts; do
    case $part in
    build) check "build with gcc" make -s -j"$jobs" all unit suite cycle ;;
    clang)
        check "build with clang" make -s -j"$jobs" clang
        check "plain and AVX2 handlers" build-clang/tests/unit/test_twins ;;
    unit) names=1 unit_tests unit build ;;
    cli) cli_tests cli build/leno ;;
    cycle)
        lines_together << END
contract	timeout 300 build/tests/contract/battery
cycle	timeout 300 build/tests/cycle/run
contract, skips	timeout 300 build/tests/contract/battery short skip
docs example	timeout 300 tests/contract/docs.sh build
workloads	timeout 300 tests/contract/workloads.sh build rtx2060s tests/data/v100-128.ini
END
        ;;
    isa)
        check "isa" tools/isa/check.sh build
        lines "float as QEMU's" env LENO="$PWD/build/leno" tests/riscv/qemu/compare.sh 30000
        ;;
    exec) lines exec timeout 1800 sh tests/exec/run.sh build ;;
    checks)
        for script in tools/checks/*.sh; do
            name=${script##*/}
            check "${name%.sh}" sh -eu "$script"
        done
        ;;
    asan)
        check "build with sanitizers" make -s -j"$jobs" asan-build || continue
        # The rows of h200 are half a minute of what other tests run, too.
        unit_tests asan build-asan h200
        cli_tests asan build-asan/leno
        lines_together << END
asan contract	timeout 300 build-asan/tests/contract/battery short
asan contract, skips	timeout 300 build-asan/tests/contract/battery short skip
asan cycle	timeout 300 build-asan/tests/cycle/run
END
        check "asan isa" tools/isa/check.sh build-asan
        ;;
    *)
        echo "no part $part; expected build clang unit cli cycle isa exec checks asan" >&2
        exit 1
        ;;
    esac
done
[ "$skipped" = 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
