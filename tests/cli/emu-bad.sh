# Cubins that are missing, damaged or of another architecture: a message, status 1.
. tests/cli/lib.inc
mkdir -p "$TMP/w/vecadd"
exits 1 "$LENO" emu vecadd --workloads "$TMP/w"
says "$TMP/log" "vecadd/sm_90.cubin"
cp workloads/vecadd/sm_75.cubin "$TMP/w/vecadd/sm_90.cubin"
exits 1 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/log" "CUDA_ERROR_NO_BINARY_FOR_GPU"
head -c 2000 workloads/vecadd/sm_90.cubin > "$TMP/w/vecadd/sm_90.cubin"
exits 1 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/log" "CUDA_ERROR_INVALID_IMAGE"
cp workloads/nn/sm_90.cubin "$TMP/w/vecadd/sm_90.cubin"
exits 1 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/log" "CUDA_ERROR_NOT_FOUND"
LENO_WORKLOADS=$TMP/w exits 1 "$LENO" emu vecadd --size tiny
exits 0 "$LENO" emu vecadd --size tiny --workloads workloads

# Parameters that the file describes otherwise than the host passes them: sizes in the file
# are not trusted, or the host's stack would be read beyond its variables.
f=$TMP/w/vecadd/sm_90.cubin
at=$(LC_ALL=C grep -abo "$(printf '\004\027\014')" workloads/vecadd/sm_90.cubin |
    head -n 1 | cut -d: -f1) # the record of the last one, n: four bytes at 0x18
resize() { # size in bytes
    cp workloads/vecadd/sm_90.cubin "$f"
    printf "\\000\\360\\$(printf %o $((($1 & 63) * 4 + 1)))\\$(printf %o $(($1 >> 6)))" |
        dd of="$f" bs=1 seek=$((at + 12)) conv=notrunc 2> /dev/null
}
resize 4
cmp "$f" workloads/vecadd/sm_90.cubin
resize 2
exits 3 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/log" "parameter 3 has 2 bytes at 24, expected 4"
resize 0
exits 1 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/log" "has parameter 3 of 0 bytes"
resize 8000
exits 1 "$LENO" emu vecadd --size tiny --workloads "$TMP/w"
says "$TMP/log" "has a parameter that ends at 0x1f58 of 0x1c"
