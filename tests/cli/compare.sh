# leno compare and leno cost: tables, what is kept, what is not run again, processes that
# are killed or run side by side, and what they say when something is wrong.
. tests/cli/lib.inc
out=$TMP/results
three="inorder,inorder:entries=12:refill=room,control"
compare() { "$LENO" compare vecadd scan lud --size tiny --out "$out" "$@"; }

# A comparison, and the same from what was kept: the same bytes, nothing run.
exits 0 compare --schemes $three --json
is_json "$TMP/out"
cp "$TMP/out" "$TMP/first.json"
[ "$(grep -c '^\[.*cycles' "$TMP/log")" = 9 ]
says "$TMP/log" "[9/9]"
exits 0 compare --schemes $three --json
cmp "$TMP/out" "$TMP/first.json"
says "$TMP/log" "9 of 9 results taken from the cache"
[ "$(wc -l < "$TMP/log")" = 1 ]

# Cycles are those of leno run, and speed-ups their ratios.
cycles() { sed -n "s/.*\"program\": \"$1\", \"spec\": \"$2\",.* \"cycles\": \([0-9]*\),.*/\1/p" "$TMP/first.json"; }
run_cycles() { "$LENO" run "$@" | sed -n 's/^gpu\.cycles *\([0-9]*\) .*/\1/p'; }
[ "$(cycles scan inorder)" = "$(run_cycles scan --size tiny --gpu rtx2060s-ghost)" ]
[ "$(cycles scan control)" = \
    "$(run_cycles scan --size tiny --gpu rtx2060s-ghost --scheme control)" ]
[ "$(cycles lud inorder:entries=12:refill=room)" = \
    "$(run_cycles lud --size tiny --gpu rtx2060s-ghost --set inorder.entries=12 \
        --set inorder.refill=room)" ]

# Without names a dozen of the workloads; --all is every one, and names nothing else.
exits 0 "$LENO" compare --size tiny --schemes inorder --out "$out" --csv
[ "$(wc -l < "$TMP/out")" = 13 ]
exits 0 "$LENO" compare --all --size tiny --schemes inorder --out "$out" --csv
[ "$(wc -l < "$TMP/out")" = $(($(ls workloads/*/sm_75.cubin | wc -l) + 1)) ]
exits 1 compare --all
says "$TMP/log" "--all is for every workload; expected it or programs"

# For people, and as CSV; one more scheme runs only what is new.
exits 0 compare --schemes $three
says "$TMP/out" "geometric mean"
says "$TMP/out" "entries=12"
says "$TMP/out" "faster"
says "$TMP/out" "Largest stall cause"
says "$TMP/out" "0 runs executed, 9 taken from the cache."
exits 0 compare --schemes $three,inorder:war=on --csv
[ "$(wc -l < "$TMP/out")" = 13 ]
says "$TMP/log" "[3/3]"
exits 0 compare --schemes inorder --fresh --jobs 1
says "$TMP/log" "[3/3]"

# What counts as the same: the input and every parameter do, the name of a column not.
exits 0 compare --schemes inorder:entries=4
says "$TMP/log" "3 of 3"
for other in --seed=2 --size=paper --sms=4 --set=l1.latency=33 --arch=sm_86; do
    exits 0 "$LENO" compare vecadd --size tiny --schemes inorder --out "$out" $other
    says "$TMP/log" "[1/1]"
done

mkdir -p "$TMP/workloads/vecadd"
cp workloads/vecadd/sm_75.cubin "$TMP/workloads/vecadd"
exits 0 "$LENO" compare vecadd --size tiny --schemes inorder --out "$out" \
    --workloads "$TMP/workloads"
says "$TMP/log" "1 of 1"
printf x >> "$TMP/workloads/vecadd/sm_75.cubin"
exits 0 "$LENO" compare vecadd --size tiny --schemes inorder --out "$out" \
    --workloads "$TMP/workloads"
says "$TMP/log" "[1/1]"

# On a terminal: one line that says how far it is.
if command -v script > /dev/null 2>&1; then
    script -qec "$LENO compare vecadd scan --size tiny --out $TMP/shown" /dev/null \
        > "$TMP/screen" < /dev/null
    says "$TMP/screen" "] about "
    says "$TMP/screen" " left; "
    says "$TMP/screen" "geometric mean"
fi

# The whole result is kept.
if command -v sqlite3 > /dev/null 2>&1; then
    sqlite3 "$out/results.db" "SELECT result FROM result LIMIT 1" > "$TMP/kept.json"
    is_json "$TMP/kept.json"
    says "$TMP/kept.json" '"lsu.l1_reads"'
    [ "$(sqlite3 "$out/results.db" 'PRAGMA integrity_check')" = ok ]
fi

# A recording is a program, too: all columns, and each as if it were executed.
exits 0 "$LENO" record scan --size tiny -o "$TMP/scan.leno"
exits 0 "$LENO" compare scan "$TMP/scan.leno" --size tiny --csv --out "$out"
[ "$(wc -l < "$TMP/out")" = 15 ]
# turbulence inserts no moves into a recording, and says so.
rows() { sed -n "$1p" "$TMP/out" | grep -v ,turbulence, | cut -d, -f2-; }
[ "$(rows 2,8)" = "$(rows 9,15)" ]

# One that lacks what a scheme needs: the column says failed, and why is below the table.
exits 2 "$LENO" compare tests/data/replay/pair.traceg --out "$out"
says "$TMP/out" "turbulence failed in 1 of 1; tests/data/replay/pair.traceg: scheme turb"
says "$TMP/out" "inorder+darsie failed in 1 of 1; tests/data/replay/pair.traceg: "
says "$TMP/out" "pair.traceg: a trace of Accel-Sim has neither code nor values"
exits 2 "$LENO" compare tests/data/replay/pair.traceg --out "$out" --json
is_json "$TMP/out"
says "$TMP/out" '"ok": false, "exit_code": 2, "message": "tests/data/replay/pair.traceg: a trace of'

# Killed in the middle, by whatever signal: what was done is kept, the rest is run. (What
# a shell puts in the background ignores SIGINT; env undoes that.)
for signal in KILL INT TERM; do
    rm -rf "$out"
    env --default-signal=INT "$LENO" compare vecadd scan lud --size tiny --out "$out" \
        --schemes $three --jobs 1 > "$TMP/out" 2> "$TMP/log" &
    pid=$!
    while ! grep -q '^\[3/9\]' "$TMP/log"; do sleep 0.02; done
    kill -$signal $pid
    status=0
    wait $pid || status=$?
    [ $status -gt 128 ]
    [ $signal = KILL ] || says "$TMP/log" "results are cached in $out/results.db"
    exits 0 compare --schemes $three --json
    before=$(sed -n 's/ of 9 results taken from the cache.*//p' "$TMP/log")
    [ "$before" -ge 3 ] && [ "$before" -lt 9 ]
    says "$TMP/log" "[$((9 - before))/$((9 - before))]"
    cmp "$TMP/out" "$TMP/first.json"
done

# Two at once, from the making of the folder on.
rm -rf "$out"
compare --schemes $three --json > "$TMP/one" 2> "$TMP/log1" &
one=$!
compare --schemes $three --json > "$TMP/two" 2> "$TMP/log2" &
two=$!
wait $one
wait $two
cmp "$TMP/one" "$TMP/first.json"
cmp "$TMP/two" "$TMP/first.json"
exits 0 compare --schemes $three --json
says "$TMP/log" "9 of 9"

# One that fails is one cell: the others are there, and next time it is tried again.
for again in 1 2; do
    exits 3 compare --schemes inorder,control:interlock=off
    says "$TMP/out" "failed"
    says "$TMP/out" "geometric mean"
    says "$TMP/log" "FAILED: "
    says "$TMP/log" "3 of 6 failed"
    says "$TMP/log" "RAW violation in cycle"
done

# A run whose process dies, too.
if [ -r "/proc/$$/task/$$/children" ]; then
    "$LENO" compare histogram vecadd --size paper --out "$out" --schemes inorder --jobs 1 \
        > "$TMP/out" 2> "$TMP/log" &
    pid=$!
    child=
    while [ -z "$child" ]; do child=$(cat /proc/$pid/task/$pid/children); done
    kill -KILL $child
    status=0
    wait $pid || status=$?
    [ $status = 6 ]
    says "$TMP/log" "histogram inorder: FAILED: the process of this run was killed by signal 9"
    says "$TMP/log" "[2/2] vecadd inorder: "
fi

# What cannot be.
wrong() { # words, arguments...
    words=$1
    shift
    exits 1 "$LENO" compare --size tiny --out "$out" "$@"
    says "$TMP/log" "$words"
    silent "$TMP/out"
}
wrong "did you mean 'vecadd'" vecad
wrong "did you mean 'inorder'" vecadd --schemes inordr
wrong "inorder.entries" vecadd --schemes inorder:entrie=4
wrong "KEY=VALUE" vecadd --schemes inorder:entries
wrong "duplicate scheme 'inorder'" vecadd --schemes inorder,inorder
wrong "empty scheme name" vecadd --schemes inorder,
wrong "rtx2060s" vecadd --gpu rtx2060
wrong "core.warps" vecadd --set core.warp=8
wrong "control.entries" vecadd --schemes inorder --set control.entries=2
wrong "expected 1 to 34" vecadd --sms 99
wrong "No such file" "$TMP/none.leno"
wrong "kernelslist.g: No such file" traces/kernelslist.g
wrong "--json and --csv cannot be combined" vecadd --json --csv
wrong "did you mean" vecadd --scheme inorder
printf 'this is not a database, whatever its name says, and it is long enough' > "$TMP/file"
mkdir "$TMP/bad"
cp "$TMP/file" "$TMP/bad/results.db"
exits 1 "$LENO" compare vecadd --size tiny --out "$TMP/bad"
says "$TMP/log" "$TMP/bad/results.db"
says "$TMP/log" "not a database"
cmp "$TMP/file" "$TMP/bad/results.db"
exits 1 "$LENO" compare vecadd --size tiny --out "$TMP/file"
exits 1 "$LENO" compare vecadd --size tiny --out "$TMP/none/deeper"
says "$TMP/log" "No such file"

# Storage: the sums are those of the parts.
exits 0 "$LENO" cost inorder inorder:entries=12
says "$TMP/out" "per entry              65        128         8320"
says "$TMP/out" "per entry              65        384        24960"
exits 0 "$LENO" cost inorder control --set control.entries=2 --json
is_json "$TMP/out"
says "$TMP/out" '"entry_bits": 65, "entries": 64'
# Gates and area: the module's, or why there are none; papers' figures beside ours.
exits 0 "$LENO" cost ghost ghost:entries=16 inorder+darsie inorder+uv inorder+dac loog turbulence limit
says "$TMP/out" "ghost: 111 bits per entry; the paper: 111 (GhOST, table II)"
says "$TMP/out" "um2 at 45 nm; the paper: 1276 (GhOST, section VI.E"
says "$TMP/out" "% (GhOST, section VI.E)"
says "$TMP/out" "none, module ghost_unit has ghost.entries=8, this machine 16"
says "$TMP/out" "darsie: 5.31 KiB per SM; the paper: 5.31 (DARSIE, section 6.3)"
says "$TMP/out" "dac: no storage is counted (docs/schemes/dac.md)"
says "$TMP/out" "gates and area per SM: 32 x darsie_block (hw/results.ini)"
says "$TMP/out" "gates and area per SM: 1 x darsie_coalescer (hw/results.ini)"
says "$TMP/out" "none, eliminator uv has no module in hw/"
says "$TMP/out" "none, scheme limit has no module in hw/"
says "$TMP/out" "times inorder's module: 3.6; the paper: 4 (TURBULENCE, section III.B)"
says "$TMP/out" "share of an SM, all of the die counted as SMs: 1.136 %, scaled by 0.17 to 14 nm; the paper: 1.290 % (LOOG, TPDS 2022)"
# Energy: an entry of 65 bits and 4 names of a bit each, at 44 fJ; 130 bits compared at 4 fJ.
exits 0 "$LENO" cost inorder --gpu rtx2060s
says "$TMP/out" "  insert        2.86  an instruction inserted"
says "$TMP/out" "  check         0.70  its dependences looked for"
exits 0 "$LENO" cost socgpu --gpu v100
says "$TMP/out" "more than inorder's module: 0.454 %; the paper: 2.400 % of a V100"
exits 0 "$LENO" cost inorder loog loog.rrs ghost --gpu vortex-4x4
says "$TMP/out" "hw/ has no modules for Vortex cores"
says "$TMP/out" "energy per event: none, vortex-4x4 has no energies"
says "$TMP/out" "loog on vortex-4x4: storage per core with 4 warps"
says "$TMP/out" "in 1 core"
exits 0 "$LENO" cost loog:cus=12 --gpu vortex-16x4 --json
is_json "$TMP/out"
exits 2 "$LENO" cost socgpu --gpu vortex-4x4
says "$TMP/log" "expected inorder, ghost, loog or loog.rrs"
exits 1 "$LENO" cost
exits 1 "$LENO" cost inorde
says "$TMP/log" "did you mean 'inorder'"
exits 1 "$LENO" cost inorder --set control.entries=2

# A page with charts beside the table: whole, and nothing of it from elsewhere.
exits 0 compare --schemes $three --report "$TMP/page.html"
says "$TMP/out" "geometric mean"
says "$TMP/log" "report: $TMP/page.html"
says "$TMP/page.html" "Schemes on rtx2060s-ghost"
says "$TMP/page.html" "<td>scan</td><td>$(cycles scan inorder)</td>"
says "$TMP/page.html" "</html>"
! grep -q 'src=\|href=' "$TMP/page.html" || exit 1
command=$(sed -n 's/<\/*span>//g; s/.*<code>leno \(.*\)<\/code>.*/\1/p' "$TMP/page.html")
cp "$TMP/page.html" "$TMP/first.html"
exits 0 "$LENO" $command --out "$out" --report "$TMP/page.html"
cmp "$TMP/page.html" "$TMP/first.html"
exits 1 compare --schemes $three --report "$TMP/no/page.html"
says "$TMP/log" "no/page.html"
