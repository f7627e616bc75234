#!/bin/sh
# Makes a Debian package of what was built; make deb calls it.
# usage: BUILD=build VERSION=0.1 tools/deb.sh FILE.deb
# $DEB_OPTIONS goes to dpkg-deb: -Zgzip -z1 is ten seconds faster than the default
set -eu
file=$1
case $file in /*) ;; *) file=$PWD/$file ;; esac
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
tools/install.sh "$work" /usr
find "$work/usr/bin" "$work/usr/lib" -type f \( -name leno -o -name '*.so*' \) -exec strip --strip-unneeded {} +
mkdir "$work/DEBIAN"
cat > "$work/DEBIAN/control" << EOF
Package: leno
Version: $VERSION
Section: science
Priority: optional
Architecture: $(dpkg --print-architecture)
Maintainer: the Leno authors <leno@localhost>
Installed-Size: $(du -sk "$work/usr" | cut -f 1)
Depends: libc6, libinih1, libzstd1, liblzma5, libsqlite3-0
Suggests: python3
Description: cycle-level simulation of GPU programs
 Runs the machine code of CUDA programs without a GPU, cycle by cycle, under several
 out-of-order issue schemes and redundancy eliminators.
EOF
# shellcheck disable=SC2086
dpkg-deb ${DEB_OPTIONS:-} --root-owner-group --build "$work" "$file" > /dev/null
echo "$file"
