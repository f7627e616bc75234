# As an H200 did it: every output at tiny and small, every instruction's count at tiny.
. tests/cli/lib.inc
n=0
lacking=0
for host in workloads/*/host.c; do
    name=${host#workloads/}
    if [ -f "tests/golden/hw/${name%/host.c}.txt" ]; then n=$((n + 1)); else lacking=$((lacking + 1)); fi
done
exits 0 "$LENO" emu --all --size tiny --reference tests/golden/hw
says "$TMP/out" "hardware: $n runs compared"
says "$TMP/out" "differences: 0, known: $(grep -vc '^#' tests/golden/hw/known.txt), excused: 0, not recorded: $lacking"
[ "$(grep -c ': not recorded on hardware, not compared$' "$TMP/out")" = $lacking ]
insts=$(cat tests/golden/hw/*.txt | grep -cE '^[0-9a-f]{4,} ')
says "$TMP/out" " $insts instructions;"
outputs=$(cat tests/golden/hw/*.txt | grep -c '^output tiny ')
says "$TMP/out" " $outputs outputs,"
silent "$TMP/log"
