# Energy: components add up to the total, in text and JSON; comparisons have it; what cannot be
# computed is refused.
. tests/cli/lib.inc

exits 0 "$LENO" run vecadd --size tiny --gpu h200 --energy
says "$TMP/out" "energy, profile h200"
awk '/^energy, profile/ { on = 1 }
     on && $1 == "total" { total = $2; watts = $3 }
     on && !total && $2 ~ /^[0-9.]+$/ { sum += $2; w += $3 }
     END { d = sum - total; p = w - watts; print sum, total, w, watts
           exit !(total > 0 && d * d < 0.0004 && p * p < 0.0004) }' "$TMP/out"

exits 0 "$LENO" run vecadd --size tiny --gpu h200 --energy=12nm --json
is_json "$TMP/out"
python3 - "$TMP/out" <<'E1'
import json, sys
e = json.load(open(sys.argv[1]))["runs"][0]
stats, e = e["stats"], e["energy"]
close = lambda a, b: abs(a - b) <= 1e-9 * abs(b)
assert e["profile"] == "12nm"
assert close(sum(e["components"].values()), e["joules"])
assert close(sum(j for _, j in e["events"].values()), e["joules"])
assert close(e["joules"], e["watts"] * e["duration"])
assert e["events"]["reg_write"][0] == stats["sm.reg_writes"] > 0
assert e["events"]["lane_fp32"][0] == stats["unit.fp32"] > 0
assert sum(v for k, v in stats.items() if k.startswith("unit.")) == stats["sm.thread_insts"]
E1

# Energies of one's own, and files that are none.
printf '; mine\n[energy]\nidle = 1000\n' > "$TMP/mine.ini"
exits 0 "$LENO" run vecadd --size tiny --gpu h200 --energy="$TMP/mine.ini"
grep -q '^  idle .* 132\.000 *100\.0' "$TMP/out" # 132 SMs of 1 W
printf '; bad\n[energy]\nidel = 1\n' > "$TMP/bad.ini"
exits 1 "$LENO" run vecadd --size tiny --energy="$TMP/bad.ini"
says "$TMP/log" "bad.ini:3"
exits 1 "$LENO" run vecadd --size tiny --energy=11nm
says "$TMP/log" "expected 12nm, h200"
exits 1 "$LENO" run vecadd --gpu vortex-4x4 --energy
says "$TMP/log" "has no SMs"
exits 1 "$LENO" run vecadd --gpu rtx3070 --size tiny --energy
says "$TMP/log" "--energy=12nm"

# Comparisons: in order against in order with more entries; a column has both numbers.
exits 0 "$LENO" compare vecadd --size tiny --schemes inorder,ghost --energy --out "$TMP/leno"
says "$TMP/out" "Energy: mJ under inorder; over inorder for the other schemes"
says "$TMP/out" "energy x time"
exits 0 "$LENO" compare vecadd --size tiny --schemes inorder,ghost --csv --out "$TMP/leno"
says "$TMP/out" "joules,watts,energy_ratio,edp_ratio"
exits 0 "$LENO" compare vecadd --size tiny --schemes inorder,ghost --json --out "$TMP/leno"
is_json "$TMP/out"

# Sweeps: the same numbers, energy and its product with time, over the same baseline.
exits 0 "$LENO" compare hotspot --size tiny --sms 2 --schemes inorder,ghost --csv --out "$TMP/leno"
cp "$TMP/out" "$TMP/compared.csv"
printf 'schemes = inorder, ghost\nprograms = hotspot\nsize = tiny\nsms = 2\n[sweep]\nghost.entries = 4, 8\n' > "$TMP/sweep.ini"
exits 0 "$LENO" sweep "$TMP/sweep.ini" --csv --out "$TMP/leno"
cp "$TMP/out" "$TMP/swept.csv"
exits 0 "$LENO" sweep "$TMP/sweep.ini" --energy --out "$TMP/leno"
python3 - "$TMP" <<'E2'
import csv, sys
read = lambda name: list(csv.DictReader(open(sys.argv[1] + "/" + name)))
base, ghost = read("compared.csv")
swept = {(r["scheme"], r["ghost.entries"]): r for r in read("swept.csv")}
for c in "joules", "watts", "energy_ratio", "edp_ratio":
    assert swept["ghost", "8"][c] == ghost[c] and swept["inorder", ""][c] == base[c], c
assert swept["ghost", "4"]["joules"] != ghost["joules"]
energy = float(ghost["joules"]) / float(base["joules"])
time = float(ghost["joules"]) / float(ghost["watts"]) / (float(base["joules"]) / float(base["watts"]))
assert abs(float(ghost["energy_ratio"]) - energy) < 0.0001
assert abs(float(ghost["edp_ratio"]) - energy * time) < 0.0001
rows = [line.split() for line in open(sys.argv[1] + "/out")]
at = [r for r in rows if r[:2] == ["ghost", "8"]][-1]  # of the table of energy, the last one
assert abs(float(at[2]) - energy) < 0.001 and abs(float(at[3]) - energy * time) < 0.001
E2
