# A host written for Vortex, compiled against vortex.h and linked with libvortex.so.
. tests/cli/lib.inc
lib=$(dirname "$LENO")/lib
[ -f "$lib/libvortex.so" ] || { echo "no $lib/libvortex.so: make libvortex"; exit 1; }
# A sanitizer's library must come first in the program: the host gets it too.
sanitize=
! nm -D "$lib/libvortex.so" | grep -q __asan_ || sanitize=-fsanitize=address,undefined
${CC:-cc} $sanitize -std=c17 -Wall -Wextra -Werror -Isrc/shim -Itests/riscv -o "$TMP/host" \
    tests/riscv/host.c -L"$lib" -lvortex -Wl,-rpath,"$lib"
exits 0 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/out" "#0: 100 words, launch 1"
says "$TMP/out" "PERF: instrs="
[ "$(grep -c 'PERF: instrs=' "$TMP/out")" = 2 ] # asked for, and as the device is closed
VORTEX_PROFILING=1 exits 0 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/out" "PERF: core0: loads="
VORTEX_PROFILING=2 exits 0 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/out" "PERF: core0: dcache reads="
! grep -q "dcache reads=0$" "$TMP/out" || exit 1
LENO_GPU=vortex-16x8x2 exits 0 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/out" "PERF: core1: instrs="
LENO_GPU=vortex-four exits 1 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/log" "libvortex: vx_dev_open: "
says "$TMP/log" "vortex-four"
exits 1 "$TMP/host" tests/riscv/host.c
says "$TMP/log" "libvortex: vx_upload_kernel_bytes: kernel: neither an ELF file nor a .vxbin"
# Parameters, and the statistics of the launches.
export LENO_SCHEME=loog
for cus in 4 14; do
    LENO_SET=vxloog.cus=$cus,vxloog.arbiter=rr LENO_STATS=$TMP/stats.$cus \
        exits 0 "$TMP/host" tests/riscv/args.vxbin
done
no_cu() { awk '$1 == "vxloog.no_cu" { print $2 }' "$TMP/stats.$1"; }
[ "$(no_cu 4)" -gt "$(no_cu 14)" ]
LENO_SET=vxloog.units=4 exits 1 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/log" "libvortex: vx_dev_open: LENO_SET"
LENO_SET= exits 1 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/log" "libvortex: vx_dev_open: LENO_SET"
LENO_STATS=$TMP/nowhere/stats exits 1 "$TMP/host" tests/riscv/args.vxbin
says "$TMP/log" "libvortex: vx_dev_close: "
