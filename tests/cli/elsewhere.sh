# Leno copied elsewhere and started in another folder: programs that are files need no
# folder of workloads, wherever they lie; a program that is named asks for it.
. tests/cli/lib.inc
[ -f build/lib/libleno_inputs.so ] || make -s shim
cubin=$PWD/workloads/vecadd/sm_75.cubin
TMP=$TMP/elsewhere
rm -rf "$TMP"
mkdir -p "$TMP/bin" "$TMP/here"
cc -Isrc -Isrc/driver -o "$TMP/here/adder" tests/data/suite/adder.c build/lib/libcuda.so.1
cp "$LENO" "$TMP/bin/leno"
cp -r build/lib "$TMP/bin"
echo "4000 3" > "$TMP/here/input"
cat > "$TMP/here/suite.ini" << END
[adder]
command = ./adder $cubin input
folder  = .
END
cat > "$TMP/here/sweep.ini" << END
schemes = inorder, ghost
[sweep]
sched.policy = gto, lrr
END
elsewhere() { # status, arguments of leno
    want=$1
    shift
    exits "$want" env -u LENO_LIBRARIES -u LENO_WORKLOADS \
        sh -c 'cd "$0/here" && exec ../bin/leno "$@"' "$TMP" "$@"
}
two="--schemes inorder,ghost"

elsewhere 0 record --suite suite.ini -o recorded
elsewhere 0 compare --suite suite.ini $two
says "$TMP/out" "2 runs executed"
elsewhere 0 compare $two recorded/adder.leno -- ./adder "$cubin" input
elsewhere 0 run --suite suite.ini
elsewhere 0 run -- ./adder "$cubin" input
elsewhere 0 sweep sweep.ini -- ./adder "$cubin" input
elsewhere 0 reproduce ghost --figure 13 --program BAK=recorded/adder.leno
elsewhere 1 compare vecadd recorded/adder.leno $two
says "$TMP/log" "workloads: no such folder; --workloads DIR names another"
elsewhere 1 compare --workloads nowhere recorded/adder.leno $two
says "$TMP/log" "nowhere: no such folder"
