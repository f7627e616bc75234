#!/usr/bin/env python3
"""stores.py: patterns of stores for stores.cu, one a line: STRIDE MODE OFFSET:WIDTH+CYCLES..."""
import random

DOWN, FIRST = 2, 4  # read in descending order; read everything before the stores too
TAIL = 60
GAPS = [2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 24, 32]
FEW = [4, 8, 11, 14, 16, 18, 24]
seen = set()


def add(stores, stride=128, mode=0):
    text = "%d %d %s" % (stride, mode, " ".join("%d:%d+%d" % s for s in stores))
    if text not in seen:
        seen.add(text)
        print(text)


def even(stores, gap, last=TAIL):
    return [(o, w, gap) for o, w in stores[:-1]] + [stores[-1] + (last,)]


# two stores to a line
for a, b in (((0, 8), (8, 8)), ((0, 8), (32, 8)), ((0, 8), (96, 8)), ((0, 16), (16, 16)),
             ((0, 16), (32, 16)), ((0, 16), (112, 16)), ((32, 8), (0, 8)), ((16, 16), (0, 16)),
             ((0, 16), (16, 8)), ((0, 8), (16, 16)), ((0, 16), (32, 8)), ((0, 8), (32, 16)),
             ((0, 8), (0, 8))):
    for gap in GAPS:
        add(even([a, b], gap))
for gap in FEW:
    add(even([(0, 8), (32, 8)], gap), mode=DOWN)
    add(even([(0, 16), (16, 16)], gap), mode=DOWN)
    for w in (8, 16):  # to a line that has been read, and to one with older stores
        add(even([(0, w), (w, w)], gap), mode=FIRST)
        add([(0, w, 60), (32, w, gap), (32 + w, w, TAIL)])
        add(even([(32 * s, w) for s in range(4)], gap))
        add(even([(32 * s + p, w) for p in range(0, 32, w) for s in range(4)], gap))
        whole = [(o, w) for o in range(0, 128, w)]
        add(even(whole, gap, gap))
        add(even(whole, gap))
        add(even(whole[::-1], gap))
        add([(o, w, gap if o % (2 * w) == 0 else 30) for o, _ in whole])
        # other lines between
        for lines in (2, 3, 4):
            add(even([(128 * l + o, w) for o in range(0, 128, w) for l in range(lines)], gap, gap),
                stride=128 * lines)
            add(even([(128 * l, w) for l in range(lines)] + [(w, w)], gap), stride=128 * lines)
add([(0, 16, 4), (16, 16, 26), (32, 16, 21), (48, 16, 44), (64, 16, 4), (80, 16, 26), (96, 16, 21),
     (112, 16, TAIL)])
for gap in (4, 6, 8, 11):  # lines that begin and end within the pattern
    r = random.Random(gap)
    words = [(8 * i, 8) for i in range(68)]
    add(even(words, gap), stride=544)
    for i in range(0, 68, 17):
        words[i:i + 17] = r.sample(words[i:i + 17], 17)
    add(even(words, gap), stride=544)
r = random.Random(5)
for k in range(60):
    w = 16 if k % 3 == 2 else 8
    words = [(w * i, w) for i in range(256 // w)]
    r.shuffle(words)
    most = r.choice([5, 9, 11])
    add([(o, w, r.randint(4, most)) for o, w in words], stride=256)
for k in range(40):
    words = [(8 * i, 8) for i in range(16)]
    r.shuffle(words)
    most = r.choice([5, 9, 16, 24])
    add([(o, w, r.randint(4, most)) for o, w in words[:r.randint(3, 16)]] + [(120, 8, TAIL)])
