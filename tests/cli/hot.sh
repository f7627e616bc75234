# leno run --hot: sums equal the run's statistics, two schemes side by side, formats.
. tests/cli/lib.inc
# The sum of a column over all instructions, from the CSV of a scheme.
column() { # CSV, column, scheme
    awk -F, -v name="$2" -v scheme="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = NF - i; next }
        index($0, "," scheme ",") { sum += $(NF - at) }
        END { print sum + 0 }' "$1"
}
# A statistic of leno run --json.
stat_of() { # JSON, name
    tr ',{}' '\n' < "$1" | sed -n "s/^ *\"$2\": \([0-9]*\)\$/\1/p" | head -n 1
}
for scheme in inorder ghost loog socgpu turbulence; do
    "$LENO" run histogram --size tiny --sms 2 --scheme $scheme --json > "$TMP/stats.json"
    exits 0 "$LENO" run histogram --size tiny --sms 2 --scheme $scheme --hot --csv
    for pair in inst_executed:sm.warp_insts thread_inst_executed_true:sm.thread_insts \
        inst_reordered:sm.reordered memory_l1_sectors:lsu.transactions \
        l1_reads:lsu.l1_reads l1_writes:lsu.l1_writes register_reads:sm.bank_reads \
        memory_l1_wavefronts_shared:lsu.shared_cycles shared_conflicts:lsu.shared_conflicts \
        l1_conflicts:lsu.bank_conflicts l2_reads:memory.l2_reads \
        l2_read_hits:memory.l2_read_hits l2_writes:memory.l2_writes \
        l2_write_hits:memory.l2_write_hits; do
        is=$(column "$TMP/out" "${pair%%:*}" $scheme)
        expected=$(stat_of "$TMP/stats.json" "${pair##*:}")
        [ "$is" = "$expected" ] ||
            { echo "$scheme: $pair: $is, expected $expected"; exit 1; }
    done
    cycles=$(stat_of "$TMP/stats.json" gpu.cycles)
    slots=0
    for cause in $(sed -n 1p "$TMP/out" | tr ',' '\n' | grep '^slots_'); do
        slots=$((slots + $(column "$TMP/out" "$cause" $scheme)))
    done
    [ "$slots" = $((cycles * 4 * 2)) ] || { echo "$scheme: $slots slots"; exit 1; }
done
# L2: a load that misses in L1, a store and an atomic each count for themselves: nobody shares
# a sector in vecadd. Code and constants that are fetched count for others. On threads, too.
exits 0 "$LENO" run vecadd --size tiny --hot --csv
cp "$TMP/out" "$TMP/one.csv"
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = NF - i; next }
    function value(name) { return $(NF - at[name]) }
    /LDG|STG/ {
        n = value("memory_l1_sectors")
        seen += n
        if (value("l2_" (/LDG/ ? "reads" : "writes")) != n || !n) exit bad = 1
    }
    !/LDG|STG|,,,,,,|LDC|c\[/ && value("l2_reads") + value("l2_writes") { exit bad = 1 }
    END { exit bad || !seen }' "$TMP/one.csv" || { cat "$TMP/one.csv"; exit 1; }
exits 0 "$LENO" run vecadd --size tiny --hot --csv --threads 2
cmp "$TMP/out" "$TMP/one.csv"
# Launches of one kernel on the same SMs: each gives numbers to instructions again.
exits 0 "$LENO" run hotspot --size tiny --sms 2 --hot
says "$TMP/out" "kernel hotspot, 2 launches"
# Counting changes no cycle, with fused stages and without (h200, an eliminator).
for more in "--scheme ghost" "--gpu h200 --sms 2" "--scheme inorder+darsie"; do
    # shellcheck disable=SC2086
    "$LENO" run vecadd --size tiny $more --json > "$TMP/a.json"
    # shellcheck disable=SC2086
    "$LENO" run vecadd --size tiny $more --hot --json > "$TMP/b.json"
    grep -qF "\"cycles\": $(stat_of "$TMP/a.json" gpu.cycles)}" "$TMP/b.json" ||
        { echo "$more: other cycles with --hot"; exit 1; }
done
# Two schemes: both in every row, loops, and where slots belong to no instruction.
exits 0 "$LENO" run hotspot --size tiny --scheme inorder,ghost --hot --top 3
says "$TMP/out" "difference"
says "$TMP/out" "loops"
says "$TMP/out" "0x0420..0x06c0"
says "$TMP/out" "instructions (3 of 122)"
says "$TMP/out" "source lines are not known: the program has no line table (nvcc -lineinfo)"
exits 0 "$LENO" run hotspot --size tiny --scheme inorder,ghost --hot --json
is_json "$TMP/out"
says "$TMP/out" '"schemes": [{"scheme": "inorder", "cycles": '
says "$TMP/out" '"sass": "BAR.SYNC 0x0", "counts": [{"inst_executed": 384, '
# Latencies: an FADD's result is there 7 cycles after its issue on this machine.
says "$TMP/out" '"sass": "FADD R29, R14, R15", "counts": [{"inst_executed": 288, '
# A recording has the same loops, as far as their code was executed.
for program in lud hotspot mandelbrot; do
    exits 0 "$LENO" record $program --size tiny -o "$TMP/loops.leno"
    for of in $program "$TMP/loops.leno"; do
        exits 0 "$LENO" run "$of" --size tiny --gpu rtx2060s --hot --csv
        cut -d, -f 4,6,11 "$TMP/out" | sort > "$TMP/loops-${of##*.}"
    done
    grep -q ',0x.*,0x' "$TMP/loops-leno" || { echo "$program: no loop"; exit 1; }
    cmp "$TMP/loops-$program" "$TMP/loops-leno"
done
exits 0 "$LENO" record vecadd --size tiny --traceg "$TMP/traces"
exits 0 "$LENO" run "$TMP/traces/kernelslist.g" --gpu rtx2060s --hot --top 3
says "$TMP/out" "loops are not known: traces have no control flow"
# Files by their ending, whole or not at all.
for end in txt csv json html; do
    exits 0 "$LENO" run vecadd --size tiny --hot-file "$TMP/hot.$end"
    [ -s "$TMP/hot.$end" ] || { echo "no hot.$end"; exit 1; }
    [ ! -s "$TMP/out" ] || { echo "--hot-file alone prints nothing"; exit 1; }
done
says "$TMP/hot.html" '</script></body></html>'
! grep -q 'http:\|https:\|src=' "$TMP/hot.html" || { echo "hot.html loads something"; exit 1; }
exits 1 "$LENO" run vecadd --size tiny --hot-file "$TMP/hot.pdf"
says "$TMP/log" "expected a name that ends in .txt, .csv, .json or .html"
exits 1 "$LENO" run vecadd nn --size tiny --hot
says "$TMP/log" "--hot: one program at a time"
exits 1 "$LENO" run vecadd --size tiny --hot -- true
says "$TMP/log" "--hot: one program at a time"
exits 1 "$LENO" run vecadd --size tiny --hot --scheme inorder,ghost,loog
says "$TMP/log" "--hot: at most 2 schemes, as in inorder,ghost"
exits 2 "$LENO" run vecadd --hot --gpu vortex-4x4
says "$TMP/log" "Vortex cores, which do not count per instruction"
exits 1 "$LENO" exec --hot --functional -- true
says "$TMP/log" "--hot: launches are not timed with --functional"
exits 1 "$LENO" exec --hot --scheme inorder,ghost -- true
says "$TMP/log" "--hot: one scheme"
