# Programs whose operands are named by distance, with moves inserted: every workload leaves
# the same results, and the scheme finds every operand where program order has it.
. tests/cli/lib.inc
digests() {
    grep -oE '"program": "[a-z0-9_]*"|"digest": "[0-9a-f]*"' "$TMP/out" |
        sed 's/.*: "//; s/"//' | paste - -
}

programs=$(some_workloads)
far="--set turbulence.max_distance=32 --set turbulence.span=32"
for arch in sm_75 sm_86 sm_90; do
    exits 0 "$LENO" emu $programs --size tiny --arch $arch --json
    digests > "$TMP/emu"
    [ "$(wc -l < "$TMP/emu")" = "$(echo $programs | wc -w)" ]
    for how in "" "--set turbulence.isa=relay" "--set turbulence.isa=relay $far" \
        "--set turbulence.order=sources $far" "--set turbulence.convert=joins"; do
        [ $arch = sm_75 ] || [ -z "$how" ] || continue
        exits 0 "$LENO" run $programs --size tiny --arch $arch --sms 2 --scheme turbulence $how --json
        digests > "$TMP/run"
        cmp "$TMP/emu" "$TMP/run"
    done
done

# Not for want of anything inserted; a program of relays has more of it.
moves() { sed -n 's/^turbulence.moves  *\([0-9]*\).*/\1/p' "$TMP/out"; }
exits 0 "$LENO" run matrixmul --size tiny --sms 2 --scheme turbulence
few=$(moves)
exits 0 "$LENO" run matrixmul --size tiny --sms 2 --scheme turbulence --set turbulence.isa=relay
[ "$few" -gt 0 ] && [ "$(moves)" -gt $((10 * few)) ]
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
says "$TMP/log" "a recording has no code to rewrite with relays"
exits 0 "$LENO" run "$TMP/r.leno" --scheme turbulence
says "$TMP/log" "a recording has no code to convert"
exits 0 "$LENO" run "$TMP/r.leno" --scheme turbulence --set turbulence.convert=joins
silent "$TMP/log"
