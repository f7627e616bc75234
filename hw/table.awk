# table.awk - turns the statistics of Yosys and the report of OpenSTA into a section of
# hw/results.ini. A block is a module of the hierarchy: how many there are, their flip-flops,
# and the area of their cells without the modules inside them, in units of the library.
FILENAME ~ /stat/ && /^=== / {
    name = $2
    sub(/^.*\\/, "", name)
    if ($2 ~ /\\[a-z_]+\\/) { name = $2; sub(/^[^\\]*\\/, "", name); sub(/\\.*/, "", name) }
    in_tree = /design hierarchy/
    next
}
FILENAME ~ /stat/ && !in_tree && $1 ~ /^DFF/ { flops[name] += $2 }
FILENAME ~ /stat/ && !in_tree && /Chip area for module/ { area[name] = $NF; order[++n] = name }
# The tree is indented by level, each line with the number of copies in the line above.
FILENAME ~ /stat/ && in_tree && NF == 2 && $2 ~ /^[0-9]+$/ && $1 !~ /X[0-9]$|^DFF/ {
    match($0, /^ */)
    level = RLENGTH
    name = $1
    if (name ~ /\\[a-z_]+\\/) { sub(/^[^\\]*\\/, "", name); sub(/\\.*/, "", name) } else sub(/^.*\\/, "", name)
    above = 1
    for (l = level - 1; l >= 0; l--)
        if (l in copies) { above = copies[l]; break }
    for (l in copies)
        if (l + 0 > level) delete copies[l]
    copies[level] = above * $2
    count[name] += copies[level]
}
FILENAME ~ /sta.txt/ && /data arrival time/ && !path { path = $1 < 0 ? -$1 : $1 }
END {
    if (!path) {
        print "sta.txt has no path" > "/dev/stderr"
        exit 1
    }
    if (!count[top]) # a module without others has no tree
        count[top] = 1
    n_words = split(row, word, / +/)
    for (k = 5; k <= n_words; k++)
        if (sub(/^.*:/, "", word[k]))
            params = params (params == "" ? "" : " ") word[k]
    printf "[%s]\nscheme = %s\nper = %s\nparameters = %s\nsources = %s\ncritical_path_ns = %.2f\n", \
        top, word[3], word[4], params, sources, path
    for (i = 1; i <= n; i++)
        printf "block = %s %d %d %d\n", order[i], count[order[i]], flops[order[i]], area[order[i]]
    print ""
}
