# leno compare --report with --series and --hot: cached like other results, complete, and used in
# a headless Chromium where there is one (and node with playwright-core, or $PLAYWRIGHT_CORE).
. tests/cli/lib.inc
compare() {
    "$LENO" compare lud hotspot --size tiny --gpu rtx2060s --schemes inorder,ghost --out "$TMP/o" "$@"
}
exits 1 compare --series 10
says "$TMP/log" "--series: expected --report FILE.html, which shows it"
exits 1 compare --hot --csv
says "$TMP/log" "--hot: expected --report FILE.html, which shows it"
exits 0 compare --report "$TMP/plain.html"
! grep -qE 'src=|href=|http:|https:|"series":|"hot":' "$TMP/plain.html" || { echo "a plain page"; exit 1; }
# Results with a series are other results; they come from the cache the second time.
exits 0 compare --report "$TMP/report.html" --series 7 --hot
says "$TMP/log" "[4/4]"
exits 0 compare --report "$TMP/again.html" --series 7 --hot
says "$TMP/log" "4 of 4 results taken from the cache"
cmp "$TMP/report.html" "$TMP/again.html"
says "$TMP/report.html" "<span>--series</span> <span>7</span> <span>--hot</span></code>"
! grep -qE 'src=|href=|http:|https:' "$TMP/report.html" || { echo "the page loads something"; exit 1; }
awk '/^<script id="report-data"/ { on = 1; next } /^<\/script>/ { on = 0 } on' "$TMP/report.html" > "$TMP/data.json"
is_json "$TMP/data.json"
# A bounded number of rows that have all cycles of the run, however short N is.
"$LENO" run lud --size tiny --scheme inorder --json > "$TMP/run.json"
cycles=$(tr ',{}' '\n' < "$TMP/run.json" | sed -n 's/^ *"gpu.cycles": //p')
grep -o '"rows":\[\[[^"]*\]\]' "$TMP/data.json" | head -n 1 | sed 's/"rows":\[//' | tr -d '[' | tr ']' '\n' |
    sed 's/^,//; /^$/d' > "$TMP/rows"
awk -F, -v cycles="$cycles" '{ sum += $3; if ($2 != at) bad = 1; at = $2 + $3 }
    END { exit bad || sum != cycles || NR < 128 || NR > 256 }' "$TMP/rows" ||
    { wc -l "$TMP/rows"; exit 1; }
# Familiar names, occupancy and energy.
says "$TMP/report.html" "load (long scoreboard)"
says "$TMP/report.html" "<th>occupancy,<br>%</th>"
says "$TMP/report.html" "<h2>Energy, relative to inorder</h2>"
chromium=$(command -v chromium || command -v chromium-browser || true)
library=${PLAYWRIGHT_CORE:-playwright-core}
if [ -z "$chromium" ] || ! node -e "require('$library')" 2> /dev/null; then
    echo "skipped: the report in a browser, there is no chromium or no node with playwright-core"
    exit 0
fi
exits 0 node tests/browser/report.js "$library" "$chromium" "$TMP/report.html" "$TMP"
