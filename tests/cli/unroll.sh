# unroll.factor: every workload leaves the same results on every architecture, with loops
# unrolled and renamed; what became of each loop is told.
. tests/cli/lib.inc
digests() {
    grep -oE '"program": "[a-z0-9_]*"|"digest": "[0-9a-f]*"' "$TMP/out" |
        sed 's/.*: "//; s/"//' | paste - -
}

programs=$(some_workloads)
for arch in sm_75 sm_86 sm_90; do
    case $arch in sm_75) factors=2 ;; sm_86) factors=4 ;; *) factors=8 ;; esac
    [ -z "${LENO_LONG:-}" ] || factors='2 4 8'
    exits 0 "$LENO" emu $programs --size tiny --arch $arch --json
    digests > "$TMP/emu"
    [ "$(wc -l < "$TMP/emu")" = "$(echo $programs | wc -w)" ]
    for factor in $factors; do
        exits 0 "$LENO" run $programs --size tiny --arch $arch --set unroll.factor=$factor \
            --scheme limit --set limit.rename=on --json
        is_json "$TMP/out"
        digests > "$TMP/run"
        cmp "$TMP/emu" "$TMP/run"
    done
done

# A loop whose registers are renamed; more copies, more registers, never above the limit.
exits 0 "$LENO" run reduction --size tiny --set unroll.factor=4
says "$TMP/out" "loops: 2 of 2 unrolled"
says "$TMP/out" "reduce_float+0xa0  8 instructions  unrolled, 3 registers renamed, 4 sets"
exits 0 "$LENO" run reduction --size tiny --set unroll.factor=4 --set unroll.registers=1
says "$TMP/out" "unrolled, 0 registers renamed, 1 sets"
exits 0 "$LENO" run reduction --size tiny
! grep -q 'loops:' "$TMP/out" || exit 1
# Copies have distances to their producers, as the rest has.
exits 0 "$LENO" run reduction --size tiny --set unroll.factor=4 --scheme turbulence
says "$TMP/out" "loops: 2 of 2 unrolled"

exits 0 "$LENO" run reduction --size tiny --set unroll.factor=2 --json
says "$TMP/out" '"loops_unrolled": ['
exits 1 "$LENO" run reduction --set unroll.factor=17
says "$TMP/log" unroll.factor
exits 0 "$LENO" record reduction --size tiny -o "$TMP/r.leno"
exits 1 "$LENO" run "$TMP/r.leno" --set unroll.factor=2
says "$TMP/log" "a recording has no code to unroll"
