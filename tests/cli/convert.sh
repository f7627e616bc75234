# Programs whose operands are named by distance, with moves inserted: every workload leaves
# the same results, and the scheme finds every operand where program order has it.
. tests/cli/lib.inc
digests() {
    grep -oE '"program": "[a-z0-9_]*"|"digest": "[0-9a-f]*"' "$TMP/out" |
        sed 's/.*: "//; s/"//' | paste - -
}

# The same results as functionally, under each of some settings.
same_results() { # arch, workloads, settings...
    arch=$1 programs=$2
    shift 2
    exits 0 "$LENO" emu $programs --size tiny --arch $arch --json
    digests > "$TMP/emu"
    [ "$(wc -l < "$TMP/emu")" = "$(echo $programs | wc -w)" ]
    for how; do
        exits 0 "$LENO" run $programs --size tiny --arch $arch --sms 2 --scheme turbulence $how --json
        digests > "$TMP/run"
        cmp "$TMP/emu" "$TMP/run"
    done
}
all=$(some_workloads)
few=$all
[ -n "${LENO_LONG:-}" ] || few=$(LENO_SAMPLE=$((3 * ${LENO_SAMPLE:-1})) some_workloads)
far="--set turbulence.max_distance=32 --set turbulence.span=32"
for arch in sm_75 sm_86 sm_90; do
    same_results $arch "$all" ""
done
same_results sm_75 "$few" "--set turbulence.isa=relay" "--set turbulence.isa=relay $far" \
    "--set turbulence.order=sources $far" "--set turbulence.convert=joins"

# Not for want of anything inserted; a program of relays has more of it.
moves() { sed -n 's/^turbulence.moves  *\([0-9]*\).*/\1/p' "$TMP/out"; }
exits 0 "$LENO" run matrixmul --size tiny --sms 2 --scheme turbulence
some=$(moves)
exits 0 "$LENO" run matrixmul --size tiny --sms 2 --scheme turbulence --set turbulence.isa=relay
[ "$some" -gt 0 ] && [ "$(moves)" -gt $((10 * some)) ]
exits 0 "$LENO" run matrixmul --size tiny --sms 2 --scheme turbulence --set turbulence.convert=joins
[ "$(moves)" = 0 ]
# An eliminator still finds what is redundant in a kernel that was written anew.
exits 0 "$LENO" run matrixmul --size tiny --sms 2 --scheme turbulence+darsie
grep -q '^sm.skipped  *[1-9]' "$TMP/out"

# What cannot be rewritten is named.
exits 2 "$LENO" run reduction --size tiny --scheme turbulence --set turbulence.isa=relay \
    --set unroll.factor=2
says "$TMP/log" "cannot be rewritten with relays: it branches out of its section"
exits 0 "$LENO" record reduction --size tiny -o "$TMP/r.leno"
exits 2 "$LENO" run "$TMP/r.leno" --scheme turbulence --set turbulence.isa=relay
says "$TMP/log" "the recording has the distances of joins"
exits 2 "$LENO" record "$TMP/r.leno" --scheme turbulence -o "$TMP/s.leno"
says "$TMP/log" "a recording has no code to convert for scheme turbulence"
exits 0 "$LENO" run "$TMP/r.leno" --scheme turbulence
says "$TMP/log" "the recording has the distances of joins, as with turbulence.convert = joins"
exits 0 "$LENO" run "$TMP/r.leno" --scheme turbulence --set turbulence.convert=joins
silent "$TMP/log"

# A converted program that was recorded gives the statistics of the program, also copied; it
# replays as it was converted only.
stats() { grep '^ "' "$TMP/out" | grep -v '"seconds"'; }
for how in "" turbulence.isa=relay turbulence.order=sources turbulence.convert=runs; do
    how=${how:+--set $how}
    for skip in "" +darsie; do
        exits 0 "$LENO" run matrixmul --size tiny --sms 2 --scheme turbulence$skip $how --json
        stats > "$TMP/executed"
        exits 0 "$LENO" record matrixmul --size tiny --scheme turbulence $how -o "$TMP/m.leno"
        exits 0 "$LENO" record "$TMP/m.leno" -o "$TMP/copy.leno"
        exits 0 "$LENO" run "$TMP/copy.leno" --sms 2 --scheme turbulence$skip $how --json
        silent "$TMP/log"
        stats | cmp - "$TMP/executed"
    done
done
exits 0 "$LENO" record matrixmul --size tiny --scheme turbulence -o "$TMP/m.leno"
exits 2 "$LENO" run "$TMP/m.leno" --scheme turbulence --set turbulence.max_distance=16
says "$TMP/log" "scheme turbulence: the recording has inserted moves for distances of up to 8"
exits 2 "$LENO" run "$TMP/m.leno" --scheme turbulence --set turbulence.order=sources
exits 2 "$LENO" run "$TMP/m.leno" --scheme inorder
says "$TMP/log" "expected one made by leno record --scheme inorder"
exits 1 "$LENO" record matrixmul --size tiny --scheme turbulence --traceg "$TMP/t"
says "$TMP/log" "traces have no distances"
exits 1 "$LENO" record matrixmul --size tiny --set unroll.factor=2 -o "$TMP/m.leno"
says "$TMP/log" "loops are unrolled for the machine that runs them"
