# Redundancy eliminators: what they cannot do is refused by name.
. tests/cli/lib.inc
exits 0 "$LENO" list schemes
says "$TMP/out" "+darsie"
exits 0 "$LENO" run matrixmul --size tiny --gpu gtx1080ti --sms 1 --scheme ghost+darsie
says "$TMP/out" "darsie.conditionally"
if grep -q '^sm.skipped  *0 ' "$TMP/out"; then
    echo "nothing was skipped"
    exit 1
fi
exits 2 "$LENO" run tests/data/replay/vecadd.leno --scheme inorder+darsie
says "$TMP/log" "expected a recording of this version of leno record"
exits 2 "$LENO" run tests/data/replay/vecadd.leno --scheme turbulence
says "$TMP/log" "a new recording made by leno record"
for scheme in inorder+darsie inorder+uv inorder+dac; do
    exits 2 "$LENO" run tests/data/replay/pair.traceg --scheme $scheme
    says "$TMP/log" "pair.traceg: a trace of Accel-Sim has neither code nor values"
done
exits 2 "$LENO" run tests/data/replay/pair.traceg --scheme turbulence
says "$TMP/log" "Accel-Sim traces"
exits 0 "$LENO" run matrixmul --size tiny --sms 1 --scheme loog+uv
grep -q '^uv.reused  *[1-9]' "$TMP/out"
# What had a port of DARSIE's table before its fetch needs none at decode: no warp starves.
exits 0 "$LENO" run db_gemm_infer --size tiny --gpu rtx2060s-ghost --sms 1 \
    --scheme ghost+darsie --set darsie.ports=1 --set gpu.watchdog=20000
exits 2 "$LENO" run vecadd --size tiny --scheme control+darsie --set control.interlock=off
says "$TMP/log" "set control.interlock=on"
exits 0 "$LENO" disasm workloads/matrixmul/sm_75.cubin --marks
says "$TMP/out" "CR        /*0080*/                   S2R R0, SR_TID.X ;"
says "$TMP/out" "DR        /*0010*/                   S2R R5, SR_CTAID.Y ;"
says "$TMP/out" "CY        /*0040*/                   S2R R25, SR_TID.Y ;"
exits 1 "$LENO" disasm workloads/matrixmul/sm_75.cubin --marks --json
exits 0 "$LENO" cost inorder+darsie --gpu gtx1080ti
says "$TMP/out" "20992"

# Products of warpgroups have more registers than a list holds; eliminators that rename take them.
for scheme in control+darsie inorder+dac; do
    exits 0 "$LENO" run flash3 --size tiny --gpu h200 --scheme $scheme
done
