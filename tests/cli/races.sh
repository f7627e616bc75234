# Workloads without races; one whose algorithm has some.
. tests/cli/lib.inc
exits 0 "$LENO" emu backprop histogram hotspot lud mandelbrot matrixmul nn pathfinder rbfs \
    reduction scan vecadd --size tiny --races
says "$TMP/log" "leno: races: 0 pairs of instructions in "
exits 0 "$LENO" emu ibfs --size tiny --races
says "$TMP/log" "leno: race in global memory at 0x"
says "$TMP/log" ", kernel search_level: read at search_level+0x"
exits 1 "$LENO" emu vecadd --races --redundancy
says "$TMP/log" "--redundancy: not with --counts, --races or --reference"
exits 1 "$LENO" exec --races --record "$TMP/r" -- true
says "$TMP/log" "--races and --record cannot be combined"
exits 1 "$LENO" exec --races --cap-insts 5 -- true
says "$TMP/log" "--races: kernels are not timed"
# With --sanitize: no finding in any workload but the races of that one.
exits 0 "$LENO" emu $(some_workloads sm_90 | grep -v ibfs) --size tiny --sanitize
says "$TMP/log" "leno: sanitize: 0 findings in "
exits 0 "$LENO" emu ibfs --size tiny --sanitize
[ "$(grep -c "^leno: race in global memory" "$TMP/log")" = 2 ]
says "$TMP/log" "leno: sanitize: 2 findings in 7 launches"
exits 1 "$LENO" exec --sanitize --record "$TMP/r" -- true
says "$TMP/log" "--sanitize and --record cannot be combined"
exits 1 "$LENO" exec --sanitize --hot -- true
says "$TMP/log" "--hot: launches are not timed with --sanitize"
