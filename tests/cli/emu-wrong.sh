# A kernel that computes something else is noticed: status 3. What is changed is the
# sign of the addition's second source: bit 63 of its encoding.
. tests/cli/lib.inc
mkdir -p "$TMP/w/vecadd"
cubin=$TMP/w/vecadd/sm_90.cubin
cp workloads/vecadd/sm_90.cubin "$cubin"
text=$("$LENO" info "$cubin" | awk '$NF == ".text.vecadd" { print $2 }')
place=$("$LENO" disasm "$cubin" | sed -n 's:.*/\*\([0-9a-f]*\)\*/ *FADD.*:\1:p' | head -n 1)
[ -n "$place" ]
printf '\200' | dd of="$cubin" bs=1 seek=$((0x$text + 0x$place + 7)) conv=notrunc 2> /dev/null
"$LENO" disasm "$cubin" | grep -q "FADD.*, -R"
exits 3 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/out" "FAIL"
says "$TMP/log" "expected 0x"
