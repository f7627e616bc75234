# Runs tests of the command line, each in a folder of its own (for mutants.txt).
# usage: sh tests/slurm/cli.sh NAME...      from the repository's root, after make
set -eu
for name in "$@"; do
    dir=$(mktemp -d)
    status=0
    LENO=$PWD/build/leno TMP=$dir sh -eu "tests/cli/$name.sh" || status=$?
    rm -rf "$dir"
    [ $status = 0 ] || exit $status
done
