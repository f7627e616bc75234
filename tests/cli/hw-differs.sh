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
