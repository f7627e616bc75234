#!/bin/sh
# Rebuilds the cubins of this folder; needs nvcc of CUDA 13.0.
set -eu
cd "$(dirname "$0")"
for sm in 75 90; do
    nvcc -cubin -arch=sm_$sm -o vecadd/sm_$sm.cubin spin.cu
    cp vecadd/sm_$sm.cubin nn/sm_$sm.cubin
done
