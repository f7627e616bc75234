# Whole programs against the RTL's cycles (tests/vortex/programs.txt): each within 3 %, and
# half a per cent apart on average.
. tests/cli/lib.inc
n=0
sum=0
while read -r program inorder loog rrs; do
    case $program in '#'*) continue ;; esac
    for pair in "inorder $inorder" "loog $loog" "loog.rrs $rrs"; do
        scheme=${pair% *} rtl=${pair#* }
        [ "$rtl" != - ] || continue
        exits 0 "$LENO" run "workloads/vortex/tiny/$program.elf" --gpu vortex-4x4 \
            --scheme "$scheme"
        ours=$(awk '$1 == "gpu.cycles" { print $2 }' "$TMP/out")
        apart=$(((ours - rtl) * 10000 / rtl)) # in hundredths of a per cent
        apart=${apart#-}
        if [ "$apart" -gt 300 ]; then
            echo "$program, $scheme: RTL $rtl, here $ours"
            exit 1
        fi
        sum=$((sum + apart))
        n=$((n + 1))
    done
done < tests/vortex/programs.txt
echo "$n runs, $((sum / n)) hundredths of a per cent apart on average"
[ "$n" -ge 60 ]
[ $((sum / n)) -le 50 ]
