#!/bin/sh
# A folder of src/ may include only itself and folders below it:
#   base < isa stats config < trace analysis < frontend mem < core < vortex
#        < scheme skip < cost sim < driver < session < report shim < cli
# A scheme sees core/scheme.h only, a skipper core/skip.h and core/scheme.h.
set -eu
cd "$(dirname "$0")/../.."
find src -name '*.[ch]' -o -name '*.def' | sort | xargs awk '
BEGIN {
    split("base|isa stats config|trace analysis|frontend mem|core|vortex|" \
          "scheme skip|cost sim|driver|session|report shim|cli", layers, "|")
    for (i in layers) {
        n = split(layers[i], names, " ")
        for (j = 1; j <= n; j++)
            rank[names[j]] = i + 0
    }
}
FNR == 1 {
    split(FILENAME, path, "/")
    from = path[2]
    if (!(from in rank)) {
        print FILENAME ": folder " from " has no place in the order"
        bad = 1
    }
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    n = split(quoted[2], path, "/")
    to = path[1]
    if (n == 1 || to == from || !(to in rank))
        next
    if (rank[to] >= rank[from]) {
        print FILENAME ":" FNR ": " from "/ may not include " quoted[2]
        bad = 1
    }
    if (to == "core" && from == "scheme" && quoted[2] != "core/scheme.h" ||
        to == "core" && from == "skip" && quoted[2] !~ /^core\/(scheme|skip)\.h$/) {
        print FILENAME ":" FNR ": " from "/ may see only its contract in core/"
        bad = 1
    }
}
END { exit bad }'
