# A host without enough memory: one wording, one exit code, wherever it happens; and what
# needs little runs in little.
. tests/cli/lib.inc
if ! (ulimit -v 1000000 && "$LENO" --version) > "$TMP/out" 2>&1; then
    echo "skipped: the program does not start with a limit on addresses (sanitizers)"
    exit 0
fi
within() { # KiB, arguments...
    (ulimit -v "$1" && shift && exec "$LENO" "$@")
}
for limit in 12000 30000 60000; do
    exits 5 within $limit run vecadd --size tiny
    says "$TMP/log" "leno run: out of memory for "
done
exits 5 within 12000 emu vecadd --size tiny
says "$TMP/log" "leno emu: out of memory for "
exits 5 within 16000 compare vecadd --size tiny --schemes inorder --out "$TMP/kept"
says "$TMP/log" "out of memory for "
# Whatever it is that finds none.
for limit in 8000 10000 14000 18000 24000 40000 80000 160000 320000; do
    for command in "emu vecadd --size small" "run scan --size tiny --gpu v100" \
        "run workloads/vortex/tiny/vecadd.elf --gpu vortex-4x4" "list params"; do
        status=0
        # shellcheck disable=SC2086
        within $limit $command > "$TMP/out" 2> "$TMP/log" || status=$?
        case $status in
        0 | 127) ;; # done; not even its libraries could be loaded
        5) grep -qE "out of memory for |simulated memory is exhausted" "$TMP/log" ;;
        *)
            echo "$limit KiB, $command: status $status"
            cat "$TMP/log"
            exit 1
            ;;
        esac
    done
done
exits 0 within 30000 cost ghost
exits 0 within 30000 disasm workloads/vecadd/sm_75.cubin
