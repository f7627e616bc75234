#!/usr/bin/env python3
# h200.py - cycles that an H200 takes for streams of one memory instruction.
# usage: tools/hw/h200.py <tools/hw/h200.txt >tests/h200/recorded.txt
# A line of input: an operation, then key=value, several with commas: all are run. A rate
# is a long run less a short one, over the instructions of a warp between them. A run
# lasts from the first clock of a block's warps to their last; of blocks, the median.
import itertools, sys
import cupy

CODE = r'''
extern "C" __global__ void run(char *base, const long *s, int bodies, long long *stamp)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, at = 0;
    char *first = base + blockIdx.x * s[0] + warp * s[1] + lane / s[2] * s[3], *p = first;
    unsigned v[UNROLL][4] = { 0 }, all = lane, t;
    long long start, end, lanes = s[4], step = s[5], wrap = s[6];
    __syncthreads();
    if (lane >= lanes)
        return;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(start)::"memory");
#pragma unroll 1
    for (int i = 0; i < bodies; i++) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile(OP "l"(p + k * (long)STEP));
        asm volatile("mov.u32 %0, %%clock;" : "=r"(t)); /* all are issued by now */
        all ^= t;
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            all ^= v[k][0] ^ v[k][1] ^ v[k][2] ^ v[k][3];
        p += step;
        if (++at == wrap)
            at = 0, p = first;
    }
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end)::"memory");
    if (!lane) {
        stamp += 2 * (blockIdx.x * (blockDim.x >> 5) + warp);
        stamp[0] = start, stamp[1] = end + (all == 0x12345);
    }
}'''
ONE = '"=r"(v[k][0]) :'
TWO = '"=r"(v[k][0]), "=r"(v[k][1]) :'
FOUR = '"=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) :'
OPS = {
    "LDG.32": '"ld.global.u32 %0, [%1];" : ' + ONE,
    "LDG.64": '"ld.global.v2.u32 {%0, %1}, [%2];" : ' + TWO,
    "LDG.128": '"ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : ' + FOUR,
    "STG.32": '"st.global.u32 [%1], %0;" :: "r"(i),',
    "STG.64": '"st.global.v2.u32 [%1], {%0, %0};" :: "r"(i),',
    "STG.128": '"st.global.v4.u32 [%1], {%0, %0, %0, %0};" :: "r"(i),',
    "ATOMG": '"atom.global.add.u32 %0, [%1], 1;" : ' + ONE,
    "RED": '"red.global.add.u32 [%0], 1;" ::',
    "RED.F32": '"red.global.add.f32 [%0], 0f3f800000;" ::',
}
for width in ("32", "64", "128"):
    OPS["LDG.%s.cg" % width] = OPS["LDG." + width].replace("global", "global.cg")
ROOM = 24 << 30
memory = cupy.zeros(ROOM, cupy.uint8)
stamps = cupy.zeros(1 << 15, cupy.int64)
cold_at = 0


def launch(kernel, c, bodies):
    global cold_at
    place = cupy.array([c[k] for k in "block warp same lane lanes body wrap".split()])
    if c["cold"]:
        cold_at = (cold_at + (1 << 30)) % (ROOM - (4 << 30))
    kernel((c["sms"],), (c["warps"] * 32,), (memory[cold_at:], place, bodies, stamps))
    t = stamps[: 2 * c["sms"] * c["warps"]].get().reshape(c["sms"], c["warps"], 2)
    each = sorted(t[:, :, 1].max(axis=1) - t[:, :, 0].min(axis=1))
    return int(each[len(each) // 2])


def measure(op, c):
    text = CODE.replace("OP", OPS[op]).replace("UNROLL", str(c["unroll"]))
    kernel = cupy.RawKernel(text.replace("STEP", str(c["step"])), "run")
    c["body"] = 0 if c["wrap"] == 1 else c["step"] * c["unroll"]
    rates = []
    for _ in range(3):
        launch(kernel, c, c["few"])
        some = launch(kernel, c, c["few"])
        more = launch(kernel, c, c["many"])
        rates.append((more - some) / ((c["many"] - c["few"]) * c["unroll"] * c["warps"]))
    return sorted(rates)[1]


def main():
    usual = dict(sms=1, warps=32, lane=4, same=1, lanes=32, warp=4096, block=0, step=135168)
    usual.update(unroll=16, wrap=6, few=8, many=40, cold=0)
    for line in sys.stdin:
        if line.startswith("#") or not line.strip():
            continue
        ops, *given = line.split()
        keys = [g.split("=")[0] for g in given]
        lists = [[int(v) for v in g.split("=")[1].split(",")] for g in given]
        for values in itertools.product(*lists):
            c = dict(usual, **dict(zip(keys, values)))
            said = " ".join("%s=%d" % kv for kv in zip(keys, values))
            for op in ops.split(","):
                print(op, said, "%.4f" % measure(op, c), flush=True)


main()
