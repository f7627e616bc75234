# Asynchronous work (barriers in shared memory, bulk and tensor copies, groups of cp.async,
# products of warpgroups) in recordings: a replay has every statistic of the run itself, and
# traces and earlier recordings, which do not hold such work, are refused by name.
. tests/cli/lib.inc

figures() { # what to run and how; without its name
    exits 0 "$LENO" run "$@" --gpu h200 --threads 1
    tail -n +3 "$TMP/out"
}
cycles() { sed -n 's/^gpu.cycles *\([0-9]*\) .*/\1/p' "$1"; }

for w in hopper_gemm hopper_multicast flash2 flash3; do
    exits 0 "$LENO" record $w --size tiny --arch sm_90 -o "$TMP/$w.leno"
    exits 0 "$LENO" record "$TMP/$w.leno" -o "$TMP/$w.again.leno"
    for scheme in control inorder ghost; do
        figures $w --size tiny --scheme $scheme > "$TMP/executed"
        figures "$TMP/$w.leno" --scheme $scheme > "$TMP/replayed"
        figures "$TMP/$w.again.leno" --scheme $scheme > "$TMP/again"
        cmp "$TMP/replayed" "$TMP/again"
        # Lanes that wait there apart from the others take turns as when they were recorded.
        if [ $w = hopper_multicast ]; then
            a=$(cycles "$TMP/executed") b=$(cycles "$TMP/replayed")
            [ $((b * 1000)) -ge $((a * 995)) ] && [ $((b * 1000)) -le $((a * 1005)) ]
            continue
        fi
        cmp "$TMP/executed" "$TMP/replayed"
    done
done

# Ended early, with copies and waits in flight; and with threads.
exits 0 "$LENO" run "$TMP/flash3.leno" --gpu h200 --cap-cycles 1000
exits 0 "$LENO" run "$TMP/hopper_gemm.leno" --gpu h200 --threads 2
grep '^gpu.cycles' "$TMP/out" > "$TMP/two"
exits 0 "$LENO" run "$TMP/hopper_gemm.leno" --gpu h200 --threads 1
grep '^gpu.cycles' "$TMP/out" | cmp - "$TMP/two"

# Unrolled loops.
exits 0 "$LENO" run flash3 --size tiny --gpu h200 --set unroll.factor=2

# Stations cannot hold such work, wherever it comes from.
for program in "hopper_gemm --size tiny" "$TMP/hopper_gemm.leno"; do
    exits 2 "$LENO" run $program --gpu h200 --scheme loog
    says "$TMP/log" "asynchronous instructions cannot wait in reservation stations"
done

# A recording of version 6 does not say where tensor maps are: no copy waits for one, which
# takes hundreds of cycles from DRAM.
far="--set async.param_maps=off"
figures tests/data/replay/version-6.leno $far > "$TMP/executed"
figures hopper_gemm --size tiny --kernels 2-2 $far > "$TMP/replayed"
[ $(($(cycles "$TMP/executed") + 300)) -lt "$(cycles "$TMP/replayed")" ]

# What does not hold it: a recording of version 5, and a trace.
old=tests/data/replay/version-5.leno
why="recordings of earlier versions of leno record, do not hold asynchronous work"
exits 2 "$LENO" run $old --gpu h200
says "$TMP/log" "0x150 SYNCS.EXCH.64 URZ"
says "$TMP/log" "$why"
exits 2 "$LENO" record $old -o "$TMP/no.leno"
says "$TMP/log" "$why"
[ ! -e "$TMP/no.leno" ]
for op in "SYNCS.PHASECHK.TRANS64.TRYWAIT" "UTMALDG.2D" "UBLKCP.S.G" "UTMASTG.2D" \
    "UTMAREDG.2D.ADD" "UTMACMDFLUSH" "UBLKRED.G.S" "STAS" "REDAS"; do
    sed "s/LDC 0 0 40 0/$op 0 0 0 0/" tests/data/replay/named.traceg > "$TMP/odd.traceg"
    exits 2 "$LENO" run "$TMP/odd.traceg" --gpu h200 --scheme inorder
    says "$TMP/log" "$op"
    says "$TMP/log" "$why"
    exits 2 "$LENO" record "$TMP/odd.traceg" -o "$TMP/no.leno"
    says "$TMP/log" "$why"
done
