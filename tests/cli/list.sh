# Lists name what there is, as text and as JSON.
. tests/cli/lib.inc
exits 0 "$LENO" list workloads
for host in workloads/*/host.c; do
    name=${host#workloads/}
    says "$TMP/out" "${name%/host.c}  "
done
exits 0 "$LENO" list archs
[ "$(grep -c '^sm_' "$TMP/out")" = 7 ]
exits 0 "$LENO" list gpus
for config in configs/*.ini; do
    name=${config#configs/}
    says "$TMP/out" "${name%.ini} "
    says "$TMP/out" "$(sed -n '1s/^; //p' "$config")"
done
exits 0 "$LENO" list opcodes
says "$TMP/out" "0x118  sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120"
for what in workloads gpus archs opcodes; do
    exits 0 "$LENO" list "$what" --json
    is_json "$TMP/out"
done
exits 1 "$LENO" list gpu
says "$TMP/log" "expected one of workloads, gpus, schemes, params, stats, archs, opcodes (did you mean 'gpus'?)"
exits 1 "$LENO" list
