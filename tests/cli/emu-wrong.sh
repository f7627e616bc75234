# A kernel that computes something else is noticed: status 3. What is changed is the
# opcode of the addition (FADD to FMUL), found by its encoding, and the scale of the
# product, whose field must say that there is none.
. tests/cli/lib.inc
mkdir -p "$TMP/w/vecadd"
cubin=$TMP/w/vecadd/sm_90.cubin
cp workloads/vecadd/sm_90.cubin "$cubin"
text=$("$LENO" info "$cubin" | awk '$NF == ".text.vecadd" { print $2 }')
place=$("$LENO" disasm "$cubin" | sed -n 's:.*/\*\([0-9a-f]*\)\*/ *FADD.*:\1:p' | head -n 1)
[ -n "$place" ]
printf '\040' | dd of="$cubin" bs=1 seek=$((0x$text + 0x$place)) conv=notrunc 2> /dev/null
printf '\100' | dd of="$cubin" bs=1 seek=$((0x$text + 0x$place + 10)) conv=notrunc 2> /dev/null
"$LENO" disasm "$cubin" | grep -q FMUL
exits 3 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/out" "FAIL"
says "$TMP/log" "expected 0x"
