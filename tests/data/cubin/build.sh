#!/bin/sh
# Rebuilds the cubins of this folder; needs nvcc and nvlink of CUDA 13.0.
set -eu
cd "$(dirname "$0")"
for sm in 75 86 90; do
    for name in mixed data params; do
        nvcc -cubin -arch=sm_$sm -o $name.sm_$sm.cubin $name.cu
    done
    for name in link1 link2; do
        nvcc -cubin -rdc=true -arch=sm_$sm -o $name.sm_$sm.o $name.cu
    done
    nvlink -arch=sm_$sm -o linked.sm_$sm.cubin link1.sm_$sm.o link2.sm_$sm.o
    rm link2.sm_$sm.o
    mv link1.sm_$sm.o object.sm_$sm.cubin
done
nvcc -cubin -lineinfo -arch=sm_75 -o lines.sm_75.cubin lines.cu
