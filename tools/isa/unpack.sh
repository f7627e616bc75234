#!/bin/bash
# unpack.sh - puts cubins, vectors and tables of the instruction suite, unpacked, into a folder.
# usage: tools/isa/unpack.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
for f in tests/isa/cubin/*.gz tests/isa/data/*.gz; do
    to=$1/$(basename "$f" .gz)
    [ "$to" -nt "$f" ] || gzip -dc "$f" >"$to"
done
cp tests/isa/suite.tab "$1/"
for table in int fp half memrun warprun; do
    python3 tools/isa/forms.py --list tests/corpus/$table.forms >"$1/form-$table.list" 2>/dev/null || true
done
