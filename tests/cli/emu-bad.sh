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
