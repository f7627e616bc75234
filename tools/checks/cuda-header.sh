#!/bin/sh
# Compares the numbers and the layout in src/driver/cuda.h with the vendor's header,
# where a CUDA toolkit is installed, and compiles every workload's host against it.
# usage: tools/checks/cuda-header.sh [DIR with the vendor's cuda.h]
set -eu
cd "$(dirname "$0")/../.."
vendor=${1:-/usr/local/cuda/include}
if [ ! -f "$vendor/cuda.h" ]; then
    echo "skipped: no $vendor/cuda.h"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    echo '#include <cuda.h>'
    sed -n 's/^RESULT(\([A-Z0-9_]*\), *\([0-9]*\),.*/_Static_assert(\1 == \2, "\1");/p' \
        src/driver/results.def
    sed -n 's/^ATTRIBUTE(\([A-Z0-9_]*\), *\([0-9]*\),.*/_Static_assert(CU_DEVICE_ATTRIBUTE_\1 == \2, "\1");/p' \
        src/driver/attributes.def
    sed -n 's/^    \(CU_[A-Z0-9_]*\) = \(0*x*[0-9a-f]*\),*$/_Static_assert(\1 == \2, "\1");/p' \
        src/driver/cuda_types.h
    sed -n 's/^#define \(CU_MEM[A-Z_]*\) *\(0x[0-9]*\)$/_Static_assert(\1 == \2, "\1");/p' \
        src/driver/cuda_types.h
} > "$work/values.c"
n=$(grep -c _Static_assert "$work/values.c")
[ "$n" -gt 150 ] || { echo "only $n values found to compare"; exit 1; }
cc -std=c17 -I"$vendor" -c -o "$work/values.o" "$work/values.c"
cat > "$work/layout.c" <<'EOC'
#include <cuda.h>
#include <stddef.h>
#include <stdio.h>
#define SHOW(f) printf(#f " %zu\n", offsetof(CUDA_MEMCPY2D, f));
int main(void)
{
    printf("%zu %zu\n", sizeof(CUDA_MEMCPY2D), sizeof(CUdeviceptr));
    SHOW(srcXInBytes) SHOW(srcY) SHOW(srcMemoryType) SHOW(srcHost) SHOW(srcDevice)
    SHOW(srcArray) SHOW(srcPitch) SHOW(dstXInBytes) SHOW(dstY) SHOW(dstMemoryType)
    SHOW(dstHost) SHOW(dstDevice) SHOW(dstArray) SHOW(dstPitch) SHOW(WidthInBytes)
    SHOW(Height)
    return 0;
}
EOC
cc -I"$vendor" -o "$work/theirs" "$work/layout.c" && "$work/theirs" > "$work/theirs.txt"
cc -Isrc/driver -o "$work/ours" "$work/layout.c" && "$work/ours" > "$work/ours.txt"
diff "$work/theirs.txt" "$work/ours.txt"
for host in workloads/*/host.c; do
    [ -f "$host" ] || continue
    cc -std=c17 -Iworkloads -I"$vendor" -Werror -c -o "$work/host.o" "$host"
done
echo "ok: $n values"
