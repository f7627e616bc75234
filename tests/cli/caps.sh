# Caps per launch in every command: the first part of a launch is timed, the rest is executed
# or, of a recording, left out. Results of different caps are different results.
. tests/cli/lib.inc
rm -rf "$TMP/results"
out="--out $TMP/results --size tiny"
field() { # a number or text of the last JSON
    sed -n 's/.*"'"$1"'": "*\([0-9a-f]*\).*/\1/p' "$TMP/out"
}

# A workload still computes the same; its recording takes the same cycles up to the cap.
exits 0 "$LENO" run lud --size tiny --json
whole=$(field digest)
[ "$(field gpu.capped)" = 0 ]
exits 0 "$LENO" record lud --size tiny -o "$TMP/lud.leno"
exits 0 "$LENO" record lud --size tiny --traceg "$TMP/traces"
for cap in "--cap-cycles 300" "--cap-insts 700"; do
    exits 0 "$LENO" run lud --size tiny --json $cap
    [ "$(field digest)" = "$whole" ]
    [ "$(field gpu.capped)" -gt 0 ]
    numbers="$(field gpu.cycles) $(field gpu.capped) $(field sm.warp_insts) $(field sm.blocks)"
    exits 0 "$LENO" run "$TMP/lud.leno" --json $cap
    [ "$numbers" = \
        "$(field gpu.cycles) $(field gpu.capped) $(field sm.warp_insts) $(field sm.blocks)" ]
    is_json "$TMP/out"
done
[ "$(field sm.warp_insts)" -lt 10000 ]

# Blocks that have not started by then never do.
exits 0 "$LENO" record vecadd --size tiny -o "$TMP/vecadd.leno"
exits 0 "$LENO" run "$TMP/vecadd.leno" --json --sms 1
all=$(field sm.blocks)
exits 0 "$LENO" run "$TMP/vecadd.leno" --json --sms 1 --cap-cycles 100
[ "$(field sm.blocks)" -lt "$all" ]

# Traces of Accel-Sim, and what is printed.
exits 0 "$LENO" run "$TMP/traces/kernelslist.g" --json --cap-cycles 300
[ "$(field gpu.capped)" = 10 ]
exits 0 "$LENO" run lud --size tiny --cap-cycles 300
says "$TMP/out" "CAPPED: 10 launches"
exits 0 "$LENO" run lud nn --size tiny --cap-cycles 300
[ "$(grep -c " capped$" "$TMP/out")" = 2 ]
exits 0 "$LENO" run lud --size tiny --json --cap-cycles 300 --kernels 2-3
[ "$(field gpu.capped)" = 2 ]

# Comparisons are by instructions per cycle; each cap has results of its own.
same="$LENO compare lud $out --schemes inorder,inorder:entries=12"
for cap in "" "--cap-cycles 400" "--cap-cycles 500" "--cap-insts 400" "--cap-insts 500"; do
    exits 0 $same $cap
    says "$TMP/out" "2 runs executed, 0 taken from the cache"
    exits 0 $same $cap
    says "$TMP/out" "0 runs executed, 2 taken from the cache"
done
says "$TMP/out" "2 of 2 runs have launches that reached their cap"
printf 'schemes = inorder, ghost\nprograms = lud\nsize = tiny\n[sweep]\nghost.entries = 4, 8\n' \
    > "$TMP/sweep.ini"
exits 0 "$LENO" sweep "$TMP/sweep.ini" --out "$TMP/results" --cap-cycles 400
says "$TMP/out" "runs have launches that reached their cap"
exits 0 "$LENO" reproduce ghost $out --figure 13 --program "LUD=$TMP/lud.leno" --cap-insts 400
says "$TMP/out" "runs have launches that reached their cap"

# In a suite, a program's own caps come before those of the command line.
printf '[one]\nprogram = lud\ncap-cycles = 300\n[two]\nprogram = lud\n' > "$TMP/suite.ini"
exits 0 "$LENO" run --suite "$TMP/suite.ini" --size tiny --csv
column() { # of a name, in rows 2 and 3
    awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k }
        NR > 1 { printf "%s ", $at }' "$TMP/out"
}
[ "$(column gpu.capped)" = "10 0 " ]
exits 0 "$LENO" run --suite "$TMP/suite.ini" --size tiny --csv --cap-cycles 100000 --kernels 1-2
[ "$(column gpu.capped)" = "2 0 " ]
printf '[one]\nprogram = lud\ncap-cycles = 0\n' > "$TMP/suite.ini"
exits 1 "$LENO" run --suite "$TMP/suite.ini"
says "$TMP/log" "suite.ini:3: cap-cycles = 0: expected 1 or more"

# Where nothing is timed, or a program is timed as a whole, there is nothing to cap.
exits 1 "$LENO" record lud --cap-insts 5 -o "$TMP/no.leno"
says "$TMP/log" "--cap-insts: a recording has whole launches"
exits 1 "$LENO" run sort --gpu vortex-4x4 --size tiny --cap-cycles 5
says "$TMP/log" "--cap-cycles: a program on a Vortex core is timed as a whole"
