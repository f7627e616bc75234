# leno exec unrolls loops as leno run does: the same host, once as a program of its own,
# once as a workload, takes the same cycles and leaves the same results. With --strict,
# since memory is laid out as for a workload then.
. tests/cli/lib.inc
LENO_LIBRARIES=$PWD/build/lib
export LENO_LIBRARIES
[ -f "$LENO_LIBRARIES/libcuda.so.1" ] || make -s shim
echo 'WORKLOAD(reduction)' > "$TMP/workloads.def"
${CC:-cc} -Isrc -Isrc/driver -I"$TMP" -o "$TMP/host" tools/hw/runner.c \
    workloads/workload.c workloads/reduction/host.c "$LENO_LIBRARIES/libcuda.so.1" -lm

# run and exec with the same factor: cycles and instructions of all launches, in numbers.
ran() { # FACTOR
    exits 0 "$LENO" run reduction --size tiny --gpu h200 --set unroll.factor=$1 --json
    for name in gpu.cycles sm.warp_insts; do
        sed -n "s/.*\"$name\": \([0-9]*\).*/\1/p" "$TMP/out"
    done | paste -sd ' '
}
executed() { # FACTOR OPTIONS...
    factor=$1
    shift
    exits 0 "$LENO" exec --gpu h200 --strict --set unroll.factor=$factor \
        --stats "$TMP/stats" "$@" -- "$TMP/host" reduction tiny
    awk '{ match($0, /"cycles": [0-9]+/); c += substr($0, RSTART + 10, RLENGTH - 10)
           match($0, /"warp_insts": [0-9]+/); w += substr($0, RSTART + 14, RLENGTH - 14) }
         END { print c, w }' "$TMP/stats"
}
plain=$(ran 1)
unrolled=$(ran 4)
[ "$plain" != "$unrolled" ]
[ "$(executed 1)" = "$plain" ]
! grep -q loops_unrolled "$TMP/stats" || exit 1
cp "$TMP/out" "$TMP/outputs"
[ "$(executed 4)" = "$unrolled" ]
cmp "$TMP/outputs" "$TMP/out"
says "$TMP/stats" '"loops_unrolled": ['
says "$TMP/stats" '{"kernel": "reduce_float", "offset": 256'
is_json_lines() { while read -r line; do echo "$line" > "$TMP/line"; is_json "$TMP/line"; done; }
is_json_lines < "$TMP/stats"

# Without timing, and recorded: the same code.
[ "$(executed 4 --functional)" = "0 ${unrolled#* }" ]
cmp "$TMP/outputs" "$TMP/out"
executed 4 --record "$TMP/streams" > "$TMP/counted"
cmp "$TMP/outputs" "$TMP/out"
[ "$(cat "$TMP/counted")" = "0 ${unrolled#* }" ]
exits 0 "$LENO" run "$TMP/streams/host.leno" --gpu h200 --json
[ "$(sed -n 's/.*"gpu.cycles": \([0-9]*\).*/\1/p' "$TMP/out")" = "${unrolled% *}" ]

exits 0 "$LENO" exec --gpu h200 --set unroll.factor=4 -- "$TMP/host" reduction tiny
says "$TMP/log" "1 of 1 loops unrolled"
