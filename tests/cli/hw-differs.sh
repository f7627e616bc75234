# Differences from a record are named, and known ones must be exactly as listed.
. tests/cli/lib.inc
gold=tests/golden/hw
known="mandelbrot mandelbrot 0280 warps"
compare() { # STATUS WORKLOAD
    exits "$1" "$LENO" emu "$2" --size tiny --reference "$TMP/r"
}
fresh() { # WORKLOAD: a folder with its record, and an empty list of known differences
    rm -rf "$TMP/r"
    mkdir "$TMP/r"
    cp "$gold/$1.txt" "$TMP/r"
}
fresh vecadd
compare 0 vecadd
sed 's/^\(0010 [0-9]*\) [0-9]*/\1 7/' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
grep -qE '^vecadd: vecadd\+0x10 .*: [0-9]+ threads, hardware 7$' "$TMP/out"
sed 's/^\(0020 .*\) [0-9]*$/\1 9/' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
grep -qE '^vecadd: vecadd\+0x20 .*: [0-9]+ on, hardware 9$' "$TMP/out"
sed 's/^\(output tiny .*\) .*$/\1 0/' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
says "$TMP/out" "hardware 0000000000000000"
sed '/^output tiny/s/tiny [a-z]*/tiny other/' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
says "$TMP/out" "output other is missing"
sed '/^output tiny/p;s/^output tiny \([a-z]*\)/output tiny x\1/' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
says "$TMP/out" "1 outputs, hardware 2"
sed 's/launches 1/launches 2/' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
says "$TMP/out" "1 launches, hardware 2"
sed '$d' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
says "$TMP/out" "instructions, hardware"
sed 's/^kernel vecadd /kernel sub /' "$gold/vecadd.txt" > "$TMP/r/vecadd.txt"
compare 3 vecadd
says "$TMP/out" "kernel vecadd: not in the record"

fresh mandelbrot
sed 's/^0280 [0-9]*/0280 457/' "$gold/mandelbrot.txt" > "$TMP/r/mandelbrot.txt"
compare 3 mandelbrot
says "$TMP/out" "mandelbrot: mandelbrot+0x280 BSYNC B0: 456 warps, hardware 457"
echo "$known 456 457 a reason" > "$TMP/r/known.txt"
compare 0 mandelbrot
says "$TMP/out" "known: 1,"
echo "$known 445 457 a reason" > "$TMP/r/known.txt"
compare 3 mandelbrot
says "$TMP/out" "known.txt says 445 and 457: update it"
{
    echo "$known 456 457 a reason"
    echo "mandelbrot mandelbrot 0290 on 1 2 a reason"
} > "$TMP/r/known.txt"
compare 3 mandelbrot
says "$TMP/out" "mandelbrot+0x290: as on hardware; known.txt says that its on differ: update it"

# How often warps poll is excused: 32 of the first kernel's 1032 counts. All others are compared.
fresh hopper_gemm
compare 0 hopper_gemm
grep -qE ' differences: 0, .* polls: [1-9]' "$TMP/out"
awk '/^kernel /{first = ++n == 1} first && /^[0-9a-f]+ [0-9]+ [0-9]+ [0-9]+$/{
    print $1, $2 + 7, $3 + 7, $4 + 7; next} {print}' "$gold/hopper_gemm.txt" > "$TMP/r/hopper_gemm.txt"
compare 3 hopper_gemm
sed -nE 's/^hopper_gemm: gemm_f16_128x128\+0x([0-9a-f]+) .*: [0-9]+ (warps|threads|on), hardware .*/\1 \2/p' \
    "$TMP/out" | sort > "$TMP/named"
awk '/^kernel /{first = ++n == 1} first && /^[0-9a-f]+ [0-9]+ [0-9]+ [0-9]+$/{
    sub(/^0+/, "", $1); if ($1 == "") $1 = "0"
    print $1, "warps"; print $1, "threads"; print $1, "on"}' "$gold/hopper_gemm.txt" | sort > "$TMP/all"
comm -13 "$TMP/named" "$TMP/all" > "$TMP/polls"
{
    echo "4e0 on"  # the branch after the first look at a barrier: it may be over already
    echo "1240 on" # the same of the warp that copies
    for pc in 240 250 260 270 1450 1460 1470 1480 1490 14a0; do # registers; further looks
        for what in warps threads on; do echo "$pc $what"; done
    done
} | sort | cmp - "$TMP/polls"
