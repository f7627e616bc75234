#!/bin/sh
# Slots and bits of SASS instructions have names (docs/adding-an-instruction.md): their
# numbers are in opcodes.def and fields.def alone. Bits are read by position only where a
# format is walked. tools/sass_names.c refuses names that cannot be right.
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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/frontend/sass"

# Plants an error in a copy of opcodes.def; the maker of names must complain.
refuses() { # text, what takes its place, complaint
    cp -r src/frontend/sass/decode "$work/frontend/sass/"
    decode=$work/frontend/sass/decode
    sed "s/$1/$2/" src/frontend/sass/decode/opcodes.def > "$decode/opcodes.def"
    gcc -std=c17 -I"$work" -o "$work/names" tools/sass_names.c "$decode/format.c" "$decode/modifiers.c"
    if "$work/names" > "$work/out" 2>&1 || ! grep -q "$3" "$work/out"; then
        echo "$1 -> $2: expected '$3'"
        bad=1
    fi
}
refuses 'i75.5=shift' 'i75.5' 'LEA: an operand without a name'
refuses 'Pd84=carry2' 'Pd84=carry' 'IADD3: two meanings of CARRY'
refuses '"UIADD3{X?74}' '"UIADD3{X?75}' 'UIADD3: not like the other opcode: X'
refuses '{shf@73=type}' '{shift@73=type}' 'SHF: no such table'
[ -z "$bad" ] || exit 1
echo "ok: $(grep -c = build/gen/sass_names.h) names, no numbers"
