#!/bin/sh
# The scheme in docs/adding-a-scheme.md: compiles with all warnings, and holds under the
# battery when it is added to the others.
# usage: tests/contract/docs.sh BUILD
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '/^```c$/,/^```$/p' docs/adding-a-scheme.md | sed '/^```/d' > "$work/single.c"
[ "$(wc -l < "$work/single.c")" -gt 60 ] || { echo "no code found"; exit 1; }
clang-format --style=file:.clang-format --dry-run -Werror "$work/single.c"
{ cat "$build/gen/schemes.def"; echo 'SCHEME(single)'; } > "$work/schemes.def"
flags=$(make -s -f - <<'END'
include Makefile
print-flags: ; @echo '$(CFLAGS)'
.DEFAULT_GOAL := print-flags
END
)
objects="$build/tests/cycle/rig.o"
for f in tests/contract/*.c; do
    objects="$objects $build/${f%.c}.o"
done
sanitize=
case $build in *asan*) sanitize='-fsanitize=address,undefined' ;; esac
# shellcheck disable=SC2086
{
    cc -I"$work" $flags $sanitize -c -o "$work/single.o" "$work/single.c"
    cc -I"$work" $flags $sanitize -c -o "$work/registry.o" src/sim/registry.c
    cc $sanitize -o "$work/battery" $objects "$work/registry.o" "$work/single.o" \
        "$build/libleno.a" -linih -lzstd -llzma -lm
}
"$work/battery" single
