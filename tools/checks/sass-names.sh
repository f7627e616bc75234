#!/bin/sh
# Slots and bits of SASS instructions have names (docs/adding-an-instruction.md): their
# numbers are in opcodes.def and fields.def alone. Bits are read by position only where a
# format is walked.
set -eu
cd "$(dirname "$0")/../.."
bad=
files=$(find src -name '*.[ch]' | sort)
raw='(sass_bits|word_bits|word_signed)\([^;]*, *[0-9]+u?,|opd\[ *[0-9]|(SOURCE|TARGET)(_PART)?\([a-z_]+, *[0-9]|rows_slots\)\{ *[0-9]'
if grep -nE "$raw" $files; then
    echo "a slot or a bit by its number: use its name"
    bad=1
fi
walkers='^src/frontend/sass/(decode/(decode\.h|field\.h|operand\.c|word\.h)|print/mnemonic\.c):'
if grep -nE '\b(sass_bits|word_bits|word_signed)\(|\bSASS_FIELD\(' $files | grep -vE "$walkers"; then
    echo "bits by their position: use sass_field, sass_has or sass_signed"
    bad=1
fi
[ -z "$bad" ] || exit 1
echo "ok: $(grep -c = build/gen/sass_names.h) names, no numbers"
