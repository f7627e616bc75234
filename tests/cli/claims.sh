# What an eliminator drops or reuses it claims something of, and the claim is checked: each
# eliminator of tests/contract/skip_planted.c is wrong in one way, and is caught and blamed.
. tests/cli/lib.inc
leno=${LENO%/*}/tests/contract/leno
LENO_WORKLOADS=${LENO_WORKLOADS:-workloads}
export LENO_WORKLOADS

# caught VERDICT TEXT SKIP [OPTION...]: the run ends as wrong, and says this.
program=lud
caught() {
    verdict=$1 text=$2 skip=$3
    shift 3
    exits 3 "$leno" run $program --size tiny --sms 1 --scheme ghost+$skip "$@"
    says "$TMP/log" "eliminator $skip: unsound $verdict in cycle "
    says "$TMP/log" "$text"
    says "$TMP/log" "leno run PROGRAM --scheme ghost+$skip --konata FILE --view \"sm=0 warps="
}
wrong() {
    how=$1
    shift
    caught "$@" planted --set planted.how=$how
}

# The eliminator that passed before claims were asked for.
wrong integers reuse '#2 at 0x20 `IMAD.MOV.U32 R3, RZ, RZ, c[0x0][0x16c]` is claimed to be equal to #0 at 0x0 `MOV R1, c[0x0][0x28]` of block 0, warp 0, which is'
wrong source drop "is claimed to be equal to #"
wrong silent drop "has no claim about its result"
wrong itself drop "is claimed to be equal to an instruction that was not executed"
wrong launch drop "is claimed to be equal to an instruction that was not executed"
wrong early drop "which has not written yet"
wrong lanes drop "which wrote other lanes"
wrong affine drop "; executed, it is 0x400 in lane 0, not affine"
wrong uniform drop '`MOV R1, c[0x0][0x28]` is claimed to be 0x400 in every lane; executed, it is 0x400 in lane 0, not affine'
says "$TMP/log" "in lanes 0000ffff alone"
wrong base drop '`MOV R1, c[0x0][0x28]` is claimed to be 0x401 in every lane; executed, it is 0x400 in every lane'
wrong store drop '`STS [R0.X4], R5` writes memory'
wrong branch drop '`@!P1 BRA 0xc40` does more than write registers'
wrong load reuse '`LDG.E.SYS R5, [R4]` reads memory'
caught drop "writes a register that an older instruction has yet to write or read" hasty
caught reuse "is reused by an eliminator that does not declare this in its table" undeclared
caught reuse "is reused before it is fetched" unfetched
caught drop "is claimed to be equal to an instruction that was not executed" foretold
for how in slot other; do
    exits 3 "$leno" run lud --size tiny --sms 1 --scheme ghost+planted --set planted.how=$how
    says "$TMP/log" "eliminator planted: skip_keep()"
done

# So it is in the battery, which it passed as well.
exits 1 "${leno%/*}/battery" brief skip=planted inorder
says "$TMP/out" "eliminator planted: unsound reuse in cycle"

# Recordings have names for values in place of their bits: the same is caught.
program=$TMP/lud.leno
exits 0 "$LENO" record lud --size tiny -o "$program"
wrong integers reuse 'is claimed to be equal to #0 at 0x0 `MOV R1, c[0x0][0x28]`'
wrong source drop "is claimed to be equal to #"
wrong silent drop "has no claim about its result"
wrong itself drop "that was not executed"
wrong affine drop "is claimed to be affine, "
wrong base drop "executed, it is uniform, "

# One that cannot be checked says so, and so does everything that shows its results.
run="$leno run vecadd --size tiny --sms 1 --scheme inorder+guess"
exits 0 $run
says "$TMP/out" "UNCHECKED: results skipped by guess were not compared with executed ones: it guesses"
exits 0 $run --csv
says "$TMP/out" "program,gpu,scheme,checked,"
says "$TMP/out" "vecadd,rtx2060s,inorder,0,"
exits 0 $run --json
is_json "$TMP/out"
says "$TMP/out" '"checked": false, "unchecked": "it guesses"'
exits 0 "$leno" run vecadd nn --size tiny --sms 1 --scheme inorder+guess
says "$TMP/out" "unchecked"
exits 0 "$LENO" run vecadd --size tiny --sms 1 --scheme inorder+uv --json
says "$TMP/out" '"checked": true'
# Values are what claims are compared with; a trace has none.
exits 0 "$leno" run tests/data/replay/pair.traceg --scheme inorder+hasty --json
says "$TMP/out" '"checked": false, "unchecked": "the program shows no values"'
compare="$leno compare vecadd nn --size tiny --sms 1 --gpu rtx2060s --out $TMP/results"
exits 0 $compare --schemes inorder,inorder+guess --report "$TMP/page.html"
says "$TMP/out" "unchecked"
says "$TMP/out" "Unchecked: inorder+guess (it guesses)"
says "$TMP/page.html" "<br><em>unchecked</em>"
says "$TMP/page.html" "Unchecked: inorder+guess (it guesses)"
if grep -q "Every run was checked" "$TMP/out" "$TMP/page.html"; then
    echo "said to be checked"
    exit 1
fi
exits 0 $compare --schemes inorder,inorder+guess --json
is_json "$TMP/out"
says "$TMP/out" '"checked": false, "unchecked": "it guesses"'
exits 0 $compare --schemes inorder,inorder+dac
says "$TMP/out" "Every run was checked"
cat > "$TMP/study.ini" << 'END'
schemes  = inorder+guess, inorder+uv
programs = vecadd
size     = tiny
[sweep]
sched.policy = gto
END
sweep="$leno sweep $TMP/study.ini --out $TMP/results"
exits 0 $sweep
says "$TMP/out" "inorder+guess (unchecked)"
says "$TMP/out" "Unchecked: inorder+guess:sched.policy=gto (it guesses)"
exits 0 $sweep --json
is_json "$TMP/out"
says "$TMP/out" '"checked": false, "unchecked": "it guesses"'
says "$TMP/out" '"checked": true'
