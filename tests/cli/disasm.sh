# leno disasm lists code, all of it or one kernel's.
. tests/cli/lib.inc
cubin=tests/data/driver/sm_90.cubin
exits 0 "$LENO" disasm "$cubin"
says "$TMP/out" ".text.mixed"
says "$TMP/out" "EXIT"
[ "$(grep -c '/\*[0-9a-f]*\*/' "$TMP/out")" -ge 100 ]
exits 0 "$LENO" disasm "$cubin" --kernel mixed
says "$TMP/out" ".text.mixed"
if grep -q '^\.text\.shared' "$TMP/out"; then
    echo "another kernel is listed too"
    exit 1
fi
exits 0 "$LENO" disasm "$cubin" --hex
says "$TMP/out" "/* 0x"
exits 0 "$LENO" disasm "$cubin" --control
exits 0 "$LENO" disasm workloads/vecadd/sm_75.cubin --distances
says "$TMP/out" "// R3^1 R6^2 -> R6"
says "$TMP/out" "// R6 R7^1 -> R4^2 R5^2"
exits 1 "$LENO" disasm "$cubin" --distances --json
says "$TMP/log" "--distances and --json cannot be combined"
exits 0 "$LENO" disasm "$cubin" --json
is_json "$TMP/out"
exits 1 "$LENO" disasm "$cubin" --kernel mixd
says "$TMP/log" "did you mean 'mixed'"
exits 1 "$LENO" disasm Makefile
