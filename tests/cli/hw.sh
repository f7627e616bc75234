# As an H200 did it: every output at tiny and small, every instruction's count at tiny.
. tests/cli/lib.inc
exits 0 "$LENO" emu --all --size tiny --reference tests/golden/hw
says "$TMP/out" "hardware: $(ls workloads/*/host.c | wc -l) runs compared"
says "$TMP/out" "differences: 0, known: $(grep -vc '^#' tests/golden/hw/known.txt), excused: 0, polls: "
says "$TMP/out" "not recorded: 0"
insts=$(cat tests/golden/hw/*.txt | grep -cE '^[0-9a-f]{4,} ')
says "$TMP/out" " $insts instructions;"
outputs=$(cat tests/golden/hw/*.txt | grep -c '^output tiny ')
says "$TMP/out" " $outputs outputs,"
silent "$TMP/log"
