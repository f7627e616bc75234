#!/usr/bin/env python3
"""forms.py - turns a table of PTX forms into one PTX module and drops the forms that ptxas refuses.

usage: forms.py TABLE.forms ARCH OUT.cubin [PTX-VERSION]
       forms.py --list TABLE.forms

A table line is PTX text. <a|b|c> expands to one line per choice. Placeholders: $T[d|i]N with T in
h r q x p (16, 32, 64, 128 bit, predicate): plain = loaded input, d = stored result, i = both.
$G global address, $A generic address, $S shared, $T 64 shared bytes of the thread, $L local, $C constant. A line that begins with "v "
is repeated with immediate, parameter and negated or absolute sources.
"""
import itertools, os, re, subprocess, sys

PER_KERNEL = 12
TYPES = {"h": "b16", "r": "b32", "q": "b64", "x": "b128", "p": "pred"}


def expand(line):
    m = re.search(r"<([^<>]*)>", line)
    if not m:
        return [line]
    out = []
    for choice in m.group(1).split("|"):
        out += expand(line[:m.start()] + choice + line[m.end():])
    return out


def immediates(op, letter):
    if ".f64" in op:
        return ["0d3FF8000000000000", "0d3FB999999999999A"]
    if ".f32" in op:
        return ["0f3FC00000", "0f3DCCCCCD"]
    if letter == "q":
        return ["7", "-1234567", "0x123456789abc"]
    return ["7", "0x12345678"] if letter == "r" else ["7"]


def variants(line):
    """Source-operand variants of one single-instruction form."""
    src = list(dict.fromkeys(re.findall(r"\$[hrq]\d", line)))
    out = [line]
    for s in src:
        for imm in immediates(line, s[1]):
            out.append(line.replace(s, imm))
        out.append(line.replace(s, "$P" + s[1:]))
    for a, b in itertools.combinations(src, 2):
        out.append(line.replace(a, "$P" + a[1:]).replace(b, immediates(line, b[1])[0]))
    allp = line
    for s in src:
        allp = allp.replace(s, "$P" + s[1:])
    out.append(allp)
    fl = re.search(r"\.(f32|f64|f16x2|f16|bf16x2|bf16)\b", line)
    if fl:
        for s in src:
            for fn in ("neg", "abs"):
                out.append("%s.%s $t%s, %s; " % (fn, fl.group(1), s[1:], s) + line.replace(s, "$t" + s[1:]))
    elif re.search(r"\.(s32|s64|u32|b32)\b", line):
        ty = re.search(r"\.(s32|s64|u32|b32)\b", line).group(1)
        for s in src:
            fn = "not.b32" if ty == "b32" else "neg.s64" if ty == "s64" else "neg.s32"
            out.append("%s $t%s, %s; " % (fn, s[1:], s) + line.replace(s, "$t" + s[1:]))
    out.append("setp.ne.u32 gp, gr, 0; @!gp " + line)
    return out


def read_forms(path):
    forms = []
    for raw in open(path):
        raw = raw.rstrip("\n")
        if not raw.strip() or raw.startswith("#"):
            continue
        wide = raw.startswith("v ")
        for f in expand(raw[2:] if wide else raw):
            forms += variants(f) if wide else [f]
    return list(dict.fromkeys(forms))


def block(form, slot):
    """One braced PTX block, all on one line so that an error names the form."""
    pre, post, decl = [], [], {}
    off = 64 * slot
    for m in re.finditer(r"\$(P|t)?([hrqxp])([di]?)(\d)", form):
        par, t, kind, n = m.groups()
        name = (par or "") + t + kind + n
        if name in decl:
            continue
        decl[name] = TYPES[t]
        ty = TYPES[t]
        at = off + 16 * (int(n) % 4)
        if par == "t":
            continue
        if par == "P":
            pre.append("ld.param.%s %s, [prm+%d];" % (ty, name, 16 * int(n)))
            continue
        if kind != "d":
            if t == "p":
                decl["w" + name] = "b32"
                pre.append("ld.global.b32 w%s, [gin+%d]; setp.ne.b32 %s, w%s, 0;" % (name, at, name, name))
            elif t == "x":
                decl["y" + name] = decl["z" + name] = "b64"
                pre.append("ld.global.v2.b64 {y%s,z%s}, [gin+%d]; mov.b128 %s, {y%s,z%s};" % (name, name, at, name, name, name))
            else:
                pre.append("ld.global.%s %s, [gin+%d];" % (ty, name, at))
        if kind:
            if t == "p":
                decl["w" + name] = "b32"
                post.append("selp.b32 w%s, 1, 0, %s; st.global.b32 [gout+%d], w%s;" % (name, name, at, name))
            elif t == "x":
                decl["y" + name] = decl["z" + name] = "b64"
                post.append("mov.b128 {y%s,z%s}, %s; st.global.v2.b64 [gout+%d], {y%s,z%s};" % (name, name, name, at, name, name))
            else:
                post.append("st.global.%s [gout+%d], %s;" % (ty, at, name))
    body = re.sub(r"\$(?:P|t)?[hrqxp][di]?\d", lambda m: m.group(0)[1:], form)
    for k, v in (("$G", "gin"), ("$A", "agen"), ("$T", "sthr"), ("$S", "smem"), ("$L", "lmem"), ("$C", "cmem"), ("$B", "gbar")):
        body = body.replace(k, v)
    body = body.strip().rstrip(";")
    zero = " ".join("mov.b%s %s, 0;" % (decl[d][1:], d) for d in decl
                    if re.match(r"[hrq]d\d", d) and "@" in form)
    regs = " ".join(".reg .%s %s;" % (v, k) for k, v in decl.items())
    return "{ %s %s %s %s; %s }" % (regs, " ".join(pre), zero, body, " ".join(post))


def module(forms, refused, arch, version):
    """forms keep their kernel and slot whether or not others are refused, so results of two architectures compare."""
    lines = [".version " + version, ".target " + arch, ".address_size 64",
             ".const .align 16 .b8 cmem[1024] = {%s};" % ", ".join(str((i * 37 + i // 7) & 255) for i in range(1024)), ""]
    where = {}
    for base in range(0, len(forms), PER_KERNEL):
        group = [(j, f) for j, f in enumerate(forms[base:base + PER_KERNEL]) if f not in refused]
        if not group:
            continue
        lines.append(".visible .entry k%d(.param .u64 pin, .param .u64 pout, .param .u64 pgen, .param .u64 pbar, .param .align 16 .b8 prm[64])" % (base // PER_KERNEL))
        lines += ["{", ".reg .b64 gin, gout, agen, gbar; .reg .pred gp; .reg .b32 gr;",
                  ".shared .align 128 .b8 smem[2048]; .local .align 16 .b8 lmem[256];",
                  ".reg .b32 tid; .reg .b64 toff; mov.u32 tid, %tid.x; mul.wide.u32 toff, tid, 4096;",
                  "ld.param.u64 gin, [pin]; cvta.to.global.u64 gin, gin; add.s64 gin, gin, toff;",
                  "ld.param.u64 gout, [pout]; cvta.to.global.u64 gout, gout; add.s64 gout, gout, toff;",
                  ".reg .b32 sthr; mov.u32 sthr, smem; mad.lo.u32 sthr, tid, 64, sthr;",
                  "ld.param.u64 agen, [pgen]; add.s64 agen, agen, toff; ld.param.u64 gbar, [pbar]; ld.global.b32 gr, [gin+4092];"]
        for j, f in group:
            lines.append(block(f, j))
            where[len(lines)] = f
        lines += ["ret;", "}", ""]
    return "\n".join(lines) + "\n", where


def main():
    if sys.argv[1] == "--list":
        for i, f in enumerate(read_forms(sys.argv[2])):
            print("%d.%d %s" % (i // PER_KERNEL, i % PER_KERNEL, f))
        return
    table, arch, out = sys.argv[1:4]
    version = sys.argv[4] if len(sys.argv) > 4 else "9.0"
    forms, refused = read_forms(table), set()
    ptx = out[:-6] + ".ptx"
    for _ in range(30):
        text, where = module(forms, refused, arch, version)
        open(ptx, "w").write(text)
        p = subprocess.run(["ptxas", "-arch=" + arch, "-o", out, ptx], capture_output=True, text=True)
        if p.returncode == 0:
            break
        msg = p.stderr + p.stdout
        bad = {where[int(n)] for n in re.findall(r"line (\d+)", msg) if int(n) in where}
        if os.environ.get("FORMS_VERBOSE"):
            for n, t in re.findall(r"line (\d+);\s*(.*)", msg):
                if int(n) in where:
                    print("  refused:", where[int(n)], "::", t)
        if not bad:
            sys.stderr.write(msg[:2000])
            sys.exit(1)
        refused |= bad
    else:
        sys.exit("forms.py: %s: still refused" % table)
    print("%s %s: %d forms, %d refused" % (os.path.basename(table), arch, len(forms) - len(refused), len(refused)))


main()
