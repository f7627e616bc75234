#!/bin/sh
# Checks that the required packages are installed. On Debian, as root or with sudo that asks
# for no password, it installs them; elsewhere it says what to do.
# usage: tools/deps.sh build|test|browser|slurm|rtl
set -eu
missing=
need() { # command or file, package
    case $1 in
    /*) [ -e "$1" ] || missing="$missing $2" ;;
    *) command -v "$1" > /dev/null 2>&1 || missing="$missing $2" ;;
    esac
}
need gcc gcc
need make make
need ar binutils
need /usr/include/stdio.h libc6-dev
need /usr/include/ini.h libinih-dev
need /usr/include/zstd.h libzstd-dev
need /usr/include/lzma.h liblzma-dev
need /usr/include/sqlite3.h libsqlite3-dev
if [ "${1:-build}" = test ]; then
    need clang clang
    need clang-format clang-format
    need /usr/include/cmocka.h libcmocka-dev
fi
if [ "${1:-build}" = browser ]; then
    need chromium chromium
    need node nodejs
    need npm npm
fi
if [ "${1:-build}" = slurm ]; then
    need slurmctld slurm-wlm
    need munged munge
fi
if [ "${1:-build}" = rtl ]; then
    need yosys yosys
    need verilator verilator
    need sta opensta
    need /usr/share/qflow/tech/osu018/osu018_stdcells.lib qflow-tech-osu018
fi
[ -n "$missing" ] || exit 0
install="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get > /dev/null 2>&1; then
    echo "missing:$missing (Debian's names); please install them" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo > /dev/null 2>&1 && sudo -n true 2> /dev/null; then
    sudo="sudo -n"
else
    echo "some packages are missing; please run:" >&2
    echo "    sudo apt-get update && sudo $install" >&2
    exit 1
fi
echo "installing$missing" >&2
$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2
$sudo env DEBIAN_FRONTEND=noninteractive $install >&2
