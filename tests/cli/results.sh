# leno reproduce results: every scheme and composition beside in order of equal storage; and
# such columns by themselves.
. tests/cli/lib.inc
results() {
    "$LENO" reproduce results --size tiny --sms 2 --out "$TMP/results" --program lud=lud "$@"
}
exits 0 results --csv
says "$TMP/out" "alone,= LOOG,lud,,"
says "$TMP/out" "darsie,LOOG,lud,,"
says "$TMP/out" "uv,TURBULENCE,mean of all,,"
says "$TMP/out" "means,+dac,= SOCGPU,,"
! grep -q ',$' "$TMP/out" || exit 1
exits 0 results --markdown
says "$TMP/out" "|  | alone | +darsie | +dac | +uv |"
says "$TMP/out" "| in order | 1.000 | "
! grep -q "failed" "$TMP/log" || exit 1
# It takes every workload, and is none of "all papers".
exits 0 "$LENO" reproduce --list
says "$TMP/out" "results: Every scheme"

# =X has the storage of X, less than one entry for every warp short of it.
for scheme in ghost ghost.precise socgpu turbulence ghost+darsie inorder+uv; do
    exits 0 "$LENO" cost $scheme "=$scheme"
    set -- $(sed -n 's/^ *total  *\([0-9]*\)$/\1/p' "$TMP/out") # not those of gates
    [ "$1" -ge "$2" ]
    [ $(($1 - $2)) -lt 2080 ]
done
# What no entry is left for goes into registers: LOOG's 26 KiB.
exits 0 "$LENO" compare lud --size tiny --sms 2 --out "$TMP/results" --json \
    --schemes inorder,loog,=loog,=inorder
is_json "$TMP/out"
says "$TMP/out" '"spec": "=loog"'
says "$TMP/out" '"inorder.entries": "64"'
says "$TMP/out" '"core.registers": "72192"'
says "$TMP/log" "3 of 3 results taken from the cache"
exits 1 "$LENO" cost =loog --gpu vortex-4x4
says "$TMP/log" "=loog: in order with the storage of another is for GPUs with SMs"
exits 1 "$LENO" cost =nothing
says "$TMP/log" "nothing"
