#!/usr/bin/env python3
"""Compares whole kernels on the h200 machine with an H200.

usage: tools/h200-kernels.py [--leno FILE] [--probes DIR] [--only TEXT[,TEXT...]]
                             [--below CYCLES] [--save FILE] [--against FILE] [--table FILE]
                             [-- OPTION...]

tests/h200/kernels.csv has the launches: cycles are sm__cycles_active.max of Nsight Compute
with cold caches, the median of several runs. Each launch is simulated in a process of its
own, so its caches are cold too; OPTIONs are passed on to leno (--set KEY=VALUE ...).
Programs named probe/NAME are executables in DIR, built with nvcc -arch=sm_90 -O3 from their
sources; the others are workloads, NAME/SIZE or of size small. Where warps spin, the H200's
own runs differ in warp instructions (A-B): those are not compared. --only selects launches whose program,
number and kernel contain a TEXT; --below those that take fewer cycles on the H200; --save
keeps the cycles in a file, which --against prints beside new ones. --table simulates nothing: it
prints such a file as a table of docs/h200.md.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

LONG = 5000  # cycles from which on a launch counts as long

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def arguments():
    p = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1][7:])
    p.add_argument('--leno', default=os.path.join(ROOT, 'build/leno'))
    p.add_argument('--probes')
    p.add_argument('--only', default='')
    p.add_argument('--below', type=float, default=float('inf'))
    p.add_argument('--save')
    p.add_argument('--against')
    p.add_argument('--table')
    p.add_argument('options', nargs='*')
    return p.parse_args()


def launches(a):
    with open(os.path.join(ROOT, 'tests/h200/kernels.csv'), newline='') as f:
        rows = list(csv.DictReader(f))
    for r in rows:
        r['name'] = '%s %s %s' % (r['program'], r['launch'], r['kernel'])
        r['hw'] = float(r['cycles'])
    rows = [r for r in rows if a.probes or not r['program'].startswith('probe/')]
    wanted = a.only.split(',')
    return [r for r in rows
            if any(w in r['name'] for w in wanted) and r['hw'] < a.below]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit('%s\n%s' % (' '.join(command), done.stderr[-2000:]))
    return done.stdout


def workload(a, row):
    """Its name and size, or a recording in DIR, if there is one: lud and nn had larger
    inputs when they were measured."""
    file = os.path.join(a.probes or '', row['program'] + '.leno')
    if os.path.exists(file):
        return [file]
    name, _, size = row['program'].partition('/')
    return [name, '--size', size or 'small']


def simulate(a, row):
    """Cycles and warp instructions of one launch."""
    common = ['--gpu', 'h200', '--threads', '1',
              '--kernels', '%s-%s' % (row['launch'], row['launch'])] + a.options
    with tempfile.TemporaryDirectory() as tmp:
        if row['program'].startswith('probe/'):
            file = os.path.join(tmp, 'stats')
            run([a.leno, 'exec', '--quiet', '--stats', file] + common +
                ['--', os.path.join(a.probes, row['program'][6:])])
            with open(file) as f:
                timed = [json.loads(line) for line in f]
            stats = [t for t in timed if t['mode'] == 'timed'][0]['stats']
        else:
            text = run([a.leno, 'run', '--json', '--out', tmp] + workload(a, row) + common)
            stats = json.loads(text)['runs'][0]['stats']
    return stats['gpu.busiest'], stats['sm.warp_insts']


def mean(values):
    return sum(values) / len(values) if values else 0.0


def summary(errors):
    long = [abs(e) for hw, e in errors if hw >= LONG]
    return ('mean absolute error: %.1f %% of %d launches; %.1f %% of %d of %d cycles and more' %
            (100 * mean([abs(e) for _, e in errors]), len(errors), 100 * mean(long),
             len(long), LONG))


def print_table(a):
    with open(a.table) as f:
        kept = json.load(f)
    errors = []
    print('| launch | H200 | warm | h200 | error |\n| --- | ---: | ---: | ---: | ---: |')
    for r in launches(a):
        if r['name'] in kept:
            cycles = kept[r['name']]
            errors.append((r['hw'], cycles / r['hw'] - 1))
            print('| %s | %.0f | %.0f | %d | %+.1f %% |' % (
                r['name'], r['hw'], float(r['warm_cycles'] or 'nan'), cycles,
                100 * errors[-1][1]))
    print('\n' + summary(errors))


def main():
    a = arguments()
    if a.table:
        return print_table(a)
    before = json.load(open(a.against)) if a.against else {}
    kept = json.load(open(a.save)) if a.save and os.path.exists(a.save) else {}
    errors, wrong = [], 0
    for r in launches(a):
        cycles, insts = simulate(a, r)
        error = cycles / r['hw'] - 1
        errors.append((r['hw'], error))
        kept[r['name']] = cycles
        note = ''
        if r['name'] in before:
            note = '  before %+6.1f %%' % (100 * (before[r['name']] / r['hw'] - 1))
        if '-' not in r['warp_insts'] and insts != int(r['warp_insts']):
            wrong += 1
            note += '  %d warp instructions, not %s' % (insts, r['warp_insts'])
        print('%-36s %9.0f %9d %+6.1f %%%s' % (r['name'], r['hw'], cycles,
                                              100 * error, note), flush=True)
        if a.save:
            with open(a.save, 'w') as f:
                json.dump(kept, f, indent=0, sort_keys=True)
    print('%s; %d with other warp instructions' % (summary(errors), wrong))


if __name__ == '__main__':
    main()
