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
says "$TMP/out" '"settings": {"regfile.collectors": "4", "ghost.entries": "16", "sched.policy": "lrr"}'
says "$TMP/out" '"baseline": "inorder:sched.policy=lrr"'

# One value more: only what is new is run.
sed -i 's/4, 16/4, 8, 16/' "$TMP/study.ini"
exits 0 sweep
says "$TMP/log" "[4/4]"

# A point that cannot run is named, the others have their numbers.
printf 'schemes = inorder, turbulence\nprograms = lud\nsize = tiny\n' > "$TMP/study.ini"
printf '[sweep]\ncore.hazard_wide = on, off\n' >> "$TMP/study.ini"
exits 2 sweep
says "$TMP/out" "turbulence:core.hazard_wide=off on rtx2060s-ghost failed; lud: "
[ "$(grep -c '^turbulence ' "$TMP/out")" = 2 ]

# Parameters that vary together. A point that cannot be is named wherever points are, and
# the others run.
cat > "$TMP/study.ini" << 'END'
schemes  = inorder, ghost
programs = vecadd, lud
size     = tiny
[sweep]
core.warps, core.threads = 16:512, 32:1024, 32:2048
END
exits 1 sweep --list
says "$TMP/out" "ghost:core.warps=32:core.threads=1024 on rtx2060s-ghost, over inorder:core.warps=32:core.threads=1024"
says "$TMP/out" "inorder:core.warps=32:core.threads=2048 on rtx2060s-ghost, invalid: core.threads = 2048, expected at most"
says "$TMP/out" "6 points, 2 of them invalid, 8 runs"
exits 1 sweep --csv --fresh
says "$TMP/log" "invalid: ghost:core.warps=32:core.threads=2048 on rtx2060s-ghost: core.threads = 2048"
says "$TMP/log" "[8/8]"
says "$TMP/log" "2 of 6 points are invalid; the first: core.threads = 2048, expected at most 32 x"
[ "$(wc -l < "$TMP/out")" = 13 ]
[ "$(grep -c ',ok,$' "$TMP/out")" = 8 ]
grep -q '^lud,ghost,rtx2060s-ghost,32,2048,,*invalid,"core.threads = 2048, expected' "$TMP/out"
[ "$(field lud,ghost,rtx2060s-ghost,16,512 1)" = "$("$LENO" run lud --size tiny --scheme ghost \
    --gpu rtx2060s-ghost --set core.warps=16 --set core.threads=512 |
    sed -n 's/^gpu\.cycles *\([0-9]*\) .*/\1/p')" ]
exits 1 sweep
says "$TMP/log" "8 of 8 results taken from the cache"
[ "$(grep -c '^[a-z]* *32 *2048 *invalid ' "$TMP/out")" = 2 ]
says "$TMP/out" "ghost:core.warps=32:core.threads=2048 on rtx2060s-ghost is invalid: core.threads = 2048"
exits 1 sweep --json
is_json "$TMP/out"
says "$TMP/out" '"valid": false, "message": "core.threads = 2048, expected at most'
[ "$(grep -c '"valid": true' "$TMP/out")" = 4 ]

# What a scheme has no parameter for is run once, and so is a configuration that two rows
# name in two ways.
cat > "$TMP/study.ini" << 'END'
schemes  = inorder, inorder:entries=3, ghost
programs = vecadd
size     = tiny
[sweep]
ghost.entries = 4, 8, 16
END
exits 0 "$LENO" sweep "$TMP/study.ini" --out "$TMP/shared"
says "$TMP/log" "[5/5]"
says "$TMP/out" "4 of 9 combinations share the runs of another one"
says "$TMP/out" "5 runs executed, 0 taken from the cache."
sed -i 's/entries=3/entries=4/' "$TMP/study.ini" # what inorder has anyway
exits 0 "$LENO" sweep "$TMP/study.ini" --out "$TMP/shared"
says "$TMP/out" "0 runs executed, 4 taken from the cache, 1 shared with an equal configuration."

# Points with names, each on its GPU and over its baseline.
cat > "$TMP/study.ini" << 'END'
programs = vecadd
size     = tiny
[columns]
IN    = inorder
LRR   = inorder:sched.policy=lrr
LRR_8 = ghost:sched.policy=lrr over LRR
IN_A  = inorder on rtx3070-ghost
A_8   = ghost on rtx3070-ghost
END
exits 0 sweep --list
says "$TMP/out" "LRR_8: ghost:sched.policy=lrr on rtx2060s-ghost, over inorder:sched.policy=lrr"
says "$TMP/out" "A_8: ghost on rtx3070-ghost, over inorder"
says "$TMP/out" "5 points, 5 runs"
exits 0 sweep
says "$TMP/out" "speed-up: over the baseline of the column (--list), geometric mean of 1 program"
grep -q '^rtx3070-ghost  *A_8  ' "$TMP/out"
exits 0 sweep --csv
grep -q '^vecadd,LRR_8,rtx2060s-ghost,' "$TMP/out"
exits 0 sweep --json
is_json "$TMP/out"

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
