# leno view: a page with one or two schemes, and leno run --hot-file FILE.html. In a headless
# Chromium, where there is one (and node with playwright-core, or $PLAYWRIGHT_CORE), both pages
# are used as a user would.
. tests/cli/lib.inc
exits 0 "$LENO" view hotspot --size tiny -o "$TMP/view.html"
says "$TMP/view.html" '</script></body></html>'
! grep -q 'http:\|https:\| src=' "$TMP/view.html" || { echo "the page loads something"; exit 1; }
sed -n '/application\/json/,/<\/script>/p' "$TMP/view.html" | sed '1d;$d' > "$TMP/view.json"
is_json "$TMP/view.json"
# Both schemes have all 105 instructions of the warp, in program order.
[ "$(grep -c '^{"warp":0,"seq":' "$TMP/view.json")" = 210 ]
says "$TMP/view.json" '"sass":"BAR.SYNC 0x0"'
says "$TMP/view.json" '"scheme":"ghost","kernel":"hotspot","demangled":"hotspot","launch":1,"block":0'
# Under inorder issue cycles grow with program order, under ghost they do not.
reordered() { # scheme
    awk -v scheme="\"scheme\":\"$1\"" 'index($0, "\"scheme\":") { on = index($0, scheme) }
        on && match($0, /"Is",[0-9]+/) {
            at = substr($0, RSTART + 5, RLENGTH - 5) + 0; n += at < last; last = at
        } END { print n + 0 }' "$TMP/view.json"
}
[ "$(reordered inorder)" = 0 ]
[ "$(reordered ghost)" -gt 5 ]
# What an instruction reads is an arrow: the store of shared memory reads the load's register.
grep '"sass":"@P0 STS \[R11\], R2"' "$TMP/view.json" | grep -q '"from":\['
# Choosing cycles, warps, a kernel by name.
exits 0 "$LENO" view hotspot --size tiny --scheme inorder --warp 0-1 --cycles 0-60 --kernel hotspot -o "$TMP/part.html"
grep -q '^{"warp":1,"seq":0,' "$TMP/part.html"
! grep -q '^{"warp":0,"seq":90,' "$TMP/part.html" || { echo "an instruction of a later cycle"; exit 1; }
exits 0 "$LENO" view hotspot --size tiny --scheme inorder --cycles 0-60 --kernel 'hot*' -o "$TMP/part.html"
exits 1 "$LENO" view hotspot --size tiny --kernel hot -o "$TMP/none.html"
says "$TMP/log" "--kernel hot: there was no such launch"
exits 1 "$LENO" view hotspot --size tiny --kernel 9 -o "$TMP/none.html"
says "$TMP/log" "--kernel 9: there was no such launch"
exits 1 "$LENO" view hotspot --size tiny --warp 31 -o "$TMP/none.html"
says "$TMP/log" "no instruction was in flight"
[ ! -e "$TMP/none.html" ]
exits 1 "$LENO" view hotspot --size tiny --warp x -o "$TMP/none.html"
exits 1 "$LENO" view hotspot
says "$TMP/log" "expected -o FILE.html"
exits 1 "$LENO" view hotspot -o "$TMP/none.html" -- true
says "$TMP/log" "name one program"
exits 1 "$LENO" view hotspot --scheme a,b,c -o "$TMP/none.html"
chromium=$(command -v chromium || command -v chromium-browser || true)
library=${PLAYWRIGHT_CORE:-playwright-core}
if [ -z "$chromium" ] || ! node -e "require('$library')" 2> /dev/null; then
    echo "skipped: pages in a browser, there is no chromium or no node with playwright-core"
    exit 0
fi
exits 0 "$LENO" run hotspot --size tiny --scheme inorder,ghost --hot-file "$TMP/hot.html"
# A page of 22,400 instructions per scheme stays smooth.
exits 0 "$LENO" view matrixmul --size small --warp 0-31 -o "$TMP/large.html"
exits 0 node tests/browser/view.js "$library" "$chromium" "$TMP/view.html" "$TMP/hot.html" "$TMP/large.html" "$TMP"
says "$TMP/out" " ms for 22400 rows"
