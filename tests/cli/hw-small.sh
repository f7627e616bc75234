# The larger inputs leave what they left on an H200.
. tests/cli/lib.inc
exits 0 "$LENO" emu --all --size small --reference tests/golden/hw
outputs=$(cat tests/golden/hw/*.txt | grep -c '^output small ')
says "$TMP/out" " $outputs outputs, 0 instructions; differences: 0, known: 0,"
