# Programs for Vortex with timing: every scheme and machine, results for machines, refusals.
. tests/cli/lib.inc
for scheme in inorder loog loog.rrs ghost; do
    for gpu in vortex-4x4 vortex-8x8 vortex-1x1 vortex-4x2x2; do
        exits 0 "$LENO" run workloads/vortex/tiny/vecadd.elf \
            workloads/vortex/tiny/diverge.elf workloads/vortex/tiny/sgemm2.elf \
            --gpu $gpu --scheme $scheme
        says "$TMP/log" "#0: vecadd: ok"
        says "$TMP/log" "#0: diverge: ok"
        says "$TMP/log" "#0: sgemm2: ok"
    done
done
# A whole program whose cycles on the RTL are known: 37,700, as Vortex's runtime counts.
exits 0 "$LENO" run tests/riscv/product.vxbin --gpu vortex-4x4
cycles=$(awk '$1 == "vortex.host_cycles" { print $2 }' "$TMP/out")
[ "$cycles" -gt 35815 ]
[ "$cycles" -lt 39585 ]
# The same run gives the same bytes; sleeping or not, the same cycles.
exits 0 "$LENO" run workloads/vortex/tiny/sort.elf --gpu vortex-4x4 --scheme loog --json
is_json "$TMP/out"
says "$TMP/out" '"vxloog.distance_1"'
timeless "$TMP/out" > "$TMP/first"
exits 0 "$LENO" run workloads/vortex/tiny/sort.elf --gpu vortex-4x4 --scheme loog --json
timeless "$TMP/out" | cmp - "$TMP/first"
exits 0 "$LENO" run workloads/vortex/tiny/sort.elf --gpu vortex-4x4 --scheme loog --json \
    --set vortex.eager=on
eager() { sed 's/"vortex.eager": "*[a-z]*"*//'; }
timeless "$TMP/out" | eager > "$TMP/eager"
eager < "$TMP/first" | cmp - "$TMP/eager"
# A view changes nothing.
exits 0 "$LENO" run workloads/vortex/tiny/sort.elf --gpu vortex-4x4 --scheme loog --json \
    --konata "$TMP/k.log" --view "cycles=1000-3000"
timeless "$TMP/out" | cmp - "$TMP/first"
says "$TMP/k.log" "vx_tmc"
exits 0 "$LENO" run workloads/vortex/tiny/saxpy.elf --gpu vortex-2x2x2 --perfetto "$TMP/p.json"
is_json "$TMP/p.json"
# By name: the same file, as big as was asked for.
exits 0 "$LENO" run saxpy --gpu vortex-4x4 --size tiny --csv
sed 's/^[^,]*//' "$TMP/out" > "$TMP/named"
exits 0 "$LENO" run workloads/vortex/tiny/saxpy.elf --gpu vortex-4x4 --csv
sed 's/^[^,]*//' "$TMP/out" | cmp - "$TMP/named"
# All of them, under what the thesis compares.
exits 0 "$LENO" compare --gpu vortex-4x4 --size tiny --out "$TMP/vx"
! grep -q "gpu.launch_cycles" "$TMP/out" || exit 1 # there are none
says "$TMP/out" "loog.rrs"
says "$TMP/out" "transpose"
says "$TMP/out" "leno cost loog --gpu vortex-4x4"
! grep -q "12 entries" "$TMP/out" || exit 1
# What is refused.
exits 1 "$LENO" run vecad --gpu vortex-4x4
says "$TMP/log" "did you mean 'vecadd'?"
says "$TMP/log" ".elf or .vxbin"
exits 1 "$LENO" run vecadd --gpu vortex-4x4 --size paper
says "$TMP/log" "sizes tiny and small"
exits 1 "$LENO" run workloads/vortex/tiny/vecadd.elf
says "$TMP/log" "--gpu vortex-4x4"
exits 1 "$LENO" run workloads/vortex/tiny/vecadd.elf --gpu vortex-4x3
says "$TMP/log" "a power of two"
exits 1 "$LENO" run workloads/vortex/tiny/vecadd.elf --gpu vortex-4x4 --set vxcache.word_bytes=12
says "$TMP/log" "vxcache.word_bytes = 12, expected 0, 4, 8"
exits 1 "$LENO" run workloads/vortex/tiny/vecadd.elf --gpu vortex-4x4 --scheme long
says "$TMP/log" "no scheme named 'long'"
exits 1 "$LENO" run workloads/vortex/tiny/vecadd.elf --gpu vortex-4x4 --sms 2
exits 1 "$LENO" run workloads/vortex/tiny/vecadd.elf --gpu vortex-4x4 --set vxloog.cus=4
exits 5 "$LENO" run workloads/vortex/tiny/vecadd.elf --gpu vortex-4x4 --max-cycles 1000
says "$TMP/log" "cycle 1000"
