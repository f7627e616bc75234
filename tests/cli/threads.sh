# leno run, exec and compare --threads N: the same results for every N, executing and
# replaying, under all schemes; also of programs whose blocks communicate while they run
# (tests/exec/threads.cu, where there is nvcc).
. tests/cli/lib.inc

# same NAME N COMMAND...: what the command prints with --threads N, without the seconds, is
# what it printed before under this name.
without_seconds() { sed 's/"seconds": [0-9.e+-]*//g' "$TMP/out"; }
same() {
    name=$TMP/$1
    n=$2
    shift 2
    exits 0 "$@" --threads "$n"
    [ -f "$name" ] || without_seconds > "$name"
    without_seconds | cmp - "$name" || { echo "$* --threads $n differs" && return 1; }
}
each() { # NAME COMMAND...: for each number of threads
    of=$1
    shift
    rm -f "$TMP/$of"
    for threads in ${counts:-1 2 3 8}; do same "$of" "$threads" "$@"; done
}
run() { # PROGRAM OPTION...
    each run "$LENO" run "$@" --size tiny --json
}

# ThreadSanitizer's program: it ends with another status if it finds anything.
if [ "${TSAN:-}" ]; then
    exits 0 "$LENO" record vecadd --size tiny -o "$TMP/vecadd.leno"
    for threads in 2 3; do
        for program in vecadd histogram reduction "$TMP/vecadd.leno"; do
            exits 0 "$LENO" run "$program" --size tiny --threads $threads
        done
        exits 0 "$LENO" run rbfs --size tiny --gpu h200 --sms 20 --threads $threads
    done
    exit 0
fi

# All schemes and eliminators: atomics (histogram).
schemes=$("$LENO" list schemes | sed '/ on Vortex/d; s/ .*//; s/^+/inorder+/')
[ "$(echo "$schemes" | wc -l)" -ge 12 ]
for scheme in $schemes; do
    counts="1 3" run histogram --scheme "$scheme"
done
for program in rbfs scan reduction sssp lud; do
    run $program
    run $program --gpu h200
done

# Replaying; a recording gives what executing gives.
for program in histogram scan; do
    exits 0 "$LENO" record $program --size tiny --arch sm_90 -o "$TMP/$program.leno"
    each replayed "$LENO" run "$TMP/$program.leno" --gpu h200 --json
done
exits 0 "$LENO" run "$TMP/scan.leno" --gpu h200 --threads 3
grep '^gpu.cycles' "$TMP/out" > "$TMP/cycles"
exits 0 "$LENO" run scan --size tiny --gpu h200 --threads 2
grep '^gpu.cycles' "$TMP/out" | cmp - "$TMP/cycles"

# Limits and caps; a view makes SMs run one after another, with the same results.
for limit in "--cap-cycles 900" "--cap-insts 3000"; do
    run scan $limit
done
for threads in 1 3; do
    exits 5 "$LENO" run scan --size tiny --max-cycles 7000 --json --threads $threads
    without_seconds > "$TMP/stopped.$threads"
done
cmp "$TMP/stopped.1" "$TMP/stopped.3"
exits 0 "$LENO" run scan --size tiny --json --konata "$TMP/k.log" --view "sm=0 warps=0-1"
without_seconds > "$TMP/viewed"
exits 0 "$LENO" run scan --size tiny --json --threads 3
without_seconds | cmp - "$TMP/viewed"

# Comparisons.
for threads in 1 2; do
    exits 0 "$LENO" compare scan nn --size tiny --schemes inorder,ghost --json --fresh \
        --out "$TMP/results.$threads" --jobs 1 --threads $threads
    cp "$TMP/out" "$TMP/compared.$threads"
done
cmp "$TMP/compared.1" "$TMP/compared.2"

command -v nvcc > /dev/null 2>&1 || PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null 2>&1 || exit 0
# Programs run what is in these libraries, which sanitizers do not have.
[ -f "${LENO%/*}/lib/libcuda.so.1" ] || exit 0
nvcc -o "$TMP/threads" tests/exec/threads.cu -cudart shared \
    -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90
for machine in "rtx2060s" "h200 --sms 48" "rtx2060s --scheme ghost"; do
    for threads in 1 2 3 8; do
        exits 0 "$LENO" exec --gpu $machine --threads $threads --quiet \
            --stats "$TMP/stats.$threads" -- "$TMP/threads"
        cp "$TMP/out" "$TMP/printed.$threads"
        cmp "$TMP/printed.$threads" "$TMP/printed.1"
        sed 's/"seconds": [0-9.e+-]*//g' "$TMP/stats.$threads" > "$TMP/launches.$threads"
        cmp "$TMP/launches.$threads" "$TMP/launches.1"
    done
done
