# A program that launches 10,000 kernels: recorded in one pass, replayed in memory that does
# not grow with the number of launches, with progress; interrupted and continued.
. tests/cli/lib.inc
LENO_LIBRARIES=$PWD/build/lib
export LENO_LIBRARIES
[ -f "$LENO_LIBRARIES/libleno_inputs.so" ] || make -s shim
cc -Isrc -Isrc/driver -o "$TMP/adder" tests/data/suite/adder.c "$LENO_LIBRARIES/libcuda.so.1"
cubin=$PWD/workloads/vecadd/sm_75.cubin
n=10000
[ "${LENO_SAMPLE:-1}" = 1 ] || n=1000
echo "256 $n" > "$TMP/input"
set -- compare --out "$TMP/results" --jobs 1 --schemes inorder,ghost --csv -- \
    "$TMP/adder" "$cubin" "$TMP/input"

# Interrupted in the second of two columns: the recording and the first column stay.
"$LENO" "$@" > "$TMP/out" 2> "$TMP/log" &
pid=$!
until grep -q '^\[1/2\]' "$TMP/log"; do sleep 0.05; done
kill -TERM $pid
got=0
wait $pid || got=$?
[ $got = 143 ]
says "$TMP/log" "recorded adder"
says "$TMP/log" "1 of 2 results are cached"
exits 0 "$LENO" "$@"
says "$TMP/out" "adder,ghost,"
says "$TMP/log" "1 of 2 results taken from the cache"
! grep -q "recorded" "$TMP/log" || exit 1
recording=$(ls "$TMP"/results/recordings/adder-*.leno)
[ "$(stat -c %s "$recording")" -lt $((400 * n)) ]
exits 0 "$LENO" run "$recording" --gpu rtx2060s-ghost --json
says "$TMP/out" "\"gpu.kernels\": $n"

# Memory: as for a tenth of the launches, but for a few MiB.
if ! is_sanitized && command -v /usr/bin/time > /dev/null 2>&1; then
    peak() { # options: KiB that a replay takes
        /usr/bin/time -f %M "$LENO" run "$recording" --gpu rtx2060s-ghost "$@" 2>&1 > /dev/null |
            tail -n 1
    }
    all=$(peak)
    tenth=$(peak --kernels 1-$((n / 10)))
    [ "$all" -lt $((tenth + 4096)) ]
fi

# A launch of one block is one thread's work: the others sleep. (They took eleven times the
# CPU time when they did not.)
if command -v /usr/bin/time > /dev/null 2>&1; then
    spent() { # threads: CPU time of a replay, in hundredths of a second
        /usr/bin/time -f '%U %S' "$LENO" run "$recording" --gpu rtx2060s-ghost --threads "$1" \
            --kernels 1-1000 2>&1 > /dev/null | awk 'END { print int(100 * ($1 + $2)) }'
    }
    [ "$(spent 4)" -lt $((20 + 3 * $(spent 1))) ]
fi

# Launches are chosen from it; and kept, as a recording of their own.
exits 0 "$LENO" record "$recording" --every 1000 -o "$TMP/few.leno"
exits 0 "$LENO" info "$TMP/few.leno"
[ "$(grep -c '^kernel vecadd' "$TMP/out")" = $((n / 1000)) ] ||
    says "$TMP/out" "kernels $((n / 1000))"
