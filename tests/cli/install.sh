# make install and the Debian package, used from outside of the source tree: the program, leno
# exec's libraries, manual pages, completions, libleno with pkg-config, Python, the notebook.
. tests/cli/lib.inc
case $LENO in *asan* | *tsan*) echo "skipped: libraries under sanitizers need their runtime"; exit 0 ;; esac
build=${LENO%/leno}
build=${build#"$PWD"/} # by the name it was built under: another one would build all of it again
root=$PWD
exits 0 make -s BUILD="$build" DESTDIR="$TMP/stage" PREFIX=/opt/leno install
to=$TMP/opt
mv "$TMP/stage/opt/leno" "$to" # what is installed may be moved
unset LENO_WORKLOADS LENO_LIBRARIES
cd "$TMP"
exits 0 "$to/bin/leno" run vecadd --size tiny --scheme ghost --sms 2 --json
cycles=$(tr ',{}' '\n' < out | sed -n 's/^ *"gpu.cycles": //p')
insts=$(tr ',{}' '\n' < out | sed -n 's/^ *"sm.warp_insts": //p')
# A program of CUDA's driver interface, with each of exec's views of it; then a recording of it.
cubin=$to/share/leno/workloads/vecadd/sm_75.cubin
exits 0 cc -Wall -Werror -I"$root/src/driver" -o cuda "$root/tests/install/cuda.c" "$to/lib/leno/libcuda.so.1"
exits 0 "$to/bin/leno" exec --hot --hot-file hot.csv --series-out exec.csv -- ./cuda "$cubin"
says out "1001"
says log "LDG.E.SYS R3, [R2]"
grep -q ',vecadd,1,0xa0,vecadd,0xa0,,,,"LDG.E.SYS R3, \[R2\]",32,' hot.csv
[ "$(wc -l < exec.csv)" -gt 2 ]
exits 0 "$to/bin/leno" exec --sanitize -- ./cuda "$cubin" 1010
says log "0 bytes past the end of an allocation of 4000 bytes"
says log "leno: sanitize: 3 findings in 1 launch"
exits 0 "$to/bin/leno" record -o cuda.leno -- ./cuda "$cubin"
exits 0 "$to/bin/leno" run cuda.leno --sms 2 --hot --top 3
says out "functions"
# Two schemes side by side: by the command's name.
exits 0 "$to/bin/leno" run --hot --top 3 --scheme inorder,ghost -- ./cuda "$cubin"
says out "./cuda on rtx2060s: where issue slots went"
# Pages: templates are in the program.
exits 0 "$to/bin/leno" run hotspot --size tiny --sms 2 --scheme inorder,ghost --hot-file hot.html
says hot.html '"sass": "BAR.SYNC 0x0"'
says hot.html '</script></body></html>'
exits 0 "$to/bin/leno" run hotspot --size tiny --sms 2 --scheme inorder,ghost --hot --json
says out '"schemes": [{"scheme": "inorder", "cycles": '
exits 0 "$to/bin/leno" run hotspot --size tiny --sms 2 --konata log.zst --perfetto log.json --view "sm=0 warps=0"
[ -s log.zst ] && grep -q '"traceEvents"' log.json
# A log of gigabytes is refused before the run.
exits 5 "$to/bin/leno" run matrixmul --size paper --konata large.log
says log "about 1.8 GB expected"
[ ! -e large.log ]
exits 0 "$to/bin/leno" view hotspot --size tiny --sms 2 -o view.html
says view.html '"scheme":"ghost","kernel":"hotspot","demangled":"hotspot",'
exits 0 "$to/bin/leno" run hotspot --size tiny --sms 2 --series-out series.csv
[ "$(wc -l < series.csv)" -gt 5 ]
exits 0 "$to/bin/leno" compare hotspot --size tiny --sms 2 --schemes inorder,ghost --series 500 --hot --report report.html
says report.html '"hot": {"leno":'
exits 0 "$to/bin/leno" emu reduction --size tiny --sanitize
says log "leno: sanitize: 0 findings in "
# C: one header, pkg-config.
if command -v pkg-config > /dev/null; then
    flags=$(PKG_CONFIG_PATH=$to/lib/pkgconfig pkg-config --cflags --libs leno)
else
    flags="-I$to/include -L$to/lib -lleno"
fi
# shellcheck disable=SC2086
exits 0 cc -Wall -Werror -o user "$root/tests/install/user.c" $flags -Wl,-rpath,"$to/lib"
exits 0 ./user
[ "$(cat out)" = "$cycles $insts" ] || { echo "libleno: $(cat out), expected $cycles $insts"; exit 1; }
# The library shows its interface and nothing else.
nm -D --defined-only "$to/lib/libleno.so.1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort > shown
grep -o 'leno_[a-z_]*(' "$to/include/leno.h" | tr -d '(' | sort -u | grep -v '^leno_progress$' > declared
diff declared shown
# Python, without anything but itself.
export PYTHONPATH="$to/lib/python3/dist-packages"
exits 0 python3 -c "
import leno
row = leno.run('vecadd', scheme='ghost', size='tiny', sms=2)
assert row['gpu.cycles'] == $cycles and row['sm.warp_insts'] == $insts, row
assert sum(v for k, v in row.items() if k.startswith('slots.')) == $cycles * 8
assert all(isinstance(v, (int, float, str)) for v in row.values())
assert leno.Run('vecadd', size='tiny').json()['scheme'] == 'inorder'
wide = leno.run('vecadd', size='tiny', set={'l1.latency': 90})
assert wide['gpu.cycles'] != leno.run('vecadd', size='tiny')['gpu.cycles']
try:
    leno.run('no_such_program')
except leno.Error as e:
    assert e.status == 1 and 'no_such_program' in str(e)
else:
    assert False
try:
    leno.run('vecadd', size='small', progress=lambda *a: True)
except leno.Error as e:
    assert e.status == 5
else:
    assert False
"
exits 0 python3 "$root/tests/install/notebook.py" "$to/share/doc/leno/schemes.ipynb"
says out "4 cells"
says out "hotspot    ghost"
unset PYTHONPATH
# Pages that README and the manual pages name, and the study that they show.
grep -oE '\]\(docs/[^)#]+' "$to/share/doc/leno/README.md" | sed 's/^](//' | sort -u > pages
[ -s pages ] && while read -r page; do [ -e "$to/share/doc/leno/$page" ]; done < pages
exits 0 "$to/bin/leno" sweep "$to/share/doc/leno/configs/sweeps/ghost-artifact.ini" --list
# Manual pages: of leno and of every command, with every option.
for c in run exec view help; do
    zcat "$to/share/man/man1/leno-$c.1.gz" > page
    "$to/bin/leno" $c --help | sed -n 's/^  --\([a-z-]*\).*/\1/p' | while read -r option; do
        grep -qF -e "\\-\\-$(echo "$option" | sed 's/-/\\-/g')" page || { echo "leno-$c.1: no --$option"; exit 1; }
    done
done
! command -v man > /dev/null || MANPATH=$to/share/man man leno-view | cat > page
! command -v man > /dev/null || grep -q -e '--kernel' page
# Completions, as the shells use them: of commands, options and values.
cat > try.bash << EOF
source $to/share/bash-completion/completions/leno
COMP_WORDS=(leno vi); COMP_CWORD=1; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno run --hot); COMP_CWORD=2; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno run --size ''); COMP_CWORD=3; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno run --gpu h2); COMP_CWORD=3; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno compare --schemes so); COMP_CWORD=3; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno run hots); COMP_CWORD=2; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno list work); COMP_CWORD=2; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno reproduce al); COMP_CWORD=2; _leno; echo "\${COMPREPLY[*]}"
EOF
exits 0 bash try.bash
[ "$(cat out)" = "view
--hot --hot-file
tiny small paper
h200
socgpu
hotspot
workloads
all" ] || { cat out; exit 1; }
cat > try.zsh << EOF
fpath=($to/share/zsh/site-functions \$fpath)
autoload -U _leno
_describe() { print -l -- \${(P)2}; } # instead of the line editor, which is not there
_arguments() { print -l -- "\$@"; }
words=(leno vi); CURRENT=2; _leno
words=(leno run --ho); CURRENT=3; _leno
EOF
if command -v zsh > /dev/null; then
    exits 0 zsh -f try.zsh
    says out "view:draw a warp"
    says out "--hot-file["
    says out ":value:(tiny small paper)"
    says out " h200 "
    says out "*:file:{compadd -- backprop "
fi
if command -v fish > /dev/null; then
    for words in "leno vi" "leno run --hot" "leno run --size " "leno cost soc" "leno run hots"; do
        PATH=$to/bin:$PATH HOME=$TMP XDG_DATA_DIRS="$to/share:/usr/share" fish -c "complete -C '$words'"
    done | cut -f 1 | tr '\n' ' ' > shown
    [ "$(cat shown)" = "view --hot --hot-file paper small tiny socgpu hotspot " ] || { cat shown; exit 1; }
fi
says "$to/share/fish/vendor_completions.d/leno.fish" "complete -c leno -n '__fish_seen_subcommand_from run' -l hot -d"
# The package, installed into a folder of its own.
if ! command -v dpkg-deb > /dev/null; then
    echo "skipped: the Debian package, there is no dpkg-deb"
    exit 0
fi
exits 0 env DEB_OPTIONS="-Zgzip -z1" make -s -C "$root" BUILD="$build" deb
package=$(tail -n 1 out)
dpkg-deb -I "$package" | grep -q '^ Package: leno$'
if [ "$(id -u)" = 0 ]; then
    mkdir -p deb/var/lib/dpkg/updates deb/var/lib/dpkg/info
    : > deb/var/lib/dpkg/status
    exits 0 dpkg --root="$TMP/deb" --force-depends -i "$package"
    dpkg --root="$TMP/deb" -s leno | grep -q '^Status: install ok'
else
    dpkg-deb -x "$package" deb
fi
exits 0 deb/usr/bin/leno run vecadd --size tiny --scheme ghost --sms 2 --json
says out "\"gpu.cycles\": $cycles"
