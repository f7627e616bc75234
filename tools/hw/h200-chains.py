#!/usr/bin/env python3
# h200-chains.py - cycles that an H200 takes for dependent operations: chains of loads that
# hit L1, of atomics in shared memory, and of conversions, each closed by an ALU operation;
# then the loops of tests/h200/kernels.cu as they were compiled, in instructions per cycle.
# usage: tools/hw/h200-chains.py >>tests/h200/recorded.txt, in the repository's root
import itertools
import cupy

CODE = r'''
extern "C" __global__ void run(char *base, unsigned b, int lines, int apart, int bodies,
                               long long *stamp)
{
    __shared__ unsigned s[1024];
    int lane = threadIdx.x & 31, at = (lane < lines ? lane : 0) * apart;
    unsigned r[8], all = 0;
    unsigned long long q = (unsigned long long)(base + at / 8 * 8);
    long long start, end;
    double d[8];
    *(unsigned long long *)q = q;
    for (int k = 0; k < 8; k++) {
        d[k] = 1.5 + lane;
        r[k] = (unsigned)__cvta_generic_to_shared(&s[at / 4 % 1024]);
    }
    s[at / 4 % 1024] = r[0];
    __syncthreads();
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(start)::"memory");
#pragma unroll 1
    for (int i = 0; i < bodies; i++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            asm volatile(OP : "+r"(r[k % CHAINS]), "+d"(d[k % CHAINS]), "+l"(q) : "r"(b));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end)::"memory");
    for (int k = 0; k < 8; k++)
        all += r[k] ^ (unsigned)d[k];
    stamp[0] = start, stamp[1] = end + (all + q == 0x12345);
}'''
MIX = "{.reg .b32 l, h; .reg .f32 t; %s xor.b32 l, l, %%0; mov.b64 %%1, {l, h};}"
FROM = "mov.b64 {l, h}, %1; "
CONVERSIONS = {
    "F2F.F32.F64": MIX % ("cvt.rn.f32.f64 t, %1; mov.b32 %0, t; " + FROM),
    "F2I.F64": MIX % ("cvt.rzi.s32.f64 %0, %1; " + FROM),
    "F2F.F64.F32": "{.reg .b32 l, h; .reg .f32 t; mov.b32 t, %0; cvt.f64.f32 %1, t; "
                   + FROM + "xor.b32 %0, %0, h;}",
    "I2F.F64": "{.reg .b32 l, h; cvt.rn.f64.s32 %1, %0; " + FROM + "xor.b32 %0, %0, h;}",
    "F2I": "{.reg .b32 i; .reg .f32 t; mov.b32 t, %0; cvt.rzi.s32.f32 i, t; xor.b32 %0, %0, i;}",
}
# An unused value would not be loaded; %3 is 0.
WIDE = {
    1: "u32 %0, [%0];",
    2: "v2.u32 {%0, t}, [%0]; lop3.b32 %0, %0, t, %3, 0x78;",
    4: "v4.u32 {%0, t, u, v}, [%0]; lop3.b32 t, t, u, v, 0x96; lop3.b32 %0, %0, t, %3, 0x78;",
}
# Without matrix products: the clock falls to 1800 MHz while they run.
LOOPS = "ffma fadd fmul lop3 shf prmt imad dfma dadd mufu popc f2f shfl lds32 lds64 lds128 atoms"
memory = cupy.zeros(1 << 20, cupy.uint8)
stamps = cupy.zeros(2, cupy.int64)


def chain(op, chains, warps=1, b=0, lines=32, apart=4, threads=0):
    code = CODE.replace("OP", '"%s"' % op).replace("CHAINS", str(chains))
    kernel = cupy.RawKernel(code, "run")
    took = []
    for bodies in (4, 4, 24):
        place = (memory, cupy.uint32(b), lines, apart, bodies, stamps)
        kernel((1,), (threads or warps * 32,), place)
        first, last = stamps.get()
        took.append(int(last - first))
    return (took[2] - took[1]) / (20.0 * 64)


def loop_ms(kernel, blocks, threads, trips, x):
    a, b = cupy.cuda.Event(), cupy.cuda.Event()
    a.record()
    kernel((blocks,), (threads,), (memory, trips, x, x))
    b.record()
    b.synchronize()
    return cupy.cuda.get_elapsed_time(a, b)


def loop(module, name, warps):
    kernel = module.get_function("run_" + name)
    wide = name in ("dfma", "dadd", "f2f")
    x = cupy.float64(1.0) if wide else cupy.uint32(0 if name == "atoms" else 0x3F800001)
    insts = 512 if name == "f2f" else 256
    # Two blocks are on one SM only when every SM has two.
    blocks, threads = (264, 1024) if warps > 32 else (1, warps * 32)
    loop_ms(kernel, blocks, threads, 20, x)
    trips = 100
    while loop_ms(kernel, blocks, threads, trips, x) < 4:
        trips *= 2
    ms = sorted(loop_ms(kernel, blocks, threads, 2 * trips, x) -
                loop_ms(kernel, blocks, threads, trips, x) for _ in range(3))[1]
    return trips * insts * warps / (ms * 1980e3)



def main():
    for n, op in WIDE.items():
        for chains, warps in ((1, 1), (4, 1), (8, 1), (8, 4)):
            took = chain("{.reg .b32 t, u, v; ld.shared.%s}" % op, chains, warps, apart=4 * n)
            print("chain LDS.%d chains=%d warps=%d %.3f" % (32 * n, chains, warps, took))
    for apart in (8, 16, 32, 64, 128, 1024):
        for lines in (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32):
            took = chain("ld.global.u64 %2, [%2];", 1, lines=lines, apart=apart)
            print("chain LDG.64 apart=%d lanes=%d %.3f" % (apart, lines, took))
    for threads, apart in itertools.product((1, 2, 8, 16, 17, 32), (8, 128)):
        took = chain("ld.global.u64 %2, [%2];", 1, apart=apart, threads=threads)
        print("chain LDG.64 apart=%d threads=%d %.3f" % (apart, threads, took))
    for op, data in itertools.product(("or.b32", "xor.b32", "add.u32", "max.u32"), ("%3", "0")):
        for lines, apart in ((32, 4), (1, 4), (32, 8), (32, 128)):
            took = chain("atom.shared.%s %%0, [%%0], %s;" % (op, data), 1, lines=lines, apart=apart)
            print("chain ATOMS.%s data=%s words=%d apart=%d %.3f" % (op, data, lines, apart, took))
    for name, op in CONVERSIONS.items():
        for warps in (1, 4, 8, 16):
            print("conversion %s warps=%d %.4f" % (name, warps, chain(op, 8, warps) / ((warps + 3) // 4)))
    module = cupy.RawModule(path="tests/h200/kernels.sm_90.cubin")
    for name in LOOPS.split():
        print("loop", name, *("%.4f" % loop(module, name, w) for w in (1, 4, 8, 16, 32, 64)), flush=True)


main()
