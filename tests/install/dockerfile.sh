#!/bin/sh
# Carries out the Dockerfile without Docker: each stage is a Debian made by debootstrap, each RUN
# a chroot; then leno is used in the last one as a user of the image would. Needs root, debootstrap
# and Debian's archive; without the first two nothing is done.
# usage: tests/install/dockerfile.sh [FOLDER]     FOLDER, for the systems, is kept; it takes 1.5 GB
set -eu
cd "$(dirname "$0")/../.."
if [ "$(id -u)" != 0 ] || ! command -v debootstrap > /dev/null; then
    echo "skipped: the Dockerfile, this needs root and debootstrap"
    exit 0
fi
keep=${1:-}
work=$keep
stage=0
names=
entry=
leave() {
    for n in $(seq "$stage"); do umount "$work/$n/proc" 2> /dev/null || true; done
    [ "$keep" ] || rm -rf --one-file-system "$work"
}
[ "$keep" ] || work=$(mktemp -d)
mkdir -p "$work"
trap leave EXIT

inside() { # command, in the last stage's folder
    DEBIAN_FRONTEND=noninteractive chroot "$work/$stage" sh -ec "cd '$folder'; $1"
}
begin_stage() { # image, AS, name
    case $1 in debian:12) release=bookworm ;; *) echo "Dockerfile: no image $1 here"; exit 1 ;; esac
    stage=$((stage + 1))
    names="$names ${3:-$stage}=$stage"
    folder=/
    debootstrap --variant=minbase $release "$work/$stage" > "$work/$stage.log"
    mount --bind /proc "$work/$stage/proc"
}
copy() { # [--from=NAME,] from, to
    case $1 in
    --from=*)
        from=$work/$(echo "$names" | tr ' ' '\n' | sed -n "s/^${1#--from=}=//p")
        # shellcheck disable=SC2086
        cp -r "$from"$2 "$work/$stage$3" ;;
    .)
        mkdir -p "$work/$stage$2"
        sed -n 's|^[^#]|./&|p' .dockerignore > "$work/ignored"
        tar -c --anchored --exclude-from="$work/ignored" . | tar -x -C "$work/$stage$2" ;;
    *) cp -r "$1" "$work/$stage$2" ;;
    esac
}
sed -e '/^#/d' -e ':more' -e '/\\$/{N;s/\\\n */ /;b more' -e '}' Dockerfile > "$work/steps"
while read -r step rest <&3; do
    echo "$step $rest"
    # shellcheck disable=SC2086
    case $step in
    FROM) begin_stage $rest ;;
    RUN) inside "$rest" ;;
    COPY) copy $rest ;;
    WORKDIR) folder=$rest ;;
    ENTRYPOINT) entry=$(echo "$rest" | tr -d '[]",') ;;
    '') ;;
    *) echo "Dockerfile: no step $step here"; exit 1 ;;
    esac
done 3< "$work/steps"
[ "$entry" = leno ]
inside "$entry run hotspot --size tiny" | grep "^gpu.cycles"
inside "$entry run hotspot --size tiny --hot --scheme inorder,ghost" | grep "lost most to" > /dev/null
inside "cd /tmp; $entry view hotspot -o view.html; test -s view.html"
inside "python3 -c 'import leno; assert leno.run(\"hotspot\", size=\"tiny\")[\"gpu.cycles\"] > 0'"
echo "the image's commands work"
