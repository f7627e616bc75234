# Slices of a study: leno sweep --shard, --status and leno merge; files that are not slices.
. tests/cli/lib.inc
mkdir "$TMP/plain" "$TMP/a b"
cat > "$TMP/plain/study.ini" << 'END_OF_STUDY'
schemes  = inorder, ghost, inorder:entries=4
programs = vecadd, scan
size     = tiny
[sweep]
ghost.entries = 4, 8
END_OF_STUDY
cp "$TMP/plain/study.ini" "$TMP/a b/my study.ini"
sweep() { (cd "$TMP/a b" && "$LENO" sweep "my study.ini" "$@"); }
merge() { (cd "$TMP/a b" && "$LENO" merge "$@"); }
slices() { echo "$TMP/a b/leno-out/shards"/my_study-????????; }

# Six points in four slices, none of them in the cache: inorder:entries=4 is inorder.
exits 1 sweep --status
says "$TMP/log" "no slice of this study has been started"
exits 0 sweep --shard 1/4
says "$TMP/log" "[2/2]"
says "$TMP/out" "slice 1/4, 2 points: 2 runs executed, 0 taken from its file, 0 failed"
says "$TMP/out" "leno-out/shards/my_study-"
[ ! -e "$TMP/a b/leno-out/results.db" ]
for file in "$(slices)"/*; do are_json "$file"; done
exits 0 sweep --shard 1/4
says "$TMP/out" "slice 1/4, 2 points: 0 runs executed, 2 taken from its file, 0 failed"
exits 0 sweep --shard 2/4
exits 0 sweep --status
says "$TMP/out" "2 done, 2 not started; 2 of 6 points remain"
grep -q '^ *3/4 *not started *1 *0 *0 *- *$' "$TMP/out"

# What is missing is named; what is there is added.
folder=$(slices)
exits 1 merge "$folder"
says "$TMP/log" "missing: slice 3/4, 1 points"
says "$TMP/log" "missing: slice 4/4, 1 points"
says "$TMP/log" "of 6 points 2 are missing and 0 failed"
says "$TMP/out" "2 of 4 slices, 6 points: 4 results added to leno-out/results.db, 0 were there."
exits 0 sweep --shard 3/4 -o leno-out
exits 0 sweep --shard 4/4
exits 0 merge "$folder"
says "$TMP/out" "4 of 4 slices, 6 points: 2 results added to leno-out/results.db, 4 were there."

# The table is that of the sweep in one go, byte by byte.
(cd "$TMP/plain" && "$LENO" sweep study.ini > /dev/null 2>&1)
for format in "" --csv; do
    (cd "$TMP/plain" && "$LENO" sweep study.ini $format) > "$TMP/plain/table" 2> /dev/null
    exits 0 sweep $format
    cmp "$TMP/plain/table" "$TMP/out"
done
says "$TMP/log" "6 of 6 results taken from the cache"

# A slice may lose its file, or part of it: it is computed again.
sed -i '3s/"state"/"State"/' "$folder/1-of-4.jsonl"
exits 1 merge "$folder" --out "$TMP/none"
says "$TMP/log" "1-of-4.jsonl:3: the line does not match its checksum"
[ ! -e "$TMP/none" ]
exits 0 sweep --status
says "$TMP/out" "1-of-4.jsonl:3: the line does not match its checksum"
says "$TMP/out" "3 done, 1 failed"
exits 0 sweep --shard 1/4
says "$TMP/log" "the line does not match its checksum; the slice is computed again"
says "$TMP/out" "2 runs executed"

# Files of other revisions, studies and numbers of slices are named, and nothing is added.
cp -r "$folder" "$TMP/slices"
sed -i '1s/"revision": "[0-9a-f]*"/"revision": "0123456789ab"/' "$TMP/slices/3-of-4.jsonl"
exits 1 "$LENO" merge "$TMP/slices" --out "$TMP/none"
says "$TMP/log" "slices/3-of-4.jsonl: results of revision 0123456789ab of Leno; this is revision"
cp "$folder/3-of-4.jsonl" "$TMP/slices"
sed -i '1s/"study": "[0-9a-f]*"/"study": "0000000000000000"/' "$TMP/slices/2-of-4.jsonl"
exits 1 "$LENO" merge "$TMP/slices" --out "$TMP/none"
says "$TMP/log" "slices/2-of-4.jsonl: a slice of another study than $TMP/slices/1-of-4.jsonl"
exits 1 "$LENO" merge "$folder/1-of-4.jsonl" "$folder/1-of-4.jsonl" --out "$TMP/none"
says "$TMP/log" "slice 1/4 is in $folder/1-of-4.jsonl already"
exits 0 sweep --shard 1/5
exits 1 "$LENO" merge "$folder" --out "$TMP/none"
says "$TMP/log" "1-of-5.jsonl: a slice of 5, but"
exits 1 sweep --status
says "$TMP/log" "has slices of"
rm "$folder/1-of-5.jsonl"
head -c 3000 "$folder/4-of-4.jsonl" > "$TMP/slices/4-of-4.jsonl"
exits 1 "$LENO" merge "$TMP/slices/4-of-4.jsonl" --out "$TMP/none"
says "$TMP/log" "4-of-4.jsonl: ends after 0 of 1 points: it was not copied whole"
exits 1 "$LENO" merge "$TMP/plain/study.ini" --out "$TMP/none"
says "$TMP/log" "study.ini:1: not JSON"
exits 1 "$LENO" merge "$TMP/plain" --out "$TMP/none"
says "$TMP/log" "has no file of a slice"
exits 1 "$LENO" merge "$TMP/nothing"
exits 1 "$LENO" merge
says "$TMP/log" "expected files of slices"
[ ! -e "$TMP/none" ]

# Points that fail are kept as such, named, and run again the next time.
printf 'schemes = inorder, turbulence\nprograms = lud\nsize = tiny\n[sweep]\n%s\n' \
    'core.hazard_wide = on, off' > "$TMP/bad.ini"
exits 2 "$LENO" sweep "$TMP/bad.ini" --shard 1/1 --out "$TMP/bad"
says "$TMP/out" "slice 1/1, 4 points: 3 runs executed, 0 taken from its file, 1 failed"
for file in "$TMP"/bad/shards/*/*; do are_json "$file"; done
exits 0 "$LENO" sweep "$TMP/bad.ini" --status --out "$TMP/bad"
says "$TMP/out" "lud, turbulence:core.hazard_wide=off on rtx2060s-ghost: "
says "$TMP/out" "1 failed; 1 of 4 points remain"
exits 1 "$LENO" merge "$TMP"/bad/shards/bad-* --out "$TMP/bad"
says "$TMP/log" "failed: lud, turbulence:core.hazard_wide=off on rtx2060s-ghost: "
says "$TMP/log" "of 4 points 0 are missing and 1 failed"
exits 2 "$LENO" sweep "$TMP/bad.ini" --shard 1/1 --out "$TMP/bad"
says "$TMP/out" "0 runs executed, 3 taken from its file, 1 failed"

# A slice that is stopped keeps what it has and goes on from there.
sed -i 's/tiny/small/; s/vecadd, scan/vecadd, nn, gaussian/' "$TMP/plain/study.ini"
"$LENO" sweep "$TMP/plain/study.ini" --shard 1/1 --jobs 1 --out "$TMP/stopped" > /dev/null 2> "$TMP/log" &
pid=$!
until grep -qs '"done"' "$TMP"/stopped/shards/*/1-of-1.jsonl; do sleep 0.1; done
kill -TERM $pid
status=0
wait $pid || status=$?
[ $status = 143 ]
says "$TMP/log" "results are cached in $TMP/stopped/shards/study-"
done=$(grep -c '"done"' "$TMP"/stopped/shards/*/1-of-1.jsonl)
[ "$done" -ge 1 ] && [ "$done" -lt 9 ]
exits 0 "$LENO" sweep "$TMP/plain/study.ini" --shard 1/1 --out "$TMP/stopped"
says "$TMP/out" "$((9 - done)) runs executed, $done taken from its file"

# leno compare has slices, too.
compare() { "$LENO" compare vecadd nn --schemes inorder,ghost --size tiny --out "$TMP/compare" "$@"; }
exits 0 compare --shard 1/2
exits 0 compare --shard 2/2
exits 0 "$LENO" merge "$TMP"/compare/shards/compare-* --out "$TMP/compare"
exits 0 compare
says "$TMP/log" "4 of 4 results taken from the cache"

for slice in 0/2 3/2 2 2/ x/2 1/0; do
    exits 1 sweep --shard "$slice"
    says "$TMP/log" "--shard $slice: expected I/N"
done
exits 1 sweep --shard 1/2 --csv
says "$TMP/log" "expected no --json, --csv"
