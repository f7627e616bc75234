#!/bin/sh
# INVARIANT() (src/base/invariant.h) is checked where LENO_CHECKED says so and costs nothing
# elsewhere; in the source there is no other assert().
# usage: tools/checks/invariants.sh
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/try.c" <<'END'
#include "base/invariant.h"
static inline int is_small(int n)
{
    return n < 2;
}
int main(int argc, char **argv)
{
    (void)argv;
    INVARIANT(is_small(argc++));
    return argc;
}
END
cc -std=c17 -Wall -Wextra -Werror -Isrc -o "$work/release" "$work/try.c"
cc -std=c17 -Wall -Wextra -Werror -Isrc -DLENO_CHECKED -o "$work/checked" "$work/try.c"
status=0
"$work/release" one || status=$?
[ "$status" = 2 ] || { echo "release build: status $status, expected 2"; exit 1; }
if (ulimit -c 0 && "$work/checked" one) 2> "$work/log"; then
    echo "checked build: an invariant that does not hold went unnoticed"
    exit 1
fi
grep -q 'is_small' "$work/log" || { cat "$work/log"; exit 1; }
if grep -rnE '\bassert\(|<assert\.h>' src | grep -v '^src/base/invariant\.h:'; then
    echo "expected INVARIANT()"
    exit 1
fi
echo "ok: $(grep -rn 'INVARIANT(' src --include='*.[ch]' | wc -l) invariants"
