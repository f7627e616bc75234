#!/bin/sh
# Files have at most 600 lines in src and 800 elsewhere, headers 250; functions 60 in src and 80
# elsewhere (a flat switch, where every fourth line or more is a case, excepted); nesting at most 4 deep, at
# most 6 parameters (the cu* and cuda* interfaces excepted). Works on code that clang-format
# has laid out: a function body opens and closes with a brace in the first column.
set -eu
cd "$(dirname "$0")/../.."
find src tests workloads tools -name '*.[ch]' | sort | xargs awk '
function complain(line, text) {
    print file ":" line ": " text
    bad = 1
}
function end_file() {
    if (file == "")
        return
    limit = file ~ /\.h$/ ? 250 : file ~ /^src/ ? 600 : 800
    if (lines > limit && !is_data)
        complain(lines, lines " lines, at most " limit)
}
FNR == 1 {
    end_file()
    file = FILENAME
    inside = 0
    head = ""
    is_data = 0
}
{
    lines = FNR
    code = $0
    gsub(/"([^"\\]|\\.)*"/, "", code)
    gsub(/\047([^\047\\]|\\.)*\047/, "", code)
    gsub(/\/\*.*\*\//, "", code)
}
/DATA TABLE/ { is_data = 1 } # a generated table says so in its first comment
!inside && /^{/ && head ~ /\)[ \t]*$/ {
    inside = 1
    start = FNR
    cases = 0
    depth = 0
    deepest = 0
    n = gsub(/,/, ",", head)
    if (n >= 6 && head !~ /(^|[ *])(__(wrap_)?)?cu(da)?[A-Z]/)
        complain(FNR, n + 1 " parameters, at most 6")
}
inside {
    opens = gsub(/{/, "{", code)
    closes = gsub(/}/, "}", code)
    if (code !~ /=[ \t]*{|^[ \t]*{.*,$|\){.*}/) {
        depth += opens - closes
        if (depth > deepest)
            deepest = depth
    } else {
        depth += opens - closes
    }
    if ($0 ~ /^[ \t]*(case .*|default):/)
        cases++
    if ($0 ~ /^}/) {
        inside = 0
        n = FNR - start + 1
        most = file ~ /^src/ ? 60 : 80
        if (n > most && cases * 4 < n)
            complain(start, "function of " n " lines, at most " most)
        if (deepest > 5)
            complain(start, "nested " deepest - 1 " deep, at most 4")
        head = ""
    }
    next
}
/^[a-zA-Z_].*[^;:]$/ && !/^(#|typedef|struct [a-z_]+ {|enum)/ { head = code; next }
/^[ \t]+[^ \t]/ { head = head code; next }
{ head = "" }
END {
    end_file()
    exit bad
}'
