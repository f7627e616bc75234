#!/bin/sh
# Programs built by nvcc, run by leno exec: each on three machines, its output compared
# with its .out file; then what leno exec itself must do. A line "ok", "FAIL" or "skip" a
# test; without nvcc all are skipped.
# usage: tests/exec/run.sh BUILD [only NAME...]    with only: the programs that are named
#        tests/exec/run.sh BUILD only-case tensor|faults|strict|inside  that one
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${1:-build}
leno=$PWD/$build/leno
bin=$PWD/$build/tests/exec
jobs=${JOBS:-$(nproc)}
plain="quads basics symbols shared calls printing errors illegal streams managed copies textures grids
    bounds pools mappings transfers refused samples rodinia properties clusters loops jit capped mipmaps meets children graphs capture sharing"
cases="clocks messages editions inside stripped ptx ptxas other-gpu compressed debug status stats kernels
    selected record paths machine untimed summary stops strict vendor system nvrtc capped-launches sampled cut resumed counts order races sanitize lines wide tensor"
command -v nvcc > /dev/null 2>&1 || PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc > /dev/null 2>&1; then
    for name in $plain parts modules thrusts $cases; do
        echo "skip exec $name: there is no nvcc"
    done
    exit 0
fi
mkdir -p "$bin"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
distrust="NOT TO BE TRUSTED: "

ok() { echo "ok exec $1"; }
bad() {
    echo "FAIL exec $1"
    shift
    for file in "$work/out" "$work/log"; do
        [ ! -s "$file" ] || tail -n 5 "$file" | cut -c 1-300 | sed 's/^/    /'
    done
    [ $# = 0 ] || printf '    %s\n' "$*"
    failed=1
}
# holds NAME COMMAND...: one test; the command leaves $work/out and $work/log
holds() {
    name=$1
    shift
    : > "$work/out"
    : > "$work/log"
    if "$@"; then ok "$name"; else bad "$name"; fi
}
run() { # leno exec ARGS...
    "$leno" exec "$@" > "$work/out" 2> "$work/log"
}
says() { grep -qF -e "$2" "$work/$1"; }
cycles() { sed -n 's/.*"cycles": \([0-9]*\), "checked.*/\1/p' "$1"; }

# Three architectures in one file: the machine chooses. One pass of the compiler serves all
# three, unless the source asks for which of them it is compiled. Nothing is built twice.
each="-gencode arch=compute_75,code=sm_75 -gencode arch=compute_86,code=sm_86
    -gencode arch=compute_90,code=sm_90"
once="-gencode arch=compute_75,code=[sm_75,sm_86,sm_90]"
compile() { # output, sources and options...
    output=$1
    shift
    [ "$output" -nt tests/exec/run.sh ] && [ "$output" -nt "$1" ] && return
    nvcc -o "$output" "$@" > "$output.log" 2>&1 || rm -f "$output"
}
export bin
build_one() {
    source=tests/exec/$1.cu
    all=$once
    ! grep -qsE '__CUDA_ARCH__|cluster|cooperative' "$source" || all=$each
    shared="-cudart shared --extended-lambda"
    case $1 in
    parts) compile "$bin/parts" tests/exec/parts_main.cu tests/exec/parts_other.cu \
        $shared $all -rdc=true ;;
    mappings|modules|jit|transfers|sharing|system) compile "$bin/$1" $source $shared $all -lcuda ;;
    fatbin) compile "$bin/modules.fatbin" tests/exec/modules.cu -fatbin $all ;;
    faults) compile "$bin/faults" $source $shared $all -lineinfo ;;
    children) compile "$bin/children" $source $shared $all -rdc=true -lcudadevrt ;;
    cubin) compile "$bin/modules.cubin" tests/exec/modules.cu -cubin -arch=sm_75 ;;
    hopper) compile "$bin/hopper" tests/exec/symbols.cu $shared -arch=sm_90 ;;
    ampere) compile "$bin/ampere" tests/exec/symbols.cu $shared -arch=sm_80 ;;
    code-*) compile "$bin/$1" tests/exec/symbols.cu $shared -arch=sm_${1#code-} ;;
    cubin-*) compile "$bin/$1" tests/exec/modules.cu -cubin -arch=sm_${1#cubin-} ;;
    wide) compile "$bin/wide" $source $shared -gencode arch=compute_100,code=sm_100 \
        -gencode arch=compute_120,code=sm_120 ;;
    tensor) compile "$bin/tensor" $source $shared -std=c++17 -lcuda \
        -gencode arch=compute_90a,code=sm_90a ;;
    thrusts) compile "$bin/thrusts" $source $shared -arch=sm_75 ;;
    inside) compile "$bin/inside" tests/exec/basics.cu -arch=sm_75 ;;
    ptx) compile "$bin/ptx" tests/exec/symbols.cu $shared \
        -gencode arch=compute_75,code=compute_75 ;;
    ptx90) compile "$bin/ptx90" tests/exec/symbols.cu $shared \
        -gencode arch=compute_90,code=compute_90 ;;
    debug) compile "$bin/debug" tests/exec/rodinia.cu $shared -arch=sm_75 -G ;;
    nvrtc) compile "$bin/nvrtc" $source $shared -arch=sm_75 -lnvrtc -lcuda ;;
    vendor) compile "$bin/vendor" $source $shared -arch=sm_75 -lcurand ;;
    libcublas) compile "$bin/libcublas.so" tests/exec/symbols.cu $shared -arch=sm_75 -shared \
        -Xcompiler -fPIC ;;
    zstd) compile "$bin/zstd" tests/exec/symbols.cu $shared -arch=sm_75 \
        --compress-mode=size ;;
    edition-*) compile "$bin/$1" tests/exec/symbols.cu -cudart none -arch=sm_75 \
        -Xlinker "$bin/../../lib/libcudart.so.${1#edition-}" ;;
    *) compile "$bin/$1" $source $shared $all ;;
    esac
}
if [ "${2:-}" = build ]; then
    build_one "$3"
    exit 0
fi
others="tensor faults vendor system nvrtc clocks order launches waves parts modules fatbin cubin thrusts inside ptx ptx90 zstd debug edition-11.0 edition-12 hopper ampere libcublas code-87 code-103 code-121 cubin-110 wide"
[ "${2:-}" != only-case ] || { plain=; others=$3; }
[ "${2:-} ${3:-}" != "only-case faults" ] || others="faults shared grids tensor"
[ "${2:-} ${3:-}" != "only-case strict" ] || others="bounds faults"
[ "${2:-}" != only ] || { shift 2; plain=$*; others=; only=yes; }
echo $plain $others |
    tr ' ' '\n' | xargs -P "$jobs" -I{} sh "$0" "$build" build {}

tensor() { # maps and copies as on an H200; -q: nothing is late here
    run --quiet --functional --gpu h200 -- "$bin/tensor" maps &&
        cmp -s "$work/out" tests/exec/tensor-maps.out &&
        run --quiet --functional --gpu h200 -- "$bin/tensor" -q &&
        cmp -s "$work/out" tests/exec/tensor.out &&
        ! run --quiet --functional --gpu h200 -- "$bin/tensor" only wrong0 &&
        says out "wrong0: cudaErrorIllegalInstruction" &&
        says log "a copy that begins at coordinate 1, 0" &&
        ! run --quiet --functional --gpu h200 -- "$bin/tensor" only wrong1 &&
        says out "wrong1: cudaErrorIllegalInstruction" &&
        says log "a copy that begins at coordinate 0, -1" &&
        ! run --quiet --functional --gpu h200 -- "$bin/tensor" only wrong2 &&
        says out "wrong2: cudaErrorIllegalInstruction" &&
        ! run --quiet --functional --gpu h200 -- "$bin/tensor" only reduce75 && # AND of floats
        says log "no such reduction of the tensor's type" || return 1
    for scheme in inorder ghost turbulence control+darsie; do # timed: there it may be late
        run --quiet --gpu h200 --scheme $scheme -- "$bin/tensor" only any2 &&
            [ "$(head -n 1 "$work/out")" = "$(grep ^any2: tests/exec/tensor.out)" ] || return 1
    done
    ! run --quiet --gpu h200 --scheme loog -- "$bin/tensor" only any2 &&
        says log "asynchronous instructions cannot wait in reservation stations"
}

# One fault per case: what is said of it, without code addresses and instructions, which differ
# from machine to machine; in shared memory offsets begin at 1 KiB on sm_90; what is in local
# memory differs.
faults="clean freed freed-early overrun-read overrun-write overrun-byte unset-global
    unset-atomic unset-shared race-shared race-global barrier-block barrier-warp barrier-odd far fine race-flag heap-freed heap-overrun
    variable far-shared far-local"
sanitize() {
    for gpu in rtx2060s rtx3070 h200; do
        for case in $faults; do
            run --quiet --sanitize --gpu $gpu -- "$bin/faults" $case || return 1
            sed 's/^\(barrier-[wo][a-z]*: \).*/\1by the machine/' "$work/out" # some wait for ever
            sed -nE '/^leno: (use|over|unin|race|div|acc|san)/{
                s/\+0x[0-9a-f]+ \([^)]*\/(faults.cu:[0-9]+)\) `[^`]*`/ (\1)/g
                s/(shared.* at )0x4/\10x/
                s/(outside of shared.* at )0x5/\10x1/
                s/(outside of local.* at )0x[0-9a-f]+/\1its place/
                s/(barrier, kernel odd.*: ).*(faults[^)]*).*(faults[^)]*).*/\1\2 and \3/; p; }' "$work/log" |
                sed 's/faults.cu:73 and faults.cu:76/faults.cu:76 and faults.cu:73/' # either is first
        done > "$work/found"
        diff tests/exec/faults.out "$work/found" > "$work/out" || return 1
    done
    for clean in shared samples grids meets streams pools children tensor; do
        [ -x "$bin/$clean" ] || continue
        run --quiet --sanitize --gpu h200 -- "$bin/$clean" $([ $clean != tensor ] || echo -q)
        # A child of children.cu writes where nothing is.
        says log "leno: sanitize: $([ $clean = children ] && echo "1 finding" || echo "0 findings") in " || return 1
    done
}
# A recording keeps them, for --hot and leno view.
recorded_lines() {
    cp "$bin/faults" "$work/lines" && (cd "$work" && "$leno" record --fresh --out "$work/cache" \
        -o lines.leno -- ./lines clean > log 2>&1 && "$leno" run lines.leno --sms 1 --hot --csv > out &&
        "$leno" view lines.leno --sms 1 --kernel _Z4copyPfPKfi -o lines.html > log 2>&1) &&
        grep -q ',_Z4copyPfPKfi,0x[0-9a-f]*,.*/faults.cu,21,,"*STG' "$work/out" &&
        grep -q '"sass":"[^"]*STG[^"]*","file":"faults.cu","line":21' "$work/lines.html"
}
# A fault, a violation, a deadlock and a livelock name the line of the source.
lines() {
    run --quiet --gpu rtx2060s -- "$bin/faults" far &&
        grep -q "illegal address 0x.*pc _Z4copyPfPKfi+0x[0-9a-f]* (.*/faults.cu:21)" "$work/log" &&
        run --quiet --gpu rtx2060s --scheme control --set control.interlock=off -- "$bin/faults" &&
        grep -q "RAW violation in cycle .* (.*/faults.cu:12) .* reads R0 before .* (.*/faults.cu:10)" \
            "$work/log" &&
        run --quiet --functional --gpu h200 -- "$bin/faults" barrier-warp &&
        grep -q "deadlock: kernel _Z4partPfi.* waits at pc .*/faults.cu:60)" "$work/log" &&
        run --quiet --gpu h200 -- "$bin/faults" barrier-warp &&
        grep -q "deadlock: .*warp 0 waits at 0x[0-9a-f]* BAR.SYNC.* (.*/faults.cu:60)" "$work/log" &&
        run --quiet --gpu rtx2060s --max-cycles 20000 -- "$bin/faults" spin &&
        grep -q "in a loop of .*/faults.cu:81), with the same results each time: spinning" "$work/log" &&
        recorded_lines
}
strict() { # accesses next to an allocation: one warning per kernel, or a fault
    for how in "" --functional "--record $work/bounds"; do
        run --quiet $how -- "$bin/bounds" && cmp -s "$work/out" tests/exec/bounds.out &&
            [ "$(grep -c '^leno: warning: kernel _Z' "$work/log")" = 3 ] &&
            says log "reads from 0x2000001ffff8, 8 bytes before the start of an allocation of 16 bytes at 0x200000200000: " &&
            says log "writes to 0x200000700004, 4 bytes past the end of an allocation of 3145728 bytes" &&
            says log "use --strict to make it a fault" || return 1
    done
    ! run --quiet --strict -- "$bin/bounds" && ! says log "leno: warning" &&
        says log "illegal address 0x1ffffffffff8" || return 1
    for how in "" --functional; do # a word past 100 bytes
        for case in overrun-read overrun-write; do
            run --quiet --strict $how --gpu rtx2060s -- "$bin/faults" $case &&
                grep -q "illegal address 0x200000000[02]64 (lane" "$work/log" || return 1
        done
    done
    run --quiet --strict --gpu h200 -- "$bin/faults" clean && ! says log "$distrust"
}
# nvcc's default: the runtime inside the program, or inside one that it starts, is replaced.
inside() {
    run --quiet -- "$bin/inside" && says out "basics: 0 arguments" &&
        run --quiet -- sh -c '"$0" one | cat' "$bin/inside" && says out "basics: 1 argument" &&
        says log "leno: simulated" && run --quiet -- env A=B "$bin/inside" &&
        says out "basics: 0 arguments" && ! says log "not supported" || return 1
    ln -s "$PWD/$build/lib" "$work/with blank"
    run --quiet --libraries "$work/with blank" -- "$bin/inside" && says out "basics: 0 arguments"
}
stripped() {
    strip -o "$work/stripped" "$bin/inside" && ! run -- "$work/stripped" &&
        says log "-cudart shared" && ! run -- sh -c '"$0"; exit $?' "$work/stripped" &&
        says log "no symbols to find it by"
}
if [ "${2:-}" = only-case ]; then
    holds "$3" "$([ "$3" = faults ] && echo sanitize || echo "$3")"
    [ "$3" != faults ] || holds lines lines
    exit $failed
fi

# A program, machine by machine; the functional run must print the same.
program() { # name, arguments...
    for how in "--gpu rtx2060s" "--gpu rtx3070 --functional" "--gpu h200"; do
        run --quiet $how -- "$bin/$@" || return 1
        cmp -s "$work/out" "tests/exec/$1.out" || return 1
    done
}
[ -n "${only:-}" ] || plain="$plain parts"
for name in $plain; do
    if [ -x "$bin/$name" ]; then
        holds "$name" program "$name"
    else
        bad "$name" "$(tail -n 3 "$bin/$name.log")"
    fi
done
[ -z "${only:-}" ] || exit $failed
modules() {
    run --quiet -- "$bin/modules" "$bin/modules.cubin" && says out good &&
        run --quiet --gpu h200 -- "$bin/modules" "$bin/modules.fatbin" && says out good
}
holds modules modules
thrusts() { run --quiet --functional -- "$bin/thrusts" && says out good; }
holds thrusts thrusts

clocks() { # in order, and where instructions may pass the one that reads the clock
    for how in "--gpu rtx2060s" "--gpu h200" "--gpu rtx2060s --set core.eager=on" \
        "--gpu gtx1080ti --scheme inorder+darsie" "--gpu h200 --scheme inorder+dac"; do
        run --quiet $how -- "$bin/clocks" && says out good || return 1
    done
    for how in "rtx3070 --scheme ghost" "v100 --scheme loog" "h200 --scheme limit" \
        "rtx2060s --scheme socgpu+uv" "rtx2060s --scheme turbulence"; do
        run --quiet --gpu $how -- "$bin/clocks" early && says out good || return 1
    done
}
holds clocks clocks

recursion() { # where lanes return to different places, and later than others
    run --quiet --gpu rtx2060s --scheme turbulence -- "$bin/calls" &&
        cmp -s "$work/out" tests/exec/calls.out
}
holds recursion recursion

order() { # without timing, warps and blocks advance together; also where they are recorded
    for how in "--gpu rtx2060s" "--gpu rtx3070" "--gpu h200" "--gpu h200 --record $work/order"; do
        run --quiet --functional $how -- "$bin/order" &&
            cmp -s "$work/out" tests/exec/order.out || return 1
    done
}
holds order order

races() { # found where there are some, with a barrier too few, between warps and blocks
    for gpu in rtx2060s h200; do
        run --quiet --races --gpu $gpu -- "$bin/order" &&
            cmp -s "$work/out" tests/exec/order.out || return 1
        for kernel in "shared memory at 0x.*add_shared" "global memory at 0x.*add_global" \
            "shared memory at 0x.*reduce_late" "global memory at 0x.*sum_blocks"; do
            grep -q "^leno: race in $kernel" "$work/log" || return 1
        done
        for clean in shared samples grids meets; do
            run --quiet --races --gpu $gpu -- "$bin/$clean" &&
                says log "leno: races: 0 pairs of instructions in " || return 1
        done
    done
    run --quiet --races -- "$bin/ampere" && says log "leno: races: 0 pairs "
}
holds races races
holds sanitize sanitize

holds lines lines

holds tensor tensor

messages() { # a call that is not offered is named, once
    run --quiet --functional -- "$bin/refused" &&
        [ "$(grep -c 'leno: cudaDestroyExternalMemory is not supported' "$work/log")" = 1 ] &&
        [ "$(wc -l < "$work/log")" = 4 ] &&
        run --quiet --functional -- "$bin/errors" && says log "illegal address 0x10" &&
        says log ": void doubtful(int): block: [0,0,0], thread: [0,0,0] Assertion \`x == 1\` failed." &&
        [ "$(grep -c '^[^ ]*errors.cu:8: void doubtful.*thread: \[[01],0,0\] Assertion' "$work/log")" = 2 ]
}
holds messages messages
vendor() { # a library of the vendor's is named, without advice that does not help
    run --quiet --functional -- "$bin/vendor" && says out good &&
        says log "leno: cuRAND on the host (a vendor library with kernels" &&
        says log "is not supported" && ! says log "-cudart shared"
}
system() { # a system function that is not there is named when a kernel calls it
    for how in "--gpu rtx2060s" "--gpu h200 --functional"; do
        run --quiet $how -- "$bin/system" &&
            says log "unsupported system function __cuda_syscall_frobnicate" &&
            says log "${distrust}1 of 2 launches failed" || return 1
    done
}
holds system system
if [ -x "$bin/vendor" ]; then
    holds vendor vendor
else
    echo "skip exec vendor: there is no cuRAND"
fi
nvrtc() { # NVRTC is the vendor's own; what it asks of the driver is no fault
    run --functional -- "$bin/nvrtc" && says out good && ! says log "not supported"
}
if [ -x "$bin/nvrtc" ]; then
    holds nvrtc nvrtc
else
    echo "skip exec nvrtc: there is no NVRTC"
fi
editions() { # sonames and symbol versions of CUDA 11 and 12
    run --functional --quiet -- "$bin/edition-11.0" && says out good &&
        run --functional --quiet -- "$bin/edition-12" && says out good
}
holds editions editions
holds inside inside
holds stripped stripped
ptx() { # PTX alone is compiled for the machine, also for a later one; not for an earlier one
    run --quiet --functional -- "$bin/ptx" && says out good &&
        run --quiet --functional --gpu h200 -- "$bin/ptx" && says out good &&
        ! run --quiet --functional --gpu gtx1080ti -- "$bin/ptx90" &&
        says log "it holds compute_90 (PTX)" &&
        says log "nvcc -gencode arch=compute_75,code=sm_75"
}
holds ptx ptx
ptxas() { # found by CUDA_HOME, started without Leno's libraries, named where it is missing
    mkdir -p "$work/home/bin"
    cat > "$work/home/bin/ptxas" << END
#!/bin/sh
case \$LD_PRELOAD\$LD_LIBRARY_PATH in *cudart*|*$build/lib*) exit 1 ;; esac
exec "$(command -v ptxas)" "\$@"
END
    chmod +x "$work/home/bin/ptxas"
    CUDA_HOME=$work/home run --quiet --functional -- "$bin/ptx" && says out good &&
        ! CUDA_HOME=$work run --quiet --functional -- "$bin/ptx" &&
        says log "ptxas is not in $work/bin (CUDA_HOME)" &&
        says log "nvcc -gencode arch=compute_75,code=sm_75"
}
holds ptxas ptxas
other_gpu() { ! run --gpu rtx2060s -- "$bin/hopper" && says log "it holds sm_90"; }
holds other-gpu other_gpu
compressed() { run --quiet -- "$bin/zstd" && says out good; }
holds compressed compressed
debug() { # code that is not optimised addresses constants as memory
    run --quiet -- "$bin/debug" && cmp -s "$work/out" tests/exec/rodinia.out
}
holds debug debug
status() { # arguments go in, the exit status comes out, stdout is the program's alone
    run --functional -- "$bin/basics" 7 "two words" --help
    [ $? = 7 ] && [ "$(cat "$work/out")" = "basics: 3 arguments, last --help" ] &&
        says log "leno: launch 1, "
}
holds status status
stats() { # a line a launch, the same every time; one file for all that a script starts
    run --stats "$work/s.json" --functional -- sh -c '"$0" && "$0"' "$bin/symbols" &&
        [ "$(wc -l < "$work/s.json")" = 6 ] || return 1
    run --stats "$work/a.json" -- "$bin/symbols" &&
        ! says log "leno: launch" && [ "$(wc -l < "$work/a.json")" = 3 ] &&
        "$build/tests/json/check" -l docs/formats.md "$work/a.json" &&
        run --stats "$work/b.json" -- "$bin/symbols" && cmp "$work/a.json" "$work/b.json" &&
        run --stats "$work/c.json" --set l1.latency=60 -- "$bin/symbols" &&
        [ "$(cycles "$work/c.json" | head -n 1)" -gt "$(cycles "$work/a.json" | head -n 1)" ]
}
holds stats stats
kernels() {
    run --stats "$work/k.json" --kernels 2-3 -- "$bin/basics" &&
        [ "$(grep -c '"mode": "timed"' "$work/k.json")" = 2 ] &&
        sed -n 2p "$work/k.json" | grep -q '"mode": "timed"' &&
        sed -n 4p "$work/k.json" | grep -q '"mode": "functional"'
}
holds kernels kernels
modes() { # ARGS... -- PROGRAM: t or f for each launch, timed or functional
    run --stats "$work/k.json" "$@" &&
        sed -n 's/.*"mode": "\(.\).*/\1/p' "$work/k.json" | tr -d '\n'
}
timed() { # WANT ARGS... -- PROGRAM
    want=$1
    shift
    [ "$(modes "$@")" = "$want" ]
}
selected() { # basics launches scale<> four times, structs, shape and scale<> again
    timed ttttfft --match scale -- "$bin/basics" && ! says log "no kernel" &&
        timed tffffft --match 'scale<int, ?>*' -- "$bin/basics" &&
        timed fffftff --match _Z7structs4paircPS_ -- "$bin/basics" &&
        timed fffftft --match 's[ct]*' --kernels 5- -- "$bin/basics" &&
        timed tft --first 1 -- "$bin/symbols" &&
        timed fft --match by_address --first 1 -- "$bin/symbols" &&
        timed ftf --kernels 2- --match use --first 1 -- "$bin/symbols" &&
        timed tfftfftfftfftfftfftfftfftfftfftfft --every 3 -- "$bin/streams" &&
        timed tfftffffffffffffffffffffffffffffff --every 3 --first 2 -- "$bin/streams" &&
        timed fff --match us -- "$bin/symbols" &&
        says log "leno: --match us: no kernel that was launched has such a name"
}
holds selected selected
capped() { # what a launch leaves does not depend on where its timing ends
    for how in "--cap-cycles 1" "--cap-cycles 300" "--cap-cycles 1700" "--cap-insts 500" \
        "--gpu h200 --cap-cycles 900" "--gpu rtx3070 --scheme ghost --cap-cycles 700" \
        "--gpu v100 --scheme loog --cap-insts 2000" "--gpu h200 --scheme inorder+dac --cap-cycles 1000"; do
        run --quiet $how -- "$bin/capped" && cmp -s "$work/out" tests/exec/capped.out &&
            says log capped || return 1
    done
    run --stats "$work/k.json" --cap-cycles 400 -- "$bin/capped" &&
        "$build/tests/json/check" -l docs/formats.md "$work/k.json" &&
        [ "$(grep -c '"capped": true' "$work/k.json")" = 8 ] &&
        sed -n 8p "$work/k.json" | grep -q '"capped": true, "blocks": 3000, .*"functional_warp_insts": [1-9]' &&
        run --cap-cycles 1000000 -- "$bin/capped" && ! says log capped &&
        run --cap-cycles 300 --max-insts 20000 -- "$bin/capped"
    says log "stopped after 20000 warp instructions (--max-insts)" && says log "$distrust" &&
        ! run --functional --cap-cycles 5 -- "$bin/capped" && says log "--cap-cycles"
}
holds capped-launches capped
summed() { sed -n 's/^leno: 180 launches of 3 kernels.*: \([0-9]*\) cycles.*/\1/p' "$work/log"; }
sampled() { # 180 launches: the estimate's interval holds what all of them take
    for how in "--gpu rtx2060s" "--gpu h200 --sms 16" "--scheme turbulence" "--scheme inorder+darsie"; do
        run --quiet $how -- "$bin/launches" && whole=$(summed) && cp "$work/out" "$work/whole" &&
            run --quiet $how --sample -- "$bin/launches" && cmp "$work/out" "$work/whole" &&
            sed -n 's/^leno: estimate of all launches: \([0-9]*\) cycles +- \([0-9]*\) .* from \([0-9]*\) of 180 .*/\1 \2 \3/p' \
                "$work/log" > "$work/estimate" &&
            awk -v whole="$whole" '{ exit !($1 - $2 <= whole && whole <= $1 + $2 &&
                $2 < 0.05 * whole && $3 < 90) }' "$work/estimate" ||
            { echo "$how: $whole, estimate $(cat "$work/estimate")" >> "$work/log"; return 1; }
    done
    ! run --sample --functional -- "$bin/launches" && says log "not timed with --functional" &&
        ! run --sample --cap-cycles 9 -- "$bin/launches" && says log "cannot be combined" &&
        ! run --sample-goal 3 -- "$bin/launches" && says log "expected --sample too" &&
        ! run --sample --sample-goal 51 -- "$bin/launches" && says log "expected 1 to 50"
}
holds sampled sampled
cut() { # launches of many blocks, with a long last one; the interval of each holds what it takes
    for how in "--gpu rtx2060s --sms 2" "--gpu h200 --sms 2"; do
        run $how --stats "$work/whole.json" -- "$bin/waves" && cp "$work/out" "$work/whole" &&
            run $how --sample --stats "$work/cut.json" -- "$bin/waves" &&
            cmp "$work/out" "$work/whole" && says log "3 launches cut when the rate was stable" &&
            grep '^leno: estimate' "$work/log" > "$work/first" || return 1
        for k in 1 2 3; do
            whole=$(sed -n "${k}s/.*\"cycles\": \([0-9]*\), \"checked.*/\1/p" "$work/whole.json")
            sed -n "${k}s/.*\"estimated_cycles\": \([0-9]*\), \"estimated_half_width\": \([0-9]*\), \"timed_blocks\": \([0-9]*\).*/\1 \2 \3/p" \
                "$work/cut.json" |
                awk -v whole="$whole" '{ exit !(whole && $1 - $2 <= whole && whole <= $1 + $2 &&
                    $3 < 2000) }' || return 1
        done
        run $how --sample --stats "$work/cut.json" --resume -- "$bin/waves" &&
            grep '^leno: estimate' "$work/log" | cmp - "$work/first" || return 1
        rm -f "$work/whole.json" "$work/cut.json"
    done
}
holds cut cut
resumed() { # 70 whole lines, one of a failed launch and a cut one: as if stopped there
    program="--gpu rtx2060s --quiet --stats $work/kept.json --resume -- $bin/launches"
    rm -f "$work/kept.json"
    run $program && whole=$(summed) && cp "$work/kept.json" "$work/whole.json" &&
        cp "$work/out" "$work/whole" || return 1
    head -n 70 "$work/whole.json" > "$work/head.json"
    { cat "$work/head.json"; sed -n '71s/"ok": true/"ok": false/p' "$work/whole.json"
      sed -n 72p "$work/whole.json" | head -c 400; } > "$work/kept.json"
    run $program && cmp "$work/out" "$work/whole" && says log "; 70 of an earlier run" &&
        head -n 70 "$work/kept.json" | cmp - "$work/head.json" &&
        [ "$(wc -l < "$work/kept.json")" = 180 ] &&
        # caches are cold again, so not quite the same
        awk -v a="$(summed)" -v b="$whole" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }' || return 1
    again=$(summed)
    run $program && says log "; 180 of an earlier run" && [ "$(summed)" = "$again" ] &&
        ! run --gpu h200 --stats "$work/kept.json" --resume -- "$bin/launches" &&
        says log "kept.json:1: not launch 1 of this program on this machine" &&
        ! run --resume -- "$bin/launches" && says log "expected --stats FILE"
}
holds resumed resumed
counts() { # of every instruction, however the launches are run
    for how in --functional "--gpu rtx2060s" "--cap-insts 300" "--record $work/counted"; do
        rm -f "$work/counts.csv"
        run --quiet $how --stats "$work/k.json" --counts "$work/counts.csv" -- "$bin/meets" &&
            sed -n 1p "$work/counts.csv" | grep -qx 'workload,arch,place,instruction,warps,threads,on' &&
            grep -q '^meets,sm_75,"_Z4meetPKjPj+0x[0-9a-f]*","EXIT",8,256,256$' "$work/counts.csv" &&
            { [ -f "$work/counts.one" ] || cp "$work/counts.csv" "$work/counts.one"; } &&
            cmp "$work/counts.csv" "$work/counts.one" || return 1
    done
    run --quiet --functional --counts "$work/two.csv" -- sh -c '"$0" && "$0"' "$bin/meets" &&
        [ "$(wc -l < "$work/two.csv")" = $((2 * $(wc -l < "$work/counts.csv") - 1)) ] &&
        ! run --counts "$work" -- "$bin/meets" && says log "is a folder"
}
holds counts counts
record() { # replayed, a recording takes the cycles of the run
    run --stats "$work/r.json" -- "$bin/symbols" &&
        direct=$(cycles "$work/r.json" | awk '{ sum += $1 } END { print sum }') &&
        run --quiet --record "$work/streams" -- "$bin/symbols" && says out good &&
        "$leno" run "$work/streams/symbols.leno" > "$work/out" &&
        [ "$(sed -n 's/^gpu\.cycles *\([0-9]*\) .*/\1/p' "$work/out")" = "$direct" ]
}
holds record record
paths() { # what is wrong is said before the program starts
    ! run -- ./no-such-program && says log "no such program" &&
        ! run --gpu rtx2060 -- "$bin/basics" && says log "did you mean" &&
        ! run --kernels 3-2 -- "$bin/basics" && says log "counted from 1" &&
        ! run && says log "leno exec [options]" && [ ! -s "$work/out" ]
}
holds paths paths
chosen() { # MACHINE ARCHITECTURE PROGRAM...: chosen by the code of what is started
    want="leno: machine $1, chosen for sm_$2 code"
    shift 2
    run --functional -- "$@" && says out good && [ "$(sed -n 1p "$work/log")" = "$want" ]
}
machine() {
    chosen h200 90 "$bin/hopper" && chosen rtx3070 80 "$bin/ampere" &&
        chosen rtx2060s 75 "$bin/zstd" && chosen rtx2060s 75 "$bin/symbols" &&
        chosen h200 90 sh -c '"$0" && exit' "$bin/hopper" &&
        chosen h200 90 env LD_PRELOAD="$bin/libcublas.so" "$bin/hopper" && # has no say
        run --quiet --stats "$work/m.json" --kernels 9 -- "$bin/hopper" &&
        [ "$(grep -c '"gpu": "h200"' "$work/m.json")" = 3 ] && ! says log machine &&
        run --functional --gpu h200 -- "$bin/symbols" && ! says log machine
}
holds machine machine
untimed() { # code for a GPU without a timing model is executed, and the log says so
    for sm in 87 103 121; do
        run --quiet -- "$bin/code-$sm" && says out "symbols: good" && ! says log cycles &&
            says log "leno: there is no timing model for sm_$sm: " &&
            says log "leno: 3 launches of 2 kernels on sm_$sm, " || return 1
    done
    run --gpu sm_110 -- "$bin/modules" "$bin/cubin-110" # has no code of its own for it
    says log "leno: launch 1, triple, grid 3x1x1, block 128x1x1, functional: " &&
        run --quiet --gpu rtx4090 -- "$bin/code-87" && says log " cycles, " || return 1
    run --gpu sm_89 -- "$bin/code-87"
    [ $? = 1 ] && says log "no GPU 'sm_89'"
}
holds untimed untimed
wide() {
    for how in "--functional" "--gpu b200" "--gpu rtx5090"; do
        run --quiet $how -- "$bin/wide" && says out "wide: good" || return 1
    done
}
holds wide wide
summary() { # what --quiet leaves: totals and a line per kernel, after the program's output
    "$leno" exec --quiet -- "$bin/hopper" > "$work/out" 2>&1 &&
        [ "$(sed -n 1p "$work/out")" = "symbols: good" ] && ! says out "leno: launch" &&
        says out "leno: 3 launches of 2 kernels on h200, scheme control: " &&
        says out " warp instructions per second" &&
        grep -q '^leno: .* % .* 2 .*memory .* %.*  use(float\*)$' "$work/out" || return 1
    run --quiet --functional -- "$bin/symbols" && ! says log cycles && says log "use(float*)" &&
        run --quiet --kernels 2 -- "$bin/symbols" && says log "; 1 of the launches timed"
}
holds summary summary
ends() { # STATUS LINE ARGS...: leno exec ends with this status and this last line
    want=$1
    line=$2
    shift 2
    run --quiet --functional "$@"
    [ $? = "$want" ] && tail -n 1 "$work/log" | grep -q "^leno: $line"
}
stops() { # a run in which something went wrong says so last, or ends there
    ends 0 "${distrust}not supported: cudaDestroyExternalMemory, " -- "$bin/refused" &&
        ends 0 "${distrust}5 of 6 launches failed, first launch 1, store(int" -- "$bin/errors" &&
        ends 102 "stopped by --stop-on-unsupported" --stop-on-unsupported -- "$bin/refused" &&
        says log "$distrust" && [ ! -s "$work/out" ] &&
        ends 102 "stopped by --stop-on-unsupported" --stop-on-unsupported --gpu rtx2060s \
            -- "$bin/hopper" &&
        ends 0 "$distrust" --stop-on-unsupported -- "$bin/errors" &&
        ends 0 "$distrust" -- "$bin/errors" quietly && ends 106 "stopped by --stop-on-fault" --stop-on-fault -- "$bin/errors" &&
        says log "${distrust}1 of 1 launch failed" && ! says log misaligned &&
        ends 106 "stopped by" --max-insts 5 --stop-on-fault -- "$bin/symbols" &&
        ends 0 "$distrust" --stop-on-fault -- "$bin/refused" &&
        run --stop-on-fault --stop-on-unsupported -- "$bin/symbols" && ! says log "$distrust"
}
holds stops stops
holds strict strict
exit $failed
