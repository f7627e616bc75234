# Every workload computes the right result on every architecture that it has code for.
. tests/cli/lib.inc
exits 0 "$LENO" emu --all --arch all --size tiny
[ "$(grep -c ' ok$' "$TMP/out")" = "$(ls workloads/*/sm_*.cubin | wc -l)" ]
silent "$TMP/log"
