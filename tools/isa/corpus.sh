#!/bin/bash
# corpus.sh - compiles the disassembler corpus to build/corpus/NAME.sm_XX.cubin.
# usage: tools/isa/corpus.sh [NAME...]; a source that one architecture refuses is skipped with a line.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/corpus
mkdir -p "$out"
src=tests/corpus
names=${*:-$(cd $src && ls ./*.forms ./*.cu | sed 's|.*/||; s|\.[^.]*$||' | sort -u)}

compile() { # NAME SUFFIX ARCH FLAGS...
    local name=$1 tag=$2 arch=$3
    shift 3
    nice nvcc -cubin -std=c++17 -w -arch="$arch" "$@" -o "$out/$name$tag.$arch.cubin" "$src/$name.cu" 2>"$out/$name$tag.$arch.log" ||
        { echo "skipped: $name$tag $arch: $(grep -m1 -i error "$out/$name$tag.$arch.log")"; return; }
    rm -f "$out/$name$tag.$arch.log"
}

for name in $names; do
    if [ -f "$src/$name.forms" ]; then
        for arch in sm_75 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_120; do
            nice python3 tools/isa/forms.py "$src/$name.forms" $arch "$out/$name.$arch.cubin" || echo "skipped: $name $arch"
        done
        continue
    fi
    flags=$(sed -n 's|^// flags: ||p' "$src/$name.cu")
    for arch in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
        # shellcheck disable=SC2086
        compile "$name" "" $arch $flags
        case $name in
        flow | uniform | types | coop)
            case $name in flow | uniform) compile "$name" "-debug" $arch -G ;; esac
            compile "$name" "-o1" $arch -Xptxas -O1 -use_fast_math
            compile "$name" "-spill" $arch -maxrregcount 24 -rdc=true -lineinfo
            ;;
        libm) compile "$name" "-fast" $arch -use_fast_math ;;
        esac
    done
done
