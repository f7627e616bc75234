#!/usr/bin/env python3
"""Measures the launches of workloads on a real GPU with Nsight Compute.

usage: tools/hw/kernels.py [--runs N] [--limit SECONDS] OUT NAME/SIZE...

For a machine with a Hopper GPU, gcc and ncu. All launches of the workloads are measured N
times (default 3), each time with caches emptied before every launch and with caches as they
are; no further round is begun after SECONDS (default 150). Leaves
  OUT/kernels.csv   rows as in tests/h200/kernels.csv: cycles are medians of
                    sm__cycles_active.max, noise is (max - min) / median; then the
                    median of sm__cycles_elapsed.max, and cycles of each run
  OUT/kernels.log   what ncu and the workloads printed
"""
import argparse
import collections
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

ACTIVE = 'sm__cycles_active.max'
ELAPSED = 'sm__cycles_elapsed.max'
INSTS = 'smsp__inst_executed.sum'
CACHES = ('all', 'none')  # ncu's cache-control: emptied, as they are

# Runs each program in a process of its own and notes its number.
EACH = 'for p in "$@"; do sh -c \'echo "$$ $3" >> "$1"; exec "$2" "${3%/*}" "${3#*/}"\' ' \
    'sh "$PIDS" "$RUNNER" "$p"; done'


def arguments():
    p = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1][7:])
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--limit', type=float, default=150)
    p.add_argument('out')
    p.add_argument('programs', nargs='+')
    return p.parse_args()


def number(text):
    return float(text.replace(',', ''))


def threads(text):
    """Of a grid or block as ncu prints it: (32, 4, 1)."""
    product = 1
    for n in re.findall(r'\d+', text):
        product *= int(n)
    return product


def read_launches(path, programs):
    """(program, launch) of each launch in ncu's raw page, and its row."""
    with open(path, errors='replace') as f:
        rows = csv.DictReader(line for line in f if line.startswith('"'))
        launch = collections.Counter()
        for row in rows:
            if not row['ID']:
                continue  # units
            program = programs[row['Process ID']]
            launch[program] += 1
            yield (program, launch[program]), row


def measure(runner, programs, caches, work, log):
    """One round: the launches of all programs."""
    pids, page = os.path.join(work, 'pids'), os.path.join(work, 'page')
    for path in (pids, page):
        if os.path.exists(path):
            os.remove(path)
    command = ['timeout', '90', 'ncu', '--target-processes', 'all', '--clock-control', 'none',
               '--cache-control', caches, '--metrics', ','.join((ACTIVE, ELAPSED, INSTS)),
               '--csv', '--page', 'raw', '--print-units', 'base', '--log-file', page,
               'sh', '-c', EACH, 'sh'] + programs
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ, PIDS=pids, RUNNER=runner),
                          stdout=log, stderr=log)
    print('ncu: status %d' % done.returncode, file=log, flush=True)
    if not os.path.exists(page) or not os.path.exists(pids):
        return []
    with open(page, errors='replace') as f:
        print(f.read(), file=log, flush=True)
    with open(pids) as f:
        return list(read_launches(page, dict(line.split() for line in f)))


def table_row(key, runs):
    """runs: rows by CACHES."""
    first = (runs['all'] or runs['none'])[0]
    cycles = {c: [number(r[ACTIVE]) for r in runs[c]] for c in CACHES}
    middle = {c: statistics.median(v) if v else None for c, v in cycles.items()}
    spread = max(cycles['all']) - min(cycles['all']) if cycles['all'] else 0
    insts = sorted({int(number(r[INSTS])) for c in CACHES for r in runs[c]})
    elapsed = [number(r[ELAPSED]) for r in runs['all']]
    shown = {c: '' if m is None else '%g' % round(m, 1) for c, m in middle.items()}
    return [key[0].removesuffix('/small'), key[1], first['Kernel Name'].split('(')[0],
            threads(first['Grid Size']), threads(first['Block Size']),
            shown['all'], shown['none'],
            '%.4f' % (spread / middle['all']) if middle['all'] else '',
            '-'.join(map(str, insts)), '%d' % statistics.median(elapsed) if elapsed else '',
            ' '.join('%d' % n for n in cycles['all']),
            ' '.join('%d' % n for n in cycles['none'])]


def write_table(path, launches):
    with open(path, 'w', newline='') as f:
        w = csv.writer(f, lineterminator='\n')
        w.writerow('program launch kernel blocks threads cycles warm_cycles noise warp_insts '
                   'elapsed runs warm_runs'.split())
        for key, runs in launches.items():
            w.writerow(table_row(key, runs))


def main():
    a = arguments()
    begin = time.monotonic()
    os.makedirs(a.out, exist_ok=True)
    launches, rounds = {}, 0
    with tempfile.TemporaryDirectory() as work, \
            open(os.path.join(a.out, 'kernels.log'), 'w') as log:
        runner = os.path.join(work, 'runner')
        subprocess.run([os.path.join(ROOT, 'tools/hw/runner.sh'), runner], check=True)
        for caches in a.runs * CACHES:
            if time.monotonic() - begin > a.limit:
                break
            measured = measure(runner, a.programs, caches, work, log)
            for key, row in measured:
                launches.setdefault(key, {c: [] for c in CACHES})[caches].append(row)
            rounds += bool(measured)
            write_table(os.path.join(a.out, 'kernels.csv'), launches)
    print('%d of %d rounds, %d launches, %.0f s' %
          (rounds, a.runs * len(CACHES), len(launches), time.monotonic() - begin))
    return 0 if rounds == a.runs * len(CACHES) else 1


if __name__ == '__main__':
    sys.exit(main())
