# The plain model of a Vortex core (vortex.eager, src/vortex/plain.c) and the one that runs
# by default (ahead.c) give the same cycles and statistics: all workloads, every scheme that
# a core serves, machines with few and many lanes and warps, several cores, shared caches.
. tests/cli/lib.inc
run_all() { # gpu, scheme, settings...
    gpu=$1
    scheme=$2
    shift 2
    exits 0 "$LENO" run --all --size tiny --json --gpu "$gpu" --scheme "$scheme" "$@"
    timeless "$TMP/out" | sed 's/"vortex.eager": "*[a-z]*"*//'
}
same() { # gpu, scheme, settings...
    run_all "$@" --set vortex.eager=off > "$TMP/ahead"
    run_all "$@" --set vortex.eager=on > "$TMP/plain"
    says "$TMP/plain" '"vortex.cycles"'
    cmp "$TMP/ahead" "$TMP/plain"
}
if [ "${LENO_LONG:-}" ]; then
    for gpu in vortex-4x4 vortex-8x8 vortex-16x4 vortex-4x2x2; do
        for scheme in inorder ghost loog loog.rrs; do
            same $gpu $scheme
        done
    done
fi
for scheme in ghost.precise limit socgpu; do
    same vortex-4x4 $scheme
done
same vortex-8x8 loog.rrs
same vortex-16x4 ghost
same vortex-4x2x2 inorder
same vortex-32x32 loog
same vortex-4x4x4 inorder --set vortex.socket=2
same vortex-4x4 loog --set vxloog.ibuffer=warp --set vortex.fetches=3
same vortex-8x8 ghost --set vortex.load_queue=1 --set vortex.fpu_queue=1
