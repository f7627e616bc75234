# leno run --series-out: rows every N cycles that add up to the statistics, the same for every
# number of threads, and no other cycles than without.
. tests/cli/lib.inc
stat_of() { # JSON, name
    tr ',{}' '\n' < "$1" | sed -n "s/^ *\"$2\": \([0-9]*\)\$/\1/p" | head -n 1
}
column() { # CSV, name: its sum; kernels of these programs have no commas in their names
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        { sum += $at } END { printf "%.0f\n", at ? sum : -1 }' "$1"
}
# Two launches, a memory-bound program, one with atomics; collectors and ports.
for run in "hotspot --scheme ghost" "vecadd --sms 2" "histogram --gpu h200 --sms 3"; do
    # shellcheck disable=SC2086
    "$LENO" run $run --size tiny --json | grep -v seconds > "$TMP/plain.json"
    for threads in 1 3; do
        # shellcheck disable=SC2086
        "$LENO" run $run --size tiny --json --threads $threads --series 300 \
            --series-out "$TMP/series-$threads.csv" | grep -v seconds > "$TMP/series.json"
        cmp "$TMP/plain.json" "$TMP/series.json" || { echo "$run: --series changes the run"; exit 1; }
    done
    cmp "$TMP/series-1.csv" "$TMP/series-3.csv"
    for name in sm.warp_insts sm.thread_insts sm.warp_cycles sm.warp_slots lsu.l1_reads \
        lsu.l1_read_hits memory.l2_reads memory.l2_read_hits memory.l2_writes \
        memory.l2_write_hits memory.dram_reads memory.dram_writes; do
        is=$(column "$TMP/series-1.csv" $name)
        [ "$is" = "$(stat_of "$TMP/plain.json" $name)" ] || { echo "$run: $name: $is"; exit 1; }
    done
    is=$(column "$TMP/series-1.csv" cycles)
    [ "$is" = "$(stat_of "$TMP/plain.json" gpu.cycles)" ] || { echo "$run: $is cycles"; exit 1; }
    for cause in issued memory compute barrier idle; do
        sum=$(tr '{},' '\n' < "$TMP/plain.json" | sed -n "s/^ *\"$cause\": \([0-9]*\)\$/\1/p" |
            awk '{ n += $1 } END { print n + 0 }')
        is=$(column "$TMP/series-1.csv" "slots_$cause")
        [ "$is" = "$sum" ] || { echo "$run: slots_$cause: $is, expected $sum"; exit 1; }
    done
done
# Rows follow one another; a row is at most a window longer than N, unless all SMs sleep; the
# cycles before a launch are a row without instructions.
"$LENO" run hotspot --size tiny --series 300 --series-out "$TMP/rows.csv" > /dev/null
awk -F, 'NR == 1 { next }
    $3 != at { print "line " NR ": begins in cycle " $3 ", expected " at; bad = 1 }
    { at = $3 + $4; long += $4 > 300 + 128; launches[$1]++; empty += $4 == 5000 && $12 == 0 }
    END { if (long > 4 || empty != 2 || launches[1] < 5 || launches[2] < 5) bad = 1; exit bad }' \
    "$TMP/rows.csv" || { cat "$TMP/rows.csv"; exit 1; }
# Derived columns: warp instructions per cycle, and DRAM bytes at the core's clock (32 bytes a
# burst, 1905 MHz).
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { ipc = $at["sm.warp_insts"] / $4; rate = ($at["memory.dram_reads"] + $at["memory.dram_writes"]) * 32 / $4 * 1.905
      if ((ipc - $at["warp_ipc"]) ^ 2 > 1e-8 || (rate - $at["dram_gbs"]) ^ 2 > 1e-6) bad = 1
      n += rate > 0 } END { exit bad || !n }' "$TMP/rows.csv" || { echo "derived columns"; exit 1; }
# A run that a limit ends has the rows up to there; refused: no file.
exits 5 "$LENO" run hotspot --size tiny --max-cycles 7000 --series-out "$TMP/limit.csv"
[ "$(column "$TMP/limit.csv" cycles)" = 7000 ]
exits 1 "$LENO" run vecadd --series 10
says "$TMP/log" "--series: expected --series-out FILE.csv"
exits 1 "$LENO" run vecadd nn --series-out "$TMP/no.csv"
says "$TMP/log" "--series-out: one program and one scheme at a time"
exits 2 "$LENO" run vecadd --gpu vortex-4x4 --series-out "$TMP/no.csv"
says "$TMP/log" "cores whose statistics are known at the end of a run only"
[ ! -e "$TMP/no.csv" ]
exits 1 "$LENO" exec --functional --series-out "$TMP/no.csv" -- true
says "$TMP/log" "--series-out: launches are not timed with --functional"
