#!/bin/sh
# Speed on one core, in millions of warp instructions per second of CPU time.
# usage: [OLD=PROGRAM] [NAMES="hotspot nn"] tools/bench.sh PROGRAM [emu|run|schemes|all] [size] [gpu]
#   emu      functional execution, best of three; matrixmul comes first, the figure to watch
#   run      with timing: executing, and replaying a recording, best of six; simulated cycles
#            per second; the last line has the geometric means
#   schemes  with timing, executing: inorder's rate, and each scheme's as a part of it
# OLD, the program of an earlier release, runs in turns with PROGRAM; its rates follow as
# ratios, PROGRAM's over OLD's. The workloads are those of README's table, or NAMES.
set -eu
leno=$1
what=${2:-all}
size=${3:-small}
gpu=${4:-rtx2060s}
old=${OLD:-}
names=${NAMES:-matrixmul backprop histogram hotspot lud mandelbrot nn pathfinder rbfs reduction \
    scan vecadd}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Functional execution.
bench_emu() {
    printf '%-12s %14s %10s   (%s, sm_90, best of 3)\n' workload 'warp insts' \
        'M insts/s' "$size"
    for name in $names; do
        "$leno" emu "$name" --size tiny > /dev/null
        for i in 1 2 3; do
            "$leno" emu "$name" --size "$size" | tail -n 1
        done | awk -v name="$name" '
            $6 > best { best = $6 }
            { insts = $5; if ($NF != "ok") failed = 1 }
            END { printf "%-12s %14d %10.1f%s\n", name, insts, best, failed ? "  FAIL" : "" }'
    done
}

# One thread, for programs that know more.
one_thread() {
    if "$1" run --help | grep -q -e '--threads N'; then echo --threads 1; fi
}

# Runs a program twice, which makes a table of a line each: bench_row BINARY PROGRAM OPTION...
bench_row() {
    binary=$1
    program=$2
    shift 2
    "$binary" run "$program" "$program" --gpu "$gpu" $(one_thread "$binary") "$@"
}

# The fastest line of the tables in a file, or one that failed; "-" without any.
fastest() {
    awk '
        $NF != "ok" && $2 ~ /^[0-9]+$/ { failed = $0 }
        $NF == "ok" && $(NF - 2) > best { best = $(NF - 2); line = $0 }
        END { print failed ? failed : line ? line : "-" }' "$1"
}

# The fastest of PROGRAM and of OLD in turns: in_turns PROGRAM_FOR_NEW PROGRAM_FOR_OLD OPTION...
in_turns() {
    for_new=$1
    for_old=$2
    shift 2
    : > "$work/new"
    : > "$work/old"
    for i in 1 2 3; do
        bench_row "$leno" "$for_new" "$@" >> "$work/new"
        [ -z "$old" ] || bench_row "$old" "$for_old" "$@" >> "$work/old"
    done
    fastest "$work/new"
    fastest "$work/old"
}

# The code that the GPU runs: recordings of other code would not replay on it.
code_arch() {
    "$leno" run vecadd --size tiny --gpu "$gpu" --json |
        sed -n 's/.*"code_arch": "\([^"]*\)".*/\1/p'
}

# With timing: four lines per workload, executing and replaying, new and old, become one.
bench_run() {
    printf '%-12s %12s %12s %10s %10s %10s' workload 'warp insts' cycles executing replaying \
        'M cycles/s'
    [ -z "$old" ] || printf ' %10s %10s' 'exec/old' 'replay/old'
    printf '   (%s, %s, best of 6)\n' "$size" "$gpu"
    recorded="--arch $(code_arch) --size $size"
    for name in $names; do
        "$leno" record "$name" $recorded -o "$work/new.leno" > /dev/null
        [ -z "$old" ] || "$old" record "$name" $recorded -o "$work/old.leno" > /dev/null
        in_turns "$name" "$name" --size "$size"
        in_turns "$work/new.leno" "$work/old.leno"
        rm -f "$work/new.leno" "$work/old.leno"
    done | awk -v old="$old" '
        { rate = NF > 2 ? $(NF - 2) : 0 } # "-" without OLD
        $NF != "ok" && $1 != "-" { failed = 1 }
        NR % 4 == 1 { name = $1; insts = $3; cycles = $2; run = rate; speed = $(NF - 1) }
        NR % 4 == 2 && old { over_run = run / rate }
        NR % 4 == 3 { replay = rate; differs = $2 != cycles }
        NR % 4 { next }
        {
            failed += differs
            printf "%-12s %12d %12d %10.2f %10.2f %10.3f", name, insts, cycles, run, replay,
                speed
            if (old)
                printf " %10.3f %10.3f", over_run, replay / rate
            print differs ? "  DIFFERENT CYCLES" : ""
            a += log(run); b += log(replay); c += log(speed); n++
            d += old ? log(over_run) : 0; e += old ? log(replay / rate) : 0
        }
        END {
            printf "%-12s %12s %12s %10.2f %10.2f %10.3f", "", "", "", exp(a / n), exp(b / n),
                exp(c / n)
            if (old)
                printf " %10.3f %10.3f", exp(d / n), exp(e / n)
            print "   geometric means"
            exit failed > 0
        }'
}

# Each scheme in turns with the others: a line with workload, scheme and rate each.
bench_schemes() {
    schemes=$("$leno" list schemes |
        awk '$1 !~ /^[+]/ && !/on Vortex/ && $1 != "inorder" { print $1 }')
    for name in $names; do
        for i in 1 2 3; do
            for scheme in inorder $schemes; do
                bench_row "$leno" "$name" --size "$size" --scheme "$scheme" > "$work/new"
                fastest "$work/new" | awk -v scheme="$scheme" '
                    { print $1, scheme, $NF == "ok" ? $(NF - 2) : 0 }'
            done
        done
    done | awk -v size="$size" -v gpu="$gpu" '
        !($1 in is_name) { is_name[$1] = 1; name[++n] = $1 }
        !($2 in is_scheme) { is_scheme[$2] = 1; scheme[++m] = $2 }
        $3 > best[$1, $2] { best[$1, $2] = $3 }
        END {
            printf "%-12s %9s", "workload", "inorder"
            for (k = 2; k <= m; k++)
                printf " %14s", scheme[k]
            printf "   (%s, %s, parts of inorder, best of 6)\n", size, gpu
            for (i = 1; i <= n; i++) {
                printf "%-12s %9.2f", name[i], best[name[i], "inorder"]
                for (k = 2; k <= m; k++) {
                    rate = best[name[i], scheme[k]] / best[name[i], "inorder"]
                    if (!rate)
                        exit 1
                    sum[k] += log(rate)
                    printf " %14.2f", rate
                }
                print ""
            }
            printf "%-12s %9s", "", ""
            for (k = 2; k <= m; k++)
                printf " %14.2f", exp(sum[k] / n)
            print "   geometric means"
        }'
}

case $what in
all) parts='emu run schemes' ;;
emu | run | schemes) parts=$what ;;
*)
    echo "tools/bench.sh: '$what', expected emu, run, schemes or all" >&2
    exit 2
    ;;
esac
for part in $parts; do
    "bench_$part"
done
