# Sampling in run, compare and sweep: some launches, and the first blocks of long ones, are
# timed; the cycles of all are estimated and marked as such. Results stay the same.
. tests/cli/lib.inc
rm -rf "$TMP/results"
out="--out $TMP/results"
field() { # a number or text of the last JSON
    sed -n 's/.*"'"$1"'": "*\([0-9a-f.]*\).*/\1/p' "$TMP/out"
}
near() { # whole: the estimate's interval holds it, and is not wide
    awk -v whole="$1" -v cycles="$(field cycles)" -v width="$(field half_width)" 'BEGIN {
        exit !(cycles - width <= whole && whole <= cycles + width && width < 0.05 * whole) }'
}
estimate() { # the last JSON's object alone, so that its members are not taken for others
    grep -o '"estimate": {[^}]*}' "$TMP/out" > "$TMP/estimate"
    cp "$TMP/estimate" "$TMP/out"
}

# One launch of 3,907 blocks is cut, whatever the threads.
small="vecadd --gpu rtx2060s --sms 2"
exits 0 "$LENO" run $small --json
whole=$(field gpu.cycles) digest=$(field digest) insts=$(field sm.warp_insts)
exits 0 "$LENO" run $small --json --sample --threads 1
grep -v seconds "$TMP/out" > "$TMP/one"
[ "$(field digest)" = "$digest" ]
[ "$(field sm.warp_insts)" -lt $((insts / 2)) ]
[ "$(field gpu.cycles)" -lt $((whole / 2)) ]
estimate
near "$whole"
[ "$(field cut)" = 1 ] && [ "$(field launches)" = 1 ] && says "$TMP/out" '"whole": false'
exits 0 "$LENO" run $small --json --sample --threads 2
grep -v seconds "$TMP/out" | cmp - "$TMP/one"

# Recordings: some launches, each whole.
exits 0 "$LENO" record fw --size tiny -o "$TMP/fw.leno"
exits 0 "$LENO" run "$TMP/fw.leno" --json
whole=$(field gpu.cycles)
exits 0 "$LENO" run "$TMP/fw.leno" --json --sample
estimate
near "$whole"
[ "$(field launches)" = 10 ] && [ "$(field timed)" = 5 ]

# An eliminator's skipped instructions count, so the rest of the launch is not taken for more
# than it is.
exits 0 "$LENO" run $small --json --scheme inorder+darsie
whole=$(field gpu.cycles)
exits 0 "$LENO" run $small --json --scheme inorder+darsie --sample
estimate
near "$whole"

# Text and CSV mark estimates; what was timed whole is none.
exits 0 "$LENO" run fw --size tiny --sample
says "$TMP/out" "ESTIMATE: the statistics are of what was timed; estimate of all launches: "
exits 0 "$LENO" run fw nn --size tiny --sample
grep -q "^fw  *~[0-9]* .*  estimate +- [0-9.]* %$" "$TMP/out"
grep -q "^nn  *[0-9]* .*  ok$" "$TMP/out"
exits 0 "$LENO" run fw --size tiny --sample --csv
says "$TMP/out" "program,gpu,scheme,checked,estimated_cycles,estimated_half_width,gpu.cycles"

# Ten launches of one kernel, five timed.
exits 0 "$LENO" run fw --size tiny --json --sample
estimate
[ "$(field launches)" = 10 ] && [ "$(field timed)" = 5 ] && says "$TMP/out" '"cut": 0'

# Comparisons: results of their own, marked in every format.
same="$LENO compare fw nn --size tiny --schemes inorder,ghost $out"
exits 0 $same --sample
grep -q "^fw  *~[0-9]*  *~[0-9.]*$" "$TMP/out"
grep -q "^nn  *[0-9]*  *[0-9.]*$" "$TMP/out"
says "$TMP/out" "2 of 4 runs are estimates from a sample (~): the 95 % interval of cycles is within"
exits 0 $same --sample --csv
grep -q ",checked,half_width$" "$TMP/out"
grep -q "^fw,inorder,.*,1,[0-9][0-9]*$" "$TMP/out"
grep -q "^nn,inorder,.*,1,$" "$TMP/out"
exits 0 $same --sample --json
is_json "$TMP/out"
[ "$(grep -c '"half_width": [0-9]' "$TMP/out")" = 2 ]
exits 0 $same --sample --report "$TMP/page.html"
grep -q "<td>~[0-9]" "$TMP/page.html"
exits 0 $same --sample --sample-goal 20
says "$TMP/out" "4 runs executed, 0 taken from the cache"
exits 0 $same
says "$TMP/out" "4 runs executed, 0 taken from the cache"
! grep -q "~" "$TMP/out" || exit 1
printf 'schemes = inorder\nprograms = fw\nsize = tiny\n[sweep]\ninorder.entries = 2, 4\n' \
    > "$TMP/sweep.ini"
exits 0 "$LENO" sweep "$TMP/sweep.ini" --out "$TMP/results" --sample
says "$TMP/out" "2 of 2 runs are estimates from a sample"

# In a suite, a program's own cap comes before a sample.
printf '[one]\nprogram = lud\ncap-cycles = 300\n[two]\nprogram = fw\n' > "$TMP/suite.ini"
exits 0 "$LENO" run --suite "$TMP/suite.ini" --size tiny --sample
grep -q "^one .* capped$" "$TMP/out"
grep -q "^two .* estimate " "$TMP/out"

# Where it makes no sense it is refused.
exits 1 "$LENO" run lud --sample --cap-cycles 300
says "$TMP/log" "--sample and --cap-cycles cannot be combined"
exits 1 "$LENO" run lud --sample-goal 3
says "$TMP/log" "--sample-goal: expected --sample too"
exits 1 "$LENO" record lud --sample -o "$TMP/no.leno"
says "$TMP/log" "--sample: a recording has whole launches"
exits 1 "$LENO" run sort --gpu vortex-4x4 --size tiny --sample
says "$TMP/log" "--sample: a program on a Vortex core is timed as a whole"
exits 0 "$LENO" record vecadd --size tiny --traceg "$TMP/traces"
exits 1 "$LENO" run "$TMP/traces/kernelslist.g" --sample
says "$TMP/log" "--sample: the file does not say how many instructions a kernel has"
