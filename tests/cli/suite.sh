# Programs of the user's in every command: after --, and in suite files. A command is
# executed once; its recording is used until its binary or a file that it read changes.
. tests/cli/lib.inc
LENO_LIBRARIES=$PWD/build/lib
export LENO_LIBRARIES
[ -f "$LENO_LIBRARIES/libleno_inputs.so" ] || make -s shim
cubin=$PWD/workloads/vecadd/sm_75.cubin
adder() { # compiles it, with an option
    cc -Isrc -Isrc/driver ${1:-} -o "$TMP/adder" tests/data/suite/adder.c \
        "$LENO_LIBRARIES/libcuda.so.1"
}
adder
input() {
    printf '%s\n' "$1" > "$TMP/input"
}
input "4000 3"
out="--out $TMP/results"
two="--schemes inorder,ghost"
kernels() { # the number of kernels in the JSON of a run
    sed -n 's/.*"gpu.kernels": \([0-9]*\).*/\1/p' "$TMP/out"
}

# Recorded once, then taken from the cache.
exits 0 "$LENO" compare $out $two -- "$TMP/adder" "$cubin" "$TMP/input"
says "$TMP/log" "recorded adder"
says "$TMP/out" "2 runs executed"
exits 0 "$LENO" compare $out $two -- "$TMP/adder" "$cubin" "$TMP/input"
! grep -q "record" "$TMP/log" || exit 1
says "$TMP/out" "0 runs executed, 2 taken from the cache"
exits 0 "$LENO" run $out --gpu rtx2060s-ghost --json -- "$TMP/adder" "$cubin" "$TMP/input"
! grep -q "record" "$TMP/log" || exit 1
[ "$(kernels)" = 3 ]
says "$TMP/out" '"program": "adder"'

# Beside workloads and recordings.
recording=$(ls "$TMP"/results/recordings/adder-*.leno)
exits 0 "$LENO" compare vecadd "$recording" $out $two --size tiny --csv -- \
    "$TMP/adder" "$cubin" "$TMP/input"
[ "$(grep -c ",ghost," "$TMP/out")" = 3 ]

# A page names the command that makes it again.
exits 0 "$LENO" compare vecadd $out $two --first 1 --size tiny --report "$TMP/page.html" -- \
    "$TMP/adder" "$cubin" "$TMP/input"
sed 's/<[^>]*>//g' "$TMP/page.html" > "$TMP/page"
says "$TMP/page" "Again: leno compare vecadd --schemes inorder,ghost --report page.html --size tiny \
--first 1 -- $TMP/adder $cubin $TMP/input"

# A changed input, and a changed binary.
input "6000 2"
exits 0 "$LENO" compare $out $two -- "$TMP/adder" "$cubin" "$TMP/input"
says "$TMP/log" "adder is recorded again"
says "$TMP/log" "input has changed"
adder -DOTHER=1
printf x >> "$TMP/adder"
exits 0 "$LENO" compare $out $two -- "$TMP/adder" "$cubin" "$TMP/input"
says "$TMP/log" "adder has changed"

# The choice of launches.
input "4000 5"
for choice in "--kernels 2-3:2" "--every 2:3" "--first 1:1" "--match vec*:5"; do
    exits 0 "$LENO" run $out --json ${choice%:*} -- "$TMP/adder" "$cubin" "$TMP/input"
    [ "$(kernels)" = "${choice#*:}" ]
done
exits 0 "$LENO" run "$recording" --json --kernels 1
[ "$(kernels)" = 1 ]
exits 0 "$LENO" run lud --size tiny --json --kernels 2-4
[ "$(kernels)" = 3 ]
# A cap leaves the recording as it is: the replay is capped.
exits 0 "$LENO" run $out --json -- "$TMP/adder" "$cubin" "$TMP/input"
exits 0 "$LENO" run $out --json --cap-cycles 100 -- "$TMP/adder" "$cubin" "$TMP/input"
! grep -q "record" "$TMP/log" || exit 1
says "$TMP/out" '"gpu.capped": 5'
exits 1 "$LENO" run $out --match 'none*' -- "$TMP/adder" "$cubin" "$TMP/input"
says "$TMP/log" "launched no kernel, or none of those chosen"

# leno record: a command, several programs, a choice of launches.
exits 0 "$LENO" record $out -o "$TMP/adder.leno" -- "$TMP/adder" "$cubin" "$TMP/input"
exits 0 "$LENO" run "$TMP/adder.leno" --json
[ "$(kernels)" = 5 ]
exits 0 "$LENO" record $out --kernels 2-3 -o "$TMP/two.leno" -- \
    "$TMP/adder" "$cubin" "$TMP/input"
exits 0 "$LENO" run "$TMP/two.leno" --json
[ "$(kernels)" = 2 ]
exits 0 "$LENO" record "$TMP/adder.leno" --every 2 -o "$TMP/three.leno"
exits 0 "$LENO" run "$TMP/three.leno" --json
[ "$(kernels)" = 3 ]
exits 0 "$LENO" record lud --kernels 1-3 -o "$TMP/lud.leno"
exits 0 "$LENO" run "$TMP/lud.leno" --json
[ "$(kernels)" = 3 ]
exits 0 "$LENO" record vecadd scan -o "$TMP/many"
[ "$(ls "$TMP/many" | tr '\n' ' ')" = "scan.leno vecadd.leno " ]
exits 6 "$LENO" record $out -o "$TMP/no.leno" -- sh -c 'exit 3'
[ ! -e "$TMP/no.leno" ]

# Lists of traces in every command, by what is in the traces.
exits 0 "$LENO" record "$TMP/adder.leno" --traceg "$TMP/traces"
exits 0 "$LENO" compare "$TMP/traces/kernelslist.g" $out $two --csv
says "$TMP/out" "kernelslist.g,ghost,"
exits 0 "$LENO" compare "$TMP/traces/kernelslist.g" $out $two --csv
says "$TMP/log" "2 of 2 results taken from the cache"
cp "$TMP/traces/kernel-1.traceg" "$TMP/traces/kernel-2.traceg"
echo >> "$TMP/traces/kernel-2.traceg"
exits 0 "$LENO" compare "$TMP/traces/kernelslist.g" $out $two --csv
says "$TMP/log" "[2/2]"
exits 0 "$LENO" reproduce ghost --figure 13 --program "BAK=$TMP/traces/kernelslist.g" $out --csv
says "$TMP/out" "13,speed-up,BAK,1.005,"
rm "$TMP/traces/kernel-3.traceg"
exits 1 "$LENO" compare "$TMP/traces/kernelslist.g" $out $two
says "$TMP/log" "kernel-3.traceg"

# Whether a process has this word as an argument.
runs() {
    [ -n "$(grep -alz "^$1\$" /proc/[0-9]*/cmdline 2> /dev/null)" ]
}

# A suite: whatever a program does, it is named and the others go on.
cat > "$TMP/suite.ini" << END
[adder]                       ; a comment
command = ./adder $cubin "input"
[some]
command = ./adder $cubin input
folder  = .
kernels = 2-3
[vecadd]
program = vecadd
[file]
program = results/recordings/${recording##*/}
[bad input]
command = ./adder $cubin nothing
folder  = .
[hang]
command = sleep 100
timeout = 1
[flood]
command = sh -c 'yes | head -c 3000000; exit 2'
[crash]
command = sh -c 'kill -SEGV \$\$'
[fork]
command = sh -c './adder $cubin input; ./adder $cubin input'
folder  = .
[twice]
command = ./adder $cubin input twice
folder  = .
[helper]
command = ./adder $cubin input helper
folder  = .
[child]
command = ./adder $cubin input child
folder  = .
[said]
command = ./adder $cubin input fail
folder  = .
[fault]
command = ./adder $cubin input fault
folder  = .
[gone]
program = gone.leno
[no workload]
program = vecad
[no trace]
program = traces/kernelslist.g
[left]
command = sh -c 'sleep 50 & ./adder $cubin input'
folder  = .
[daemon]
command = sh -c 'setsid sleep 51.$$ & ./adder $cubin input'
folder  = .
[quit]
command = ./adder $cubin input quit
folder  = .
[bell]
command = sh -c 'printf "\a\033[2Jbell"; exit 2'
[none]
command = true
[missing]
command = ./missing
END
exits 6 "$LENO" compare --suite "$TMP/suite.ini" $out $two --size tiny --csv
for name in adder some vecadd file left daemon helper child; do
    grep -q "^$name,ghost,.*,[0-9]" "$TMP/out"
done
says "$TMP/log" "gone: FAILED: $TMP/gone.leno: No such file"
says "$TMP/log" "no workload: FAILED: no workload 'vecad' (did you mean 'vecadd'?)"
grep -q "^no trace: FAILED: .*kernel-3.traceg: No such file" "$TMP/log"
while IFS=: read -r name words; do
    grep -q "recording $name: FAILED: .*$words" "$TMP/log" || says "$TMP/log" "$name: $words"
done << END
bad input:it last printed: adder: no input
hang:did not end within 1 s
flood:ended with status 2
crash:signal 11
fork:launched kernels in 2 processes
twice:launched kernels in 2 processes
said:ended with status 7; it last printed: adder: no luck
fault:ended with status 106; it last printed: leno: NOT TO BE TRUSTED: .*illegal address
none:launched no kernel
quit:a process that did not finish its recording: it was killed, or called _exit()
bell:it last printed: ??\[2Jbell
missing:no such program
END
! runs 51.$$ || exit 1
exits 6 "$LENO" record --suite "$TMP/suite.ini" $out -o "$TMP/suite"
says "$TMP/log" "flood: FAILED: "
[ "$(ls "$TMP/suite" | tr '\n' ' ')" = "adder.leno child.leno daemon.leno file.leno helper.leno left.leno some.leno vecadd.leno " ]
for name in helper child; do # what the parent launched, before and after
    exits 0 "$LENO" run "$TMP/suite/$name.leno" --json
    [ "$(kernels)" = 10 ]
done
for log in "$TMP"/results/recordings/flood-*.log; do
    [ "$(stat -c %s "$log")" -lt 1100000 ]
done
exits 6 "$LENO" run --suite "$TMP/suite.ini" $out --size tiny --csv
[ "$(grep -c ",inorder," "$TMP/out")" -ge 5 ]
[ -z "$(ls -d "$TMP"/results/recordings/*.making-* 2> /dev/null)" ]

# An input that is named and not there is no input.
printf '[a]\ncommand = ./adder %s input\ninputs = input, none\n' "$cubin" > "$TMP/inputs.ini"
exits 1 "$LENO" record --suite "$TMP/inputs.ini" $out -o "$TMP/inputs"
says "$TMP/log" "a: FAILED: the program lacks its input $TMP/none: No such file or directory"

# Files that are no suites name file and line.
bad() { # text, message
    printf "$1" > "$TMP/bad.ini"
    exits 1 "$LENO" compare --suite "$TMP/bad.ini" $out
    says "$TMP/log" "$2"
}
bad '' 'bad.ini: no program; expected [NAME]'
bad 'command = x\n' "bad.ini:1: 'command' before the first [NAME]"
bad '[a]\ncomand = x\n' "bad.ini:2: no such key 'comand' (did you mean 'command'?)"
bad '[a]\n; later\n[b]\nprogram = lud\n' 'bad.ini:1: an empty section'
bad '[b]\nprogram = lud\n[a]\n' 'bad.ini:3: an empty section'
for key in folder inputs timeout; do
    bad "[a]\nprogram = lud\n$key = 1\n" "bad.ini:2: [a]: $key is for commands"
done
bad '[a]\ntimeout = 3\n' 'bad.ini:2: [a] has neither a command nor a program'
bad '[a]\ncommand = x\nprogram = lud\n' 'bad.ini:2: [a] has a command and a program'
bad "[a]\ncommand = x 'y\n" "bad.ini:2: command: expected another '"
bad '[a]\ncommand = ""\n' 'bad.ini:2: command: expected a program and its arguments'
bad '[a]\ncommand = x\ncommand = y\n' 'bad.ini:3: a second command'
bad '[a]\ncommand = x\n[b]\nprogram = lud\n[a]\ncommand = z\n' 'bad.ini:6: a second [a]'
bad '[a]\ncommand = x\ntimeout = soon\n' 'bad.ini:3: timeout = soon: expected 1 or more'
bad '[a]\ncommand = x\nkernels = 3-2\n' 'bad.ini:3: kernels'
exits 1 "$LENO" compare --suite "$TMP/none.ini" $out
says "$TMP/log" "none.ini"
mkfifo "$TMP/fifo" # that nobody writes to
for use in "compare --suite" info emu "run --gpu vortex-4x4"; do
    exits 1 "$LENO" $use "$TMP/fifo"
    says "$TMP/log" "fifo: not a regular file"
done
exits 1 "$LENO" compare --gpu vortex-4x4 $out -- true
says "$TMP/log" "a CUDA program needs a GPU with SMs"

# Many launches, and a signal: what was recorded stays, and nothing else is left.
input "256 10000"
exits 0 "$LENO" run $out --json --every 1000 -- "$TMP/adder" "$cubin" "$TMP/input"
[ "$(kernels)" = 10 ]
"$LENO" compare $out $two -- sh -c "setsid sleep 61.$$; true" > "$TMP/out" 2> "$TMP/log" &
pid=$!
for i in 1 2 3 4 5 6 7 8; do
    ! runs 61.$$ || break
    sleep 1
done
runs 61.$$
kill -TERM $pid
got=0
wait $pid || got=$?
[ $got = 143 ]
says "$TMP/log" "stopped while programs were recorded"
[ -z "$(ls -d "$TMP"/results/recordings/*.making-* 2> /dev/null)" ]
! runs 61.$$ || exit 1
