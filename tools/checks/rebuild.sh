#!/bin/sh
# make recompiles nothing when another target is built, and fewer than 20 files when a scheme
# was edited. Stand-ins for compiler and linker that write empty files (which can be run, as
# a program that makes sources must be) keep this to seconds.
# usage: tools/checks/rebuild.sh
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/tree"
cat > "$work/bin/cc" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || { : > "$2" && chmod +x "$2"; }
    shift
done
END
chmod +x "$work/bin/cc"
for tool in ar ld objcopy; do
    ln -s cc "$work/bin/$tool"
done
for name in Makefile mk configs hw include tests tools workloads; do
    ln -s "$root/$name" "$work/tree/$name"
done
cp -a src "$work/tree/"
cd "$work/tree"

# Compilations of a target.
compiled() { # target...
    PATH="$work/bin:$PATH" make -j2 CC=cc BUILD=build V= "$@" > "$work/log" 2>&1 ||
        { tail -n 5 "$work/log" >&2; exit 1; }
    grep -c '^  CC ' "$work/log" || true
}

all=$(compiled all unit cycle)
[ "$all" -gt 300 ] || { echo "only $all files compiled, expected all"; exit 1; }
for target in all unit cycle all; do
    n=$(compiled "$target")
    [ "$n" = 0 ] || { echo "make $target: $n files compiled again, expected none"; exit 1; }
done
sleep 0.01
touch src/scheme/inorder.c
n=$(compiled all unit cycle)
if [ "$n" = 0 ] || [ "$n" -ge 20 ]; then
    echo "src/scheme/inorder.c edited: $n files compiled, expected 1 to 19"
    exit 1
fi
echo "ok: $all files, $n for an edited scheme, none for another target"
