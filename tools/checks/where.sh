#!/bin/sh
# Every function that README.md or a page in docs/ names, as `name()`, is defined in src or
# in a listing of that page, and every file that docs/architecture.md names exists. In its
# "Where to find" a function is defined in the file named before it in the same row.
# usage: tools/checks/where.sh
set -eu
cd "$(dirname "$0")/../.."
page=docs/architecture.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=
grep -rhE '^(#define )?[A-Za-z_].*\(' src --include='*.[ch]' | grep -v ';$' |
    grep -oE '[A-Za-z_0-9]+\(' | sort -u > "$work/defined"
for f in README.md $(find docs -name '*.md' | sort); do
    grep -oE '`[A-Za-z_0-9]+\(\)`' "$f" | tr -d '`)' | sort -u > "$work/named"
    grep -E '^[A-Za-z_].*\(' "$f" | grep -oE '[A-Za-z_0-9]+\(' | sort -u |
        cat "$work/defined" - | sort -u | comm -23 "$work/named" - > "$work/missing"
    while read -r name; do
        echo "$f: no function $name) in src"
        bad=1
    done < "$work/missing"
done
for file in $(grep -oE '`[a-z0-9_.]+(/[a-z0-9_.]+)*/[a-z0-9_-]+\.(c|h|def|sh)`' $page | tr -d '`' | sort -u); do
    [ -e "src/$file" ] || [ -e "$file" ] || { echo "$page: no file $file"; bad=1; }
done
sed -n '/^## Where to find/,/^## [^W]/p' $page | awk -F'|' '
# Is a function defined in a file? Its name is in a line that starts at the margin and is
# no declaration.
function is_defined(file, name,    line, found) {
    while ((getline line < file) > 0)
        if (line ~ "^([A-Za-z].*[ *])?" name "\\(" && line !~ /;$/)
            found = 1
    close(file)
    return found
}
function exists(file,    line, rc) {
    rc = (getline line < file)
    close(file)
    return rc >= 0
}
function complain(text) {
    print "docs/architecture.md:" $2 ": " text
    bad = 1
}
/^\| *(question|---)/ || !/^\|/ { next }
{
    rows++
    file = ""
    n = split($3, part, "`")
    for (i = 2; i <= n; i += 2) {
        name = part[i]
        if (name ~ /^[a-z0-9_]+(\/[a-z0-9_]+)+\.(c|h|def)$/) {
            file = "src/" name
            places++
            if (!exists(file))
                complain("no file " file)
        } else if (name ~ /^[A-Za-z0-9_]+\(\)$/) {
            sub(/\(\)/, "", name)
            functions++
            if (file == "" || !is_defined(file, name))
                complain("no function " name " in " (file == "" ? "a file" : file))
        } else {
            complain("neither a file nor a function: " name)
        }
    }
    if (file == "")
        complain("names no file")
}
END {
    if (rows < 25 || functions < 25) {
        print "docs/architecture.md: only " rows + 0 " rows found, expected 25"
        bad = 1
    }
    if (!bad)
        print "ok: " rows " questions, " places " files, " functions " functions"
    exit bad
}'
[ -z "$bad" ]
