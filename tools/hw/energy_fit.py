#!/usr/bin/env python3
"""energy_fit.py: the energies of preset h200 from what energy.py measured, and their check.

python3 tools/hw/energy_fit.py fit      writes configs/energy/h200.ini and 12nm.ini
python3 tools/hw/energy_fit.py again    fits, and fails if these files have other energies; writes nothing
python3 tools/hw/energy_fit.py check [KERNEL...]   prints the table of docs/energy.md (minutes), or rows of
                                        kernels whose names begin with a KERNEL (srad_v1.extract); fails if a
                                        row is not the page's, or if the mean is 15 % or more
python3 tools/hw/energy_fit.py page     checks, and writes the table into the page
python3 tools/hw/energy_fit.py write    fits, builds, checks, and writes all

Data are tests/h200/energy.txt and energy_paths.txt, so no GPU is needed: from the repository's root, with build/leno,
gcc, and for fit, again and write nvcc. How often a loop makes each event is counted by Leno itself, as in any run: every
loop is run on one SM, once and twice as long, and the difference is taken. So the fit and the estimates of runs
have the same events.

The fit: the power of every row is idle power + power of active SMs + rates of events times
their energies. The relative errors are made least in squares, under the condition that no
energy is negative. Rows of data that is all zero, all the same or all random are not used, nor
is any whole kernel. check compares whole kernels, none of which the fit has seen.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import energy

ROOT = energy.ROOT
DATA = ("tests/h200/energy.txt", "tests/h200/energy_paths.txt")
# Of the second file: textures of one float (other kinds have other energies). Other rows say how large
# L2 is and how fast blocks and constants are;
# the operands of those of constants are zero.
PATHS = ("tex1",)
PAGE = "docs/energy.md"
LENO = os.environ.get("LENO", "build/leno")
KEPT = "build/energy"  # programs, and what Leno counted: counted anew by a newer Leno
MOST = 0.15  # mean error of whole kernels, at most
SAME = 0.001  # energies of two fits that are the same
CLASSES = ("none int imul imul_wide fp32 fcmp fp64 half half_mma sfu conv tensor tensor_small tensor_fp64 uniform "
           "sreg vote shuffle load store atomic ldc texture branch barrier fence misc uniform_move exit").split()

# Events that no row separates from others: set to 0, their energy is in the event named.
INCLUDED = {"icache": "decode", "select": "decode", "l1_fill": "l2_read", "tlb": "l1", "packet": "flit", "dram_row": "dram_read",
            "operand": "reg_read", "lane_none": "decode"}
# Classes that no row has: as much as another class, and how many of its lanes work.
LIKE = {"lane_fcmp": ("lane_int", 1), "lane_half_mma": ("lane_half", 1), "lane_uniform": ("lane_int", 1 / 32),
        "lane_uniform_move": ("lane_int", 1 / 32), "lane_vote": ("lane_int", 1), "lane_sreg": ("lane_int", 1),
        "lane_misc": ("lane_int", 1), "lane_branch": ("lane_int", 1),
        "lane_barrier": ("lane_int", 1), "lane_fence": ("lane_int", 1), "lane_exit": ("lane_int", 1)}
# fJ per bit: Horowitz, ISSCC 2014: 10 pJ for 64 bits of an 8 KB memory in 45 nm at 0.9 V; energy
# as length x voltage squared, 5 nm at 0.75 V. A comparison: a tenth, a guess.
TABLES = {"table_write": 12, "table_read": 12, "table_search": 1}
TABLE_PARTS = ("insert", "check", "issue", "wake", "keep", "load", "store", "lookup", "skip")
STATIC = ("idle", "active")
# Rows whose operands are all zero (RZ and the sums of chain too), the same, or random in every
# bit; in the row reuse the factors stay as they are.
UNUSED = (".zero", ".same", ".bits", ".none", ".reuse", "chain.sms33", "chain.sms66", "chain.sms132")
BURSTS = 2  # of DRAM per access of L2, which is of 64 bytes in all rows but .alone, and fills as many


def read_lines(paths):
    """Lines as dictionaries: kind, name, and what follows."""
    out = []
    for path in paths:
        out += read_file(path)
    return out


def read_file(path):
    out = []
    with open(path) as f:
        for line in f:
            words = line.split()
            if words and words[0] in ("row", "kernel"):
                d = dict(w.split("=", 1) for w in words[2:])
                out.append(dict(d, kind=words[0], name=words[1], watts_seen=d["watts"],
                                watts=float(d["joules"]) / float(d["seconds"])))
    return out


def is_older(path):
    """Is the file missing, or older than Leno? Others may make it at the same time."""
    return not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(LENO)


def leno(path, *arguments, rows=None):
    """The lines of JSON of the launches of a program under leno exec, kept in a file."""
    path = os.path.join(KEPT, path)
    if is_older(path):
        os.makedirs(KEPT, exist_ok=True)
        new = "%s.%d" % (path, os.getpid())
        subprocess.run([LENO, "exec", "--gpu", "h200", "--quiet", "--threads", "1", "--stats", new, *arguments],
                       input=rows, text=True, stderr=subprocess.DEVNULL, check=True)
        os.rename(new, path)
    with open(path) as f:
        return [json.loads(line) for line in f]


def program():
    """The folder of energy.c's program, built against Leno's own driver."""
    folder = os.path.join(ROOT, KEPT, "programs")
    if is_older(os.path.join(folder, "energy")):
        os.makedirs(folder, exist_ok=True)
        library = os.path.join(os.path.dirname(LENO), "lib/libcuda.so.1")
        with tempfile.TemporaryDirectory(dir=folder) as new:
            energy.build_program(new, ["-Isrc/driver"], [library])
            os.rename(os.path.join(new, "energy"), os.path.join(folder, "energy"))
    return folder


def cubins():
    """The same folder, with the cubins of all rows."""
    folder = program()
    if not os.path.exists(os.path.join(folder, "alu_long.ffma.three.cubin")):
        energy.build_cubins(folder)
    return folder


def count_rows(folder):
    """Per row: events per block and time round, by name."""
    rows = [r for r in energy.all_rows() if r[2] != "none"] + energy.chosen_paths(PATHS)
    text = "".join(" ".join(map(str, r)) + "\n" for r in rows)
    few, many = (leno("count-%d.json" % n, "--", os.path.join(folder, "energy"), "count", str(n), folder, rows=text)
                 for n in (2, 4))
    counts = {}
    for row, a, b in zip(rows, few, many):
        at, bt = a["energy"]["events"], b["energy"]["events"]
        counts[row[0]] = {name: (bt[name][0] - at[name][0]) / 2 for name in bt}
    # What lies in L2 does not come from DRAM; a stream of stores goes there in the end.
    for name, c in counts.items():
        if name.endswith(".l2"):
            c["dram_read"] = c["dram_write"] = c["dram_row"] = 0
        elif name.endswith(".dram"):
            c["dram_read"], c["dram_write"] = c["l2_read"] * BURSTS, c["l2_write"] * BURSTS
    return counts


def is_fitted(row, counts):
    return row["name"] in counts and not row["name"].startswith(("empty", "wgmma")) and \
        not any(u in row["name"] for u in UNUSED)


def rates(row, counts):
    """Events per second by parameter of the fit, and the watts of windows' tables."""
    per = int(row["grid"]) * int(row["n"]) / float(row["step"])
    out, tables = {}, 0
    for name, n in counts[row["name"]].items():
        if name in STATIC or name in INCLUDED or name == "launch":
            continue
        if name in TABLE_PARTS:
            tables += n * per * table_energy(name)
        else:
            to, share = LIKE.get(name, (name, 1))
            out[to] = out.get(to, 0) + n * per * share
    out["idle"] = energy.SMS
    out["active"] = min(energy.SMS, int(row["grid"]))
    return out, tables


TABLE_JOULES = {}


def table_energy(part):
    """Joules of one access of the scheme's tables, as leno cost prints it."""
    if not TABLE_JOULES:
        cost = json.loads(subprocess.run([LENO, "cost", "control", "--gpu", "h200", "--json"], cwd=ROOT,
                                         capture_output=True, text=True, check=True).stdout)
        TABLE_JOULES.update(dict.fromkeys(TABLE_PARTS, 0), **cost["schemes"][0]["energy"]["joules"])
    return TABLE_JOULES[part]


def least_squares(matrix, target, sweeps=20000):
    """Non-negative: one unknown after another, each to its best value, again and again."""
    n = len(matrix[0])
    scale = [math.sqrt(sum(row[j] ** 2 for row in matrix)) or 1 for j in range(n)]
    rows = [[row[j] / scale[j] for j in range(n)] for row in matrix]
    gram = [[sum(r[i] * r[j] for r in rows) for j in range(n)] for i in range(n)]
    right = [sum(r[j] * t for r, t in zip(rows, target)) for j in range(n)]
    x = [0.0] * n
    for _ in range(sweeps):
        moved = 0
        for j in range(n):
            if gram[j][j] <= 0:
                continue
            new = max(0.0, x[j] + (right[j] - sum(gram[j][k] * x[k] for k in range(n))) / gram[j][j])
            moved = max(moved, abs(new - x[j]))
            x[j] = new
        if moved < 1e-12:
            break
    return [v / s for v, s in zip(x, scale)]


def write_energy(lines, counts):
    """Joules of a register written: the rows ffma.f32 and ffma.unwritten differ in nothing else."""
    with_, without = (next(r for r in lines if r["name"] == n) for n in ("ffma.f32", "ffma.unwritten"))
    return (with_["watts"] - without["watts"]) / rates(with_, counts)[0]["reg_write"]


def product_energy(lines, counts, values):
    """Joules of 8 columns of a product of a warpgroup, beyond the first 8: all that the row wgmma.f16 has beside
    other events. The fit does not use the row, since the board lowered its clock."""
    row = next(r for r in lines if r["name"] == "wgmma.f16")
    r, tables = rates(row, counts)
    others = tables + sum(values[n] * v for n, v in r.items() if n in values)
    return (row["watts"] - others) / r["product"]


def launch_energy(lines, values, folder):
    """Joules of a launch: empty kernels of one block in a loop, less what their runs have anyway."""
    row = next(r for r in lines if r["name"] == "empty.1x32")
    run = leno("empty.json", "--", os.path.join(folder, "energy"), "count", "1", folder,
               rows="empty energy.cubin empty zero 1 32 0 1 0\n")[0]["cycles"] / 1.98e9
    return row["watts"] * float(row["step"]) - values["idle"] * energy.SMS * run


def fit(data):
    lines = [r for r in read_lines(data) if r["kind"] == "row"]
    folder = cubins()
    counts = count_rows(folder)
    used = [r for r in lines if is_fitted(r, counts)]
    names, matrix, target = [], [], []
    fixed = {"reg_write": write_energy(lines, counts)}
    seen = [rates(r, counts) for r in used]
    for r, _ in seen:
        names += [n for n in r if n not in names and n not in fixed and r[n] > 0]
    for row, (r, tables) in zip(used, seen):
        matrix.append([r.get(n, 0) / row["watts"] for n in names])
        target.append(1 - (tables + sum(v * r.get(n, 0) for n, v in fixed.items())) / row["watts"])
    values = dict(zip(names, least_squares(matrix, target)), **fixed)
    values["product"] = product_energy(lines, counts, values)
    values["launch"] = launch_energy(lines, values, folder)
    report([r for r in lines if r["name"] in counts], counts, values)
    return values


def report(rows, counts, values):
    """A line per row: the board's watts and those of the fit; its energy above idle and active power per warp
    instruction, those of the loop included."""
    worst = []
    for row in rows:
        r, tables = rates(row, counts)
        watts = tables + sum(values[n] * v for n, v in r.items() if n in values)
        error, is_used = watts / row["watts"] - 1, is_fitted(row, counts)
        above = row["watts"] - sum(values[n] * r[n] for n in STATIC)
        print("%-24s %8.1f W  fitted %8.1f  %+6.1f %%  %8.1f pJ  %s MHz %s C%s" %
              (row["name"], row["watts"], watts, 100 * error, above / r["decode"] * 1e12 if r["decode"] else 0,
               row["sm_mhz"], row["celsius"], "" if is_used else ", not in the fit"))
        if is_used:
            worst.append((abs(error), row["name"]))
    print("rows %d, mean error %.1f %%, largest %.1f %% (%s)" %
          (len(worst), 100 * sum(e for e, _ in worst) / len(worst), 100 * max(worst)[0], max(worst)[1]))


def line(name, value, why):
    return "%-24s ; %s\n" % ("%s = %d" % (name, round(value)), why)


def event_value(name, values):
    """fJ of an event or a class, and where it comes from."""
    if name in INCLUDED:
        return 0, "not separable: in " + INCLUDED[name]
    if name in LIKE:
        of, share = LIKE[name]
        return values.get(of, 0) * share * 1e15, "assumed: as " + of + ("" if share == 1 else ", one lane of 32")
    if name in MEASURED:
        return values[name] * 1e15, "measured: " + MEASURED[name]
    return values.get(name, 0) * 1e15, "fitted" if name in values else "not in any row"


# Energies of which one or two rows tell.
MEASURED = {"reg_write": "ffma.f32 less ffma.unwritten", "product": "wgmma.f16, at 1.70 GHz"}
EVENTS = ("icache decode select reg_read reg_write operand product shared shared_word memory_word l1 l1_fill constant "
          "tlb packet flit l2_read l2_write l2_atomic dram_read dram_write dram_row").split()


def ini_h200(values):
    out = ["; H200 (4N): energies fitted to a board's energy counter\n;\n",
           "; Written by tools/hw/energy_fit.py from tests/h200/energy.txt (docs/energy.md says how). One\n",
           "; H200 at 1980 MHz. fJ per event, nJ per launch, mW per SM.\n\n[energy]\n"]
    for name in EVENTS + ["lane_" + c for c in CLASSES]:
        out.append(line(name, *event_value(name, values)))
    for name, value in TABLES.items():
        out.append(line(name, value, "assumed: a twelfth of a read" if name == "table_search" else
                        "Horowitz, ISSCC 2014: 156 fJ in 45 nm at 0.9 V x 5/45 x (0.75/0.9)^2, voltage assumed"))
    out.append(line("launch", values["launch"] * 1e9, "measured: empty kernels in a loop"))
    out.append(line("active", values["active"] * 1e3, "fitted"))
    out.append(line("idle", values["idle"] * 1e3, "fitted"))
    return "".join(out)


# Peak single precision per watt, by the data sheets: H200 66.9 TFLOPS and 700 W, GeForce RTX 2060
# Super 7.18 TFLOPS and 175 W.
OLDER = (66.9 / 700) / (7.18 / 175)
TIMES = "h200.ini x %.2f" % OLDER
# O'Connor et al., MICRO 2017: 14 pJ/bit for GDDR5, here for bursts of 32 bytes.
GDDR = 14000 * 256
# accelwattch_sass_sim.xml of SM75_RTX2060_S (AccelWattch, MICRO 2021), for its 34 SMs.
CONSTANT, FIRST_LANE, LANE = 32.325, 17.217, 0.6506


def ini_12nm(values):
    out = ["; 12 nm (Turing, Volta): the H200's energies scaled, static power of AccelWattch\n;\n",
           "; Written by tools/hw/energy_fit.py; docs/energy.md has the sources. %.2f is the ratio of peak\n" % OLDER,
           "; single precision per watt of an H200 (66.9 TFLOPS, 700 W) and a GeForce RTX 2060 Super (7.18\n",
           "; TFLOPS, 175 W), by NVIDIA's data sheets; that it holds for all events is assumed. fJ per event,\n",
           "; nJ per launch, mW per SM.\n\n[energy]\n"]
    for name in EVENTS + ["lane_" + c for c in CLASSES]:
        value, why = event_value(name, values)
        if name in ("dram_read", "dram_write"):
            out.append(line(name, GDDR, "O'Connor et al., MICRO 2017, figure 1a: GDDR5 14 pJ/bit, 32 bytes"))
        elif name in ("l2_read", "l2_write", "l2_atomic"):
            out.append(line(name, value * OLDER / 2, TIMES + " / 2, for 32 of 64 bytes" if value else why))
        else:
            out.append(line(name, value * OLDER, TIMES if value and "assumed" not in why else why))
    for name, value in (("table_write", 44), ("table_read", 44), ("table_search", 4)):
        out.append(line(name, value, "assumed: an eleventh of a read" if name == "table_search" else
                        "Horowitz, ISSCC 2014: 156 fJ in 45 nm at 0.9 V x 16/45 x (0.8/0.9)^2, voltage assumed"))
    out.append(line("launch", 0, "assumed: not known"))
    out.append(line("active", (FIRST_LANE + 31 * LANE) / 34 * 1e3, "AccelWattch, SM75_RTX2060_S: static_geomean, 32 lanes"))
    out.append(line("idle", CONSTANT / 34 * 1e3, "AccelWattch, SM75_RTX2060_S: constant_power"))
    return "".join(out)


def kernel_events(row, folder):
    """The second launch of a kernel under Leno, when L2 has what the first one left there."""
    workload, kernel, size = row["name"].split(".")
    return leno(row["name"] + ".json", "--match", kernel, "--first", "2", "--", os.path.join(folder, "energy"), "repeat",
                "2", workload, size, kernel)[-1]


def check_kernel(row, folder):
    """A row of the table, and two errors: with Leno's time, and with the board's for idle power."""
    launch = kernel_events(row, folder)["energy"]
    events, ours, seconds = launch["events"], launch["joules"], launch["duration"]
    step, board = float(row["step"]), row["watts"] * float(row["step"])
    # A launch's energy is mostly idle power from one kernel to the next.
    own = ours - events["launch"][1] + events["idle"][1] * (step / seconds - 1)
    error, timed = ours / board - 1, own / board - 1
    return ("| %s | %.2f | %.2f | %.0f | %.1f | %.1f | %+.1f | %+.1f |" %
            (row["name"].replace(".", " "), step * 1e6, seconds * 1e6, row["watts"], board * 1e6, ours * 1e6,
             100 * error, 100 * timed), error, timed)


def check(data, parts):
    """The lines of the table and its mean error: a line per kernel, energy of a launch in a loop."""
    chosen = [r for r in read_lines(data)
              if r["kind"] == "kernel" and (not parts or r["name"].startswith(tuple(parts)))]
    if not chosen:
        sys.exit("energy_fit.py: no kernel whose name begins with %s" % " or ".join(parts))
    lines = ["| kernel | us, board | us, Leno | W, board | uJ, board | uJ, Leno | % | %, board's time |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    errors, timed = [], []
    folder = program()
    for row in chosen:
        text, error, also = check_kernel(row, folder)
        lines.append(text)
        errors.append(error)
        timed.append(also)
        print(text, flush=True)
    mean, other = (sum(map(abs, e)) / len(e) for e in (errors, timed))
    lines += ["", "%d kernels, mean of the absolute errors %.1f %%; with the board's time for idle power %.1f %%." %
              (len(errors), 100 * mean, 100 * other)]
    print(lines[-1])
    return lines, mean


def compare(lines, mean, is_whole):
    """Ends with an error if the page has other rows, or if all kernels are too far off."""
    with open(PAGE) as f:
        page = f.read().split("\n")
    older = [text for text in lines[2:] if text not in page and (is_whole or text.startswith("|"))]
    if older:
        sys.exit("energy_fit.py: %s has other numbers (energy_fit.py page writes these):\n%s" %
                 (PAGE, "\n".join(older)))
    if is_whole and mean >= MOST:
        sys.exit("energy_fit.py: mean error %.1f %%, expected less than %.0f %%" % (100 * mean, 100 * MOST))


def write_page(table):
    begin, end = "<!-- check -->\n", "<!-- end -->"
    with open(os.path.join(ROOT, PAGE)) as f:
        text = f.read()
    at, to = text.index(begin) + len(begin), text.index(end)
    with open(os.path.join(ROOT, PAGE), "w") as f:
        f.write(text[:at] + table + "\n" + text[to:])


def profiles(values):
    """Path and text of each file."""
    return [("configs/energy/h200.ini", ini_h200(values)), ("configs/energy/12nm.ini", ini_12nm(values))]


def write_profiles(values):
    for path, text in profiles(values):
        with open(path, "w") as f:
            f.write(text)


def compare_profiles(values):
    """Ends with an error if a file has other energies: a change of the timing moves some counts a little."""
    number = re.compile(r"= (\d+) *;")
    for path, text in profiles(values):
        with open(path) as f:
            old = f.read()
        moved = [b - a for a, b in zip(*(map(int, number.findall(t)) for t in (old, text)))
                 if abs(b - a) > max(1, SAME * a)]
        if moved or number.sub("", old) != number.sub("", text):
            sys.exit("energy_fit.py: the fit has other energies than %s" % path)


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    parts = sys.argv[2:]
    if what not in ("fit", "again", "check", "page", "write") or (parts and what != "check"):
        sys.exit(__doc__)
    os.chdir(ROOT)
    if what in ("fit", "write"):
        write_profiles(fit(DATA))
    if what == "again":
        compare_profiles(fit(DATA))
    if what == "write":
        subprocess.run(["make", "-j2"], check=True, stdout=subprocess.DEVNULL)
    if what not in ("fit", "again"):
        lines, mean = check(DATA, parts)
        if what != "check":
            write_page("\n".join(lines))
        compare(lines, mean, not parts)


if __name__ == "__main__":
    main()
