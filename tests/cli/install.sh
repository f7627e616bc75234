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
exits 0 "$to/bin/leno" exec --functional -- true
# Pages: templates are in the program.
exits 0 "$to/bin/leno" run hotspot --size tiny --sms 2 --scheme inorder,ghost --hot-file hot.html
says hot.html '"sass": "BAR.SYNC 0x0"'
says hot.html '</script></body></html>'
exits 0 "$to/bin/leno" view hotspot --size tiny --sms 2 -o view.html
says view.html '"scheme":"ghost","kernel":"hotspot"'
exits 0 "$to/bin/leno" run hotspot --size tiny --sms 2 --series-out series.csv
[ "$(wc -l < series.csv)" -gt 5 ]
exits 0 "$to/bin/leno" compare hotspot --size tiny --sms 2 --schemes inorder,ghost --series 500 --hot --report report.html
says report.html '"hot": {"leno":'
exits 0 "$to/bin/leno" emu reduction --size tiny --sanitize
says log "leno: sanitize: 0 findings in "
# C: one header, pkg-config.
sed -i "s|^prefix=.*|prefix=$to|" "$to/lib/pkgconfig/leno.pc"
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
# Manual pages: of leno and of every command, with every option.
for c in run exec view help; do
    zcat "$to/share/man/man1/leno-$c.1.gz" > page
    "$to/bin/leno" $c --help | sed -n 's/^  --\([a-z-]*\).*/\1/p' | while read -r option; do
        grep -qF -e "\\-\\-$(echo "$option" | sed 's/-/\\-/g')" page || { echo "leno-$c.1: no --$option"; exit 1; }
    done
done
# Completions: bash's is tried, the others at least parsed where their shells are.
cat > try.bash << EOF
source $to/share/bash-completion/completions/leno
COMP_WORDS=(leno vi); COMP_CWORD=1; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno run --hot); COMP_CWORD=2; _leno; echo "\${COMPREPLY[*]}"
COMP_WORDS=(leno run --size ''); COMP_CWORD=3; _leno; echo "\${COMPREPLY[*]}"
EOF
exits 0 bash try.bash
[ "$(cat out)" = "view
--hot --hot-file
tiny small paper" ] || { cat out; exit 1; }
! command -v zsh > /dev/null || zsh -n "$to/share/zsh/site-functions/_leno"
! command -v fish > /dev/null || fish -n "$to/share/fish/vendor_completions.d/leno.fish"
says "$to/share/fish/vendor_completions.d/leno.fish" "complete -c leno -n '__fish_seen_subcommand_from run' -l hot -d"
# The package, installed into a folder of its own.
if ! command -v dpkg-deb > /dev/null; then
    echo "skipped: the Debian package, there is no dpkg-deb"
    exit 0
fi
exits 0 make -s -C "$root" BUILD="$build" deb
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
