# Compiled code and the h200 machine fit: its control words alone keep every program right,
# and where the interlock watches as well, it never has to hold anything back.
. tests/cli/lib.inc
programs=$(some_workloads sm_90)
for interlock in on off; do
    exits 0 "$LENO" run $programs --size tiny --gpu h200 --json \
        --set control.interlock=$interlock
    runs=$(tr ',' '\n' < "$TMP/out" | grep -c '"control.interlocked":')
    free=$(tr ',' '\n' < "$TMP/out" | grep -c '"control.interlocked": 0$')
    [ "$runs" = "$(echo $programs | wc -w)" ]
    [ "$runs" = "$free" ]
done

# Blocks of a grid start one after another, on whatever SM: 100 cycles apart, the last of n
# blocks ends after 100 (n - 1). A uniform load of a constant at an index holds its warp.
cycles() { "$LENO" run "$@" --size tiny --json | sed -n 's/.*"gpu.cycles": \([0-9]*\).*/\1/p'; }
blocks=$("$LENO" run vecadd --size tiny --gpu h200 --json | sed -n 's/.*"sm.blocks": \([0-9]*\).*/\1/p')
[ "$(cycles vecadd --gpu h200 --set gpu.grid_hundredths=10000)" -gt $((100 * (blocks - 1))) ]
[ "$(cycles vecadd --gpu h200 --set gpu.grid_hundredths=0)" -lt $((100 * (blocks - 1))) ]
[ "$(cycles cp --gpu h200 --set control.indexed_stall=40)" -gt \
    "$(cycles cp --gpu h200 --set control.indexed_stall=0)" ]
[ "$(cycles nn --gpu h200 --set control.indexed_stall=40)" = \
    "$(cycles nn --gpu h200 --set control.indexed_stall=0)" ]
