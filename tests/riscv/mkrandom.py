#!/usr/bin/env python3
"""Makes random.elf: random sequences of RV32IMAF instructions, each followed by a
comparison of all registers, the flags and a piece of memory with what QEMU left there.
The program's status is the number of the first sequence that differs, 0 if none does.

usage: tests/riscv/mkrandom.py OUTPUT    needs riscv64-unknown-elf-gcc and qemu-riscv32
"""
import random
import subprocess
import sys
import tempfile

SEQUENCES, LENGTH, SEED = 40, 90, 7
INTS = [f"x{n}" for n in range(5, 31)]  # x31 holds the address of the memory
FLOATS = [f"f{n}" for n in range(32)]
MEMORY = 64  # bytes that loads and stores use
DUMP = MEMORY + 4 * (len(INTS) + len(FLOATS) + 1)

# Numbers at the edges of their kinds, as integers and as floats.
EDGES = [
    0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
    0xff800000, 0x7fc00000, 0x7f800001, 0xffc00001, 0x007fffff, 0x00800000, 0x80000001,
    0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x33800000, 0x3f000000,
    0x3fc00000, 0xbf000000, 0x4effffff,
]
BINARY = ("add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu "
          "div divu rem remu").split()
IMMEDIATE = "addi slti sltiu xori ori andi".split()
ATOMIC = "swap add xor and or min max minu maxu".split()
MODES = "rne rtz rdn rup rmm dyn".split()


class Sequence:
    def __init__(self, rng, number):
        self.rng, self.number, self.labels, self.lines = rng, number, 0, []

    def put(self, line):
        self.lines.append("    " + line)

    def x(self):
        return self.rng.choice(INTS)

    def f(self):
        return self.rng.choice(FLOATS)

    def value(self):
        kind = self.rng.random()
        if kind < 0.3:
            return self.rng.choice(EDGES)
        if kind < 0.8:  # a float of ordinary size
            return (self.rng.getrandbits(1) << 31 | self.rng.randrange(100, 150) << 23
                    | self.rng.getrandbits(23))
        return self.rng.getrandbits(32)

    def offset(self):
        return f"{self.rng.randrange(MEMORY - 4)}(x31)"

    def one(self):
        """One instruction, with what it needs around it."""
        rng, x, f = self.rng, self.x, self.f
        mode = rng.choice(MODES)
        kinds = [
            lambda: f"{rng.choice(BINARY)} {x()},{x()},{x()}",
            lambda: f"{rng.choice(BINARY)} {x()},{x()},{x()}",
            lambda: f"{rng.choice(IMMEDIATE)} {x()},{x()},{rng.randrange(-2048, 2048)}",
            lambda: f"{rng.choice(['slli', 'srli', 'srai'])} {x()},{x()},{rng.randrange(32)}",
            lambda: f"{rng.choice(['sb', 'sh', 'sw'])} {x()},{self.offset()}",
            lambda: f"{rng.choice(['lb', 'lbu', 'lh', 'lhu', 'lw'])} {x()},{self.offset()}",
            lambda: f"addi x5,x31,{4 * rng.randrange(MEMORY // 4)}\n"
                    f"    amo{rng.choice(ATOMIC)}.w {x()},{x()},(x5)",
            lambda: f"f{rng.choice(['add', 'sub', 'mul', 'div'])}.s {f()},{f()},{f()},{mode}",
            lambda: f"f{rng.choice(['madd', 'msub', 'nmsub', 'nmadd'])}.s "
                    f"{f()},{f()},{f()},{f()},{mode}",
            lambda: f"fsqrt.s {f()},{f()},{mode}",
            lambda: f"li x5,{self.value()}\n    fmv.w.x {f()},x5",
            lambda: f"f{rng.choice(['sgnj', 'sgnjn', 'sgnjx', 'min', 'max'])}.s {f()},{f()},{f()}",
            lambda: f"f{rng.choice(['le', 'lt', 'eq'])}.s {x()},{f()},{f()}",
            lambda: f"{rng.choice(['fclass.s', 'fmv.x.w'])} {x()},{f()}",
            lambda: f"fcvt.{rng.choice(['w', 'wu'])}.s {x()},{f()},{mode}",
            lambda: f"fcvt.s.{rng.choice(['w', 'wu'])} {f()},{x()},{mode}",
            lambda: f"flw {f()},{self.offset()}",
            lambda: f"fsw {f()},{self.offset()}",
            lambda: f"fsrmi {x()},{rng.randrange(5)}",
            lambda: f"fsflags {x()},{x()}",
            self.branch,
        ]
        self.put(rng.choice(kinds)())

    def branch(self):
        self.labels += 1
        label = f"skip_{self.number}_{self.labels}"
        kind = self.rng.choice("beq bne blt bge bltu bgeu".split())
        return (f"{kind} {self.x()},{self.x()},{label}\n"
                f"    addi {self.x()},{self.x()},1\n{label}:")

    def text(self):
        self.put(f"la x31,dump_{self.number}")
        for reg in INTS:
            self.put(f"li {reg},{self.value()}")
        for reg in FLOATS:
            self.put(f"li x5,{self.value()}")
            self.put(f"fmv.w.x {reg},x5")
        self.put("fscsr x0")
        for _ in range(LENGTH):
            self.one()
        regs = [("sw", reg) for reg in INTS] + [("fsw", reg) for reg in FLOATS]
        for n, (store, reg) in enumerate(regs):
            self.put(f"{store} {reg},{MEMORY + 4 * n}(x31)")
        self.put("frcsr x5")
        self.put(f"sw x5,{DUMP - 4}(x31)")
        return "\n".join(self.lines)


def data(number, expected, rng):
    """The memory a sequence begins with, room for the registers, what is expected."""
    words = ", ".join(str(rng.getrandbits(32)) for _ in range(MEMORY // 4))
    room = f".zero {DUMP - MEMORY}"
    wanted = ", ".join(str(b) for b in expected) if expected else f"0\n    .zero {DUMP - 1}"
    return (f"dump_{number}: .word {words}\n    {room}\n"
            f"expected_{number}: .byte {wanted}\n    .align 2\n")


def compare(number):
    return f"""    la a0,dump_{number}
    la a1,expected_{number}
    li a2,{DUMP}
    li a3,{number + 1}
    call compare"""


def program(expected):
    """The whole program; without expectations it prints what the sequences leave."""
    rng = random.Random(SEED)
    sequences = [Sequence(rng, n).text() for n in range(SEQUENCES)]
    dumps = "".join(data(n, expected and expected[n], rng) for n in range(SEQUENCES))
    ends = "\n".join(compare(n) for n in range(SEQUENCES)) if expected else f"""
    li a7,64
    li a0,1
    la a1,dump_0
    la a2,end
    sub a2,a2,a1
    ecall"""
    return f"""    .file "random.S"
    .globl _start
_start:
{chr(10).join(sequences)}
{ends}
    li a0,0
leave:
    li a7,93
    ecall
compare:
    lbu a4,0(a0)
    lbu a5,0(a1)
    bne a4,a5,1f
    addi a0,a0,1
    addi a1,a1,1
    addi a2,a2,-1
    bnez a2,compare
    ret
1:  mv a0,a3
    j leave
    .data
    .align 2
{dumps}
end:
"""


def build(folder, expected, output):
    source = f"{folder}/random.S"
    with open(source, "w", encoding="ascii") as file:
        file.write(program(expected))
    subprocess.check_call(
        ["riscv64-unknown-elf-gcc", "-march=rv32imaf_zicsr", "-mabi=ilp32f", "-nostdlib",
         "-static", "-s", "-Wl,--build-id=none", "-Wl,--no-relax",
         "-Wl,-Ttext=0x10000", "-Wl,-Tdata=0x40000", "-o", output, source])
    return subprocess.run(["qemu-riscv32", output], check=not expected,
                          stdout=subprocess.PIPE)


def main():
    with tempfile.TemporaryDirectory() as folder:
        left = build(folder, None, f"{folder}/first.elf").stdout
        stride = len(left) // SEQUENCES
        expected = [left[n * stride:n * stride + DUMP] for n in range(SEQUENCES)]
        status = build(folder, expected, sys.argv[1]).returncode
    if status:
        sys.exit(f"QEMU differs from itself: {status}")


main()
