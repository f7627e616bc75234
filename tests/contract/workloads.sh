#!/bin/sh
# Every workload, tiny, under every scheme: the machine leaves the same memory as the
# functional run (digests), the same twice, and the same with every stage working in
# every cycle (core.eager). Violations and slots that do not add up end a run by
# themselves. With -s each scheme is joined by an eliminator that drops and delays
# instructions at random (skip_random.c), with -k NAME by that one. With -r every workload
# runs under every scheme on one of the GPUs only, in turn, and one in nine of these twice
# and with every stage working. With -e N it is one in N, others each day.
# usage: tests/contract/workloads.sh [-r] [-e N] [-s | -k NAME] BUILD [GPU...]
set -eu
skip=
in_turn=
every=1
day=0
while getopts re:sk: option; do
    case $option in
    r) in_turn=1 every=9 ;;
    e) every=$OPTARG day=$(($(date +%s) / 86400)) ;;
    s) skip=+random ;;
    k) skip=+$OPTARG ;;
    *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
build=$1
shift
leno=$build/leno
[ "$skip" != +random ] || leno=$build/tests/contract/leno
LENO_WORKLOADS=${LENO_WORKLOADS:-workloads}
export LENO_WORKLOADS
gpus=${*:-rtx2060s h200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

digests() { # file: program and digest, a line each
    grep -oE '"program": "[a-z0-9_]*"|"digest": "[0-9a-f]*"' "$1" |
        sed 's/.*: "//; s/"//' | paste - -
}
# Is there a workload with more than 64 warps on an SM, on average?
fills_slots() {
    awk -F'[ ,]+' '/"sm.cycles":/ { cycles = $(NF - 1) }
        /"sm.warp_cycles":/ && $(NF - 1) > 64 * cycles { found = 1 }
        END { exit !found }' "$1"
}
# All of a result but the setting itself and the seconds it took.
result() {
    sed 's/"core.eager": "[a-z]*"//; /"core.eager"/d; /^ "seconds"/d' "$1"
}

# The workloads that run on the nth GPU under the mth scheme.
share_of() { # n, m
    ls "$LENO_WORKLOADS"/*/"$arch".cubin | awk -F/ -v n="$1" -v m="$2" -v turn="$in_turn" \
        -v of="$(echo $gpus | wc -w)" '!turn || (NR + m) % of == n % of { print $(NF - 1) }'
}

# Those that the scheme runs: LOOG's reservation stations refuse asynchronous instructions, which
# tests/cli/archs.sh checks.
runnable() { # workloads...
    case $scheme in
    loog*) printf '%s\n' "$@" | grep -vxE 'flash[23]|hopper_.*' ;;
    *) printf '%s\n' "$@" ;;
    esac
}

# Those of them that run twice and with every stage working.
few_of() { # m, workloads...
    m=$1
    shift
    printf '%s\n' "$@" | awk -v m="$m" -v every="$every" 'NR % every == m % every'
}

run() { # workloads, options...
    programs=$1
    shift
    $leno run $programs --size tiny --gpu "$gpu" --scheme "$scheme$skip" --json "$@"
}

bad=0
n=0
for gpu in $gpus; do
    n=$((n + 1))
    m=0
    filled=
    arch=$("$build/leno" run --dump-config --gpu "$gpu" | sed -n 's/^arch = \(sm_[0-9]*\).*/\1/p')
    for scheme in $("$build/tests/contract/battery" schemes); do
        m=$((m + 1))
        programs=$(runnable $(share_of $n $m))
        few=$(few_of $((m + day)) $programs)
        "$build/leno" emu $programs --size tiny --arch "$arch" --json > "$work/emu.json"
        digests "$work/emu.json" > "$work/emu"
        run "$programs" > "$work/one.json"
        run "$few" > "$work/two.json"
        run "$few" --set core.eager=on > "$work/eager.json"
        digests "$work/one.json" > "$work/one"
        result "$work/two.json" > "$work/two"
        result "$work/eager.json" > "$work/eager"
        ok=ok
        cmp -s "$work/emu" "$work/one" || { diff "$work/emu" "$work/one" || ok=FAIL; }
        cmp "$work/two" "$work/eager" || ok=FAIL
        [ "$every" != 1 ] || result "$work/one.json" | cmp - "$work/two" || ok=FAIL
        [ -z "$skip" ] || grep -q '"sm.skipped": [1-9]' "$work/one.json" || ok=FAIL
        ! fills_slots "$work/one.json" || filled=1
        [ "$ok" = ok ] || bad=1
        printf '%-4s  %-10s %-14s %d workloads\n' "$ok" "$scheme$skip" "$gpu" \
            "$(wc -l < "$work/one")"
    done
    case $gpu-$filled in
    *-128.ini-)
        echo "FAIL  $gpu: no workload has more than 64 warps on an SM"
        bad=1
        ;;
    esac
done
exit $bad
