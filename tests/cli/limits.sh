# Limits: a run stops where it was told to, says so, and shows what it has up to there.
. tests/cli/lib.inc
cycles() { sed -n 's/^gpu\.cycles *\([0-9]*\) .*/\1/p' "$TMP/out"; }

# --max-cycles N: exactly N, before the first block and after, on every kind of machine.
for n in 1 10 5000 5001 5300 5555; do
    exits 5 "$LENO" run reduction --size tiny --max-cycles $n
    says "$TMP/log" "cycle $n (--max-cycles)"
    [ "$(cycles)" = $n ]
done
for n in 1 500 1234; do
    exits 5 "$LENO" run vecadd --gpu vortex-4x4 --size tiny --max-cycles $n
    says "$TMP/log" "cycle $n (--max-cycles)"
    [ "$(cycles)" = $n ]
    says "$TMP/out" "vortex.core_cycles"
done
# A limit that a run just does not reach is none.
exits 0 "$LENO" run vecadd --size tiny
n=$(cycles)
exits 0 "$LENO" run vecadd --size tiny --max-cycles "$n"
exits 5 "$LENO" run vecadd --size tiny --max-cycles $((n - 1))
[ "$(cycles)" = $((n - 1)) ]

# A view goes cycle by cycle, so its statistics are those of so many cycles; all others
# stop in the middle of what they do at a time. (Fills of L1 are counted when they are
# known, which may be before, and energy counts them; seconds are the host's.)
comparable() { sed '/l1_fills/d; /"seconds"/d; /"energy"/,/"events"/d'; }
same() { # N, arguments...
    n=$1
    shift
    exits 5 "$LENO" run "$@" --size tiny --max-cycles "$n" --json
    comparable < "$TMP/out" > "$TMP/windows"
    exits 5 "$LENO" run "$@" --size tiny --max-cycles "$n" --json \
        --konata "$TMP/view" --view "sm=0 warps=0"
    comparable < "$TMP/out" | cmp - "$TMP/windows"
}
for n in 5300 5911 7003; do
    same $n reduction
    same $n hotspot --scheme ghost
    same $n lud --scheme loog
    same $n matrixmul --gpu v100
done
same 1000 sgemm --gpu vortex-4x4 --scheme loog
same 2321 vecadd --gpu vortex-8x8
# Every issue slot of every cycle is charged to a cause.
if command -v python3 > /dev/null 2>&1; then
    exits 5 "$LENO" run hotspot --size tiny --max-cycles 5911 --json --sms 3
    python3 -c '
import json, sys
r = json.load(sys.stdin)
r = r[0] if isinstance(r, list) else r
r = r["runs"][0] if "runs" in r else r
assert sum(sum(s.values()) for s in r["slots"]) == 3 * 4 * 5911
' < "$TMP/out"
fi

# A limit on address space: tiny runs need little of it, and what does not fit is named.
# (Sanitizers reserve more than any limit.)
if (ulimit -v 2000000 && "$LENO" --version) > /dev/null 2>&1; then
    "$LENO" run vecadd --size tiny --json | grep -v '"seconds"' > "$TMP/free"
    for kb in 200000 2000000 17000000; do
        (ulimit -v $kb && exits 0 "$LENO" run vecadd --size tiny --json)
        grep -v '"seconds"' "$TMP/out" | cmp - "$TMP/free"
        (ulimit -v $kb && exits 0 "$LENO" emu hotspot --size tiny)
    done
    (ulimit -v 2000000 && exits 5 "$LENO" run vecadd --gpu vortex-4x4 --size tiny)
    says "$TMP/log" "ulimit -v"
fi

# A workload whose launch is stopped ends with a message, whatever its host makes of results
# that are not there.
exits 5 "$LENO" run --all --size tiny --max-cycles 50
n=$(ls workloads/*/sm_75.cubin | wc -l)
says "$TMP/log" "$n of $n failed"
# A pipeline log of gigabytes is refused before the run, unless a part is chosen or it is wanted.
log="$TMP/large.log"
exits 5 "$LENO" run matrixmul --size paper --konata "$log"
says "$TMP/log" "--konata $log: about "
says "$TMP/log" " GB expected ("
says "$TMP/log" "instructions); choose a part with --view \"sm=0 warps=0-3 cycles=0-5000\", or say --large-view"
[ ! -e "$log" ]
for part in "sm=0 warps=0-3 cycles=0-50" "kernels=0 blocks=0-3" "insts=0-9 blocks=0-99" "sm=0 warps=0"; do
    exits 5 "$LENO" run matrixmul --size paper --perfetto "$log" --view "$part" --max-cycles 5050
    says "$TMP/log" "stopped at cycle 5050 (--max-cycles)"
done
exits 5 "$LENO" run matrixmul --size paper --konata "$log" --large-view --max-cycles 5050
says "$TMP/log" "stopped at cycle 5050 (--max-cycles)"
