#!/usr/bin/env python3
"""parse.py - one golden file from a workload's hashes and ncu's source page.

ncu prints, for every launch, a row "Kernel Name",NAME, a row of column names and a row
an instruction. Columns are found by name, since their set and order differ between
versions. Counts are summed over the launches of a kernel. Addresses become offsets
from the kernel's first instruction.
"""
import argparse
import csv
import sys

HEAD = """\
# {name} on {machine}; written by tools/hw/record.sh, not by hand.
# cubin BYTES HASH              the code all this belongs to (FNV-1a, 64 bits)
# output SIZE NAME BYTES HASH   a result buffer, seed 1
# kernel NAME launches N        size tiny, summed over its launches; below it a line
# PC WARPS THREADS ON           for every instruction: hex offset, executions by warps,
#                               by active threads, by threads whose guard was true
"""

WARPS = "inst_executed"
THREADS = "thread_inst_executed"
ON = "thread_inst_executed_true"


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def number(text):
    text = text.replace(",", "").strip()
    if text in ("", "-", "n/a"):
        return 0
    value = float(text)
    if value != int(value):
        raise ValueError("count is not whole: " + text)
    return int(text) if text.isdigit() else int(value)


def pick(header, row, name):
    """The value under a column name; a name that occurs twice must agree."""
    values = {number(row[i]) for i, h in enumerate(header)
              if h.lstrip("# ") == name and i < len(row)}
    if len(values) != 1:
        raise ValueError("column '%s': %d values in one row" % (name, len(values)))
    return values.pop()


def tables(path):
    """Yields (kernel, header, rows) for every launch."""
    kernel, header, rows = None, None, []
    with open(path, newline="") as stream:
        for row in csv.reader(stream):
            if row and row[0] == "Kernel Name":
                if header:
                    yield kernel, header, rows
                kernel, header, rows = row[1].split("(")[0].strip(), None, []
            elif "Address" in row and "Source" in row:
                header = row
            elif header and len(row) >= len(header) - 1:
                rows.append(row)
    if header:
        yield kernel, header, rows


def offsets(texts, kernel):
    """Offsets from the first address; hexadecimal, with or without 0x, or decimal."""
    for base in (16, 10):
        try:
            places = [int(text.strip(), base) for text in texts]
        except ValueError:
            continue
        first = min(places)
        if sorted(places) == [first + 16 * i for i in range(len(places))]:
            return [place - first for place in places]
    raise ValueError("%s: addresses are not 16 bytes apart" % kernel)


def launches_of(path):
    """The tables, one a launch. A report with more than one kernel prints every table
    twice, one after the other."""
    found = list(tables(path))
    if len({kernel for kernel, _, _ in found}) > 1:
        if found[::2] != found[1::2]:
            raise ValueError("several kernels, but not every table occurs twice")
        return found[::2]
    return found


def sum_launches(path):
    """{kernel: [launches, {pc: [warps, threads, on]}]}, in order of first launch."""
    kernels = {}
    for kernel, header, rows in launches_of(path):
        if not kernel or not rows:
            raise ValueError("a table without kernel name or instructions")
        where = header.index("Address")
        places = offsets([row[where] for row in rows], kernel)
        entry = kernels.setdefault(kernel, [0, {}])
        entry[0] += 1
        for pc, row in zip(places, rows):
            counts = entry[1].setdefault(pc, [0, 0, 0])
            for i, name in enumerate((WARPS, THREADS, ON)):
                counts[i] += pick(header, row, name)
    if not kernels:
        raise ValueError("no table with columns Address and Source")
    return kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("name", "machine", "cubin", "run", "csv", "out"):
        parser.add_argument("--" + option, required=True)
    args = parser.parse_args()
    with open(args.cubin, "rb") as stream:
        code = stream.read()
    with open(args.run) as stream:
        outputs = [line for line in stream if line.startswith("output ")]
    status = 0
    with open(args.out, "w") as out:
        out.write(HEAD.format(name=args.name, machine=args.machine))
        out.write("cubin %d %016x\n" % (len(code), fnv1a(code)))
        out.writelines(outputs)
        try:
            for kernel, (launches, counts) in sum_launches(args.csv).items():
                out.write("kernel %s launches %d\n" % (kernel, launches))
                for pc, (warps, threads, on) in sorted(counts.items()):
                    out.write("%04x %d %d %d\n" % (pc, warps, threads, on))
        except (OSError, ValueError, IndexError) as error:
            print("parse.py: %s: %s" % (args.csv, error), file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
