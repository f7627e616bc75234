#!/bin/bash
# formtests.sh - compiles the tables of pure forms (integer, float, half) as tests that the suite runs.
# usage: tools/isa/formtests.sh   writes tests/isa/cubin/form-NAME.sm_XX.cubin.gz
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/isa
for name in int fp half memrun warprun; do
    for arch in sm_75 sm_86 sm_90 sm_100 sm_120; do
        nice python3 tools/isa/forms.py tests/corpus/$name.forms $arch build/isa/form-$name.$arch.cubin
        gzip -9nc build/isa/form-$name.$arch.cubin >tests/isa/cubin/form-$name.$arch.cubin.gz
    done
done
