#!/bin/bash
# build.sh - compiles the feature kernels and collects their launch table.
# usage: tools/isa/build.sh [NAME...]   writes tests/isa/cubin/NAME.sm_XX.cubin.gz and tests/isa/suite.tab
set -eu
cd "$(dirname "$0")/../.."
dir=tests/isa
mkdir -p build/isa $dir/cubin
names=${*:-$(cd $dir/feature && ls ./*.cu | sed 's|^\./||; s|\.cu$||')}
for name in $names; do
    archs="sm_75 sm_86 sm_90 sm_100 sm_120"
    case $name in
    hopper | cluster) archs="sm_90 sm_100 sm_120" ;;
    wgmma | gmma) archs=sm_90a ;;
    esac
    for arch in $archs; do
        nice nvcc -cubin -std=c++17 -w -arch="$arch" -o "build/isa/$name.$arch.cubin" "$dir/feature/$name.cu"
        gzip -9nc "build/isa/$name.$arch.cubin" >"$dir/cubin/$name.$arch.cubin.gz"
    done
done
{
    echo "# module kernel key=value...: made by tools/isa/build.sh from the lines \"// run\" of feature/*.cu"
    for file in "$dir"/feature/*.cu; do
        name=$(basename "$file" .cu)
        sed -n "s|^// run |$name |p" "$file"
    done
} >$dir/suite.tab
grep -vc '^#' $dir/suite.tab
