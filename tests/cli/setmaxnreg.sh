# Warps take registers in the order of issue: on the h200 machine the warps of every kernel try as
# often as on an H200. When nothing is timed, the registers have always been given back already.
. tests/cli/lib.inc
tries() { # FILE.csv: kernel, place and executions of each try
    sed -nE 's/^[^,]*,[^,]*,[^,]*,([^,]*),[^,]*,0x([^,]*),.*"USETMAXREG\.TRY_ALLOC[^"]*",([0-9]+),.*/\1 \2 \3/p' "$1"
}
recorded() { # RECORD KERNEL PLACE: executions of an instruction
    awk -v kernel="$2" -v place="$(printf %04x "0x$3")" \
        '/^kernel /{is = $2 == kernel} is && $1 == place {print $2}' "$1"
}
n=0
for name in flash3 hopper_gemm hopper_multicast; do
    exits 0 "$LENO" run "$name" --size tiny --gpu h200 --hot-file "$TMP/hot.csv"
    tries "$TMP/hot.csv" > "$TMP/tries"
    while read -r kernel place count; do
        [ "$(recorded "tests/golden/hw/$name.txt" "$kernel" "$place")" = "$count" ]
        n=$((n + 1))
    done < "$TMP/tries"
done
[ $n = 13 ]

# Kernels without barriers in shared memory are recorded, and every scheme runs them; registers
# that nobody gives back are a deadlock with a name, timed or not.
command -v nvcc > /dev/null 2>&1 || PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null 2>&1 || exit 0
[ -f "${LENO%/*}/lib/libcuda.so.1" ] || exit 0
nvcc -o "$TMP/registers" tests/exec/registers.cu -cudart shared \
    -gencode arch=compute_90a,code=sm_90a
for scheme in control inorder ghost loog; do
    exits 0 "$LENO" exec --gpu h200 --scheme $scheme --quiet -- "$TMP/registers"
    says "$TMP/out" "registers: good"
done
exits 0 "$LENO" exec --record "$TMP/recorded" -- "$TMP/registers"
exits 0 "$LENO" run "$TMP/recorded/registers.leno" --gpu h200
for how in "--gpu h200" --functional; do
    exits 1 "$LENO" exec $how -- "$TMP/registers" stuck
    says "$TMP/log" "deadlock: warp 4 needs 72 more registers per thread, its block has 32 to give and no warp can give back enough: kernel _Z5stuckPj"
done
