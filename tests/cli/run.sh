# leno run: the same twice, the same from a recording, the same with a view; what it says
# when something is wrong.
. tests/cli/lib.inc
cycles() { sed -n 's/^gpu\.cycles *\([0-9]*\) .*/\1/p' "$TMP/out"; }

exits 0 "$LENO" run reduction --size tiny --json
is_json "$TMP/out"
says "$TMP/out" '"scheme": "inorder"'
says "$TMP/out" '"inorder.entries": 2'
timeless "$TMP/out" > "$TMP/once"
exits 0 "$LENO" run reduction --size tiny --json --konata "$TMP/k.log" \
    --perfetto "$TMP/p.json" --view "sm=0 warps=0-1"
timeless "$TMP/out" | cmp - "$TMP/once"
[ "$(head -n 1 "$TMP/k.log")" = "$(printf 'Kanata\t0004')" ]
is_json "$TMP/p.json"

# A recording, and Accel-Sim's format, on the machine that sees no more than that has. (There
# fetch.at_barrier lets fetch go on past a barrier, where only a recording knows the way.)
for gpu in rtx2060s rtx2060s-traced rtx2060s-ghost; do
    on="--gpu $gpu --set fetch.at_barrier=off"
    for name in reduction scan lud; do
        exits 0 "$LENO" run $name --size tiny $on
        direct=$(cycles)
        [ "$direct" -gt 1000 ]
        [ -f "$TMP/$name.leno" ] || exits 0 "$LENO" record $name -o "$TMP/$name.leno"
        exits 0 "$LENO" run "$TMP/$name.leno" $on
        [ "$(cycles)" = "$direct" ]
        [ $gpu = rtx2060s-traced ] || continue
        exits 0 "$LENO" record "$TMP/$name.leno" --traceg "$TMP/$name"
        exits 0 "$LENO" run "$TMP/$name/kernelslist.g" $on --set core.hazard_rz=off
        [ "$(cycles)" = "$direct" ]
        # R255, which only a trace has, is a register there.
        exits 0 "$LENO" run "$TMP/$name/kernelslist.g" $on
        [ "$(cycles)" != "$direct" ]
    done
done

# What is printed is what was set; a dump makes the same machine again.
exits 0 "$LENO" run --gpu v100 --set l1.latency=33 --dump-config
cp "$TMP/out" "$TMP/mine.ini"
says "$TMP/mine.ini" "latency = 33"
exits 0 "$LENO" run --gpu "$TMP/mine.ini" --dump-config
cmp "$TMP/out" "$TMP/mine.ini"
exits 0 "$LENO" run vecadd scan --size tiny --csv --sms 4
[ "$(wc -l < "$TMP/out")" = 3 ]

# What cannot be.
exits 1 "$LENO" run vecad
says "$TMP/log" "did you mean 'vecadd'"
exits 1 "$LENO" run vecadd --gpu rtx2060
says "$TMP/log" "rtx2060s"
exits 1 "$LENO" run vecadd --scheme inordr
says "$TMP/log" "did you mean 'inorder'"
exits 1 "$LENO" run vecadd --set core.warp=8
says "$TMP/log" "core.warps"
exits 1 "$LENO" run vecadd --set core.warps=800
says "$TMP/log" "1 to 128"
exits 1 "$LENO" run vecadd --sms 99
says "$TMP/log" "expected 1 to 34"

# Traces of tracer version 6 have uniform registers: an instruction waits for S2UR.
named_cycles() {
    exits 0 "$LENO" run tests/data/replay/named.traceg --gpu rtx2060s --json "$@"
    sed -n 's/.*"gpu.cycles": \([0-9]*\).*/\1/p' "$TMP/out"
}
[ "$(named_cycles)" -gt "$(named_cycles --set core.hazard_uniform=off)" ]

# A run that cannot be done says why, and no numbers; one that was stopped has them.
exits 1 "$LENO" run "$TMP/none.leno"
silent "$TMP/out"
exits 2 "$LENO" run tests/data/replay/pair.traceg --scheme turbulence
silent "$TMP/out"
exits 2 "$LENO" run tests/data/replay/pair.traceg --scheme turbulence --csv
[ "$(wc -l < "$TMP/out")" = 1 ]
exits 2 "$LENO" run tests/data/replay/pair.traceg --scheme turbulence --json
is_json "$TMP/out"
says "$TMP/out" '"ok": false'
exits 2 "$LENO" run tests/data/replay/pair.traceg vecadd --size tiny --scheme turbulence
says "$TMP/out" "FAIL"
exits 5 "$LENO" run vecadd --size tiny --max-cycles 5500
says "$TMP/log" "5500"
says "$TMP/out" "sm.warp_insts"
