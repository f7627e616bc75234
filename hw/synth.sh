#!/bin/sh
# Synthesises a module of hw/ with Yosys onto the osu018 cells and times it with OpenSTA.
# Prints a section of hw/results.ini: cells and flip-flops by block, and the critical path.
# usage: hw/synth.sh BUILD TOP
set -eu
cd "$(dirname "$0")/.."
build=$1
top=$2
export LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
row=$(awk -v top="$top" '$2 == top' hw/modules.txt)
[ -n "$row" ] || { echo "hw/modules.txt has no module $top" >&2; exit 1; }
folder=$(echo "$row" | awk '{ print $1 }')
params=$(echo "$row" | awk '{ for (k = 5; k <= NF; k++) { sub(/:[a-z_]+/, "", $k); sub(/=/, " ", $k); print "-chparam " $k } }')
dir=$build/hw/$top
mkdir -p "$dir"
export NETLIST=$dir/netlist.v TOP=$top
common=
! grep -q rr_pick "hw/$folder"/*.sv || common=hw/common/rr_pick.sv
nice yosys -q -l "$dir/yosys.log" -p "
    read_verilog -sv -Ihw/$folder $common $(echo hw/"$folder"/*.sv)
    hierarchy -check -top $top $(echo "$params" | tr '\n' ' ')
    rename -top $top
    synth -top $top -noshare
    dfflibmap -liberty $LIBERTY
    abc -liberty $LIBERTY -constr hw/constr.sdc -D 2000
    opt_clean
    tee -q -o $dir/stat.txt stat -liberty $LIBERTY
    write_verilog -noattr $NETLIST" > "$dir/yosys.out" 2>&1 || { tail -n 20 "$dir/yosys.out" >&2; exit 1; }
sta -no_splash -exit hw/sta.tcl > "$dir/sta.txt" 2>&1
awk -v top="$top" -v row="$row" -v sources="$(hw/sources.sh "$top")" \
    -f hw/table.awk "$dir/stat.txt" "$dir/sta.txt"
