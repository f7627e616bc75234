#!/bin/sh
# Every test and check. Installs what is missing, builds with gcc and clang, and runs
#   build clang   both compilers, warnings as errors
#   unit cli      unit tests, and the program as a user calls it
#   cycle         pipelines: cycle tests, every scheme on random programs and workloads
#   isa           the instruction suite, on every architecture; RISC-V's float against QEMU
#   exec          programs built by nvcc, where there is one
#   checks        include direction, globals, sizes, format, docs
#   asan          unit, cli, cycle and isa again under AddressSanitizer and UBSan
# and, if they are named (make test-long names them after the others):
#   long          the same at greater length: all forms of the battery with one program in
#                 four, others each day (LONG_EVERY=1: all), every workload on every GPU, all
#                 inputs of the special functions, and under sanitizers what asan leaves out
#   tsan          runs on several threads under ThreadSanitizer
#   fuzz          each fuzzer for a minute (FUZZ_SECONDS)
#   browser       the viewer and the report in a headless Chromium
#   docker        the Dockerfile's steps, in systems made by debootstrap
#   slurm         job arrays on a real Slurm
#   mutants       one rule in forty broken at a time, others each day (MUTANT_EVERY)
# usage: ./test.sh [part...]      build to asan by default; the last line counts
set -u
cd "$(dirname "$0")" || exit 1
export LC_ALL=C
jobs=$(nproc)
# Each test has one core, so that what it starts does not compete with the next one: a run
# has as many threads as there are cores, unless it is told.
cores=$(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' |
    awk -F- '{ for (n = $1; n <= $NF; n++) printf "%d ", n }')
parts=${*:-build clang unit cli cycle isa exec checks asan}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
passed=0
failed=0
skipped=0
begun=$(date +%s)
# A test that hangs is ended: by the CPU time of a process, which other work on the host does
# not count towards, and after hours in case it only waits.
cpu_seconds=1800
wall_seconds=10800
# These take long and are started first, so that none of them is left to run alone.
slow='^exec$|contract|workloads|isa$| (h200|compare|unroll|reproduce|vortex-run|listing)$'

# A test is a line: its part, how to read what it prints, its name, the command.
add() { # how, name, command
    printf '%s\t%s\t%s\t%s\n' "$part" "$1" "$2" "$3" >> "$work/tests"
}

# Runs the tests so far on all cores, and tells of them in the order in which they were
# added. N.log, N.times and N.status in $work/runs are what became of the Nth.
run_tests() {
    [ -s "$work/tests" ] || return 0
    rm -rf "$work/runs"
    mkdir "$work/runs"
    awk -F'\t' -v slow="$slow" '{ print ($3 ~ slow ? 0 : 1) "\t" NR "\t" $4 }' "$work/tests" |
        sort -s -n -k 1,1 | cut -f 2- |
        RUNS=$work/runs TEST_CPU=$cpu_seconds TEST_WALL=$wall_seconds CORES=$cores \
        xargs -d '\n' -n 1 -P "$jobs" --process-slot-var=SLOT sh -c '
            n=$RUNS/${1%%	*}
            core=$(echo $CORES | cut -d " " -f $((SLOT + 1)))
            (ulimit -t "$TEST_CPU" &&
                exec timeout "$TEST_WALL" taskset -c "$core" sh -c "${1#*	}") > "$n.log" 2>&1
            status=$?
            times > "$n.times"
            echo $status > "$n.new" && mv "$n.new" "$n.status"' sh &
    n=0
    while IFS='	' read -r of how name _; do
        n=$((n + 1))
        until [ -e "$work/runs/$n.status" ]; do sleep 0.1; done
        cp "$work/runs/$n.log" "$log"
        note_times "$name" "$of" < "$work/runs/$n.times"
        tell "$how" "$name" "$(cat "$work/runs/$n.status")"
        [ "$of" != unit ] || sed -n 's/^ok  */        /p' "$work/results"
    done < "$work/tests"
    wait
    rm "$work/tests"
}

# CPU seconds of the commands that a shell has run: the second line of `times`.
note_times() { # name, part
    sed -n '2s/[ms]/ /gp' | awk -v of="$2" -v name="$1" \
        '{ printf "%s\t%.1f\t%s\n", of, $1 * 60 + $2 + $3 * 60 + $4, name }' >> "$work/times"
}

# What a test has printed, as lines of "ok", "FAIL" or "skip" and a name: its own, those of
# TAP, or a single one if it is the status that counts.
results() { # how, status
    case $1 in
    lines) cat "$log" ;;
    tap) sed -e 's/^not ok [0-9]* # SKIP/skip/' -e 's/^not ok [0-9]* -/FAIL/' \
        -e 's/^ok [0-9]* -/ok/' "$log" ;;
    status)
        why=$(sed -n 's/^skipped: //p' "$log")
        if [ "$2" != 0 ]; then echo FAIL all; else echo "${why:+skip }${why:-ok all}"; fi ;;
    esac | grep -E '^(ok|FAIL|skip) '
}

# Counts them one by one. A program that dies counts as one more failure.
tell() { # how, name, status
    results "$1" "$3" > "$work/results"
    good=$(grep -c '^ok ' "$work/results")
    bad=$(grep -c '^FAIL ' "$work/results")
    left=$(grep -c '^skip ' "$work/results")
    passed=$((passed + good))
    skipped=$((skipped + left))
    if [ "$3" != 0 ] || [ "$bad" != 0 ] || [ $((good + left)) = 0 ]; then
        failed=$((failed + (bad ? bad : 1)))
        printf 'FAIL  %s: status %s, %d passed, %d failed\n' "$2" "$3" "$good" "$bad"
        grep -vE '^  (CC|AR|LD) ' "$log" | tail -n 40 | sed 's/^/      /'
        return 1
    fi
    tests=": $good tests"
    [ "$1" != status ] || tests=
    [ "$good" = 0 ] || printf 'ok    %s%s\n' "$2" "$tests"
    [ "$left" = 0 ] || printf 'skip  %s: %d, %s\n' "$2" "$left" \
        "$(sed -n 's/^skip  *//p' "$work/results" | head -n 1)"
}

# A build has all cores: what is to be tested before it is.
build() { # name, command...
    run_tests
    name=$1
    shift
    ("$@" > "$log" 2>&1; status=$?; times > "$work/built"; exit $status)
    status=$?
    note_times "$name" "$part" < "$work/built"
    tell status "$name" "$status"
}

unit_tests() { # label, build folder, one to leave out, every how many inputs
    for program in "$2"/tests/unit/test_*; do
        case $program in *.[od] | */test_"${3:-}") continue ;; esac
        [ -x "$program" ] || continue
        add tap "$1 ${program##*/test_}" \
            "LENO_SAMPLE=${4:-1} CMOCKA_MESSAGE_OUTPUT=TAP $program"
    done
}

cli_tests() { # label, program, names to leave out, every how many workloads
    for script in tests/cli/*.sh; do
        name=${script##*/}
        name=${name%.sh}
        case " ${3:-} " in *" $name "*) continue ;; esac
        mkdir -p "$work/$1/$name"
        add status "$1 $name" \
            "LENO=$PWD/$2 LENO_SAMPLE=${4:-1} TMP=$work/$1/$name sh -eu $script"
    done
}

isa_tests() { # label, build folder, architectures
    for arch in $3; do
        add status "$1 $arch isa" "tools/isa/check.sh $2 $arch"
    done
}

# What takes longer than ./test.sh may. The random programs of the battery are another part
# per scheme, so that all cores have some.
long_tests() { # build folder
    every=${LONG_EVERY:-4}
    for form in long skip skip=darsie skip=uv skip=dac hostile "hostile skip" \
        "hostile skip=darsie"; do
        for scheme in $("$1/tests/contract/battery" schemes); do
            add lines "battery $form, $scheme" \
                "$1/tests/contract/battery $form every=$every $scheme"
        done
    done
    for gpus in rtx2060s rtx2060s-ghost rtx3070 v100 tests/data/v100-128.ini h200 \
        "-s rtx2060s" "-s v100" "-s h200" "-k darsie gtx1080ti" "-k darsie h200" \
        "-k dac gtx1080ti"; do
        add lines "workloads $gpus" \
            "tests/contract/workloads.sh -e $every $(echo "$gpus" | sed "s|[^ ]*\$|$1 &|")"
    done
    add tap "all of mufu" "LENO_LONG=1 CMOCKA_MESSAGE_OUTPUT=TAP $1/tests/unit/test_mufu"
    add tap "asan h200" "CMOCKA_MESSAGE_OUTPUT=TAP build-asan/tests/unit/test_h200"
    add lines "asan contract, short" "build-asan/tests/contract/battery short"
    add lines "asan contract, short skips" "build-asan/tests/contract/battery short skip"
    long_cli "$1/leno" replay convert
    # shellcheck disable=SC2046
    long_cli build-asan/leno $(make -s print-long-cli)
    add status "energy of all kernels" "LENO_LONG=1 sh -eu tests/cost/energy.sh $1"
    add status "emu small" \
        "$1/leno emu --all --arch all --size small --reference tests/golden/hw"
}

long_cli() { # program, names...
    program=$1
    shift
    for name in "$@"; do
        mkdir -p "$work/long/$program/$name"
        add status "long $program $name" \
            "LENO_LONG=1 LENO=$PWD/$program TMP=$work/long/$program/$name sh -eu tests/cli/$name.sh"
    done
}

tools/deps.sh test || exit 1
for part in $parts; do
    case $part in
    build) build "build with gcc" make -s -j"$jobs" all unit suite cycle || break ;;
    clang)
        # For its warnings; the handlers of lanes are optimised, and compared with each other.
        build "build with clang" make -s -j"$jobs" clang DEBUG= OPT=-O0 LANES=-O2
        add tap "clang twins" "CMOCKA_MESSAGE_OUTPUT=TAP build-clang/tests/unit/test_twins" ;;
    unit) unit_tests unit build ;;
    cli) cli_tests cli build/leno ;;
    cycle)
        add lines cycle "build/tests/cycle/run"
        add lines contract "build/tests/contract/battery"
        add lines "contract, skips" "build/tests/contract/battery short skip"
        add lines "contract, darsie" "build/tests/contract/battery brief skip=darsie"
        add lines "contract, uv" "build/tests/contract/battery brief skip=uv"
        add lines "contract, dac" "build/tests/contract/battery brief skip=dac"
        add lines "docs example" "tests/contract/docs.sh build"
        add lines "careless scheme" "sh tests/contract/careless.sh build"
        add status "modules of hw" "sh -eu tests/cost/rtl.sh build"
        add status "energy of kernels" "sh -eu tests/cost/energy.sh build"
        add lines workloads \
            "tests/contract/workloads.sh -r build rtx2060s rtx3070 h200 tests/data/v100-128.ini" ;;
    isa)
        isa_tests suite build "sm_75 sm_86 sm_90 sm_100 sm_120"
        add lines "float as QEMU's" "LENO=$PWD/build/leno tests/riscv/qemu/compare.sh 30000" ;;
    exec) add lines exec "sh tests/exec/run.sh build" ;;
    checks)
        for script in tools/checks/*.sh; do
            name=${script##*/}
            add status "${name%.sh}" "sh -eu $script"
        done ;;
    asan)
        build "build with sanitizers" make -s -j"$jobs" asan-build || continue
        # What takes minutes, and runs what other tests run too: make test-long.
        unit_tests asan build-asan h200 5
        cli_tests asan build-asan/leno "$(make -s print-long-cli)" 5
        add lines "asan cycle" "build-asan/tests/cycle/run"
        add lines "asan contract" "build-asan/tests/contract/battery brief"
        add lines "asan contract, skips" "build-asan/tests/contract/battery brief skip"
        isa_tests asan build-asan "sm_75 sm_90" ;;
    long) long_tests build ;;
    tsan)
        build "build with ThreadSanitizer" make -s -j"$jobs" tsan-build || continue
        mkdir -p "$work/tsan"
        add status "tsan threads" "TSAN=build-tsan/leno LENO=$PWD/build-tsan/leno \
            TMP=$work/tsan sh -eu tests/cli/threads.sh" ;;
    fuzz)
        build "build of the fuzzers" make -s -j"$jobs" fuzz-build fuzz-seeds || continue
        for fuzzer in build-fuzz/tests/fuzz/fuzz_*; do
            case $fuzzer in *.*) continue ;; esac
            add status "${fuzzer##*/}" "tools/fuzz.sh $fuzzer"
        done ;;
    browser)
        build "playwright-core and a browser" sh -c "tools/deps.sh browser &&
            make -s -j$jobs all build/tests/json/check &&
            npm install --silent --prefix build/browser playwright-core" || continue
        for name in view report; do
            mkdir -p "$work/browser/$name"
            add status "browser $name" "PLAYWRIGHT_CORE=$PWD/build/browser/node_modules/playwright-core \
                LENO=$PWD/build/leno TMP=$work/browser/$name sh -eu tests/cli/$name.sh"
        done ;;
    docker) add status Dockerfile "sh -eu tests/install/dockerfile.sh" ;;
    slurm)
        mkdir -p "$work/slurm"
        add status slurm "LENO=$PWD/build/leno TMP=$work/slurm sh -eu tests/slurm/run.sh" ;;
    mutants)
        # The modules of hw/ need Verilator.
        for list in tests/*/mutants.txt; do
            case $list in tests/cost/*) command -v verilator > /dev/null || continue ;; esac
            add lines "mutants of $list" \
                "tests/mutants.sh -e ${MUTANT_EVERY:-40} $list"
        done ;;
    *)
        echo "no part $part; expected build clang unit cli cycle isa exec checks asan" \
            "long tsan fuzz browser docker slurm mutants" >&2
        exit 1 ;;
    esac
done
run_tests
echo "CPU seconds of the ten longest tests, and by part:"
sort -t '	' -k 2,2nr "$work/times" | awk -F '\t' 'NR <= 10 { printf "  %7.1f  %s\n", $2, $3 }'
awk -F '\t' '!($1 in sum) { order[++n] = $1 } { sum[$1] += $2 }
    END { for (i = 1; i <= n; i++) printf "  %7.1f  %s\n", sum[order[i]], order[i] }' "$work/times"
echo "in all $(($(date +%s) - begun)) s"
[ "$skipped" = 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
