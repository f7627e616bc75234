# leno sweep --slurm with stand-ins for sbatch and squeue: the script, what became of its
# elements, which are submitted again. tests/slurm has a real Slurm.
. tests/cli/lib.inc
mkdir "$TMP/bin" "$TMP/a b"
cat > "$TMP/a b/my study.ini" << 'END_OF_STUDY'
schemes  = inorder, ghost
programs = vecadd, scan
size     = tiny
[sweep]
ghost.entries = 4, 8
END_OF_STUDY
# Counts jobs; its arguments and the script go to a file.
cat > "$TMP/bin/sbatch" << 'END_OF_SBATCH'
#!/bin/sh
[ ! -e "$FAKE/refuse" ] || { echo "sbatch: error: invalid partition" >&2; exit 1; }
n=$(($(cat "$FAKE/jobs" 2> /dev/null || echo 40) + 1))
echo $n > "$FAKE/jobs"
echo "$*" > "$FAKE/sbatch.$n"
cat "$2" >> "$FAKE/sbatch.$n"
echo "sbatch: warning: nobody is in the office" >&2
echo "$n;here"
END_OF_SBATCH
cat > "$TMP/bin/squeue" << 'END_OF_SQUEUE'
#!/bin/sh
[ ! -e "$FAKE/down" ] || { echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1; }
case "$*" in *--array*--format=%F\|%K\|%T*) cat "$FAKE/queue" ;; esac
END_OF_SQUEUE
chmod +x "$TMP/bin/sbatch" "$TMP/bin/squeue"
: > "$TMP/queue"
export FAKE="$TMP"
with="$TMP/bin:$PATH"
sweep() { (cd "$TMP/a b" && PATH=$with "$LENO" sweep "my study.ini" --out "my out" "$@"); }

# Runs an element of the job submitted last, as Slurm would.
element() { # number
    job=$(cat "$TMP/jobs")
    SLURM_ARRAY_JOB_ID=$job SLURM_ARRAY_TASK_ID=$1 SLURM_CPUS_PER_TASK=1 sh "$folder/slurm.sh"
}
list_of() { sed -n 's/^#SBATCH --array=//p' "$TMP/sbatch.$(cat "$TMP/jobs")"; }
row() { # element, state, done, failed
    grep -qE "^ *$1/4  $2 +[0-9]+ +$3 +$4 " "$TMP/out" && return
    echo "expected $*"
    cat "$TMP/out"
    return 1
}

# Only written.
exits 0 sweep --slurm-write --slurm-elements 4
says "$TMP/out" "slurm.sh: elements 1-4 of 4; not submitted"
[ ! -e "$TMP/jobs" ]
folder=$(echo "$TMP/a b/my out/shards"/my_study-????????)
sh -n "$folder/slurm.sh"
rm -r "$folder"

# Submitted: every option is in the script, and the next commands are printed.
exits 0 sweep --slurm --slurm-elements 4 --slurm-time 2:00:00 --slurm-cpus 2 --slurm-memory 3G \
    --slurm-partition "big one" --slurm-option=--account=x --slurm-option="--comment=a # b"
says "$TMP/out" "submitted job 41: elements 1-4 of 4, in my out/shards/my_study-"
says "$TMP/out" "  leno sweep 'my study.ini' --out 'my out' --status"
says "$TMP/out" "--slurm-partition 'big one' --slurm-option --account=x --slurm-option '--comment=a # b' --slurm "
says "$TMP/out" "  leno merge 'my out/shards/my_study-"
says "$TMP/sbatch.41" "--parsable slurm.sh"
for option in "--array=1-4" "--cpus-per-task=2" "'--time=2:00:00'" "'--mem=3G'" \
    "'--partition=big one'" "'--account=x'" "'--comment=a # b'" "'--job-name=leno-my_study.ini'"; do
    says "$TMP/sbatch.41" "#SBATCH $option"
done
says "$TMP/sbatch.41" "cd '$TMP/a b' || exit 1"
[ "$(cat "$folder/slurm.jobs")" = "41 4 1-4" ]
exits 0 sweep --status
says "$TMP/out" "4 not started; 6 of 6 points remain"
printf '41|1|RUNNING\n41|2|COMPLETING\n41|3|PENDING\n41|4|PENDING\n7|1|RUNNING\n41|9|RUNNING\n' > "$TMP/queue"
exits 0 sweep --status
says "$TMP/out" "2 running, 2 waiting; 6 of 6 points remain"
exits 0 sweep --slurm
says "$TMP/out" "nothing to submit: of 4 elements 0 are done, 2 run and 2 wait"
[ "$(cat "$TMP/jobs")" = 41 ]

# One ends well; one is cancelled, one runs out of time, one vanishes. Other jobs run.
printf '7|2|RUNNING\n4|3|PENDING\n' > "$TMP/queue"
exits 0 element 1
says "$folder/1-of-4.log" "slice 1/4, 2 points: 2 runs executed"
[ "$(cut -d ' ' -f 1,2 "$folder/1-of-4.end")" = "41_1 0" ]
echo "41_2 node7 1000 99999999999" > "$folder/2-of-4.start"
echo "41_2 143 2000" > "$folder/2-of-4.end"
echo "41_3 node8 1000 8200" > "$folder/3-of-4.start"
echo "41_3 143 8201" > "$folder/3-of-4.end"
echo "41_4 node9 1000 99999999999" > "$folder/4-of-4.start"
exits 0 sweep --status
row 1 done 2 0
row 2 killed 0 0
says "$TMP/out" "41_2  signal 15"
row 3 "timed out" 0 0
row 4 killed 0 0
says "$TMP/out" "it vanished without a word"
says "$TMP/out" "1 done, 2 killed, 1 timed out; 4 of 6 points remain"
# Long after its time, one that vanished has timed out; the end of another job is no end.
echo "41_4 node9 1000 8200" > "$folder/4-of-4.start"
echo "40_2 143 2000" > "$folder/2-of-4.end"
exits 0 sweep --status
says "$TMP/out" "1 done, 1 killed, 2 timed out; 4 of 6 points remain"

# Nobody can tell what runs: nothing is submitted twice.
touch "$TMP/down"
exits 0 sweep --status
says "$TMP/out" "which elements run is not known: squeue: slurm_load_jobs error"
row 2 unfinished 0 0
exits 1 sweep --slurm
says "$TMP/log" "nobody can tell which elements still run: squeue: slurm_load_jobs error"
rm "$TMP/down"

# Again: only what is left, without an element that waits.
echo '41|4|PENDING' > "$TMP/queue"
exits 0 sweep --slurm
says "$TMP/out" "submitted job 42: elements 2-3 of 4"
[ "$(list_of)" = 2-3 ]
: > "$TMP/queue"
exits 0 element 2
exits 0 element 3
exits 0 sweep --slurm
[ "$(list_of)" = 4 ]
[ "$(wc -l < "$folder/slurm.jobs")" = 3 ]

# leno itself fails.
mv "$TMP/a b/my study.ini" "$TMP/study.away"
exits 1 element 4
mv "$TMP/study.away" "$TMP/a b/my study.ini"
exits 0 sweep --status
row 4 failed 0 0
says "$TMP/out" "leno ended with status 1; see its log"
says "$folder/4-of-4.log" "my study.ini: No such file"
exits 0 element 4
exits 0 sweep --slurm
says "$TMP/out" "nothing to submit: of 4 elements 4 are done"
exits 0 sh -c 'cd "$1" && "$2" merge "my out/shards"/* --out "my out"' sh "$TMP/a b" "$LENO"
says "$TMP/out" "4 of 4 slices, 6 points: 6 results added"
exits 0 sweep
says "$TMP/out" "0 runs executed, 6 taken from the cache"

# A program after -- is recorded once, here, and named to the elements.
exits 0 sh -c 'cd "$1" && PATH=$3 "$2" sweep "my study.ini" --out p --match "a * b" --slurm-write' sh \
    "$TMP/a b" "$LENO" "$with"
grep -q "sweep 'my study.ini' --out p --match 'a \* b' \"\$@\"\$" "$TMP/a b"/p/shards/*/slurm.sh

# Refused.
touch "$TMP/refuse"
sed -i 's/4, 8/4, 8, 16/' "$TMP/a b/my study.ini"
exits 1 sweep --slurm
says "$TMP/log" "sbatch: error: invalid partition"
rm "$TMP/refuse"
exits 0 sweep --slurm
says "$TMP/out" "elements 1-8 of 8"
exits 1 sweep --slurm --slurm-elements 3
says "$TMP/log" "has slices of 8"
with=/nowhere
exits 1 sweep --slurm
says "$TMP/log" "nobody can tell which elements still run: squeue is not in PATH"
exits 0 sweep --status
says "$TMP/out" "which elements run is not known: squeue is not in PATH"
sed -i 's/, 16/, 32/' "$TMP/a b/my study.ini"
exits 1 sweep --slurm
says "$TMP/log" "sbatch is not in PATH"
exits 1 sweep --slurm --slurm-time soon
says "$TMP/log" "--slurm-time soon: expected minutes"
exits 1 sweep --slurm --slurm-partition "a'b"
says "$TMP/log" "expected no quote"
exits 1 sweep --slurm --slurm-option account=x
says "$TMP/log" "expected an option of sbatch"
exits 1 sweep --slurm --shard 1/2
says "$TMP/log" "cannot be combined"
exits 1 sweep --status --json
says "$TMP/log" "cannot be combined"
