# One module of hw/ end to end: in step with the C model on windows of two programs, then in
# gates, as hw/results.ini says. usage: tests/cost/rtl.sh BUILD
build=$1
top=inorder_buffer
for tool in yosys verilator sta; do
    command -v $tool > /dev/null || { echo "skipped: no $tool (tools/deps.sh rtl)"; exit 0; }
done
if [ ! -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib ]; then
    echo "skipped: no osu018 cells (tools/deps.sh rtl)"
    exit 0
fi
hw/lockstep.sh "$build" $top 3000 backprop lud
case $(yosys -V) in
'Yosys 0.23 '*) ;;
*) echo "skipped: the results are of Yosys 0.23"; exit 0 ;;
esac
hw/synth.sh "$build" $top > "$build/hw/$top/found.ini"
sed -n "/^\[$top\]/,/^$/p" hw/results.ini > "$build/hw/$top/expected.ini"
diff "$build/hw/$top/expected.ini" "$build/hw/$top/found.ini"
