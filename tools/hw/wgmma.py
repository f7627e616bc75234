#!/usr/bin/env python3
"""wgmma.py: writes a CUDA program that times warpgroup products, a row a form: the cycles of
1 to 16 products in one group, from the fence to the end of the wait, and until
the last one is issued. The same program runs under leno exec --gpu h200.
usage: wgmma.py FILE.cu"""
import sys

TYPES = {  # name: (D, A and B in PTX, k, bytes)
    "f16": ("f32", "f16.f16", 16, 2), "f16acc": ("f16", "f16.f16", 16, 2), "bf16": ("f32", "bf16.bf16", 16, 2),
    "tf32": ("f32", "tf32.tf32", 8, 4), "e4m3": ("f32", "e4m3.e4m3", 32, 1), "s8": ("s32", "s8.s8", 32, 1),
}
COUNTS = (1, 2, 4, 8, 16)
HEAD = r"""/* made by wgmma.py */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
typedef uint32_t u32;
typedef uint64_t u64;
enum { REPEATS = 4 };
extern __shared__ __align__(1024) unsigned char shared[];
static __device__ u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
static __device__ u64 descriptor(u32 at)
{
    return (u64)(at >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62; /* 128-byte swizzle */
}
"""
TAIL = r"""
static u32 *out;
static void row(const char *name, void (*f)(u32 *), int groups, const char *only)
{
    u32 host[REPEATS * 2], least[2] = { ~0u, ~0u };
    if (only && strncmp(name, only, strlen(only))) return;
    cudaFuncSetAttribute((const void *)f, cudaFuncAttributeMaxDynamicSharedMemorySize, 131072);
    f<<<1, 128 * groups, 131072>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) { printf("%s %s\n", name, cudaGetErrorName(cudaGetLastError())); exit(1); }
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int r = 1; r < REPEATS; r++)
        for (int k = 0; k < 2; k++)
            if (host[2 * r + k] < least[k]) least[k] = host[2 * r + k];
    printf("%s %u %u\n", name, least[0], least[1]);
    fflush(stdout);
}
int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    cudaMalloc(&out, sizeof(u32) * 2 * REPEATS);
"""


def operation(kind, n, from_registers, transposed):
    d, ab, k, _ = TYPES[kind]
    regs = n // 2 if d != "f16" else n // 4
    names = ", ".join("%%%d" % i for i in range(regs))
    a = "{%%%d, %%%d, %%%d, %%%d}" % tuple(range(regs, regs + 4)) if from_registers else "%%%d" % regs
    b = "%%%d" % (regs + (4 if from_registers else 1))
    tail = ", p" if d == "s32" else ", p, 1, 1"
    if d != "s32" and ab in ("f16.f16", "bf16.bf16"):
        tail += ", %d" % transposed if from_registers else ", 0, %d" % transposed
    sort = "f" if d == "f32" else "r"
    text = "wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s {%s}, %s, %s%s;" % (n, k, d, ab, names, a, b, tail)
    outs = ", ".join('"+%s"(d[%d])' % (sort, i) for i in range(regs))
    ins = ", ".join('"r"(a[%d])' % i for i in range(4)) if from_registers else '"l"(da)'
    return regs, sort, 'asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0; %s}" : %s : %s, "l"(db))' % (text, outs, ins)


def kernel(name, kind, n, count, from_registers=False, transposed=0):
    regs, sort, text = operation(kind, n, from_registers, transposed)
    lines = ["__global__ void __launch_bounds__(%d) %s(u32 *out)" % (128 if n > 128 else 256 if n > 64 else 512, name), "{",
             "    %s d[%d];" % ("float" if sort == "f" else "u32", regs),
             "    u32 at = (u32)__cvta_generic_to_shared(shared), a[4] = { 0, 0, 0, 0 };",
             "    u64 da = descriptor(at + threadIdx.x / 128 * 8192), db = descriptor(at + 65536);",
             "    for (u32 k = threadIdx.x; k < 131072 / 4; k += blockDim.x) ((u32 *)shared)[k] = 0;",
             "    for (int k = 0; k < %d; k++) d[k] = 0;" % regs,
             '    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");',
             "    for (u32 r = 0; r < REPEATS; r++) {",
             "        __syncthreads();", "        u32 t = now(), u;",
             '        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");']
    lines += ["        %s;" % text] * count
    lines += ['        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");', "        u = now();",
              '        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");',
              "        if (threadIdx.x == 0) out[2 * r] = now() - t, out[2 * r + 1] = u - t;", "    }",
              "    %s v = 0;" % ("float" if sort == "f" else "u32"),
              "    for (int k = 0; k < %d; k++) v += d[k];" % regs,
              "    if (v != 0) out[0] = 0;", "}"]
    return "\n".join(lines) + "\n"


def forms():
    for n in (8, 16, 32, 64, 96, 128, 192, 256):
        yield "f16", n, COUNTS if n in (64, 256) else (1, 16), False, 0, 1
    for kind in ("f16acc", "bf16", "tf32", "e4m3", "s8"):
        for n in (8, 64, 256):
            yield kind, n, (1, 16), False, 0, 1
    for kind in ("f16", "tf32", "e4m3"):
        for n in (8, 64, 256):
            yield kind, n, (1, 16), True, 0, 1
    yield "f16", 64, (1, 16), False, 1, 1
    for groups in (2, 3, 4):
        yield "f16", 64, (1, 16), False, 0, groups
        yield "f16", 64, (1, 16), True, 0, groups
    yield "f16", 128, (1, 16), False, 0, 2


def main():
    text, calls = [HEAD], []
    seen = set()
    for kind, n, counts, from_registers, transposed, groups in forms():
        for count in counts:
            name = "k_%s_%s%s_n%d_x%d" % (kind, "r" if from_registers else "s", "t" if transposed else "s", n, count)
            if name not in seen:
                seen.add(name)
                text.append(kernel(name, kind, n, count, from_registers, transposed))
            row = "wgmma.%s.%s%s.n%d.g%d.x%d" % (kind, "r" if from_registers else "s", "t" if transposed else "s",
                                                n, groups, count)
            calls.append('    row("%s", %s, %d, only);\n' % (row, name, groups))
    with open(sys.argv[1], "w") as f:
        f.write("".join(text) + TAIL + "".join(calls) + "    return 0;\n}\n")


main()
