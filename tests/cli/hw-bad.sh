# Records that are missing, damaged or of something else: a message, status 1.
. tests/cli/lib.inc
gold=tests/golden/hw
mkdir "$TMP/r"
refused() { # WORDS
    exits 1 "$LENO" emu vecadd --size tiny --reference "$TMP/r"
    says "$TMP/log" "$1"
}
record() { # LINE...: a record of these lines
    printf '%s\n' "$@" > "$TMP/r/vecadd.txt"
}
exits 1 "$LENO" emu vecadd --size tiny --seed 2 --reference $gold
exits 1 "$LENO" emu vecadd --size tiny --arch sm_75 --reference $gold
exits 1 "$LENO" emu vecadd --size paper --reference $gold
says "$TMP/log" "no outputs of this size"
refused "vecadd.txt: No such file"
record "# nothing"
refused "expected a line cubin"
cp $gold/nn.txt "$TMP/r/vecadd.txt"
refused "belongs to another cubin"
for line in "cubin" "cubin 1" "cubin x 12" "cubin 12 0x12" "cubin -1 1" "cubin 1 2 3" \
    "cubin 99999999999999999999 1"; do
    record "$line"
    refused "vecadd.txt:1: expected cubin"
done
for line in "output tiny c 4" "output huge c 4 1" "output tiny c 4 1 1" "output tiny c x 1"; do
    record "cubin 1 1" "$line"
    refused "vecadd.txt:2: expected output"
done
record "cubin 1 1" "output tiny c 4 1" "output tiny c 4 1"
refused "vecadd.txt:3: expected each output"
record "cubin 1 1" "kernel a launches"
refused "vecadd.txt:2: expected kernel"
record "cubin 1 1" "kernel a launches 1" "kernel a launches 1"
refused "vecadd.txt:3: expected each kernel"
record "cubin 1 1" "0000 1 1 1"
refused "vecadd.txt:2: expected cubin, output"
for line in "0010 1 1 1" "0008 1 1 1" "ffffffffffffffff 1 1 1"; do
    record "cubin 1 1" "kernel a launches 1" "$line"
    refused "vecadd.txt:3: expected every instruction"
done
record "cubin 1 1" "kernel a launches 1" "0000 1 1 y"
refused "vecadd.txt:3: expected PC WARPS"
record "cubin 1 1" "kernel a launches 1" "0000 1 1 1 1 1 1 1 1 1 1 1"
refused "vecadd.txt:3: expected cubin, output"
printf 'cubin 1 1\n\0\n' > "$TMP/r/vecadd.txt"
refused "expected text"
mkdir "$TMP/r/vecadd.d"
rm "$TMP/r/vecadd.txt"
mv "$TMP/r/vecadd.d" "$TMP/r/vecadd.txt"
refused "not a regular file"
for line in "a b" "a b 10 warps 1 2" "a b 10 lanes 1 2 why" "a b zz warps 1 2 why" "a b 10 on 1 -2 why"; do
    echo "$line" > "$TMP/r/known.txt"
    refused "known.txt:1: expected WORKLOAD KERNEL"
done
