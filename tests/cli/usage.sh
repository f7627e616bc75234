# Mistakes get status 1, a message on standard error, and the nearest valid choice.
. tests/cli/lib.inc
exits 1 "$LENO"
silent "$TMP/out"
says "$TMP/log" "usage: leno COMMAND"
mistake() { # expected words, arguments...
    words=$1
    shift
    exits 1 "$LENO" "$@"
    silent "$TMP/out"
    says "$TMP/log" "$words"
}
mistake "no command 'emmu' (did you mean 'emu'?)" emmu
mistake "no command 'x'; see leno --help" x
mistake "did you mean 'disasm'" help disams
mistake "did you mean 'size'" emu vecadd --sizes tiny
mistake "no option -x" emu -x
mistake "did you mean 'vecadd'" emu vecad
mistake "expected tiny|small|paper" emu vecadd --size huge
mistake "did you mean 'sm_90'" emu vecadd --arch sm90
mistake "expected a number" emu vecadd --seed one
mistake "expected a number" emu vecadd --seed -1
mistake "--seed: expected N" emu vecadd --seed
mistake "--size: expected tiny|small|paper after it" emu vecadd --size
for command in "run vecadd" "exec true" "compare" "reproduce ghost"; do
    mistake "--sms 0: expected 1 or more" $command --sms 0
done
for command in "compare" "sweep x.ini" "reproduce ghost"; do
    mistake "--jobs 0: expected 1 or more" $command --jobs 0
done
mistake "--max-cycles 0: expected 1 or more" run vecadd --max-cycles 0
mistake "--json takes no value" emu vecadd --json=yes
mistake "name workloads or say --all" emu
mistake "name workloads or say --all" emu vecadd --all
mistake "did you mean 'opcodes'" list opcode
mistake "expected one of" list
mistake "expected one cubin" disasm
mistake "No such file" info "$TMP/none.cubin"
mistake "no such folder" emu vecadd --workloads "$TMP/none"
