# Kernels with clusters, timed (tests/exec/together.cu and neighbours.cu, where there is nvcc): right
# results and the same cycles for every number of threads, with and without sleep, as a recording
# and with a view; every scheme runs them or refuses them by name, as does a machine that is too
# small or has no GPCs.
. tests/cli/lib.inc

command -v nvcc > /dev/null 2>&1 || PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null 2>&1 || exit 0
# Programs run what is in these libraries, which sanitizers do not have.
[ -f "${LENO%/*}/lib/libcuda.so.1" ] || exit 0
nvcc -o "$TMP/together" tests/exec/together.cu -cudart shared \
    -gencode arch=compute_90a,code=sm_90a
nvcc -o "$TMP/neighbours" tests/exec/neighbours.cu -cudart shared \
    -gencode arch=compute_90,code=sm_90

run() { # PROGRAM OPTION...: what is timed is left in $TMP/launches
    program=$1
    shift
    exits 0 "$LENO" exec --gpu h200 --sms 18 --quiet --stats "$TMP/stats" "$@" -- "$TMP/$program"
    says "$TMP/out" "$program: good"
    sed 's/"seconds": [0-9.e+-]*//g' "$TMP/stats" > "$TMP/launches"
}
cycles() { sed 's/.*"cycles": \([0-9]*\), "checked.*/\1/' "$TMP/launches"; }

run together --threads 1
cp "$TMP/launches" "$TMP/together.1"
cycles > "$TMP/cycles"
for threads in 2 3; do
    run together --threads $threads
    cmp "$TMP/launches" "$TMP/together.1"
done
run together --threads 1 --set core.eager=on
cycles | cmp - "$TMP/cycles"

for scheme in $("$LENO" list schemes | sed '/ on Vortex/d; /^+/d; s/ .*//'); do
    case $scheme in
    loog*)
        exits 1 "$LENO" exec --gpu h200 --sms 18 --scheme "$scheme" --threads 1 -- "$TMP/together"
        says "$TMP/log" "cannot wait in reservation stations"
        ;;
    *) run together --threads 1 --scheme "$scheme" ;;
    esac
done

# A cluster needs as many SMs of one GPC as it has blocks.
exits 1 "$LENO" exec --gpu h200 --sms 4 --threads 1 -- "$TMP/together"
says "$TMP/log" "a cluster of 8 blocks does not fit into a GPC of 4 SMs"
exits 1 "$LENO" exec --gpu h200 --set cluster.gpc0_sms=0 --threads 1 -- "$TMP/together"
says "$TMP/log" "need a machine with GPCs"

# A recording, and a view, which lets SMs run cycle by cycle.
run neighbours --threads 1
exits 0 "$LENO" exec --record "$TMP/recorded" -- "$TMP/neighbours"
exits 0 "$LENO" run "$TMP/recorded/neighbours.leno" --gpu h200 --sms 18 --threads 1
grep '^gpu.cycles' "$TMP/out" > "$TMP/cycles"
says "$TMP/launches" "\"cycles\": $(sed 's/gpu.cycles *\([0-9]*\) .*/\1/' "$TMP/cycles"),"
exits 0 "$LENO" run "$TMP/recorded/neighbours.leno" --gpu h200 --sms 18 --threads 1 \
    --konata "$TMP/view"
grep '^gpu.cycles' "$TMP/out" | cmp - "$TMP/cycles"

# Products of a warpgroup in a recording take what they take when they are executed.
nvcc -o "$TMP/products" tests/exec/products.cu -cudart shared \
    -gencode arch=compute_90a,code=sm_90a
run products --threads 1
exits 0 "$LENO" exec --record "$TMP/recorded" -- "$TMP/products"
exits 0 "$LENO" run "$TMP/recorded/products.leno" --gpu h200 --sms 18 --threads 1
says "$TMP/launches" "\"cycles\": $(sed -n 's/^gpu.cycles *\([0-9]*\) .*/\1/p' "$TMP/out"),"
