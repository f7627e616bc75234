# JSON: every command prints a document that is what docs/formats.md says, of one program or
# of many; whatever names are; and no numbers of a run that failed.
. tests/cli/lib.inc
document() { # SCHEMA STATUS COMMAND...
    schema=$1
    shift
    exits "$@"
    is_json "$TMP/out"
    says "$TMP/out" "\"schema\": \"leno.$schema\""
}
none() { # FILE TEXT: it is not there
    ! grep -qF -e "$2" "$1"
}

# The checker notices what the page does not say.
cubin=workloads/vecadd/sm_75.cubin
document info/1 0 "$LENO" info --json $cubin
for change in 's/"file"/"path"/' 's/"bytes": /"bytes": -/' 's/"kernels": \[/"kernels": null, "x": [/' \
    's/"sm_75"/75/' 's/info\/1/info\/2/' 's/]}$/]/' 's/vecadd/vec\xe9dd/'; do
    LC_ALL=C sed "$change" "$TMP/out" > "$TMP/changed"
    ! is_json "$TMP/changed" 2> /dev/null
done

# One shape for one and for many.
document run/1 0 "$LENO" run vecadd --size tiny --sms 2 --json
[ "$(grep -c '^{"program"' "$TMP/out")" = 1 ]
says "$TMP/out" '"size": "tiny", "seed": 1, "code_arch": "sm_75", "gpu": "rtx2060s", "gpu_arch": "sm_75", "sms": 2'
says "$TMP/out" '"scheme": "inorder", "skip": null, "settings": {}, "warnings": [], "ok": true'
revision=$("$LENO" --version | sed 's/.*revision //')
says "$TMP/out" "\"revision\": \"$revision\""
grep -q '^ "seconds": [0-9.]*[1-9]' "$TMP/out"
document run/1 0 "$LENO" run vecadd nn --size tiny --sms 2 --json --scheme ghost+darsie \
    --set core.blocks=4 --set core.blocks=8
[ "$(grep -c '"program"' "$TMP/out")" = 2 ]
says "$TMP/out" '"scheme": "ghost", "skip": "darsie", "settings": {"core.blocks": "8"}'
document emu/1 0 "$LENO" emu vecadd --size tiny --json
document emu/1 0 "$LENO" emu vecadd --size tiny --arch all --json
[ "$(grep -c '"program"' "$TMP/out")" = 7 ]
document emu/1 0 "$LENO" emu vecadd --size tiny --redundancy --json
document emu/1 0 "$LENO" emu workloads/vortex/tiny/vecadd.elf workloads/vortex/tiny/sort.elf --json
[ "$(grep -c '"program"' "$TMP/out")" = 2 ]
document run/1 0 "$LENO" run vecadd --gpu vortex-4x4 --size tiny --json
says "$TMP/out" '"size": "tiny", "seed": null, "code_arch": "rv32"'
document info/1 0 "$LENO" info $cubin workloads/nn/sm_90.cubin --json
[ "$(grep -c '"file"' "$TMP/out")" = 2 ]
document info/1 0 "$LENO" info tests/data/replay/pair.traceg --json
exits 1 "$LENO" info $cubin "$TMP/none.cubin" --json
silent "$TMP/out"
document listing/1 0 "$LENO" disasm $cubin --json
document cost/1 0 "$LENO" cost ghost:entries=4 inorder+darsie --json
says "$TMP/out" '"settings": {"ghost.entries": "4"}'
document papers/1 0 "$LENO" reproduce --list --json
[ "$(grep -c '"paper"' "$TMP/out")" = "$("$LENO" reproduce --list | grep -c '^[a-z-]*: ')" ]
exits 1 "$LENO" reproduce --list --csv
document reproduce/1 0 "$LENO" reproduce ghost --figure 3 --size tiny --sms 2 --out "$TMP/r" --json
for kind in workloads gpus schemes params stats archs opcodes; do
    document list/1 0 "$LENO" list $kind --json
    says "$TMP/out" "\"kind\": \"$kind\""
done
cat > "$TMP/study.ini" << 'END'
schemes = inorder, ghost
programs = vecadd
size = tiny
sms = 2
[sweep]
ghost.entries = 4, 8
END
document sweep/1 0 "$LENO" sweep "$TMP/study.ini" --out "$TMP/r" --json
[ "$(grep -c '"program"' "$TMP/out")" = 3 ]
[ "$(grep -c '"faster"' "$TMP/out")" = 3 ]
says "$TMP/out" '"settings": {"ghost.entries": "4"}, "baseline": "inorder"'

# Code of another architecture: a line, and a member.
other='sm_90 code on rtx2060s, a machine for sm_75: timing is that of sm_75'
document run/1 0 "$LENO" run vecadd --size tiny --sms 2 --arch sm_90 --json
[ "$(cat "$TMP/log")" = "leno: warning: vecadd: $other" ]
says "$TMP/out" '"code_arch": "sm_90", "gpu": "rtx2060s", "gpu_arch": "sm_75"'
says "$TMP/out" "\"warnings\": [\"$other\"]"
exits 0 "$LENO" record vecadd --arch sm_90 -o "$TMP/sm_90.leno"
document run/1 0 "$LENO" run "$TMP/sm_90.leno" --sms 2 --json
says "$TMP/log" "$other"
says "$TMP/out" "\"warnings\": [\"$other\"]"
exits 0 "$LENO" run "$TMP/sm_90.leno" --sms 2 --gpu h200
silent "$TMP/log"
document compare/1 0 "$LENO" compare vecadd --size tiny --sms 2 --gpu rtx2060s --arch sm_90 \
    --schemes inorder,ghost:entries=4 --out "$TMP/r" --json
[ "$(grep -c 'leno: warning: sm_90 code on rtx2060s' "$TMP/log")" = 1 ]
says "$TMP/out" "\"warnings\": [\"$other\"]"

# Names that are not UTF-8.
name=$(printf '%s/v\351.leno' "$TMP")
exits 0 "$LENO" record vecadd -o "$name"
for command in info run; do
    document $command/1 0 "$LENO" $command "$name" --json
    says "$TMP/out" 'v\u00e9.leno"'
done
document compare/1 0 "$LENO" compare "$name" --sms 2 --schemes inorder,ghost --out "$TMP/r" --json \
    --report "$TMP/page.html"
says "$TMP/out" 'v\u00e9.leno"'
iconv -f UTF-8 -t UTF-8 "$TMP/page.html" > /dev/null
says "$TMP/page.html" 'v&#xfffd;.leno'
LC_ALL=C sed 's/vecadd/vec\xe9dd/g' $cubin > "$TMP/odd.cubin"
document info/1 0 "$LENO" info "$TMP/odd.cubin" --json
says "$TMP/out" '"kernel": "vec\u00e9dd"'
document listing/1 0 "$LENO" disasm "$TMP/odd.cubin" --json
says "$TMP/out" '"name":"vec\u00e9dd"'

# A run that failed has a message and no numbers; the others have theirs.
mkdir -p "$TMP/w/vecadd"
cp -r workloads/nn "$TMP/w"
cp $cubin "$TMP/w/vecadd"
text=$("$LENO" info $cubin | awk '$NF == ".text.vecadd" { print $2 }')
place=$("$LENO" disasm $cubin | sed -n 's:.*/\*\([0-9a-f]*\)\*/ *FADD.*:\1:p' | head -n 1)
printf '\200' | dd of="$TMP/w/vecadd/sm_75.cubin" bs=1 seek=$((0x$text + 0x$place + 7)) \
    conv=notrunc 2> /dev/null
wrong="--size tiny --workloads $TMP/w"
exits 3 "$LENO" run vecadd --sms 2 $wrong
silent "$TMP/out"
says "$TMP/log" "expected 0x"
exits 3 "$LENO" run vecadd nn --sms 2 $wrong
grep -q '^vecadd *-.*FAIL$' "$TMP/out"
none "$TMP/log" "issued"
grep -q '^nn .*ok$' "$TMP/out"
exits 3 "$LENO" run vecadd nn --sms 2 $wrong --csv
[ "$(wc -l < "$TMP/out")" = 2 ]
document run/1 3 "$LENO" run vecadd --sms 2 $wrong --json
says "$TMP/out" '"ok": false, "exit_code": 3, "message": "'
for member in stats slots loads digest; do
    none "$TMP/out" "\"$member\""
done
document run/1 3 "$LENO" run vecadd nosuch nn --sms 2 $wrong --json
[ "$(grep -c '"program"' "$TMP/out")" = 3 ]
[ "$(grep -c '"stats"' "$TMP/out")" = 1 ]
exits 3 "$LENO" emu vecadd --arch sm_75 $wrong
grep -q '^vecadd .* - *- *- *FAIL$' "$TMP/out"
document emu/1 3 "$LENO" emu vecadd nn --arch sm_75 $wrong --json
[ "$(grep -c '"digest"' "$TMP/out")" = 1 ]
[ "$(grep -c '"warp_insts"' "$TMP/out")" = 1 ]
document compare/1 3 "$LENO" compare vecadd nn --sms 2 --schemes inorder $wrong --out "$TMP/r" --json
says "$TMP/out" '"ok": false, "exit_code": 3, "message": "'
[ "$(grep -c '"cycles"' "$TMP/out")" = 1 ]
# One that was stopped has got that far.
document run/1 5 "$LENO" run vecadd --size tiny --max-cycles 5500 --json
says "$TMP/out" '"ok": false, "exit_code": 5'
says "$TMP/out" '"partial": true'
says "$TMP/out" '"stats"'
