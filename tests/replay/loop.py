#!/usr/bin/env python3
"""Makes a long recording of a short one: its kernels N times. usage: loop.py FILE N OUT

The file (docs/formats.md) stays as it is up to its last section, the program's, whose list
of kernels is written again, N times over."""

import struct
import sys

HEAD, TAIL, SECTION_HEAD = 16, 24, 32
KERNEL, PROGRAM = 2, 3
ALL = (1 << 64) - 1
MULTIPLIER = 0x9FB21C651E98DF25


def checksum(seed, data):
    h = seed ^ len(data) * 0x9E3779B97F4A7C15 & ALL
    whole = len(data) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", data[:whole]):
        h = (h ^ word) * MULTIPLIER & ALL
        h ^= h >> 32
    h = (h ^ int.from_bytes(data[whole:], "little")) * MULTIPLIER & ALL
    return h ^ h >> 29


def number(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def frame(data):
    """A zstd frame of blocks that are not compressed."""
    step = 1 << 17
    out = struct.pack("<IBQ", 0xFD2FB528, 0xE0, len(data))
    for at in range(0, len(data), step):
        part = data[at : at + step]
        is_last = at + step >= len(data)
        out += struct.pack("<I", len(part) << 3 | is_last)[:3] + part
    return out


def section(offset, kind, data):
    packed = frame(data)
    head = b"SECT" + struct.pack("<IQQ", kind, len(data), len(packed))
    return head + struct.pack("<Q", checksum(checksum(offset, head), packed)) + packed


def main(path, times, out):
    old = open(path, "rb").read()
    (end,) = struct.unpack("<Q", old[-TAIL : -TAIL + 8])
    kernels, at = [], HEAD
    while at < end:
        kind, _, packed = struct.unpack("<IQQ", old[at + 4 : at + 24])
        if kind == KERNEL:
            kernels.append(at)
        at += SECTION_HEAD + packed
    name = b"looped"
    program = number(len(name)) + name + number(75) + bytes(3)  # sm_75, operands by register
    program += b"".join(map(number, kernels)) * times + b"\0"
    new = old[:end] + section(end, PROGRAM, program)
    tail = struct.pack("<Q", end)
    new += tail + struct.pack("<Q", checksum(len(new), tail)) + b"LENOEND\0"
    open(out, "wb").write(new)


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
