# Workloads with code for some architectures only: left out of --all elsewhere, refused by name
# with what to use instead, and listed with their architectures.
. tests/cli/lib.inc
says_no() { # COMMAND...: refused, with the way out
    exits 1 "$@"
    says "$TMP/log" "hopper_gemm has no code for sm_75, only for sm_90; use --arch sm_90, or such a GPU (leno list gpus)"
}
says_no "$LENO" run hopper_gemm --size tiny
says_no "$LENO" run vecadd hopper_gemm --size tiny
says_no "$LENO" emu vecadd hopper_gemm --size tiny --arch sm_75
says_no "$LENO" record hopper_gemm --size tiny -o "$TMP/r.leno"
exits 1 "$LENO" compare hopper_gemm --size tiny --schemes inorder --out "$TMP/results"
says "$TMP/log" "hopper_gemm has no code for sm_75"
exits 1 "$LENO" emu hopper_gemm --arch sm_100
says "$TMP/log" "hopper_gemm has no code for sm_100, only for sm_90;"

# Where there is code they run, by name and with all others.
exits 0 "$LENO" emu hopper_gemm --size tiny
exits 0 "$LENO" emu hopper_gemm --size tiny --arch all
[ "$(grep -c ' ok$' "$TMP/out")" = 1 ]
exits 0 "$LENO" run hopper_gemm flash2 flash3 llm_decode --size tiny --gpu h200
exits 0 "$LENO" run flash2 llm_decode --size tiny --gpu rtx3070
exits 1 "$LENO" run flash2 --size tiny
says "$TMP/log" "flash2 has no code for sm_75, only for sm_80 to sm_120; use --arch sm_80,"
for gpu in rtx2060s h200; do
    exits 5 "$LENO" run --all --size tiny --gpu $gpu --max-cycles 50
    arch=sm_75
    [ $gpu = rtx2060s ] || arch=sm_90
    n=$(ls workloads/*/$arch.cubin | wc -l)
    says "$TMP/log" "$n of $n failed"
done
exits 5 "$LENO" run --all --size tiny --arch sm_90 --max-cycles 50
says "$TMP/log" "$n of $n failed"
exits 0 "$LENO" list workloads
grep -qE '^hopper_gemm .* - +- .*\(sm_90\)$' "$TMP/out" # no registers on this GPU
exits 0 "$LENO" list workloads --gpu h200
grep -qE '^hopper_gemm +- +- +[0-9]+ +[0-9]+ +[0-9]+ .*\(sm_90\)$' "$TMP/out"

# What a GPU did may not be known of all: told with --all, an error by name.
mkdir "$TMP/gold"
exits 1 "$LENO" emu hopper_gemm --size tiny --reference "$TMP/gold"
says "$TMP/log" "gold/hopper_gemm.txt: No such file"
cp tests/golden/hw/vecadd.txt "$TMP/gold"
exits 0 "$LENO" emu --all --size tiny --reference "$TMP/gold"
says "$TMP/out" "hardware: 1 runs compared"
says "$TMP/out" "hopper_gemm: not recorded on hardware, not compared"
says "$TMP/out" "not recorded: $(grep -c ': not recorded on hardware, not compared$' "$TMP/out")"

# A scheme that cannot run them says so by the instruction.
for name in flash2 flash3 hopper_gemm; do
    exits 2 "$LENO" run $name --size tiny --gpu h200 --scheme loog
    says "$TMP/log" "asynchronous instructions cannot wait in reservation stations; use another scheme"
done
