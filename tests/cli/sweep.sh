# leno sweep: the points of a study, their cycles and what they are compared with, what is
# kept, and what it says when something is wrong.
. tests/cli/lib.inc
cat > "$TMP/study.ini" << 'END'
schemes  = inorder, ghost
programs = vecadd, lud      ; two of them
size     = tiny
[set]
regfile.collectors = 4
[sweep]
ghost.entries = 4, 16
sched.policy  = gto, lrr
END
sweep() { "$LENO" sweep "$TMP/study.ini" --out "$TMP/results" "$@"; }

# Two points in order, four of GhOST, two programs each; nothing is run for a list.
exits 0 sweep --list
says "$TMP/out" "ghost:ghost.entries=16:sched.policy=lrr on rtx2060s-ghost, over inorder:sched.policy=lrr"
says "$TMP/out" "6 points, 12 runs"
[ ! -e "$TMP/results" ]

# Cycles are those of leno run, speed-ups ratios of them.
exits 0 sweep --csv
says "$TMP/log" "[12/12]"
[ "$(wc -l < "$TMP/out")" = 13 ]
says "$TMP/out" "program,scheme,gpu,ghost.entries,sched.policy,stall,cycles,speedup"
field() { sed -n "s/^$1,[a-z]*,\([0-9]*\),\([0-9.]*\),.*/\\$2/p" "$TMP/out"; }
run_cycles() {
    "$LENO" run lud --size tiny --gpu rtx2060s-ghost --set regfile.collectors=4 \
        --set sched.policy=lrr "$@" | sed -n 's/^gpu\.cycles *\([0-9]*\) .*/\1/p'
}
base=$(field lud,inorder,rtx2060s-ghost,,lrr 1)
ghost=$(field lud,ghost,rtx2060s-ghost,16,lrr 1)
[ "$base" = "$(run_cycles)" ]
[ "$ghost" = "$(run_cycles --scheme ghost --set ghost.entries=16)" ]
[ "$(field lud,inorder,rtx2060s-ghost,,lrr 2)" = 1 ]
awk -v a="$base" -v b="$ghost" -v c="$(field lud,ghost,rtx2060s-ghost,16,lrr 2)" \
    'BEGIN { d = a / b - c; exit !(b < a && d < 1e-6 && d > -1e-6) }'

# For people and as JSON, from what is kept.
exits 0 sweep
says "$TMP/log" "12 of 12 results taken from the cache"
says "$TMP/out" "speed-up: over inorder with the same settings, geometric mean of 2 programs"
says "$TMP/out" "over first"
[ "$(grep -c '^ghost ' "$TMP/out")" = 4 ]
exits 0 sweep --json
is_json "$TMP/out"
says "$TMP/out" '"settings": {"ghost.entries": "16", "sched.policy": "lrr"}'
says "$TMP/out" '"baseline": "inorder:sched.policy=lrr"'

# One value more: only what is new is run.
sed -i 's/4, 16/4, 8, 16/' "$TMP/study.ini"
exits 0 sweep
says "$TMP/log" "[4/4]"

# A point that cannot run is named, the others have their numbers.
printf 'schemes = inorder, turbulence\nprograms = lud\nsize = tiny\n' > "$TMP/study.ini"
printf '[sweep]\nturbulence.isa = hybrid, relay\n' >> "$TMP/study.ini"
exits 2 sweep
says "$TMP/out" "turbulence:turbulence.isa=relay on rtx2060s-ghost failed; lud: "
[ "$(grep -c '^turbulence ' "$TMP/out")" = 2 ]

printf 'schemes = inorder\nprograms = lud\nsms = 4294967297\n' > "$TMP/study.ini"
exits 1 sweep
says "$TMP/log" "4294967297: expected 1 to 34"
printf 'schemes = inorder\nsize = big\n' > "$TMP/study.ini"
exits 1 sweep
says "$TMP/log" "study.ini:2: size = big: expected tiny, small or paper"
printf 'schemes = inorder\nprograms = vecad\n' > "$TMP/study.ini"
exits 1 sweep
says "$TMP/log" "did you mean 'vecadd'?"
exits 1 "$LENO" sweep
says "$TMP/log" "expected one FILE"
exits 1 "$LENO" sweep "$TMP/none.ini"
says "$TMP/log" "none.ini"
exits 1 sweep --json --csv
says "$TMP/log" "--json and --csv cannot be combined"
