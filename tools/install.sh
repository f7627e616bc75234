#!/bin/sh
# Copies what was built to DESTDIR/PREFIX; make install calls it.
# usage: BUILD=build VERSION=0.1 tools/install.sh DESTDIR PREFIX
set -eu
cd "$(dirname "$0")/.."
prefix=$2
to=$1$prefix
put() { install -D -m "$1" "$2" "$3"; }
put 755 "$BUILD/leno" "$to/bin/leno"
for f in "$BUILD"/lib/libcuda.so.1 "$BUILD"/lib/libcudart.so.* "$BUILD"/lib/libleno_*.so "$BUILD"/lib/libvortex.so; do
    put 755 "$f" "$to/lib/leno/${f##*/}"
done
put 755 "$BUILD/lib/libleno.so.1" "$to/lib/libleno.so.1"
ln -sf libleno.so.1 "$to/lib/libleno.so"
put 644 include/leno.h "$to/include/leno.h"
mkdir -p "$to/lib/pkgconfig"
cat > "$to/lib/pkgconfig/leno.pc" << EOF
prefix=\${pcfiledir}/../..
Name: leno
Description: cycle-level simulation of GPU programs
Version: $VERSION
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lleno
EOF
for f in $(find workloads -name '*.cubin' -o -name '*.elf' | sort) workloads/facts.txt; do
    put 644 "$f" "$to/share/leno/$f"
done
put 644 python/leno/__init__.py "$to/lib/python3/dist-packages/leno/__init__.py"
put 644 python/examples/schemes.ipynb "$to/share/doc/leno/schemes.ipynb"
for f in README.md CHANGELOG.md LICENSE $(find docs configs/sweeps -type f | sort); do
    put 644 "$f" "$to/share/doc/leno/$f"
done
mkdir -p "$to/share/man/man1" "$to/share/bash-completion/completions" \
    "$to/share/zsh/site-functions" "$to/share/fish/vendor_completions.d"
"$BUILD/leno" help --as man | gzip -9n > "$to/share/man/man1/leno.1.gz"
for c in $("$BUILD/leno" --help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    "$BUILD/leno" help --as man "$c" | gzip -9n > "$to/share/man/man1/leno-$c.1.gz"
done
"$BUILD/leno" help --as bash > "$to/share/bash-completion/completions/leno"
"$BUILD/leno" help --as zsh > "$to/share/zsh/site-functions/_leno"
"$BUILD/leno" help --as fish > "$to/share/fish/vendor_completions.d/leno.fish"
