# leno record writes what a workload executes; leno info tells what is in it.
. tests/cli/lib.inc
exits 0 "$LENO" record vecadd -o "$TMP/v.leno"
says "$TMP/out" "vecadd"
silent "$TMP/log"
exits 0 "$LENO" record vecadd --size tiny --output "$TMP/again.leno"
cmp "$TMP/v.leno" "$TMP/again.leno"
exits 0 "$LENO" info "$TMP/v.leno"
says "$TMP/out" "vecadd --arch sm_75 --size tiny --seed 1"
says "$TMP/out" "grid 79 x 1 x 1, block 256 x 1 x 1"
says "$TMP/out" "warp instructions 9417"
exits 0 "$LENO" info --json "$TMP/v.leno"
is_json "$TMP/out"

# For Accel-Sim, straight or from a recording: the same files.
exits 0 "$LENO" record vecadd --traceg "$TMP/t"
exits 0 "$LENO" record "$TMP/v.leno" --traceg "$TMP/t2"
cmp "$TMP/t/kernel-1.traceg" "$TMP/t2/kernel-1.traceg"
says "$TMP/t/kernelslist.g" "kernel-1.traceg"
exits 0 "$LENO" info "$TMP/t/kernelslist.g"
says "$TMP/out" "kernel vecadd"
exits 0 "$LENO" record "$TMP/t/kernelslist.g" -o "$TMP/back.leno"
exits 0 "$LENO" info "$TMP/back.leno" tests/data/replay/pair.traceg.xz
says "$TMP/out" "warp instructions 9417"
says "$TMP/out" "kernel pair"
exits 0 "$LENO" record lud --arch sm_86 --traceg "$TMP/lud"
[ "$(wc -l < "$TMP/lud/kernelslist.g")" = 10 ]

# What cannot be: a message, and no file left behind.
exits 1 "$LENO" record vecadd
says "$TMP/log" "-o FILE.leno or --traceg"
exits 1 "$LENO" record
exits 1 "$LENO" record vecad -o "$TMP/no.leno"
says "$TMP/log" "vecadd"
exits 2 "$LENO" record vecadd --arch sm_90 --traceg "$TMP/no"
says "$TMP/log" "sm_75 or sm_86"
exits 1 "$LENO" record vecadd --workloads "$TMP" -o "$TMP/no.leno"
exits 1 "$LENO" record vecadd -o "$TMP/nowhere/no.leno"
exits 1 "$LENO" record vecadd --workloads "$TMP" --traceg "$TMP/no"
[ ! -e "$TMP/no.leno" ]
[ ! -e "$TMP/no" ]
[ -z "$(find "$TMP" -name '*.tmp')" ]

# Damaged files.
head -c 900 "$TMP/v.leno" > "$TMP/cut.leno"
exits 1 "$LENO" info "$TMP/cut.leno"
says "$TMP/log" "cut.leno: offset"
exits 1 "$LENO" record "$TMP/cut.leno" --traceg "$TMP/no"
sed 's/LDG/LDQ/' "$TMP/t/kernel-1.traceg" > "$TMP/odd.traceg"
exits 1 "$LENO" record "$TMP/odd.traceg" -o "$TMP/no.leno"
says "$TMP/log" "odd.traceg:31: unknown opcode LDQ.E.SYS"
[ ! -e "$TMP/no.leno" ]
