# A recording runs under every scheme, and as the program does: the same statistics to the
# last. (Digests of results are the program's alone.)
. tests/cli/lib.inc
programs="histogram lud matrixmul rbfs"
schemes="turbulence inorder+darsie inorder+uv inorder+dac"
gpus=rtx2060s
if [ -n "${LENO_LONG:-}" ]; then
    programs=$({ echo lud; echo matrixmul; LENO_SAMPLE=4 some_workloads; } | sort -u)
    [ "$(echo "$programs" | wc -l)" -ge 12 ]
    schemes=
    for scheme in control ghost ghost.precise inorder limit loog socgpu turbulence; do
        schemes="$schemes $scheme $scheme+darsie $scheme+uv $scheme+dac"
    done
    gpus="rtx2060s gtx1080ti h200"
fi

files=
for w in $programs; do
    files="$files $TMP/$w.leno"
done
results() { # what to run and how; its status is left in $TMP/status
    status=0
    "$LENO" run "$@" --sms 2 --json > "$TMP/run" 2> "$TMP/log" || status=$?
    echo $status > "$TMP/status"
    timeless "$TMP/run" | sed "s|$TMP/\([a-z0-9_]*\)\.leno|\1|g
        s/\"digest\": \(\"[0-9a-f]*\"\|null\)//; s/\"size\": [a-z\"]*, \"seed\": [a-z0-9]*,//"
}
for gpu in $gpus; do
    arch=sm_75
    [ $gpu != h200 ] || arch=sm_90
    for w in $programs; do
        exits 0 "$LENO" record $w --size tiny --arch $arch -o "$TMP/$w.leno"
    done
    for scheme in $schemes; do
        set -- --gpu $gpu --scheme $scheme
        case $scheme in turbulence*) # a recording has no code to insert moves into
            set -- "$@" --set turbulence.convert=joins ;;
        esac
        results $programs --size tiny "$@" > "$TMP/executed"
        executed=$(cat "$TMP/status")
        results $files "$@" > "$TMP/replayed"
        [ "$executed" = "$(cat "$TMP/status")" ]
        [ "$executed" = 0 ]
        cmp "$TMP/executed" "$TMP/replayed"
    done
done
[ -s "$TMP/executed" ]

# They are not the same for want of anything to do.
for what in darsie:sm.skipped dac:sm.skipped uv:uv.reused; do
    exits 0 "$LENO" run "$TMP/matrixmul.leno" --sms 1 --scheme inorder+${what%:*}
    grep -q "^${what#*:}  *[1-9]" "$TMP/out"
done

# A recording of a recording has what the first one has.
exits 0 "$LENO" record "$TMP/lud.leno" -o "$TMP/again.leno"
results "$TMP/lud.leno" --scheme inorder+darsie > "$TMP/first"
results "$TMP/again.leno" --scheme inorder+darsie | sed 's/"again"/"lud"/' > "$TMP/second"
cmp "$TMP/first" "$TMP/second"
