#!/bin/sh
# No object of src/ has mutable variables of its own: .data and .bss are empty. The
# exceptions are state that CUDA's interfaces cannot pass: the driver of a thread and, in
# the libraries that replace CUDA's, the state of a process and of its threads; and state of
# signal handlers: the names of temporary files, and the signal that came.
set -eu
cd "$(dirname "$0")/../.."
objects=$(find build/src -name '*.o' | sort)
[ -n "$objects" ] || { echo "build/src has no objects"; exit 1; }
for o in $objects; do
    source=${o#build/}
    case $source in
    src/shim/cuda/process.o | src/shim/cudart/state.o) continue ;;
    src/base/file_live.o | src/base/interrupt.o) continue ;;
    esac
    [ -f "${source%.o}.c" ] || continue
    size -A "$o" | awk -v o="$o" '
        $1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {
            if (o == "build/src/driver/current.o" && $1 ~ /^\.tbss/ && $2 == 8)
                next
            print o ": " $2 " bytes in " $1
            bad = 1
        }
        END { exit bad }' || bad=1
done
[ -z "${bad:-}" ]
