# A launch that never ends: signals and limits stop it, the statistics so far are printed
# and marked, and what the warps do is said. tests/data/spin has such launches in the place
# of workloads.
. tests/cli/lib.inc
LENO_LIBRARIES=$PWD/build/lib
export LENO_LIBRARIES
[ -f "$LENO_LIBRARIES/libcuda.so.1" ] || make -s shim
spin="--size tiny --workloads tests/data/spin"
# On a busy host a signal may come before there is anything to stop: then once more, later.
# (SIGINT, which a shell's background jobs ignore, is in tests/unit/test_watch.c.)
stopped() { # words that are printed, arguments...
    words=$1
    shift
    for delay in 1 5 25; do
        "$LENO" "$@" > "$TMP/out" 2> "$TMP/log" &
        pid=$!
        sleep $delay
        kill -TERM $pid
        got=0
        wait $pid || got=$?
        [ $got = 143 ]
        ! grep -qF "$words" "$TMP/out" "$TMP/log" || return 0
    done
    says "$TMP/log" "$words"
}

# The first signal: statistics, marked partial, and the end that the signal asks for.
stopped "stopped by SIGTERM in cycle" run vecadd $spin
says "$TMP/out" "PARTIAL: kernel vecadd: stopped by SIGTERM in cycle"
says "$TMP/out" "sm.warp_insts"
says "$TMP/log" "no block has ended for"
says "$TMP/log" "16 warps (first: block 0, warp 0) in a loop of 4 instructions, pc 0x90 to 0xc0"
says "$TMP/log" "looks like a livelock"
stopped "stopped by SIGTERM" run vecadd $spin --json
is_json "$TMP/out"
says "$TMP/out" '"partial": true'
says "$TMP/out" "stopped by SIGTERM"
stopped "77 of 79 blocks done" emu vecadd $spin
says "$TMP/out" "partial"
says "$TMP/log" "kernel vecadd: stopped by SIGTERM, 77 of 79 blocks done"
says "$TMP/log" "looks like a livelock"
stopped "stopped by SIGTERM" emu vecadd nn $spin --json
is_json "$TMP/out"
says "$TMP/log" "run 1 of 2"
stopped "stopped by SIGTERM" record vecadd $spin -o "$TMP/x.leno"
says "$TMP/log" "stopped by SIGTERM"
[ -z "$(ls "$TMP" | grep -v '^out$\|^log$')" ]

# What is done of many stays done.
stopped "results are cached" compare vecadd $spin --schemes inorder --out "$TMP/results"
says "$TMP/log" "0 of 1 results are cached"
says "$TMP/log" "the same command continues"

# Instructions: exactly so many without timing, and the next window with it.
exits 5 "$LENO" emu vecadd $spin --max-insts 50000
says "$TMP/log" "kernel vecadd: stopped after 50000 warp instructions (--max-insts)"
says "$TMP/log" "pc 0x90 to 0xb0, with the same results each time: spinning"
exits 5 "$LENO" emu nn $spin --max-insts 5000 --redundancy
says "$TMP/log" "stopped after 5000 warp instructions (--max-insts)"
exits 5 "$LENO" run nn $spin --max-insts 30000 --json
is_json "$TMP/out"
says "$TMP/out" '"partial": true'
says "$TMP/log" "in a loop of 3 instructions, pc 0x90 to 0xb0, without a store, barrier or exit"
n=$(sed -n 's/.*"sm.warp_insts": \([0-9]*\).*/\1/p' "$TMP/out")
[ "$n" -ge 30000 ]
[ "$n" -lt 50000 ]
exits 5 "$LENO" emu workloads/vortex/tiny/sgemm.elf --max-insts 5000
says "$TMP/log" "stopped after 5000 warp instructions (--max-insts)"
exits 5 "$LENO" run sgemm --gpu vortex-4x4 --size tiny --max-insts 5000
says "$TMP/log" "(--max-insts)"
# As many as there are is no limit.
exits 0 "$LENO" emu vecadd --size tiny --arch sm_75 --max-insts 9417
exits 5 "$LENO" emu vecadd --size tiny --arch sm_75 --max-insts 9416
exits 0 "$LENO" run vecadd --size tiny --max-insts 9418
exits 1 "$LENO" exec --functional --max-cycles 100 -- true
says "$TMP/log" "--max-insts"

# Progress is for terminals: a line twice a second, so the run lasts until it is seen, on
# hosts of any speed.
exits 0 "$LENO" emu hotspot --size small
silent "$TMP/log"
shows() { # the words of the line, arguments...
    words=$1
    shift
    script -qefc "exec $LENO $*" "$TMP/terminal" > "$TMP/out" 2> "$TMP/log" < /dev/null &
    pid=$!
    tries=0
    while ! grep -qF "$words" "$TMP/terminal" 2> "$TMP/log" && [ $tries -lt 1200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -TERM $pid
    wait $pid || :
    says "$TMP/terminal" "$words"
}
if command -v script > /dev/null 2>&1; then
    shows "[1/1] nn sm_90: 0/79 blocks, 0 %" emu nn $spin
    says "$TMP/terminal" "M inst/s"
    shows "[1/1] nn: 0/79 blocks, 0 %, cycle" run nn $spin
fi
