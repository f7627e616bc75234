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
says "$TMP/out" "cycles"
says "$TMP/log" "[1/1]"
exits 0 reproduce --figure 3 --json
is_json "$TMP/out"
says "$TMP/log" "1 of 1 results taken from the cache"

# On all programs: the paper's number beside ours; what figure 3 ran is not run again.
exits 0 reproduce --figure 13 --csv
says "$TMP/log" "1 of 24 results taken from the cache"
says "$TMP/out" "figure,column,row,paper,ours"
says "$TMP/out" "13,speed-up,mandelbrot,1.589,"
says "$TMP/out" "13,speed-up,mean of all,1.069,"
! grep -q ',$' "$TMP/out"
exits 0 reproduce --figure 13
says "$TMP/out" "mean of common ones"
says "$TMP/out" "What differs from the paper"

# Rows that are not means, of what figure 17 ran; 0 is a number of the paper's.
exits 0 reproduce --figure 17 --csv
says "$TMP/out" "17,LOOG,rbfs,0.4,"
says "$TMP/out" "17,LOOG,mean of all,0.8099,"
exits 0 reproduce --figure 19 --csv
says "$TMP/log" "36 of 36 results taken from the cache"
says "$TMP/out" "19,GhOST,share below 1.0,0,0"
says "$TMP/out" "19,LOOG,lowest,0.349,0"
! grep -q ',$' "$TMP/out"

# Another paper, on another machine.
socgpu() { "$LENO" reproduce socgpu --size tiny --sms 4 --out "$TMP/results" "$@"; }
exits 0 socgpu --csv
says "$TMP/out" "4,SOCGPU,mean of all,1.38,"
says "$TMP/out" "4,SOCGPU,highest,2.3,"
says "$TMP/out" "5,RAW,correlation with speed-up,-0.73,"
says "$TMP/out" "1,128 warps,matrixmul,,1.1"
! grep -q ',$' "$TMP/out"
exits 0 socgpu --figure 1
says "$TMP/out" "on 4 SMs"
says "$TMP/out" "SOCGPU, 64 warps"

# What a program is made of, converted.
turbulence() { "$LENO" reproduce turbulence --size tiny --sms 4 --out "$TMP/results" "$@"; }
exits 0 turbulence --figure 2 --csv
says "$TMP/out" '2,"%, no register number",vecadd,,6'
says "$TMP/out" '2,"%, relays saved",matrixmul,,2'
! grep -q ',$' "$TMP/out"

# Counted without timing: the shares of leno emu --redundancy, and nothing in the store.
exits 0 "$LENO" reproduce darsie --size tiny --out "$TMP/none" --figure 1 --csv
says "$TMP/out" "1,block,mean of all,33,"
share=$(sed -n 's/^1,block,matrixmul,,\(..*\)/\1/p' "$TMP/out")
[ ! -e "$TMP/none" ]
exits 0 "$LENO" emu matrixmul --size tiny --arch sm_75 --redundancy --json
[ "$(printf %.4f "$share")" = "$(sed -n 's/.*"block": \([0-9.]*\).*/\1/p' "$TMP/out")" ]
exits 1 "$LENO" emu matrixmul --redundancy --counts "$TMP/counts.csv"
says "$TMP/log" "not with --counts"

exits 1 "$LENO" reproduce
says "$TMP/log" "--list"
exits 1 "$LENO" reproduce gost
says "$TMP/log" "did you mean 'ghost'"
exits 1 reproduce --figure 99
says "$TMP/log" "expected one of 1, 3"
exits 1 reproduce --json --csv
says "$TMP/log" "--json and --csv cannot be combined"
