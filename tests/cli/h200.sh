# Compiled code and the h200 machine fit: its control words alone keep every program right,
# and where the interlock watches as well, it never has to hold anything back.
. tests/cli/lib.inc
programs=$(some_workloads)
for interlock in on off; do
    exits 0 "$LENO" run $programs --size tiny --gpu h200 --json \
        --set control.interlock=$interlock
    runs=$(tr ',' '\n' < "$TMP/out" | grep -c '"control.interlocked":')
    free=$(tr ',' '\n' < "$TMP/out" | grep -c '"control.interlocked": 0$')
    [ "$runs" = "$(echo $programs | wc -w)" ]
    [ "$runs" = "$free" ]
done
