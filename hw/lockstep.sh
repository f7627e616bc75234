#!/bin/sh
# Runs a module of hw/ against the C model: records windows of programs with the leno of
# `make recorder`, builds the module's testbench with Verilator, and compares every cycle.
# Modules know first registers of operands only, so the machine ignores other hazards; the
# operands of TURBULENCE are single registers, also those of wide instructions.
# usage: hw/lockstep.sh BUILD TOP [CYCLES [PROGRAM...]]
set -eu
cd "$(dirname "$0")/.."
build=$1
top=$2
cycles=${3:-8000}
[ $# -le 3 ] && set -- "$1" "$2" "$cycles" backprop btree lud fw dwt2d kmeans
shift 3
row=$(awk -v top="$top" '$2 == top' hw/modules.txt)
[ -n "$row" ] || { echo "hw/modules.txt has no module $top" >&2; exit 1; }
folder=$(echo "$row" | awk '{ print $1 }')
scheme=$(echo "$row" | awk '{ print $3 }')
params=$(echo "$row" | awk '{ for (k = 5; k <= NF; k++) { sub(/:[a-z_]+/, "", $k); print $k } }')
dir=$build/hw/$top
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
# Buffers take one instruction per cycle; GhOST's instruction buffers are outside its module.
fetch="--set fetch.width=1 --set fetch.rounds=1 --set fetch.perfect=on"
[ "$top" != ghost_unit ] || fetch=
# An eliminator is on top of the in-order scheme. Its warps wait at branches with predicates;
# uniform registers in pairs are not for its module, which has one result per instruction.
wide=off
others=off
case $scheme in
turbulence) wide=on ;;
darsie)
    scheme=inorder+darsie
    others=on
    fetch="$fetch --set darsie.uniform=off"
    ;;
esac
for program in "$@"; do
    # shellcheck disable=SC2086
    LENO_WINDOW=$dir/$program.txt LENO_WINDOW_CYCLES=$cycles nice "$build/tests/cost/leno" \
        run "$program" --workloads workloads --size tiny --sms 1 --gpu rtx2060s-ghost \
        --scheme "$scheme.recorded" --set core.hazard_predicates=$others \
        --set core.hazard_uniform=$others --set core.hazard_wide=$wide \
        --set core.hazard_convergence=$others $fetch > "$dir/run.log"
done
flags=
macros=
for p in $params; do
    flags="$flags -G$p"
    macros="$macros -DPARAM_$p"
done
# shellcheck disable=SC2086
nice verilator --cc --exe --build -Wno-fatal -Wno-WIDTH -Wno-UNUSED --output-split 3000 \
    -Ihw/common "-Ihw/$folder" $flags -CFLAGS "-O0$macros -I$PWD/hw/tb" --Mdir "$dir/obj" \
    --top-module "$top" "hw/$folder/$top.sv" "$PWD/hw/tb/$top.cpp" > "$dir/verilator.log" 2>&1 ||
    { tail -n 20 "$dir/verilator.log" >&2; exit 1; }
for program in "$@"; do
    set -- "$@" "$dir/$program.txt"
    shift
done
"$dir/obj/V$top" "$@"
