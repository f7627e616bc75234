#!/usr/bin/env python3
"""energy.py: measures what events cost on a real GPU (H200), for energy_fit.py.

python3 tools/hw/energy.py FOLDER     from the repository's root; leaves FOLDER/energy.txt
python3 tools/hw/energy.py --paths FOLDER [PART...]   leaves FOLDER/paths.txt: rows of path_rows(), all or
                                      those whose names begin with a PART

Builds energy.cu (nvcc) and energy.c (gcc), writes the cubins of all rows and runs them: loops
that keep one kind of event going, then whole kernels of the workloads, which the fit must not
use. Takes about four minutes. A line of energy.txt is described in energy.c; a line "failed"
says what could not be measured.

--cubins FOLDER  only writes the cubins, from a compiled one (energy_fit.py counts their events)
--build FOLDER   only builds energy.cubin and the program, for leno exec
"""
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SMS = 132
RZ = 255

# ---- instructions, as in hazards.py: low word with its opcode, high word without control ----
# (low, high, slots that registers go to, registers per operand)
OPS = {
    "ffma": (0x223, 0, "abc", 1), "fadd": (0x221, 0, "ab", 1), "fmul": (0x220, 0x400000, "ab", 1),
    "iadd3": (0x210, 0x7FFE000, "abc", 1), "lop3": (0x212, 0x78E9600, "abc", 1),
    "imad": (0x224, 0x78E0200, "abc", 1), "imad_wide": (0x225, 0x78E0000, "abC", 1),
    "shf": (0x219, 0x10E00, "abc", 1), "prmt": (0x216, 0, "abc", 1), "sel": (0x207, 0x3800000, "ab", 1),
    "mov": (0x202, 0xF00, "b", 1), "isetp": (0x20C, 0x3F06270 | 5 << 17, "ab", 1),
    "hfma2": (0x231, 0, "abc", 1), "hadd2": (0x230, 0, "ab", 1), "hmul2": (0x232, 0, "ab", 1),
    "dfma": (0x22B, 0, "abc", 2), "dadd": (0x229, 0, "ac", 2),
    "mufu": (0x308, 0x800, "b", 1), "popc": (0x309, 0, "b", 1), "f2i": (0x305, 0x20F100, "b", 1),
    "nop": (0x918, 0, "", 0),
}
SLOT_AT = {"a": 24, "b": 32, "c": 64}
SLOWER = ("mufu", "popc", "f2i")  # results come at no known time: the last one is waited for
WAIT_MASK = 0x3F << 52
NO_BARRIER = 7


def word(op, d, regs, reuse="", write=NO_BARRIER, wait=0):
    """An instruction as a number of 128 bits; regs: slot -> register."""
    low, high, slots, _ = OPS[op]
    w = low | 7 << 12 | high << 64
    if op not in ("nop", "isetp"):
        w |= d << 16
    for slot in slots.lower():
        w |= regs[slot] << SLOT_AT[slot]
    control = 1 << 41 | 1 << 45 | write << 46 | NO_BARRIER << 49 | wait << 52
    for slot in reuse:
        control |= 1 << {"a": 58, "b": 59, "c": 60}[slot]
    return w | control << 64


# Which sources the k-th instruction names: three different ones, two, one, none.
SOURCES = {
    "three": lambda s, k: {"a": s[k % len(s)], "b": s[(5 * k + 1) % len(s)], "c": s[(3 * k + 2) % len(s)]},
    "two": lambda s, k: {"a": s[k % len(s)], "b": s[(5 * k + 1) % len(s)], "c": s[k % len(s)]},
    "one": lambda s, k: {"a": s[k % len(s)], "b": s[k % len(s)], "c": s[k % len(s)]},
    "none": lambda s, k: {"a": RZ, "b": RZ, "c": RZ},
    # a and b stay, and are kept in the reuse cache
    "reuse": lambda s, k: {"a": s[0], "b": s[1], "c": s[k % len(s)]},
}


def pairs(registers):
    return [r for r in sorted(registers) if r % 2 == 0 and r + 1 in registers]


def body(op, n, sources, results, how, write_result):
    """n instructions; every operand is of random data that stays."""
    wide = OPS[op][3] == 2
    s = pairs(sources) if wide else sorted(sources)
    d = pairs(results) if wide or op == "imad_wide" else sorted(results)
    out = []
    for k in range(n):
        regs = SOURCES[how](s, k)
        if op == "imad_wide":
            regs["c"] = pairs(sources)[k % len(pairs(sources))] if how != "none" else RZ
        reuse = "ab" if how == "reuse" else ""
        out.append(word(op, d[k % len(d)] if write_result else RZ, regs, reuse))
    if op in SLOWER:
        out[-2] = word(op, d[-1], SOURCES[how](s, n - 2), write=5)
        out[-1] = word("nop", 0, {}, wait=1 << 5)
    return out


def text_section(cubin, kernel):
    """Where the code of a kernel is in an ELF file: offset, size."""
    def number(at, n):
        return int.from_bytes(cubin[at:at + n], "little")
    table, each, count, names = number(0x28, 8), number(0x3A, 2), number(0x3C, 2), number(0x3E, 2)
    strings = number(table + each * names + 0x18, 8)
    for i in range(count):
        at = table + each * i
        name = strings + number(at, 4)
        if cubin[name:cubin.index(b"\0", name)] == b".text." + kernel.encode():
            return number(at + 0x18, 8), number(at + 0x20, 8)
    sys.exit("energy.py: no kernel %s in energy.cubin" % kernel)


def patch(cubin, kernel, op, how, write_result):
    """Writes other instructions over the FFMAs of a kernel."""
    start, size = text_section(cubin, kernel)
    places = []
    for at in range(start, start + size, 16):
        w = int.from_bytes(cubin[at:at + 16], "little")
        if w & 0xFFF == 0x223:
            places.append((at, w))
    sources = {w >> 24 & 255 for _, w in places} | {w >> 32 & 255 for _, w in places}
    results = {w >> 16 & 255 for _, w in places}
    if len(places) not in (256, 1024) or sources & results or len(pairs(sources)) < 4 or len(pairs(results)) < 4:
        sys.exit("energy.py: %s is not compiled as it was: %d FFMA" % (kernel, len(places)))
    new = bytearray(cubin)
    for (at, old), w in zip(places, body(op, len(places), sources, results, how, write_result)):
        new[at:at + 16] = (w | old & WAIT_MASK << 64).to_bytes(16, "little")
    return bytes(new)


# ---- rows: name, cubin, kernel, data, grid, block, shared bytes, argument, bytes ----
BOX, L2_SET, DRAM_SET = 49152, 16 << 20, 2 << 30


def alu_rows():
    """(name, op, sources, writes its result?, data, SMs, lanes, kernel)"""
    def row(name, op, data, how="three", write=True, sms=SMS, lanes=32, kernel="alu"):
        return name, op, how, write, data, sms, lanes, kernel
    yield row("nop", "nop", "zero")
    for data in ("zero", "same", "f32", "bits"):
        yield row("ffma." + data, "ffma", data)
    for how in ("two", "one", "none", "reuse"):
        yield row("ffma." + how, "ffma", "f32", how)
    yield row("ffma.unwritten", "ffma", "f32", write=False)
    yield row("ffma.long", "ffma", "f32", kernel="alu_long")
    for lanes in (1, 2, 4, 8, 16):
        yield row("ffma.lanes%d" % lanes, "ffma", "f32", lanes=lanes)
    for sms in (33, 66):
        yield row("ffma.sms%d" % sms, "ffma", "f32", sms=sms)
    yield row("fadd.f32", "fadd", "f32")
    yield row("fmul.f32", "fmul", "f32")
    for op in ("iadd3", "lop3", "imad"):
        for data in ("zero", "int", "bits"):
            yield row("%s.%s" % (op, data), op, data)
    for how in ("one", "none"):
        yield row("iadd3." + how, "iadd3", "int", how)
    yield row("iadd3.lanes8", "iadd3", "int", lanes=8)
    for op in ("imad_wide", "shf", "prmt", "sel", "isetp", "mov", "popc"):
        yield row(op + ".int", op, "int")
    for data in ("zero", "f16"):
        yield row("hfma2." + data, "hfma2", data)
    yield row("hadd2.f16", "hadd2", "f16")
    for data in ("zero", "f64"):
        yield row("dfma." + data, "dfma", data)
    yield row("dfma.lanes8", "dfma", "f64", lanes=8)
    yield row("dadd.f64", "dadd", "f64")
    yield row("mufu.f32", "mufu", "f32")
    yield row("mufu.lanes8", "mufu", "f32", lanes=8)
    yield row("f2i.f32", "f2i", "f32")


def other_rows():
    """Rows of kernels as compiled: (name, kernel, data, grid, block, shared, arg, bytes)"""
    for sms in (1, 33, 66, 132):
        yield "chain.sms%d" % sms, "chain", "zero", sms, 32, 0, 1, 0
    yield "sleep", "sleep", "zero", SMS, 1024, 0, 1, 0
    for grid, block in ((1, 32), (132, 1024), (1056, 256)):
        yield "empty.%dx%d" % (grid, block), "empty", "zero", grid, block, 0, 1, 0
    yield "shfl.int", "shfl", "int", SMS, 1024, 0, 1, 0
    yield "ldc", "ldc", "zero", SMS, 1024, 0, 1, 0
    for kind in ("lds", "sts"):
        for width in (32, 64, 128):
            yield "%s%d.f32" % (kind, width), "%s%d" % (kind, width), "f32", SMS, 1024, BOX, width // 8, 0
    yield "lds32.zero", "lds32", "zero", SMS, 1024, BOX, 4, 0
    yield "lds32.one_word", "lds32", "f32", SMS, 1024, BOX, 0, 0
    yield "lds32.two_way", "lds32", "f32", SMS, 1024, BOX, 8, 0
    yield "lds32.all_ways", "lds32", "f32", SMS, 1024, BOX, 128, 0
    yield "atoms.int", "atoms", "int", SMS, 1024, BOX, 4, 0
    for width in (32, 64, 128):
        yield "l1_%d.f32" % width, "l1_%d" % width, "f32", SMS, 1024, 0, width // 8, 0
    yield "l1_32.zero", "l1_32", "zero", SMS, 1024, 0, 4, 0
    yield "l1_32.sectors", "l1_32", "f32", SMS, 1024, 0, 32, 0
    yield "l1_32.lines", "l1_32", "f32", SMS, 1024, 0, 128, 0
    for where, size in (("l2", L2_SET), ("dram", DRAM_SET)):
        yield "read32.f32." + where, "read32", "f32", 2 * SMS, 1024, 0, 0, size
        yield "read128.f32." + where, "read128", "f32", 2 * SMS, 1024, 0, 0, size
        yield "read128.zero." + where, "read128", "zero", 2 * SMS, 1024, 0, 0, size
        yield "read32.sectors." + where, "read32", "f32", 2 * SMS, 1024, 0, 32, size
        yield "write32." + where, "write32", "f32", 2 * SMS, 1024, 0, 0, size
        yield "write128." + where, "write128", "f32", 2 * SMS, 1024, 0, 0, size
    yield "reduce32.l2", "reduce32", "int", 2 * SMS, 1024, 0, 0, L2_SET
    yield "hmma16816_f32.zero", "hmma16816_f32", "zero", SMS, 512, 0, 1, 0
    for kernel, data in (("hmma16816_f32", "f16"), ("hmma16816_bf16", "f16"), ("hmma16816_f16", "f16"),
                         ("hmma1688_f32", "f16"), ("hmma1688_tf32", "f32"), ("imma16832", "bits"),
                         ("dmma884", "f64")):
        yield "%s.%s" % (kernel, data), kernel, data, SMS, 512, 0, 1, 0
    for data in ("zero", "f16"):
        yield "wgmma." + data, "wgmma", data, SMS, 256, BOX, 1, 0


def path_rows():
    """Rows of paths whose rate is not known from elsewhere: textures, constants, sizes of L2, launches.

    A row's step over its rounds is the time of a round."""
    for across in (8, 16, 32):
        yield "tex1.wide%d" % across, "tex1", "f32", SMS, 1024, 0, across, 0
    yield "tex1.lone", "tex1", "f32", SMS, 32, 0, 16, 0
    yield "tex4.f32", "tex4", "f32", SMS, 1024, 0, 16, 0
    yield "tex4.u8", "tex4", "bits", SMS, 1024, 0, 16, 0
    yield "tex_chain", "tex_chain", "zero", SMS, 32, 0, 16, 0
    yield "tex_line", "tex_line", "f32", SMS, 1024, 0, 16, 0
    for kind in ("words", "pairs"):
        for different, apart in ((1, 1), (2, 1), (4, 1), (8, 1), (32, 1), (2, 16), (8, 16)):
            yield "ldc_%s.%dby%d" % (kind, different, apart), "ldc_" + kind, "zero", SMS, 1024, 0, \
                different + 256 * apart, 0
    for kb in (1, 2, 4, 16, 32):
        yield "uldc_walk.%dk" % kb, "uldc_walk", "zero", SMS, 1024, 0, kb << 10, 0
        yield "uldc_walk.%dk.lone" % kb, "uldc_walk", "zero", SMS, 32, 0, kb << 10, 0
        yield "ldc_walk.%dk" % kb, "ldc_walk", "zero", SMS, 1024, 0, kb << 10, 0
    for mb in (24, 32, 40, 48, 56, 64, 80):
        yield "read128.%dm" % mb, "read128", "f32", 2 * SMS, 1024, 0, 0, mb << 20
        yield "write128.%dm" % mb, "write128", "f32", 2 * SMS, 1024, 0, 0, mb << 20
    for mb in (12, 18, 24, 30, 36, 42, 48, 54, 60, 72):
        yield "triad128.%dm" % mb, "triad128", "f32", 2 * SMS, 1024, 0, 0, mb << 20
    for where, size in (("l2", L2_SET), ("dram", DRAM_SET)):
        yield "read32.alone." + where, "read32", "f32", 2 * SMS, 1024, 0, 64, size
        yield "write32.alone." + where, "write32", "f32", 2 * SMS, 1024, 0, 64, size
    for kind in ("read", "write", "triad"):
        for mb in (12, 24, 36, 48, 60, 96):
            for width, block in ((16, 1024), (4, 256)):
                threads = (mb << 20) // width // (3 if kind == "triad" else 1)
                yield "sweep_%s%d.%dm" % (kind, 8 * width, mb), "sweep_" + kind, "f32", threads // block, block, 0, \
                    width, mb << 20
    for words, mb in ((34, 16), (34, 64), (32, 16), (8, 16)):
        yield "rows%d.%dm" % (words, mb), "rows", "f32", 8 * SMS, 256, 0, words, mb << 20
    for block, per_sm in ((32, (1, 4, 16, 64)), (256, (1, 4, 16, 64)), (1024, (2, 8, 32))):
        for n in per_sm:
            yield "empty.%dx%d" % (n * SMS, block), "empty", "zero", n * SMS, block, 0, 1, 0


def all_rows():
    yield "idle.context", "none", "none", "zero", 0, 0, 0, 0, 0
    for name, kernel, *rest in other_rows():
        yield (name, "energy.cubin", kernel, *rest)
    for name, op, how, write, data, sms, lanes, kernel in alu_rows():
        yield name, cubin_name(op, how, write, kernel), kernel, data, sms, 1024, 0, lanes, 0
    yield "idle.after", "none", "none", "zero", 0, 0, 0, 0, 0


def cubin_name(op, how, write, kernel):
    return "%s.%s.%s%s.cubin" % (kernel, op, how, "" if write else ".unwritten")


def write_cubins(folder):
    with open(os.path.join(folder, "energy.cubin"), "rb") as f:
        plain = f.read()
    for _, op, how, write, _, _, _, kernel in alu_rows():
        with open(os.path.join(folder, cubin_name(op, how, write, kernel)), "wb") as f:
            f.write(patch(plain, kernel, op, how, write))


# Whole kernels, chosen before any was measured: all kinds of instructions and of memory. Each
# can be launched again with what it left (the same work, or nearly so).
KERNELS = """
backprop paper layer_forward
backprop paper adjust_weights
btree small find_key
btree small find_range
cifarnet small convolve
convolution_texture small convolve_rows
convolution_texture small convolve_columns
cp paper cp
db_conv_infer paper conv_tensor
db_gemm_infer small gemm_skinny
db_gemm_infer paper gemm_tensor
dct8x8 paper dct_forward
dct8x8 paper dct_inverse
dwt2d small dwt97
dwt2d small split_float
fast_walsh small walsh_last_stages
histogram small hist_shared
histogram small hist_global
hotspot paper hotspot
kmeans paper invert
kmeans small nearest
lavamd small lavamd
lib small lib_slopes
lps small laplace_step
mandelbrot small mandelbrot
matrixmul paper matrixmul
nlm small nlm
pathfinder small pathfinder
ray small render
reduction small reduce_float
reduction small reduce_int
scan paper scan_block
srad_v1 small extract
srad_v1 small srad
srad_v1 small srad2
srad_v1 small compress
sto small hash_windows
vecadd paper vecadd
"""


def kernels():
    return [line.split() for line in KERNELS.split("\n") if line]


def build_program(folder, flags, libraries):
    """FOLDER/energy of energy.c and the hosts of all workloads, against some CUDA driver."""
    names = sorted(n for n in os.listdir(os.path.join(ROOT, "workloads"))
                   if os.path.exists(os.path.join(ROOT, "workloads", n, "host.c")))
    with open(os.path.join(folder, "workloads.def"), "w") as f:
        f.write("".join("WORKLOAD(%s)\n" % n for n in names))
    sources = ["tools/hw/energy.c", "workloads/workload.c"]
    for family in ("deepbench", "hopper", "attention"):
        files = sorted(os.listdir(os.path.join(ROOT, "workloads", family)))
        sources += ["workloads/%s/%s" % (family, n) for n in files if n.endswith(".c")]
    sources += ["workloads/%s/host.c" % n for n in names]
    subprocess.run([os.environ.get("CC", "gcc"), "-std=c17", "-O2", "-ffp-contract=off", "-D_GNU_SOURCE",
                    "-I" + folder, *flags, "-o", os.path.join(folder, "energy"), *sources,
                    "-Wl,--wrap=cuLaunchKernel", "-Wl,--wrap=cuModuleGetFunction", *libraries, "-lm", "-ldl"],
                   cwd=ROOT, check=True)


def build_cubins(folder):
    """FOLDER/energy.cubin of energy.cu, and the cubins of all rows."""
    cuda = os.environ.get("CUDA", "/usr/local/cuda")
    subprocess.run([os.path.join(cuda, "bin/nvcc"), "-O3", "-arch=sm_90a", "-cubin", "-o",
                    os.path.join(folder, "energy.cubin"), "tools/hw/energy.cu"], cwd=ROOT, check=True)
    write_cubins(folder)


def build(folder):
    cuda = os.environ.get("CUDA", "/usr/local/cuda")
    build_program(folder, ["-isystem", cuda + "/include"],
                  ["-L" + cuda + "/lib64/stubs", "-L" + cuda + "/lib/stubs", "-lcuda"])
    build_cubins(folder)


def machine():
    query = "name,driver_version,vbios_version,power.limit,clocks.max.sm,persistence_mode"
    try:
        return subprocess.run(["nvidia-smi", "--query-gpu=" + query, "--format=csv,noheader"],
                              capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def run(program, arguments, out, rows=None):
    out.flush()
    result = subprocess.run([program, *arguments], cwd=ROOT, input=rows, stdout=out,
                            stderr=subprocess.PIPE, text=True)
    if result.returncode:
        out.write("failed %s: %s\n" % (" ".join(arguments), result.stderr.strip().replace("\n", "; ")))
    out.flush()
    return result.returncode


def measure_rows(program, folder, out, rows):
    """All rows in one process; after a failure the rest in another one."""
    rows = [" ".join(map(str, r)) for r in rows]
    while rows:
        path = out.name
        done = sum(line.startswith("row ") for line in open(path))
        code = run(program, ["rows", folder], out, "\n".join(rows) + "\n")
        done = sum(line.startswith("row ") for line in open(path)) - done
        if code == 0:
            return
        out.write("failed row %s\n" % rows[done].split()[0])
        rows = rows[done + 1:]


def measure_kernels(program, out, start):
    for name, size, kernel in kernels():
        if time.time() - start > 285:
            out.write("failed kernel %s.%s.%s: no time left\n" % (name, kernel, size))
        else:
            run(program, ["kernel", name, size, kernel], out)


def chosen_paths(parts):
    """Rows of path_rows() whose names begin with one of these; of all without any."""
    return [(name, "energy.cubin", *rest) for name, *rest in path_rows()
            if not parts or name.startswith(tuple(parts))]


def measure(to, is_paths, parts=()):
    start = time.time()
    os.makedirs(to, exist_ok=True)
    path = os.path.join(to, "paths.txt" if is_paths else "energy.txt")
    with tempfile.TemporaryDirectory() as folder, open(path, "w") as out:
        build(folder)
        program = os.path.join(folder, "energy")
        out.write("# %s\n# built after %.0f s\n" % (machine(), time.time() - start))
        out.flush()
        rows = chosen_paths(parts) if is_paths else all_rows()
        measure_rows(program, folder, out, rows)
        out.write("# rows after %.0f s\n" % (time.time() - start))
        if not is_paths:
            measure_kernels(program, out, start)
        out.write("# done after %.0f s\n" % (time.time() - start))


def main():
    what = {"--cubins": write_cubins, "--build": lambda to: build(os.path.abspath(to)),
            "--paths": lambda to, *parts: measure(to, True, parts)}
    if len(sys.argv) >= 3 and sys.argv[1] in what:
        what[sys.argv[1]](*sys.argv[2:])
    elif len(sys.argv) == 2:
        measure(sys.argv[1], False)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
