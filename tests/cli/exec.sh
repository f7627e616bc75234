# leno exec without CUDA: a program that uses none is run as it is; what it says when
# something is wrong. Programs with kernels are in tests/exec.
. tests/cli/lib.inc
LENO_LIBRARIES=$PWD/build/lib
export LENO_LIBRARIES
[ -f "$LENO_LIBRARIES/libcuda.so.1" ] || make -s shim

exits 0 "$LENO" exec -- /bin/echo one --two "3 4"
[ "$(cat "$TMP/out")" = "one --two 3 4" ]
silent "$TMP/log"
exits 7 "$LENO" exec --gpu h200 -- sh -c 'exit 7'
exits 0 "$LENO" exec --stats "$TMP/none.json" -- sh -c 'echo "$LENO_EXEC"'
says "$TMP/out" "stats $TMP/none.json"
[ -f "$TMP/none.json" ]
silent "$TMP/none.json"
exits 0 "$LENO" exec --stats /dev/null -- true
[ -c /dev/null ]
mkfifo "$TMP/fifo"
exits 0 "$LENO" exec --stats "$TMP/fifo" -- true
[ -p "$TMP/fifo" ]
echo old > "$TMP/real.json"
ln -s real.json "$TMP/link.json"
exits 0 "$LENO" exec --stats "$TMP/link.json" -- true
[ -L "$TMP/link.json" ]
silent "$TMP/real.json"
exits 1 "$LENO" exec --stats "$TMP" -- true
says "$TMP/log" "is a folder"
printf '#!/bin/sh\necho "$LD_LIBRARY_PATH"\n' > "$TMP/script"
chmod +x "$TMP/script"
exits 0 "$LENO" exec -- "$TMP/script"
says "$TMP/out" "$LENO_LIBRARIES"

exits 1 "$LENO" exec
says "$TMP/log" "name a program"
exits 1 "$LENO" exec -- no-such-program
says "$TMP/log" "no such program in PATH"
exits 1 "$LENO" exec -- "$TMP/nothing"
says "$TMP/log" "no such program"
exits 1 "$LENO" exec --gpu rtx2060 -- true
says "$TMP/log" "rtx2060s"
exits 1 "$LENO" exec --set core.warp=8 -- true
says "$TMP/log" "core.warps"
exits 1 "$LENO" exec --scheme inordr -- true
says "$TMP/log" "did you mean 'inorder'"
for range in 0 5-3 x 1-y; do
    exits 1 "$LENO" exec --kernels $range -- true
    says "$TMP/log" "counted from 1"
done
exits 1 "$LENO" exec --libraries "$TMP" -- true
says "$TMP/log" "make shim"
exits 1 "$LENO" exec --stats "$TMP/no/such/folder" -- true
printf '\177ELF\2\1\1\0' > "$TMP/short"
chmod +x "$TMP/short"
exits 1 "$LENO" exec -- "$TMP/short"

# A folder whose name the dynamic loader would take apart is refused, or the vendor's
# libraries would be loaded; a link elsewhere helps.
for folder in "a:b" "a;b" 'a$b'; do
    mkdir "$TMP/$folder"
    ln -s "$LENO_LIBRARIES" "$TMP/$folder/lib"
    LENO_LIBRARIES=$TMP/$folder/lib exits 1 "$LENO" exec -- true
    says "$TMP/log" "in a path cannot be given to the program (LD_LIBRARY_PATH)"
done
ln -s "$TMP/a:b/lib" "$TMP/plain"
exits 0 "$LENO" exec --libraries "$TMP/plain" -- true
ln -s "$TMP/a:b/lib" "$TMP/with space"
exits 0 "$LENO" exec --libraries "$TMP/with space" -- true
! grep "cannot be preloaded" "$TMP/log" || exit 1
