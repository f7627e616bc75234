# Every program for Vortex under every scheme that runs there: each is right.
. tests/cli/lib.inc
n_programs=$(find workloads/vortex/tiny -name '*.elf' | wc -l)
[ "$n_programs" -ge 22 ]
schemes=$("$LENO" list schemes | awk '$1 !~ /^[+]/ { print $1 }' | sort -u |
    grep -vxE 'control|turbulence') # refused: tests/cli/vortex-schemes.sh
for gpu in vortex-4x4 vortex-16x4; do
    for scheme in $schemes; do
        exits 0 "$LENO" run workloads/vortex/tiny/*.elf --gpu $gpu --scheme "$scheme"
        [ "$(grep -c '^#0: [a-z0-9-]*: ok$' "$TMP/log")" = "$n_programs" ]
    done
done
