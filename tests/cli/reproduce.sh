# leno reproduce: what there is, a figure as text and as data, results shared between
# figures, and what it says when something is wrong.
. tests/cli/lib.inc
reproduce() { "$LENO" reproduce ghost --size tiny --sms 4 --out "$TMP/results" "$@"; }

exits 0 "$LENO" reproduce --list
says "$TMP/out" "ghost: GhOST"
says "$TMP/out" "13   "
says "$TMP/out" "socgpu: SOCGPU"

# On one program; and again, with nothing to run.
exits 0 reproduce --figure 3
says "$TMP/out" "latency of loads in SSSP"
says "$TMP/out" "all loads, %  six of them, %"
says "$TMP/log" "[1/1] sssp inorder"
exits 0 reproduce --figure 3 --json
is_json "$TMP/out"
says "$TMP/log" "1 of 1 results taken from the cache"

# On the workloads that the paper has: its number beside ours; what figure 3 ran is not run
# again.
n=$(grep -lE 'papers = ".*ghost' workloads/*/host.c | wc -l)
exits 0 reproduce --figure 13 --csv
says "$TMP/log" "1 of $((4 * n)) results taken from the cache"
says "$TMP/out" "figure,column,row,paper,ours"
says "$TMP/out" "13,speed-up,lud,1.083,"
says "$TMP/out" "13,speed-up,mean of all,1.069,"
! grep -q ',$' "$TMP/out" || exit 1
exits 0 reproduce --figure 13
says "$TMP/out" "$n of them for one of the paper's 28"
says "$TMP/out" "mean of common ones"
says "$TMP/out" "within 5 points"
says "$TMP/out" "What differs from the paper"
exits 0 reproduce --figure 13 --markdown
says "$TMP/out" "| lud | 1.083 | "
exits 0 reproduce --figure 13 --json
is_json "$TMP/out"
says "$TMP/out" '"reached": '

# As a page: charts with both numbers, tables and notes, nothing that it loads.
only="--program LUD=lud --program nothing=vecadd"
exits 0 reproduce --figure 13 --figure 15 $only --report "$TMP/page.html"
says "$TMP/log" "report: $TMP/page.html"
says "$TMP/page.html" "<title>LUD, speed-up, paper: 1.083</title>"
says "$TMP/page.html" "<title>LUD, speed-up, ours: "
says "$TMP/page.html" "<title>IsB 8, RTX 3070, paper: 1.051</title></circle>"
says "$TMP/page.html" "prefers-color-scheme: dark"
says "$TMP/page.html" "Not reached (ours / paper's, %)"
! grep -qE '<script|<link|src=|href=' "$TMP/page.html" || exit 1
[ "$(grep -o '<svg' "$TMP/page.html" | wc -l)" = 4 ]
[ "$(tail -n 1 "$TMP/page.html")" = "</body></html>" ]
exits 0 "$LENO" reproduce darsie --figure 2 --size tiny --sms 4 --out "$TMP/results" \
    --program matrixMul=matrixmul --report "$TMP/page.html"
[ "$(grep -o '<svg' "$TMP/page.html" | wc -l)" = 1 ]
exits 1 reproduce --figure 13 --report "$TMP/none/page.html"
says "$TMP/log" "--report"

# On others: each stands for the program whose name it has; means over these and over all.
exits 0 reproduce --figure 13 --figure 16 $only --csv
says "$TMP/out" "13,speed-up,LUD,1.083,"
says "$TMP/out" "13,speed-up,nothing,,"
says "$TMP/out" "13,speed-up,mean of common ones,1.083,"
says "$TMP/out" "16,speed-up,loose round robin (LRR),1.071,"
says "$TMP/out" "(LRR), common ones"
! grep -q "backprop" "$TMP/out" || exit 1
exits 0 reproduce --figure 13 $only --set sched.policy=lrr --json
is_json "$TMP/out"
says "$TMP/out" '"sched.policy": "lrr"'
# Figure 16 has run those on rtx2060s-ghost.
says "$TMP/log" "4 of 8 results taken from the cache"
exits 0 "$LENO" record lud --size tiny -o "$TMP/lud.leno"
cat > "$TMP/suite.ini" << END
[mine]
program = lud.leno
paper   = LUD
[stranger]
program = lud.leno
END
exits 0 reproduce --figure 13 --suite "$TMP/suite.ini" --csv
says "$TMP/out" "13,speed-up,mine,1.083,"
says "$TMP/out" "13,speed-up,stranger,,"
says "$TMP/log" "stranger stands for none of the programs of ghost; paper = NAME"
exits 0 reproduce --figure 13 --program bfs="$TMP/lud.leno" --csv
says "$TMP/out" "13,speed-up,bfs,,"
says "$TMP/log" "bfs may stand for IBFS or RBF of ghost; paper = NAME"
exits 1 reproduce --program lud
says "$TMP/log" "'lud': expected NAME=PROGRAM"
exits 2 "$LENO" reproduce darsie --figure 1 --suite "$TMP/suite.ini"
says "$TMP/log" "figure 1 counts what workloads execute, and mine is a recording"
exits 2 reproduce --figure 3 $only
says "$TMP/log" "figure 3 is about SSSP, and no program stands for it"

# On two of the paper's programs; the text's numbers; two machines beside each number.
exits 0 reproduce --figure 18 --csv
says "$TMP/log" "of 12 results taken from the cache"
says "$TMP/out" '18,"hardware, 8",lavamd,,1.'
says "$TMP/out" "18,software,pg_convolution,,"
says "$TMP/out" "18,over unrolled,mean of all,,1.0"
[ "$(wc -l < "$TMP/out")" = $((1 + 5 * 3)) ]
exits 0 reproduce --figure 15b --figure V $only --csv
says "$TMP/out" "15b,over IB 4,mean of all,1.0009,"
says "$TMP/out" '15b,"in order, 8",LUD,,1.0'
says "$TMP/out" "V,8 entries,none of them,1.069,1.0"
says "$TMP/out" 'V,very deep,"rename, alias",1.144,1.'
! grep -q ',$' "$TMP/out" || exit 1

# Areas are those of leno cost, whatever is run.
exits 0 reproduce --figure VI.E $only --csv
says "$TMP/out" "VI.E,area,um2 per scheduler at 45 nm,1276,128106"
says "$TMP/out" "VI.E,share,% of the chip,0.007,0.66"
says "$TMP/out" 'VI.E,power,"mW per SM, more than in order",4.68,'

# Rows that are not means, of what figure 17 ran; 0 is a number of the paper's.
exits 0 reproduce --figure 17 --csv
says "$TMP/out" "17,LOOG,rbfs,0.4,"
says "$TMP/out" "17,LOOG,mean of all,0.8099,"
exits 0 reproduce --figure 19 --csv
says "$TMP/log" "$((3 * n)) of $((3 * n)) results taken from the cache"
says "$TMP/out" "19,GhOST,share below 1.0,0,0"
says "$TMP/out" "19,LOOG,lowest,0.349,0"
! grep -q ',$' "$TMP/out" || exit 1

# Another paper, on another machine.
socgpu() { "$LENO" reproduce socgpu --size tiny --sms 4 --out "$TMP/results" "$@"; }
some="--program lud=lud --program nn=nn --program mm=matrixmul"
exits 0 socgpu $some --csv
says "$TMP/out" "4,SOCGPU,mean of all,1.38,"
says "$TMP/out" "4,SOCGPU,highest,2.3,"
says "$TMP/out" "5,RAW,correlation with speed-up,-0.73,"
says "$TMP/out" "1,128 warps,mm,,1.2"
says "$TMP/out" '5.2,share,"% of the chip, more than in order",2.4,0.45'
says "$TMP/out" '5.2,power,"mW per SM, more than in order",40.75,'
! grep -q ',$' "$TMP/out" || exit 1
exits 0 socgpu $some --figure 1
says "$TMP/out" "without the 5000 cycles from a launch to its first block"
says "$TMP/out" "on 4 SMs"
says "$TMP/out" "SOCGPU, 64 warps"

# What a program is made of, converted.
turbulence() { "$LENO" reproduce turbulence --size tiny --sms 4 --out "$TMP/results" "$@"; }
exits 0 turbulence --program vecadd=vecadd --program matrixmul=matrixmul --figure 2 --csv
says "$TMP/out" '2,straight code,vecadd,,6'
says "$TMP/out" '2,moves,vecadd,,9'
says "$TMP/out" '2,"%, relays",matrixmul,,3'
! grep -q ',$' "$TMP/out" || exit 1

# Counted without timing: the shares of leno emu --redundancy, and nothing in the store.
exits 0 "$LENO" reproduce darsie --size tiny --out "$TMP/none" --figure 1 --csv
says "$TMP/out" "1,block,mean of all,33,"
share=$(sed -n 's/^1,block,matrixmul,,\(..*\)/\1/p' "$TMP/out")
[ ! -e "$TMP/none" ]
exits 0 "$LENO" emu matrixmul --size tiny --arch sm_75 --redundancy --json
[ "$(printf %.4f "$share")" = "$(sed -n 's/.*"block": \([0-9.]*\).*/\1/p' "$TMP/out")" ]
exits 1 "$LENO" emu matrixmul --redundancy --counts "$TMP/counts.csv"
says "$TMP/log" "not with --counts"

# All papers; those of DARSIE in blocks of one and of two dimensions.
exits 0 "$LENO" reproduce all --size tiny --sms 4 --out "$TMP/results" --markdown \
    --program lud=lud --program pathfinder=pathfinder --program matrixMul=matrixmul
[ "$(grep -c '^## ' "$TMP/out")" = 4 ]
says "$TMP/out" "### Figure 8-1D"
exits 1 "$LENO" reproduce all --json
says "$TMP/log" "expected one paper for --figure, --json and --csv"

exits 1 "$LENO" reproduce
says "$TMP/log" "--list"
exits 1 "$LENO" reproduce gost
says "$TMP/log" "did you mean 'ghost'"
exits 1 reproduce --figure 99
says "$TMP/log" "expected one of 1, 3"
exits 1 reproduce --json --csv
says "$TMP/log" "--json and --csv cannot be combined"
