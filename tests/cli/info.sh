# leno info shows what a launch needs; damaged files get a message.
. tests/cli/lib.inc
cubin=tests/data/driver/sm_90.cubin
exits 0 "$LENO" info "$cubin"
says "$TMP/out" "sm_90"
says "$TMP/out" "kernel shared"
says "$TMP/out" "at most 64 x 1 x 1 threads"
says "$TMP/out" ".nv.constant3"
exits 0 "$LENO" info --json "$cubin"
is_json "$TMP/out"
head -c 3000 "$cubin" > "$TMP/cut.cubin"
exits 1 "$LENO" info "$TMP/cut.cubin"
says "$TMP/log" "cut.cubin"
exits 1 "$LENO" info README.md
: > "$TMP/empty.cubin"
exits 1 "$LENO" info "$TMP/empty.cubin"
