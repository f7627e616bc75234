# What is written to a path: files whole, links followed, devices and FIFOs written as they
# are, everything else refused; nothing under a temporary name is left.
. tests/cli/lib.inc
cd "$TMP"
emu() { # FILE
    "$LENO" emu vecadd --size tiny --workloads "$here/workloads" --counts "$1"
}
here=$OLDPWD
nothing_left() {
    [ -z "$(find "$TMP" -name '*.tmp')" ]
}

# A file keeps its permissions when it is replaced; a new one has those of the umask.
(umask 027 && emu plain.csv > log)
[ "$(stat -c %a plain.csv)" = 640 ]
head -n 1 plain.csv | grep -q '^workload,'
echo old > old.csv
chmod 604 old.csv
emu old.csv > log
[ "$(stat -c %a old.csv)" = 604 ]
cmp plain.csv old.csv

# A link stays one, whether its file is there or not.
ln -s old.csv link.csv
ln -s folder/../later.csv dangling.csv
mkdir folder
echo old > old.csv
emu link.csv > log
emu dangling.csv > log
[ -L link.csv ] && [ -L dangling.csv ]
cmp plain.csv old.csv
cmp plain.csv later.csv
(cd folder && ln -s ../old.csv up.csv)
echo old > old.csv
emu folder/up.csv > log
[ -L folder/up.csv ]
cmp plain.csv old.csv

# Devices and FIFOs are written, not replaced.
emu /dev/null > log
[ -c /dev/null ]
mkfifo fifo
cat fifo > got &
emu fifo > log
wait $!
[ -p fifo ]
cmp plain.csv got
emu /dev/stdout > both
grep -q '^vecadd .* ok$' both
sed '1,/ ok$/d' both | cmp plain.csv -
emu /dev/stdout | sed '1,/ ok$/d' | cmp plain.csv -
emu /dev/fd/3 3> got > log
cmp plain.csv got
LENO_WORKLOADS=$here/workloads
export LENO_WORKLOADS
"$LENO" record vecadd -o /dev/null > rows
[ -c /dev/null ]
"$LENO" record vecadd -o vecadd.leno > log
"$LENO" record vecadd -o /dev/stdout 2> log | cmp vecadd.leno -
cmp rows log
cat fifo > got &
"$LENO" run vecadd --size tiny --konata fifo > log
wait $!
"$LENO" run vecadd --size tiny --konata view.log > log
cmp view.log got

# Others are refused before anything runs.
refused() { # WORDS COMMAND...
    words=$1
    shift
    exits 1 "$@"
    says log "$words"
    silent out
}
refused "--counts: folder is a folder" emu folder
refused "expected the name of a file" emu ''
refused "--counts: none/x.csv: cannot be created: No such file" emu none/x.csv
refused "--konata: folder is a folder" "$LENO" run vecadd --size tiny --konata folder
refused "folder is a folder" "$LENO" record vecadd -o folder
refused "--report: folder is a folder" "$LENO" compare vecadd --size tiny --report folder
echo mine > both
"$LENO" emu vecadd --size tiny --counts both > both 2> log && exit 1
says log "both is where standard output goes"

# Two outputs in one file.
ln -s . here
for other in view ./view folder/../view "$TMP/view" here/view; do
    refused "--konata and --perfetto name the same file" \
        "$LENO" run vecadd --size tiny --konata view --perfetto "$other"
done
ln -s view linked
refused "name the same file" "$LENO" run vecadd --size tiny --konata view --perfetto linked
refused "that is the program" "$LENO" run vecadd.leno --konata ./vecadd.leno
exits 0 "$LENO" run vecadd --size tiny --konata /dev/null --perfetto /dev/null
exits 0 "$LENO" compare vecadd --size tiny --schemes inorder --report leno-out/page.html
says leno-out/page.html '<html'
exits 1 "$LENO" compare vecadd --size tiny --schemes inorder --report leno-out/../leno-out/results.db
says log "results are kept in that file"
# The line about the report comes after the table.
"$LENO" compare vecadd --size tiny --schemes inorder --report page.html > both 2>&1
tail -n 1 both | grep -qx 'report: page.html'

# The number of blocks in all.
exits 0 "$LENO" record scan -o scan.leno
awk '$1 == "total" { total = $2; next } $1 != "kernel" { sum += $2 }
    END { exit !(sum && sum == total) }' out

# A signal leaves nothing; the old file stays.
nothing_left
for signal in INT TERM HUP; do
    echo old > view
    # A shell's background commands ignore SIGINT, which leno leaves so; env resets it.
    env --default-signal=INT "$LENO" run matrixmul --scheme ghost --perfetto view > log 2>&1 &
    child=$!
    n=0
    while nothing_left; do
        n=$((n + 1))
        [ "$n" -lt 300 ]
        sleep 0.02
    done
    kill -s "$signal" "$child"
    wait "$child" && exit 1
    nothing_left
    [ "$(cat view)" = old ]
done
