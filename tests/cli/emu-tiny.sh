# Every workload computes the right result on every architecture.
. tests/cli/lib.inc
exits 0 "$LENO" emu --all --arch all --size tiny
n=$(ls workloads/*/host.c | wc -l)
[ "$(grep -c ' ok$' "$TMP/out")" = $((7 * n)) ]
silent "$TMP/log"
