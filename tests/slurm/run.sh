# Job arrays on a real Slurm: munged, slurmctld and slurmd of Debian's packages, started here
# with a configuration of their own. One element is stopped until its time is over, one is
# cancelled, one is killed; they are listed as such and only they run again, and the merged
# table is that of a sweep in one go.
# usage: LENO=program TMP=folder sh -eu tests/slurm/run.sh      from the repository's root
. tests/cli/lib.inc
[ "$(id -u)" = 0 ] || { echo "skipped: Slurm's daemons are started by root"; exit 0; }
PATH=$PATH:/usr/sbin
tools/deps.sh slurm
host=$(hostname -s)
port=$((20000 + $$ % 20000))
slurm=$(mktemp -d) # the name of a socket must be short
mkdir "$slurm/run" "$slurm/state" "$slurm/spool"
chmod 755 "$slurm"
export SLURM_CONF="$slurm/slurm.conf"
cat > "$SLURM_CONF" << END_OF_CONF
ClusterName=leno
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$slurm/run/munge.sock
SlurmUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/run/slurmctld.pid
SlurmdPidFile=$slurm/run/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
KillWait=10
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END_OF_CONF

is_alive() { grep -qs '^State:.[^Z]' "/proc/$1/status"; } # and no zombie
stop_all() {
    scancel --user=root 2> /dev/null || :
    sleep 2
    for daemon in slurmd slurmctld munged; do
        pid=$(cat "$slurm/run/$daemon.pid" 2> /dev/null) || continue
        kill "$pid" 2> /dev/null || continue
        while is_alive "$pid"; do sleep 0.2; done
    done
    rm -rf "$slurm"
}
trap stop_all EXIT
trap 'exit 1' INT TERM

# Waits until a command succeeds, for an hour.
until_true() {
    n=0
    until "$@"; do
        n=$((n + 1))
        [ $n -lt 7200 ] || { echo "an hour passed before: $*"; cat "$slurm"/*.log; return 1; }
        sleep 0.5
    done
}

dd if=/dev/urandom of="$slurm/munge.key" bs=128 count=1 2> /dev/null
chmod 400 "$slurm/munge.key"
munged --force --key-file="$slurm/munge.key" --socket="$slurm/run/munge.sock" \
    --pid-file="$slurm/run/munged.pid" --log-file="$slurm/munged.log" --seed-file="$slurm/munge.seed"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
is_idle() { sinfo --noheader --format=%T 2> /dev/null | grep -q idle; }
until_true is_idle

mkdir "$TMP/a b" "$TMP/plain"
cat > "$TMP/plain/study.ini" << 'END_OF_STUDY'
schemes  = inorder, ghost
programs = mandelbrot, matrixmul, lud, rbfs
size     = small
[sweep]
ghost.entries = 4, 8
END_OF_STUDY
cp "$TMP/plain/study.ini" "$TMP/a b/my study.ini"
sweep() { (cd "$TMP/a b" && "$LENO" sweep "my study.ini" --out "leno out" "$@"); }
has_begun() { [ -e "$folder/$1-of-4.start" ] && [ -e "$folder/$1-of-4.jsonl" ]; }
is_in() { # state, element
    sweep --status > "$TMP/status"
    grep -qE "^ *$2/4  $1  " "$TMP/status"
}

# Signals the processes of an element. (Slurm refuses to for some seconds after a submission.)
signal() { # signal, element
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd" 2> /dev/null)" = "$TMP/a b" ] || continue
        tr '\0' ' ' < "$process/cmdline" 2> /dev/null | grep -q -e "leno sweep .* --shard $2/4 " || continue
        kill "-$1" "${process#/proc/}" || :
    done
}

# The first two elements begin on the two cores and stand still from then on.
exits 0 sweep --slurm --slurm-elements 4 --slurm-time 1
job=$(sed -n 's/^submitted job \([0-9]*\):.*/\1/p' "$TMP/out")
folder=$(echo "$TMP/a b/leno out/shards"/my_study-????????)
until_true has_begun 1
signal STOP 1
until_true has_begun 2
signal STOP 2
until_true is_in running 1
grep -qE '^ *4/4  waiting ' "$TMP/status"
scancel "${job}_2"
until_true is_in killed 2
grep -E '^ *2/4 ' "$TMP/status" | grep -q "signal 15"
until_true has_begun 4
signal KILL 4
until_true is_in killed 4
grep -E '^ *4/4 ' "$TMP/status" | grep -q "signal 9"
until_true is_in done 3
until_true is_in "timed out" 1
cat "$TMP/status"
grep -q '^1 done, 2 killed, 1 timed out; [0-9]* of 12 points remain' "$TMP/status"
exits 1 "$LENO" merge "$folder" --out "$TMP/partial"
says "$TMP/log" "missing: "

# Only those with points left run again.
ls -i "$folder/3-of-4.jsonl" > "$TMP/before"
exits 0 sweep --slurm --slurm-elements 4
says "$TMP/out" "elements 1-2,4 of 4"
all_are_done() { sweep --status | grep -q '^4 done; 0 of 12 points remain'; }
until_true all_are_done
ls -i "$folder/3-of-4.jsonl" | cmp "$TMP/before" -
[ "$(grep -c '^slice 3/4' "$folder/3-of-4.log")" = 1 ]
exits 0 sweep --slurm
says "$TMP/out" "nothing to submit"

# The table, byte by byte.
exits 0 "$LENO" merge "$folder" --out "$TMP/a b/leno-out"
says "$TMP/out" "4 of 4 slices, 12 points: 12 results added"
(cd "$TMP/plain" && "$LENO" sweep study.ini > /dev/null 2>&1 && "$LENO" sweep study.ini > table 2> /dev/null)
(cd "$TMP/a b" && "$LENO" sweep "my study.ini" > table 2> /dev/null)
cmp "$TMP/plain/table" "$TMP/a b/table"
says "$TMP/a b/table" "0 runs executed, 12 taken from the cache."
echo "ok: 12 points in 4 elements of job $job; cancelled, killed and timed out ones ran again"
