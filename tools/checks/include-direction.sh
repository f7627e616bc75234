#!/bin/sh
# A folder of src/ may include only itself and folders below it:
#   base < isa stats config < trace analysis < frontend mem < core < vortex
#        < scheme skip < cost sim < driver < session < report shim < cli
# A scheme sees core/scheme.h only, a skipper core/skip.h and core/scheme.h.
# The load/store unit (core/lsu) sees nothing of the SM but core/uop.h.
# Inside frontend/sass the same holds, where arch.h is below all folders:
#   math decode < load < print < exec < unroll
set -eu
cd "$(dirname "$0")/../.."
find src -name '*.[ch]' -o -name '*.def' | sort | xargs awk '
function order(text, rank,    layers, names, i, j, n) {
    split(text, layers, "|")
    for (i in layers) {
        n = split(layers[i], names, " ")
        for (j = 1; j <= n; j++)
            rank[names[j]] = i + 0
    }
}
function complain(text) {
    print FILENAME ":" FNR ": " text
    bad = 1
}
# The folder of a file of frontend/sass, by the parts of its path from frontend on; "" for
# files beside the folders.
function sass_room(path, at, n) {
    return n > at + 2 ? path[at + 2] : ""
}
BEGIN {
    order("base|isa stats config|trace analysis|frontend mem|core|vortex|" \
          "scheme skip|cost sim|driver|session|report shim|cli", rank)
    order("math decode|load|print|exec|unroll", sass)
    sass[""] = 0
}
FNR == 1 {
    n = split(FILENAME, path, "/")
    from = path[2]
    if (!(from in rank))
        complain("folder " from " has no place in the order")
    is_sass = FILENAME ~ /^src\/frontend\/sass\//
    room = is_sass ? sass_room(path, 2, n) : ""
    if (is_sass && !(room in sass))
        complain("folder " room " of frontend/sass has no place in the order")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    n = split(quoted[2], path, "/")
    to = path[1]
    if (is_sass && quoted[2] ~ /^frontend\/sass\//) {
        to_room = sass_room(path, 1, n)
        if (to_room != room && sass[to_room] >= sass[room])
            complain("frontend/sass/" room "/ may not include " quoted[2])
    }
    if (FILENAME ~ /^src\/core\/lsu\// && quoted[2] ~ /^core\// &&
        quoted[2] !~ /^core\/(lsu\/|uop\.h$)/)
        complain("core/lsu/ may see only core/uop.h of core/")
    if (n == 1 || to == from || !(to in rank))
        next
    if (rank[to] >= rank[from])
        complain(from "/ may not include " quoted[2])
    if (to == "core" && from == "scheme" && quoted[2] != "core/scheme.h" ||
        to == "core" && from == "skip" && quoted[2] !~ /^core\/(scheme|skip)\.h$/)
        complain(from "/ may see only its contract in core/")
}
END { exit bad }'
