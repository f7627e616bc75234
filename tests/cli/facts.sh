# workloads/facts.txt, and leno list workloads, which shows it: what size tiny runs now is
# what the file says, and every workload is in it.
. tests/cli/lib.inc
for folder in workloads/*/host.c; do
    name=${folder#workloads/}
    ls "workloads/${name%/host.c}"/sm_*.cubin | sort -V | head -n 1 # the first architecture
done | sed 's/.*\/\(.*\)\/\(.*\)\.cubin/\2 \1/' > "$TMP/first"
for arch in $(cut -d' ' -f1 "$TMP/first" | sort -u); do
    exits 0 "$LENO" emu $(sed -n "s/^$arch //p" "$TMP/first") --size tiny --arch "$arch" \
        --launches "$TMP/now.$arch"
done
{
    head -n 1 workloads/facts.txt
    cat "$TMP"/now.* | grep -v '^program,' | LC_ALL=C sort -s -t, -k1,1
} > "$TMP/now"
grep -E '^program,|,tiny,' workloads/facts.txt > "$TMP/kept"
diff "$TMP/kept" "$TMP/now" || {
    echo "tools/facts.sh NAME... writes workloads/facts.txt again; -m: of new workloads"
    exit 1
}
for size in small paper; do
    [ "$(sed -n "s/,$size,.*//p" workloads/facts.txt | sort -u)" = \
        "$(sed -n 's/,tiny,.*//p' "$TMP/kept" | sort -u)" ]
done

# As a table and as JSON: block, registers and occupancy of the kernel that executes most,
# and no size smaller than the one before.
exits 0 "$LENO" list workloads
says "$TMP/out" "hotspot "
grep -qE '^matrixmul +CUDA SDK +darsie +32x32 +[0-9]+ +100 +[0-9]+ k ' "$TMP/out"
exits 0 "$LENO" list workloads --gpu h200 --json
is_json "$TMP/out"
says "$TMP/out" '"theirs": "bfs", "papers": ["ghost", "socgpu"]'
says "$TMP/out" '"kernel": "matrixmul", "block": "32x32", "registers": '
says "$TMP/out" '"gpu": "h200", "occupancy": 1e+02'
[ "$(grep -c '"archs": \["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"\]' "$TMP/out")" = \
    "$(ls workloads/*/sm_75.cubin | wc -l)" ]
says "$TMP/out" '"archs": ["sm_90"], '
sed -n 's/.*"name": "\([a-z0-9_]*\)".*"tiny_insts": \([0-9]*\), "small_insts": \([0-9]*\), "paper_insts": \([0-9]*\).*/\1 \2 \3 \4/p' \
    "$TMP/out" > "$TMP/sizes"
[ "$(wc -l < "$TMP/sizes")" = "$(ls workloads/*/host.c | wc -l)" ]
awk '$2 > $3 || $3 > $4 { print $1 ": sizes do not grow:", $2, $3, $4; bad = 1 } END { exit bad }' "$TMP/sizes"
exits 1 "$LENO" list workloads --gpu vortex-4x4
says "$TMP/log" "expected a GPU with SMs"

# A file that is no such table is named with its line; without one, dashes.
mkdir "$TMP/workloads"
cp -r workloads/vecadd "$TMP/workloads"
exits 0 "$LENO" list workloads --workloads "$TMP/workloads"
says "$TMP/out" "vecadd "
{
    head -n 1 workloads/facts.txt
    echo "vecadd,tiny,sm_75,vecadd,1,79,256x1,0,12556"
} > "$TMP/workloads/facts.txt"
exits 1 "$LENO" list workloads --workloads "$TMP/workloads"
says "$TMP/log" "facts.txt:2: expected a line of leno emu --launches"
