#!/usr/bin/env python3
"""genvec.py - one kernel per instruction form, and the inputs and results recorded on an H200.

usage: genvec.py OPS.txt.gz MMA.txt.gz

Writes tests/isa/cubin/vec.sm_XX.cubin.gz and tests/isa/data/vectors.bin.gz. Every kernel takes (out, in).
A scalar form has 64 threads, in = three 64-bit slots a thread, out = one 64-bit slot a thread.
A matrix form has one warp a tile, in = the A, B and C registers of each lane, out = the D registers.
Forms that ptxas refuses on an architecture are left out of that module only.

Record of vectors.bin (little endian): char name[32], u32 block, u32 grid, u32 in_bytes, u32 out_bytes,
u32 flags (1: holds on sm_90 only), then the input and the expected output.
"""
import gzip, os, random, re, struct, subprocess, sys

TILES = 8
SM90_ONLY = 1
REG = {4: "b32", 8: "b64"}


def scalar_forms(path):
    """name -> (ptx, widths of %0..%3, [(a, b, c, result)])"""
    raw = {}
    for line in gzip.open(path, "rt"):
        left, vec, res = line.rstrip("\n").rsplit(";", 2)
        name, ptx = left.split(" | ", 1)
        raw.setdefault(name, (ptx, []))[1].append(vec.split() + [res])
    out = {}
    for name, (ptx, rows) in raw.items():
        wide = [8 if any(len(r[k]) > 8 for r in rows) else 4 for k in (3, 0, 1, 2)]
        out[name] = (ptx, wide, [tuple(int(x, 16) for x in r) for r in rows])
    return out


def scalar_kernel(name, ptx, wide):
    used = [k for k in range(4) if "%%%d" % k in ptx]
    body = ptx.rstrip(";")
    for k in used:
        body = body.replace("%%%d" % k, "v%d" % k)
    decl = " ".join(".reg .%s v%d;" % (REG[wide[k]], k) for k in used)
    loads = " ".join("ld.global.%s v%d, [in+%d];" % (REG[wide[k]], k, 8 * (k - 1)) for k in used if k)
    tail = "" if body.endswith("}") else ";"
    return entry(name) + [
        "mul.wide.u32 t, tid, 24; add.s64 in, in, t; mul.wide.u32 t, tid, 8; add.s64 out, out, t;",
        "{ %s %s %s%s st.global.%s [out], v0; }" % (decl, loads, body, tail, REG[wide[0]]), "ret;", "}"]


def entry(name):
    return [".visible .entry %s(.param .u64 p0, .param .u64 p1)" % name, "{",
            ".reg .b64 in, out, t; .reg .b32 tid, cta, lin;",
            "ld.param.u64 out, [p0]; cvta.to.global.u64 out, out; ld.param.u64 in, [p1]; cvta.to.global.u64 in, in;",
            "mov.u32 tid, %tid.x; mov.u32 cta, %ctaid.x; mad.lo.u32 lin, cta, 32, tid;"]


def mma_shape(name):
    """SASS name -> (PTX opcode, registers of A, B, C, bytes a register)"""
    part = name.split(".")
    if part[0] == "DMMA":
        m, n, k = part[1].split("x")
        big = m == "16"
        return ("mma.sync.aligned.m%sn%sk%s.row.col.f64.f64.f64.f64" % (m, n, k),
                int(k) // 2 if big else 1, int(k) // 4, 4 if big else 2, 8)
    if part[0] == "IMMA":
        sat = ".satfinite" if part[-1] == "SAT" else ""
        shape, na, nb, nc = {"16832": ("m16n8k32", 4, 2, 4), "16816": ("m16n8k16", 2, 1, 4), "8816": ("m8n8k16", 1, 1, 2)}[part[1]]
        return ("mma.sync.aligned.%s.row.col%s.s32.%s.%s.s32" % (shape, sat, part[2].lower(), part[3].lower()), na, nb, nc, 4)
    kind = part[3].lower() if len(part) > 3 else "f16"
    acc = part[2].lower()
    k = {"16816": 16, "1688": 8, "1684": 4}[part[1]]
    na, nb = (k // 2, k // 4) if kind == "tf32" else (k // 4, k // 8)
    return ("mma.sync.aligned.m16n8k%d.row.col.%s.%s.%s.%s" % (k, acc, kind, kind, acc), na, nb, 2 if acc == "f16" else 4, 4)


def mma_kernel(name, op, na, nb, nc, size):
    ty = REG[size]
    n = na + nb + nc
    regs = lambda letter, count: ",".join("%s%d" % (letter, i) for i in range(count))
    lines = entry(name)
    lines.append("mul.wide.u32 t, lin, %d; add.s64 in, in, t; mul.wide.u32 t, lin, %d; add.s64 out, out, t;" % (n * size, nc * size))
    lines.append("{ .reg .%s a<%d>, b<%d>, c<%d>, d<%d>;" % (ty, na, nb, nc, nc)
                 + " ".join("ld.global.%s %s, [in+%d];" % (ty, r, i * size) for i, r in enumerate(
                     ["a%d" % i for i in range(na)] + ["b%d" % i for i in range(nb)] + ["c%d" % i for i in range(nc)]))
                 + " %s {%s}, {%s}, {%s}, {%s};" % (op, regs("d", nc), regs("a", na), regs("b", nb), regs("c", nc))
                 + " ".join("st.global.%s [out+%d], d%d;" % (ty, i * size, i) for i in range(nc)) + " }")
    return lines + ["ret;", "}"]


def mma_tiles(path):
    out = {}
    for line in gzip.open(path, "rt"):
        w = line.split()
        out.setdefault(w[0], []).append([int(x, 16) for x in w[2:]])
    return out


def move_kernel(name, op, count, trans):
    """ldmatrix: in = 64 rows of 16 bytes, shuffled row order by a per-lane multiplier; out = registers."""
    lines = entry(name)
    sfx = ".trans" if trans else ""
    regs = ",".join("r%d" % i for i in range(count))
    lines.append(".shared .align 128 .b8 sm[1024]; .reg .b32 sa, sb, x0, x1, x2, x3; .reg .b32 r<4>;")
    lines.append("mul.wide.u32 t, tid, 16; add.s64 in, in, t; mov.u32 sa, sm; mad.lo.u32 sb, tid, 16, sa;")
    lines.append("ld.global.v4.b32 {x0,x1,x2,x3}, [in]; st.shared.v4.b32 [sb], {x0,x1,x2,x3}; bar.warp.sync -1;")
    if op == "ldmatrix":
        lines.append("{ ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 {%s}, [sb]; mul.wide.u32 t, tid, %d; add.s64 out, out, t; " % (count, sfx, regs, 4 * count)
                     + " ".join("st.global.b32 [out+%d], r%d;" % (4 * i, i) for i in range(count)) + " }")
    elif op == "stmatrix":
        lines.append("{ .reg .b32 sc; add.u32 sc, sb, 512; st.shared.v4.b32 [sc], {x3,x2,x1,x0}; bar.warp.sync -1; stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [sc], {%s}; bar.warp.sync -1; " % (count, sfx, ",".join("x%d" % i for i in range(count)))
                     + "ld.shared.v4.b32 {r0,r1,r2,r3}, [sc]; mul.wide.u32 t, tid, 16; add.s64 out, out, t; st.global.v4.b32 [out], {r0,r1,r2,r3}; }")
    else:
        lines.append("{ movmatrix.sync.aligned.m8n8.trans.b16 r0, x0; mul.wide.u32 t, tid, 4; add.s64 out, out, t; st.global.b32 [out], r0; }")
    return lines + ["ret;", "}"]


def halves(words):
    return [h for w in words for h in (w & 0xffff, w >> 16)]


def move_expect(op, count, trans, rows):
    """rows: 32 lanes x 4 words. Returns the flat list of result words."""
    if op == "ldmatrix":
        out = []
        for lane in range(32):
            g, t = lane >> 2, lane & 3
            for r in range(count):
                m = [halves(rows[8 * r + i]) for i in range(8)]
                lo, hi = (m[2 * t][g], m[2 * t + 1][g]) if trans else (m[g][2 * t], m[g][2 * t + 1])
                out.append(lo | hi << 16)
        return out
    if op == "stmatrix":
        mem = [list(reversed(r)) for r in rows]
        for lane in range(32):
            g, t = lane >> 2, lane & 3
            for r in range(count):
                v = rows[lane][r]
                places = [(2 * t, g), (2 * t + 1, g)] if trans else [(g, 2 * t), (g, 2 * t + 1)]
                for h, (row, col) in enumerate(places):
                    w = mem[8 * r + row]
                    sh = 16 * (col & 1)
                    w[col >> 1] = w[col >> 1] & ~(0xffff << sh) | (v >> (16 * h) & 0xffff) << sh
        return [w for row in mem for w in row]
    m = [[0] * 8 for _ in range(8)]
    for lane in range(32):
        m[lane >> 2][2 * (lane & 3)], m[lane >> 2][2 * (lane & 3) + 1] = rows[lane][0] & 0xffff, rows[lane][0] >> 16
    return [m[2 * (l & 3)][l >> 2] | m[2 * (l & 3) + 1][l >> 2] << 16 for l in range(32)]


def build(arch, kernels):
    """Compiles every kernel that ptxas takes on this architecture."""
    os.makedirs("build/isa", exist_ok=True)
    names = list(kernels)
    src, obj = "build/isa/vec.%s.ptx" % arch, "build/isa/vec.%s.cubin" % arch
    while True:
        lines, owner = [".version 9.0", ".target " + arch, ".address_size 64"], {}
        for n in names:
            for text in kernels[n]:
                lines.append(text)
                owner[len(lines)] = n
        open(src, "w").write("\n".join(lines) + "\n")
        p = subprocess.run(["ptxas", "-arch=" + arch, "-o", obj, src], capture_output=True, text=True)
        if p.returncode == 0:
            break
        msg = p.stderr + p.stdout
        bad = {owner[int(n)] for n in re.findall(r"line (\d+)", msg) if int(n) in owner}
        if not bad:
            sys.exit(msg)
        if arch == "sm_90":
            print(msg[:1500])
        names = [n for n in names if n not in bad]
    data = open(obj, "rb").read()
    with open("tests/isa/cubin/vec.%s.cubin.gz" % arch, "wb") as fp:
        fp.write(gzip.compress(data, 9, mtime=0))
    print("%s: %d kernels of %d, %d bytes" % (arch, len(names), len(kernels), len(data)))


def main():
    ops, mma = scalar_forms(sys.argv[1]), mma_tiles(sys.argv[2])
    kernels, blob = {}, b""

    def record(name, block, grid, inp, out, flags=0):
        nonlocal blob
        assert len(name) < 32
        blob += struct.pack("<32s5I", name.encode(), block, grid, len(inp), len(out), flags) + inp + out

    for name, (ptx, wide, rows) in ops.items():
        kernels[name] = scalar_kernel(name, ptx, wide)
        use = ["%%%d" % k in ptx for k in (1, 2, 3)]
        record(name, len(rows), 1, b"".join(struct.pack("<3Q", *(r[k] if use[k] else 0 for k in range(3))) for r in rows),
               b"".join(struct.pack("<Q", r[3]) for r in rows))
    for sass, lanes in mma.items():
        op, na, nb, nc, size = mma_shape(sass)
        name = "mma_" + sass.replace(".", "_")
        kernels[name] = mma_kernel(name, op, na, nb, nc, size)
        step = len(lanes) // 32 // TILES
        pick = [r for t in range(TILES) for r in lanes[32 * step * t:32 * step * t + 32]]
        assert all(len(r) == na + nb + 2 * nc for r in pick)
        code = "<I" if size == 4 else "<Q"
        pack = lambda a, b: b"".join(struct.pack(code, v) for r in pick for v in r[a:b])
        record(name, 32, TILES, pack(0, na + nb + nc), pack(na + nb + nc, None), SM90_ONLY if sass[0] == "H" else 0)
    rng = random.Random(7)
    for op in ("ldmatrix", "stmatrix", "movmatrix"):
        for count in (1, 2, 4) if op != "movmatrix" else (1,):
            for trans in (0, 1) if op != "movmatrix" else (1,):
                name = "%s_x%d%s" % (op, count, "_t" if trans else "")
                kernels[name] = move_kernel(name, op, count, trans)
                rows = [[rng.getrandbits(32) for _ in range(4)] for _ in range(32)]
                record(name, 32, 1, b"".join(struct.pack("<4I", *r) for r in rows),
                       b"".join(struct.pack("<I", w) for w in move_expect(op, count, trans, rows)))
    os.makedirs("build/isa", exist_ok=True)
    open("build/isa/vectors.bin", "wb").write(blob)
    with open("tests/isa/data/vectors.bin.gz", "wb") as fp:
        fp.write(gzip.compress(blob, 9, mtime=0))
    print("vectors: %d records, %d bytes" % (len(kernels), len(blob)))
    for arch in ("sm_90", "sm_75", "sm_86", "sm_100", "sm_120"):
        build(arch, kernels)


main()
