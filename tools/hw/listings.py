#!/usr/bin/env python3
"""listings.py - what nvdisasm says about our cubins, packed for tests/unit/test_listing.c.

usage: tools/hw/listings.py > tests/data/listing/listing.txt.zst

For a machine with nvdisasm 13.0, zstd and python3, from the repository's root. An entry
is a line and the text behind it:
  list PATH CUBIN BYTES HASH KEPT    nvdisasm -c of the cubin (.gz is unpacked)
  hex PATH CUBIN BYTES HASH KEPT     nvdisasm -c -hex
  sreg ARCH CUBIN BYTES HASH KEPT    names of special registers 0 to 255, one a line
CUBIN is FNV-1a of the cubin (of nothing for sreg), HASH of the BYTES of text; KEPT is BYTES, or 0 where the
text would make the file too large and the hash must do.
"""
import glob
import gzip
import os
import re
import struct
import subprocess
import tempfile

HASHED = re.compile(r"tests/isa/cubin/(form-.*|math\.sm_(75|86)\.cubin\.gz)")
HEX = ("mandelbrot", "rbfs", "scan")


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def entry(kind, name, cubin, text, keep=True):
    data = text.encode()
    head = "%s %s %016x %d %016x %d\n" % (kind, name, fnv1a(cubin), len(data),
                                          fnv1a(data), len(data) if keep else 0)
    return head.encode() + (data if keep else b"")


def nvdisasm(*args):
    return subprocess.run(("nvdisasm",) + args, check=True, capture_output=True,
                          text=True).stdout


def listed(kind, path, keep, *options):
    """The entry of one cubin."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
        cubin = stream.read()
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "x.cubin")
        with open(plain, "wb") as out:
            out.write(cubin)
        return entry(kind, path, cubin, nvdisasm("-c", *options, plain), keep)


def special_registers(arch):
    """S2R R1, SRn for every n."""
    with tempfile.NamedTemporaryFile() as raw:
        for n in range(256):
            raw.write(struct.pack("<QQ", 0x0000000000017919, 0x000E220000000000 | n << 8))
        raw.flush()
        text = nvdisasm("-b", "SM" + arch[3:], raw.name)
    names = re.findall(r"S2R R1, (\S+) ;", text)
    if len(names) != 256:
        raise ValueError("%s: %d names of special registers" % (arch, len(names)))
    return "\n".join(names) + "\n"


def main():
    out = b""
    for pattern in ("workloads/*/*.cubin", "tests/data/cubin/*.cubin",
                    "tests/isa/cubin/*.cubin.gz"):
        for path in sorted(glob.glob(pattern)):
            out += listed("list", path, not HASHED.match(path))
    for name in HEX:
        for path in sorted(glob.glob("workloads/%s/*.cubin" % name)):
            out += listed("hex", path, True, "-hex")
    for arch in ("sm_75", "sm_86", "sm_90"):
        out += entry("sreg", arch, b"", special_registers(arch))
    with tempfile.NamedTemporaryFile() as plain:  # so that the size stands in the frame
        plain.write(out)
        plain.flush()
        subprocess.run(("zstd", "-qc", "--ultra", "-22", "--long=27", plain.name),
                       check=True)


if __name__ == "__main__":
    main()
