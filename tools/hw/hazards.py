#!/usr/bin/env python3
"""hazards.py: code for hazards.cu, a test per line: NAME DISTANCE WORD...

One instruction writes a register, and DISTANCE cycles later another one reads it (A>B), reads it
after its scoreboard (A:B) or writes it (A-B); both are between two reads of the clock. What the
second one saw, or what stays, ends in R12 and R13. Encodings are those of sm_90.
"""
NO_BARRIER, MOST = 7, 11  # a stall count above 11 needs the yield flag


def word(lo, hi, stall=1, write=NO_BARRIER, wait=0, guard=7):
    lo = lo & ~0xF000 | guard << 12
    hi = hi & ((1 << 41) - 1)
    hi |= stall << 41 | 1 << 45 | write << 46 | NO_BARRIER << 49 | wait << 52
    return [lo, hi]


def three(op, hi, d, a, b, c=0, **more):
    return word(op | d << 16 | a << 24 | b << 32, hi | c, **more)


def imm(d, v, **more):
    return word(0x802 | d << 16 | v << 32, 0xF00, **more)


def mov(d, b, **more):
    return three(0x202, 0xF00, d, 0, b, **more)


def imov(d, c, **more):
    return three(0x224, 0x78E0000, d, 255, 255, c, **more)


def fadd(d, a, b, **more):
    return three(0x221, 0, d, a, b, **more)


def dadd(d, a, b, **more):
    return three(0x229, 0, d, a, 0, b, **more)


def half_mma(d, v, **more):
    return word(0x435 | d << 16 | 0xFF << 24 | v << 32, 0x1FF, **more)


def wide(d, a, b, c, **more):
    return three(0x225, 0x78E0200, d, a, b, c, **more)


def mul(d, a, b, c, **more):
    return three(0x224, 0x78E0200, d, a, b, c, **more)


def pred(op, cmp, p, a, b, **more):
    return three(op, 0x3F00000 | p << 17 | cmp, 0, a, b, **more)


def isetp_ge(p, a, b, **more):
    return pred(0x20C, 0x6270, p, a, b, **more)


def fsetp_geu(p, a, b, **more):
    return pred(0x20B, 0xE000, p, a, b, **more)


def dsetp_ge(p, a, b, **more):
    return pred(0x22A, 0x6000, p, a, b, **more)


def fchk(p, a, b, **more):
    return three(0x302, p << 17, 0, a, b, **more)


def sel(d, a, b, p, **more):
    return three(0x207, p << 23, d, a, b, **more)


def clock(d, **more):
    return word(0x805 | d << 16, 0x5000, **more)


def s2ur(d, **more):
    return word(0x9C3 | d << 16, 0x2500, **more)


def umov(d, v, **more):
    return word(0x882 | d << 16 | v << 32, 0, **more)


def uadd(d, a, v, **more):
    return word(0x890 | d << 16 | a << 24 | v << 32, 0xFFFE03F, **more)


def mov_u(d, u, **more):
    return word(0xC02 | d << 16 | u << 32, 0x8000F00, **more)


def skip(**more):  # BRA over the next instruction, and on an H200 over the clock after it
    return word(0x947 | 0x10 << 16, 0x3800000, **more)


def store(at, r, **more):
    return word(0x986 | 2 << 24 | r << 32 | at << 40, 0xC101904, **more)


NOP = word(0x918, 0, stall=11)
# R2: where results go; R4 to R7: operands of IMAD.WIDE; R14 and R16: doubles; R24: 1.0f
START = word(0xB82 | 0xFF << 24 | 2 << 16 | 0x8400 << 32, 0xA00, stall=2, write=0)
VALUES = {4: 3, 5: 5, 6: 0x1000, 7: 0x2000, 8: 0, 9: 0x77, 10: 0x99, 12: 0xAAAA, 13: 0xBBBB, 14: 0,
          15: 0x3FF00000, 16: 0, 17: 0x40000000, 18: 0, 24: 0x3F800000, 26: 0x3000, 27: 0x4000}


def code(first, second, d, after=()):
    """first and second: functions of their stall count."""
    c = word(0xAB9 | 4 << 16 | 0x8200 << 32, 0xA00, stall=10) + START
    for r, v in VALUES.items():
        c += imm(r, v, stall=8)
    c += isetp_ge(0, 8, 9, stall=10) + umov(6, 0x11, stall=8)  # P0: false
    c += word(0x918, 0, stall=11, wait=1) + NOP * 3
    c += clock(20, stall=4)
    c += first(stall=min(d, MOST))
    for left in range(d - MOST, 0, -MOST):
        c += word(0x918, 0, stall=min(left, MOST))
    c += second(stall=1)
    for a in after:
        c += a
    c += clock(21, stall=4) + NOP * 4
    for last in LAST:
        c += last
    c += NOP * 4
    for n, r in enumerate((12, 13, 20, 21)):
        c += store(4 * n, r, stall=6)
    return c + word(0x94D, 0x3800000, stall=5)


LAST = ()


def emit(name, d, words):
    print(name, d, " ".join("%x" % w for w in words))


def with_(f, *args, **fixed):
    return lambda **more: f(*args, **{**fixed, **more})


def main():
    global LAST
    writers = {"ALU": lambda r: with_(mov, r, 9), "FMA": lambda r: with_(imov, r, 9),
               "FP32": lambda r: with_(fadd, r, 24, 24)}
    for w, make in writers.items():
        for slot, r in (("a", 4), ("b", 5), ("c-low", 6), ("c-high", 7)):
            for d in range(1, 9):
                emit("%s>WIDE.%s" % (w, slot), d, code(make(r), with_(wide, 12, 4, 5, 6), d))
        for slot, r in (("a", 4), ("b", 5), ("c", 6)):
            for d in range(1, 8):
                emit("%s>IMAD.%s" % (w, slot), d, code(make(r), with_(mul, 12, 4, 5, 6), d))
        for d in range(1, 8):
            emit("%s>ALU" % w, d, code(make(6), with_(mov, 12, 6), d))
    for d in range(1, 12):
        emit("FP64>WIDE.c", d, code(with_(dadd, 6, 14, 16), with_(wide, 12, 4, 5, 6), d))
        emit("WIDE>WIDE.c", d, code(with_(wide, 6, 4, 5, 26), with_(wide, 12, 4, 5, 6), d))
        emit("WIDE>WIDE.a", d, code(with_(wide, 4, 4, 5, 26), with_(wide, 12, 4, 5, 6), d))
        for part in (0, 1):
            half = "high" if part else "low"
            emit("WIDE.%s>ALU" % half, d, code(with_(wide, 6, 4, 5, 26), with_(mov, 12, 6 + part), d))
            emit("WIDE.%s>FMA" % half, d, code(with_(wide, 6, 4, 5, 26), with_(imov, 12, 6 + part), d))
            emit("WIDE.%s>FP32" % half, d, code(with_(wide, 6, 4, 5, 26), with_(fadd, 12, 6 + part, 18), d))
    setters = {"ISETP": with_(isetp_ge, 0, 9, 8), "FSETP": with_(fsetp_geu, 0, 24, 18),
               "DSETP": with_(dsetp_ge, 0, 16, 14), "FCHK": with_(fchk, 0, 18, 24)}
    jump = [imm(12, 0x55, stall=6)]
    for name, set_ in setters.items():
        for d in range(1, 33 if name == "FCHK" else 19):
            emit(name + ">SEL", d, code(set_, with_(sel, 12, 9, 10, 0), d))
            emit(name + ">guard", d, code(set_, with_(mov, 12, 9, guard=0), d))
            emit(name + ">BRA", d, code(set_, with_(skip, guard=0), d, after=jump))
    held = with_(fchk, 0, 18, 24, write=1)
    for d in (1, 2, 3, 4, 6):
        emit("FCHK:SEL", d, code(held, with_(sel, 12, 9, 10, 0, wait=2), d))
        emit("FCHK:guard", d, code(held, with_(mov, 12, 9, guard=0, wait=2), d))
        emit("FCHK:BRA", d, code(held, with_(skip, guard=0, wait=2), d, after=jump))
        emit("S2UR:MOV", d, code(with_(s2ur, 6, write=1), with_(mov_u, 12, 6, wait=2), d))
        emit("S2UR:UIADD3", d, code(with_(s2ur, 6, write=1), with_(uadd, 6, 6, 1, wait=2), d,
                                    after=[word(0x918, 0, stall=11)] * 2 + [mov_u(12, 6, stall=8)]))
    for d in range(1, 12):
        emit("UIADD3>MOV", d, code(with_(uadd, 6, 6, 1), with_(mov_u, 12, 6), d))
        emit("UMOV>MOV", d, code(with_(umov, 6, 0x22), with_(mov_u, 12, 6), d))
    # Two writes: what stays?
    firsts = {"ALU": with_(mov, 12, 9), "FMA": with_(imov, 12, 9), "FP32": with_(fadd, 12, 24, 24),
              "FP64": with_(dadd, 12, 14, 16), "HALF": with_(half_mma, 12, 0x3C003C00),
              "WIDE": with_(wide, 12, 4, 5, 26)}
    seconds = {"ALU": lambda r: with_(mov, r, 10), "FMA": lambda r: with_(imov, r, 10),
               "FP32": lambda r: with_(fadd, r, 24, 18), "FP64": lambda r: with_(dadd, 12, 16, 16),
               "WIDE": lambda r: with_(wide, 12, 4, 9, 26)}
    for f, first in firsts.items():
        for s, second in seconds.items():
            for d in range(1, 9):
                emit("%s-%s" % (f, s), d, code(first, second(12), d))
                if f in ("WIDE", "FP64") and s not in ("FP64", "WIDE"):
                    emit("%s-%s.high" % (f, s), d, code(first, second(13), d))
    LAST = [sel(12, 9, 10, 0, stall=6)]
    for f, first in setters.items():
        for d in range(1, 25 if f == "FCHK" else 12):
            emit(f + "-ISETP", d, code(first, with_(isetp_ge, 0, 8, 9), d))
            emit(f + "-FSETP", d, code(first, with_(fsetp_geu, 0, 18, 24), d))
    LAST = [mov_u(12, 6, stall=8)]
    for d in range(1, 9):
        emit("UIADD3-UMOV", d, code(with_(uadd, 6, 6, 1), with_(umov, 6, 0x33), d))
        emit("UMOV-UIADD3", d, code(with_(umov, 6, 0x44), with_(uadd, 6, 6, 1), d))


main()
