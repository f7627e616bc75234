# Executions of single instructions add up to the total.
. tests/cli/lib.inc
exits 0 "$LENO" emu vecadd --size tiny --counts "$TMP/counts.csv"
total=$(awk 'END { print $5 }' "$TMP/out")
sum=$(awk -F, 'NR > 1 { sum += $(NF - 2) } END { print sum }' "$TMP/counts.csv")
[ "$sum" = "$total" ] || { echo "sum $sum, total $total"; exit 1; }
grep -q '^vecadd,sm_90,"vecadd+0x' "$TMP/counts.csv"
exits 1 "$LENO" emu vecadd --size tiny --counts "$TMP/no/such/folder.csv"
