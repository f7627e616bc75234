# A result that cannot be written is not a success.
. tests/cli/lib.inc
[ -e /dev/full ] || exit 0
status=0
"$LENO" --help > /dev/full 2> "$TMP/log" || status=$?
[ "$status" = 1 ]
says "$TMP/log" "could not be written"
