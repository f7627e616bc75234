#!/bin/sh
# Compares the numbers and the layout in src/driver/cuda.h with the vendor's header,
# where a CUDA toolkit is installed, and compiles every workload's host and the
# instruction suite against it.
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
        src/driver/cuda_types.h src/driver/cuda_array.h
    sed -n 's/^#define \(CU[A-Z0-9_]*\) *\(0x[0-9]*\)$/_Static_assert(\1 == \2, "\1");/p' \
        src/driver/cuda_types.h src/driver/cuda_array.h
} > "$work/values.c"
n=$(grep -c _Static_assert "$work/values.c")
[ "$n" -gt 150 ] || { echo "only $n values found to compare"; exit 1; }
cc -std=c17 -I"$vendor" -c -o "$work/values.o" "$work/values.c"
# Every field of every structure: our headers list them, both compilers place them.
{
    printf '#include <cuda.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n'
    cat src/driver/cuda_types.h src/driver/cuda_array.h | awk '
        /^typedef struct .*_st {$/ { n = 0; path = ""; next }
        /^    union {$/ { in_union = 1; next }
        in_union && /^        struct {$/ { first = n; next }
        in_union && /^        } [a-zA-Z0-9]+;$/ {
            sub(/;/, "", $2)
            for (i = first + 1; i <= n; i++)
                field[i] = $2 "." field[i]
            next
        }
        !in_union && /^    struct {$/ { first = n; next }
        !in_union && /^    } [A-Za-z]+;$/ {
            sub(/;/, "", $2)
            for (i = first + 1; i <= n; i++)
                field[i] = $2 "." field[i]
            next
        }
        /^    } [a-z]+;$/ {
            sub(/;/, "", $2)
            for (i = 1; i <= n; i++)
                if (field[i] ~ /\./)
                    field[i] = $2 "." field[i]
            in_union = 0
            next
        }
        /^} [A-Za-z_0-9]+;$/ {
            sub(/;/, "", $2)
            if (n)
                print "    printf(\"" $2 " %zu\\n\", sizeof(" $2 "));"
            for (i = 1; i <= n; i++)
                print "    printf(\"" $2 "." field[i] " %zu\\n\", offsetof(" $2 ", " field[i] "));"
            n = 0
            next
        }
        /^ +[A-Za-z].*;$/ && !/=/ {
            name = $NF
            gsub(/[*;]|\[.*/, "", name)
            field[++n] = name
        }'
    printf '    return 0;\n}\n'
} > "$work/layout.c"
cc -I"$vendor" -o "$work/theirs" "$work/layout.c" && "$work/theirs" > "$work/theirs.txt"
cc -Isrc/driver -o "$work/ours" "$work/layout.c" && "$work/ours" > "$work/ours.txt"
diff "$work/theirs.txt" "$work/ours.txt"
fields=$(wc -l < "$work/ours.txt")
[ "$fields" -gt 80 ] || { echo "only $fields fields found to compare"; exit 1; }
for host in workloads/*/host.c; do
    [ -f "$host" ] || continue
    cc -std=c17 -Iworkloads -I"$vendor" -Werror -c -o "$work/host.o" "$host"
done
for part in tests/isa/*.c; do
    cc -std=gnu17 -D_GNU_SOURCE -I"$vendor" -Werror -c -o "$work/part.o" "$part"
done
echo "ok: $n values, $fields sizes and offsets"
