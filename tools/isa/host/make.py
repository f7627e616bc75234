#!/usr/bin/env python3
"""make.py - extracts the feature kernels that plain C++ can run and builds the CPU reference from them.

usage: make.py   writes tests/isa/data/expect.txt

Left out: kernels with inline PTX, cooperative groups, half types, floating-point functions, spinning on
volatile words, or behaviour that the hardware alone defines.
"""
import os, re, subprocess

FILES = ["flow", "call", "warp", "spin", "barrier", "atomic", "memory", "integer", "misc", "texture"]
BANNED = r"\basm\b|\bcg::|__half|__nv_bfloat|__isShared|SREG|clock|printf|__ld\w+\(|__st\w+\(|__v[a-z0-9_]+\(|__funnelshift|SHFL\(|V\(0|D\(0|P\(2|__trap|_block\(|cvta|_system\(o"
EXCEPT = {"flow_exitsome", "warp_vote", "warp_spinwait", "misc_kparam", "misc_badaddr", "misc_misaligned", "misc_badshared",
          "int_divzero", "misc_tail", "misc_assert_bad", "warp_producer", "surf_trap"}


def split_kernels(text):
    """Yields (is_kernel, name, text) for the whole file."""
    at = 0
    for m in re.finditer(r"^T?KERNEL\((\w+)\)", text, re.M):
        if m.start() < at:
            continue
        i = text.index("{", m.end())
        depth = 1
        while depth:
            i += 1
            depth += {"{": 1, "}": -1}.get(text[i], 0)
        yield None, text[at:m.start()]
        yield m.group(1), text[m.start():i + 1]
        at = i + 1
    yield None, text[at:]


def main():
    os.makedirs("build/host", exist_ok=True)
    names, objs = [], []
    inc = ["-Itools/isa/host", "-Itests/isa", "-Itests/isa/feature", "-isystem", "/usr/local/cuda/include"]
    for f in FILES:
        out = ['#include "cuda_host.hpp"\n']
        text = open("tests/isa/feature/%s.cu" % f).read()
        if f == "texture":  # what comes behind the mark is the hardware's to say
            out.append('#include "texture_host.hpp"\n')
            text = text[:text.index("/* What hardware alone defines")]
        text = re.sub(r"^#include <(coop|cuda).*$|^namespace cg.*$", "", text, flags=re.M)
        text = text.replace("extern __shared__ u32 dyn[]", "static u32 dyn[65536]")
        for name, body in split_kernels(text):
            if name and (re.search(BANNED, body) or name in EXCEPT):
                continue
            if name:
                names.append(name)
            out.append(body)
        src = "build/host/%s.cpp" % f
        open(src, "w").write("".join(out))
        objs.append(src[:-4] + ".o")
        subprocess.run(["g++", "-std=gnu++17", "-O1", "-g", "-w", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-c"] + inc + ["-o", objs[-1], src], check=True)
    with open("build/host/table.cpp", "w") as fp:
        fp.write("#include <stdint.h>\ntypedef void (*kernel)(uint32_t *, const uint32_t *, uint32_t);\nstruct entry { const char *name; kernel f; };\n")
        fp.writelines('extern "C" void %s(uint32_t *, const uint32_t *, uint32_t);\n' % n for n in names)
        fp.write("extern const entry host_kernels[] = {\n" + "".join('    {"%s", %s},\n' % (n, n) for n in names) + "    {0, 0},\n};\n")
    for c in ("table", "record", "image"):
        objs.append("build/host/suite_%s.o" % c)
        subprocess.run(["gcc", "-std=gnu17", "-O1", "-g", "-c"] + inc + ["-o", objs[-1], "tests/isa/%s.c" % c], check=True)
    subprocess.run(["g++", "-std=gnu++17", "-O1", "-g", "-w"] + inc + ["-o", "build/host/run", "tools/isa/host/run.cpp", "build/host/table.cpp"] + objs, check=True)
    text = subprocess.run(["build/host/run", "tests/isa/suite.tab"], check=True, stdout=subprocess.PIPE, text=True).stdout
    open("tests/isa/data/expect.txt", "w").write(text)
    print("%d kernels, %d records" % (len(names), text.count("\n") - 1))


main()
