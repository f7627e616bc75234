# What compare, sweep and reproduce do with a cache that they cannot write, whose rows were
# changed, or that has no room left.
. tests/cli/lib.inc
out=$TMP/results
compare() { "$LENO" compare vecadd scan --size tiny --schemes inorder --out "$out" "$@"; }

# As somebody who may not write: root is, unless it gives that up.
reader() { "$@"; }
if [ "$(id -u)" = 0 ]; then
    reader() { setpriv --bounding-set=-dac_override "$@"; }
fi
mkdir -m 555 "$TMP/locked"
if reader mkdir "$TMP/locked/x" 2> /dev/null || ! reader true; then
    echo "skipped: nothing is read-only here"
    reader() { false; }
fi
exits 0 compare --json
cp "$TMP/out" "$TMP/first.json"
if reader true; then
    # What is there is read, what is missing is run and not kept; both are told.
    chmod -R a-w "$out"
    exits 0 reader "$LENO" compare vecadd scan --size tiny --schemes inorder --json \
        --out "$out"
    cmp "$TMP/first.json" "$TMP/out"
    says "$TMP/log" "$out/results.db cannot be written (Permission denied): cached results"
    says "$TMP/log" "2 of 2 results taken from the cache"
    for again in 1 2; do
        exits 0 reader "$LENO" compare vecadd scan lud --size tiny --schemes inorder \
            --out "$out"
        says "$TMP/log" "[1/1] lud inorder"
        says "$TMP/out" "1 run executed, 2 taken from the cache. 1 result was not kept:"
        says "$TMP/out" "$out/results.db: Permission denied."
    done
    printf 'schemes = inorder\nprograms = vecadd, scan\nsize = tiny\n' > "$TMP/s.ini"
    exits 0 reader "$LENO" sweep "$TMP/s.ini" --out "$out"
    says "$TMP/log" "2 of 2 results taken from the cache"
    exits 0 reader "$LENO" reproduce ghost --figure V --program LUD=lud --size tiny --out "$out"
    says "$TMP/log" "new ones are not kept"
    [ "$(ls "$out")" = results.db ]
    chmod -R u+w "$out"
    # With nothing to read there is nothing to go on from.
    exits 1 reader "$LENO" compare vecadd --size tiny --out "$TMP/locked"
    says "$TMP/log" "$TMP/locked/results.db"
    exits 1 reader "$LENO" compare vecadd --size tiny --out "$TMP/locked/x"
    says "$TMP/log" "$TMP/locked/x: Permission denied"
fi

# A row that was changed is named and run again; then all is as before.
LC_ALL=C sed -i 's/"program": "scan"/"program": "scam"/' "$out/results.db"
exits 0 compare --json
cmp "$TMP/first.json" "$TMP/out"
says "$TMP/log" "$out/results.db: row "
says "$TMP/log" "(scan, inorder on rtx2060s-ghost; config_hash "
says "$TMP/log" "does not match its checksum; the row is ignored and the program is run again"
[ "$(grep -c 'does not match' "$TMP/log")" = 1 ]
says "$TMP/log" "[1/1] scan inorder"
exits 0 compare --json
says "$TMP/log" "2 of 2 results taken from the cache"

# No room (a limit on the size of files stands for a full disk): every run ends, and it is
# told how many results are kept and why others are not.
exits 1 sh -c 'trap "" XFSZ; ulimit -f 150; "$@"' sh "$LENO" compare --size tiny \
    --schemes inorder,ghost --out "$TMP/full" vecadd scan lud nn
says "$TMP/log" "[8/8]"
says "$TMP/log" "of 8 results were not kept: $TMP/full/results.db: "
says "$TMP/out" "8 runs executed, 0 taken from the cache."
says "$TMP/out" "not kept:"
! grep -q 'Results are cached in' "$TMP/out" || exit 1
lost=$(sed -n 's/.* \([0-9]*\) of 8 results were not kept.*/\1/p' "$TMP/log")
[ "$lost" -gt 0 ] && [ "$lost" -lt 8 ]
exits 0 "$LENO" compare --size tiny --schemes inorder,ghost --out "$TMP/full" vecadd scan lud nn
says "$TMP/log" "[$lost/$lost]"
says "$TMP/out" "running again computes only what is missing"
