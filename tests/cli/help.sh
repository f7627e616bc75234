# Every command explains itself, on standard output, with examples.
. tests/cli/lib.inc
exits 0 "$LENO" --help
says "$TMP/out" "Exit status"
silent "$TMP/log"
for c in $(sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p' "$TMP/out"); do
    exits 0 "$LENO" "$c" --help
    says "$TMP/out" "usage: leno $c"
    says "$TMP/out" "examples"
    silent "$TMP/log"
    cp "$TMP/out" "$TMP/first"
    exits 0 "$LENO" help "$c"
    cmp "$TMP/first" "$TMP/out"
done
exits 0 "$LENO" --version
says "$TMP/out" "leno "
exits 0 "$LENO" emu --size tiny -h

# An option that several commands have reads the same in all of them, defaults aside; no
# help has "(null)" or the wording of before.
for c in $("$LENO" --help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    "$LENO" "$c" --help
done > "$TMP/all"
! grep -q 'null\|for machines\|is made from it' "$TMP/all" || exit 1
for o in set scheme sms seed json jobs out fresh workloads args load; do
    n=$(grep -e "^  --$o " "$TMP/all" | sort -u | wc -l)
    [ "$n" = 1 ] || { echo "--$o has $n texts"; exit 1; }
done
