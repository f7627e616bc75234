#!/bin/sh
# Compares the numbers and the layout in src/driver/cuda.h and in the runtime's types
# (src/shim/cudart) with the vendor's headers, where a CUDA toolkit is installed, and
# compiles every workload's host and the instruction suite against them.
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
        src/driver/cuda_types.h src/driver/cuda_array.h src/driver/cuda_graph.h src/driver/cuda_memory.h
    sed -n 's/^#define \(CU[A-Z0-9_]*\) *\(0x[0-9]*\)$/_Static_assert(\1 == \2, "\1");/p' \
        src/driver/cuda_types.h src/driver/cuda_array.h src/driver/cuda_graph.h src/driver/cuda_memory.h
} > "$work/values.c"
n=$(grep -c _Static_assert "$work/values.c")
[ "$n" -gt 150 ] || { echo "only $n values found to compare"; exit 1; }
cc -std=c17 -I"$vendor" -c -o "$work/values.o" "$work/values.c"
# Every field of every structure: our headers list them, both compilers place them.
{
    printf '#include <cuda.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n'
    cat src/driver/cuda_types.h src/driver/cuda_array.h src/driver/cuda_graph.h src/driver/cuda_memory.h | awk '
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
        /^    };$/ { in_union = 0; next }
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
# The runtime: errors and enumerations, the structures that programs hand over, and
# cudaDeviceProp, whose fields are a table (edition 13 has those of ALL and NEW).
{
    echo '#include <cuda_runtime_api.h>'
    sed -n 's/^ERROR(\([A-Za-z0-9]*\), *\([0-9]*\),.*/_Static_assert(\1 == \2, "\1");/p' \
        src/shim/cudart/errors.def
    sed -n 's/^    \(cuda[A-Za-z0-9]*\) = \([0-9]*\),*$/_Static_assert(\1 == \2, "\1");/p' \
        src/shim/cudart/types.h
} > "$work/runtime.c"
errors=$(grep -c _Static_assert "$work/runtime.c")
[ "$errors" -gt 130 ] || { echo "only $errors values of the runtime"; exit 1; }
cc -std=c17 -I"$vendor" -c -o "$work/runtime.o" "$work/runtime.c"
{
    printf '#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n'
    awk '
        /^struct cuda[A-Za-z0-9]+ {$/ { type = $2; path = ""; next }
        /^    union {$/ { in_union = 1; next }
        in_union && /^        struct {$/ { n = 0; next }
        in_union && /^        } [a-zA-Z0-9]+;$/ {
            sub(/;/, "", $2)
            for (i = 1; i <= n; i++)
                if (type != "cudaLaunchConfig")
                    print "    AT(struct " type ", res." $2 "." field[i] ");"
            next
        }
        in_union && /^    } res;$/ { in_union = 0; next }
        /^};$/ { type = "" }
        type != "" && /;/ && !/=/ {
            line = $0
            sub(/;.*/, "", line)
            name = line
            sub(/.*[ *]/, "", name)
            sub(/\[.*/, "", name)
            if (in_union)
                field[++n] = name
            else if (type != "cudaLaunchConfig")
                print "    AT(struct " type ", " name ");"
        }' src/shim/cudart/types.h
    printf '    return 0;\n}\n'
} > "$work/fields.c"
at='#define AT(type, field) printf("%s.%s %zu%c", #type, #field, offsetof(type, field), 10)'
{ echo '#include <cuda_runtime_api.h>'; echo "$at"; cat "$work/fields.c"; } > "$work/a.c"
{ echo '#include "shim/cudart/types.h"'; echo "$at"; cat "$work/fields.c"; } > "$work/b.c"
cc -I"$vendor" -o "$work/a" "$work/a.c" && "$work/a" > "$work/a.txt"
cc -Isrc -o "$work/b" "$work/b.c" && "$work/b" > "$work/b.txt"
diff "$work/a.txt" "$work/b.txt"
runtime=$(wc -l < "$work/b.txt")
[ "$runtime" -gt 60 ] || { echo "only $runtime fields of the runtime"; exit 1; }
{
    echo '#include <cuda_runtime_api.h>'
    echo '#include <stddef.h>'
    echo 'struct ours {'
    sed -n 's/^FIELD(\(ALL\|NEW\), \([a-z_]*\), \([A-Za-z0-9]*\), \([0-9]*\),.*/    \2 \3[\4];/p' \
        src/shim/cudart/properties.def
    echo '};'
    sed -n 's/^FIELD(\(ALL\|NEW\), [a-z_]*, \([A-Za-z0-9]*\),.*/\2/p' \
        src/shim/cudart/properties.def | grep -v reserved$ | while read -r name; do
        echo "_Static_assert(offsetof(struct ours, $name) == offsetof(struct cudaDeviceProp, $name), \"$name\");"
    done
    echo '_Static_assert(sizeof(struct ours) == sizeof(struct cudaDeviceProp), "size");'
} > "$work/properties.c"
properties=$(grep -c offsetof "$work/properties.c")
[ "$properties" -gt 70 ] || { echo "only $properties properties"; exit 1; }
cc -I"$vendor" -c -o "$work/properties.o" "$work/properties.c"
for host in workloads/*/host.c; do
    [ -f "$host" ] || continue
    cc -std=c17 -Iworkloads -I"$vendor" -Werror -c -o "$work/host.o" "$host"
done
for part in tests/isa/*.c; do
    cc -std=gnu17 -D_GNU_SOURCE -I"$vendor" -Werror -c -o "$work/part.o" "$part"
done
echo "ok: $((n + errors)) values, $((fields + runtime + properties)) sizes and offsets"
