# leno reproduce loog-vortex: the thesis' tables and figures on programs for Vortex.
. tests/cli/lib.inc
reproduce() { "$LENO" reproduce loog-vortex --size tiny --out "$TMP/results" "$@"; }

# Every program for Vortex, unless others are named; cycles as leno run has them, for there
# is no launch before them.
n=$(ls workloads/vortex/*.c | wc -l)
exits 0 reproduce --figure programs
says "$TMP/out" "$n programs at size tiny"
says "$TMP/log" "/$((6 * n))]"
says "$TMP/out" "mean of all"
! grep -q "gpu.launch_cycles" "$TMP/out" || exit 1
exits 0 reproduce --figure programs --program sum=workloads/vortex/tiny/vecadd.elf --csv
up=$(sed -n 's/^programs,LOOG,sum,,//p' "$TMP/out")
for scheme in inorder loog; do
    exits 0 "$LENO" run vecadd --size tiny --gpu vortex-4x4 --scheme $scheme --json
    sed -n 's/.*"gpu.cycles": \([0-9]*\).*/\1/p' "$TMP/out" >> "$TMP/cycles"
done
[ "$(paste -sd' ' "$TMP/cycles" | awk '{ printf "%.6f", $1 / $2 }')" = "$(printf %.6f "$up")" ]

# By warps x threads; by collector units over all of these: the thesis' number beside ours.
# A machine of one figure is that of another.
short="--program short=tests/riscv/halt.elf"
exits 0 reproduce --figure 6.1 $short --csv
says "$TMP/log" "/$((16 * 6))]"
says "$TMP/out" "6.1,14,32 x 32,,"
exits 0 reproduce --figure T6.1 --figure T6.2 $short --csv
says "$TMP/log" "$((16 * 6)) of $((16 * 21)) results taken from the cache"
says "$TMP/out" "T6.1,no RRS,8 CUs,1.086834,"
says "$TMP/out" "T6.2,RRS 2.5,32 x 4,1.221808,"
! grep -q ',$' "$TMP/out" || exit 1
exits 0 reproduce --figure T6.1 $short
says "$TMP/out" "Table T6.1: "

# Products: the thesis' area times the time of figure "programs" at the same shape.
exits 0 reproduce --figure programs --figure 6.4 --figure 6.9 $short --csv
says "$TMP/out" '6.9,RRS 1.5,short,,'
awk -F, '$1 == "programs" && /"LOOG, 16 x 4",short/ { up = $NF }
         $1 == "6.4" && $2 == "no RRS" && $3 == "short" { product = $NF }
         END { exit !(up > 0 && product * up > 1.0499 && product * up < 1.0501) }' "$TMP/out"

# Time by shape; beside the thesis' number the shape that takes least, over all programs.
exits 0 reproduce --figure 6.5 --figure 6.10 $short --csv
says "$TMP/out" "6.5,12,32 x 32,,"
awk -F, '$1 == "6.10" && $2 == "6 CUs" && / x / && (!low || $NF < low) { low = $NF }
         /^6.10,6 CUs,lowest mean of a shape,0.83,/ { found = $NF }
         END { exit !(low > 0 && found == low) }' "$TMP/out"

# Distributions, distances, and clusters in the order of their tree.
exits 0 reproduce --figure 5.14 --figure 5.15 --figure 5.16 --figure 6.11 $short --csv
says "$TMP/out" "5.14,no RRS,50 %,,"
says "$TMP/out" "6.11,14,15,,"
cat > "$TMP/suite.ini" << END
[sort]
program = sort
[again]
program = sort
[diverge]
program = diverge
END
exits 0 reproduce --figure 5.17 --suite "$TMP/suite.ini" --csv
grep -E '^5.17,(cluster|joins at),' "$TMP/out" > "$TMP/clusters"
printf '5.17,%s\n' cluster,sort,,1 cluster,again,,2 cluster,diverge,,3 "joins at,sort,," \
    "joins at,again,,0" | diff - "$TMP/clusters" | grep -c '^[<>]' > "$TMP/differ" || :
[ "$(cat "$TMP/differ")" = 1 ]
says "$TMP/out" "5.17,IBuffer,diverge,,"

# What a simulator cannot measure is not here, and says what is.
exits 0 "$LENO" reproduce --list
says "$TMP/out" "loog-vortex: FPGA Design"
exits 1 reproduce --figure 6.3
says "$TMP/log" "expected one of programs, T6.1"
exits 0 reproduce --figure programs $short
says "$TMP/out" "a simulator cannot measure"
exits 1 reproduce --program "none=./no-such-command"
says "$TMP/log" "a CUDA program needs a GPU with SMs"
