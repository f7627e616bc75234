#!/bin/sh
# Every machine of configs/ says in its first line what it is, and in every line that
# sets something where the value comes from; paths are no source.
set -eu
cd "$(dirname "$0")/../.."
awk '
function complain(text) {
    print FILENAME ":" FNR ": " text
    bad = 1
}
FNR == 1 && !/^; [^ ]/ { complain("expected ; and what it is") }
/^$|^;|^\[[a-z0-9.]+\]$/ { next }
!/^[a-z0-9_.]+ = [^ ;]+ +; [^ ]...../ { complain("expected name = value ; its source") }
/; .*(\/home|\/tmp|\/work|\/usr|\.\.\/)/ { complain("a path is no source") }
/[^ -~]/ { complain("not plain text") }
/ $/ { complain("a space at the end") }
END { exit bad }' configs/*.ini
