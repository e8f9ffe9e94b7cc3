#!/usr/bin/env python3
"""Columns of arrays: how far the best number of columns is behind for the rules of
ColumnRules::of_arrays (planner/src/profile.hpp), and a grid of others.

    bench/fit_columns.py [bench/results/*-h200-tune-*.csv.gz]

Of each length n beside S columns, no power of two, the fastest kernel of each number of columns of a
block that was measured. A rule takes one of these; it loses what the best of them is faster.
"""
import collections
import csv
import glob
import gzip
import itertools
import math
import os
import re
import sys

SHARED_BYTES = 232448
Rules = collections.namedtuple(
    "Rules", "most_points, lines, sectors, unaligned_lines, unaligned, crowding")
CHOSEN = Rules(14336, 0.5, 3, 6, 14, 2e-6)


def is_plain(row):
    """A kernel of complex FP32 columns, of one block each."""
    said = row["tuning"] or ""
    cluster = re.search(r"--cluster (\d+)", said)
    return (row.get("columns") not in (None, "", "0") and row.get("eff") and
            row.get("precision") == "f32" and row.get("domain", "c2c") in ("c2c", "") and
            row.get("convolution") in (None, "", "no") and "x" not in row["shape"] and
            "--pass-lengths" not in said and (not cluster or cluster[1] == "1"))


def arrays(files):
    """{(n, S): {columns of a block: share of a copy's speed}}"""
    found = collections.defaultdict(lambda: collections.defaultdict(float))
    for name in files:
        with gzip.open(name, "rt") as text:
            for row in csv.DictReader(text):
                block = re.search(r"--block-points (\d+)", row.get("tuning") or "")
                if not block or not is_plain(row):
                    continue
                n = int(row["shape"])
                columns, rest = divmod(int(block[1]), n)
                if rest == 0 and n & (n - 1):
                    one = found[n, int(row["columns"])]
                    one[columns] = max(one[columns], float(row["eff"]))
    return {array: known for array, known in found.items() if len(known) > 1}


def cost(n, side, columns, rules):
    aligned = side % 4 == 0
    lost = rules.unaligned
    if aligned and columns % 4 == 0:
        lost = rules.sectors
    if columns % 8 == 0:
        lost = rules.lines if aligned else rules.unaligned_lines
    waste = 1 + lost / columns + rules.crowding * n * columns
    return waste / (side / columns / math.ceil(side / columns))


def losses(known, rules):
    """What the rules' number loses against the best one, the most first."""
    lost = []
    for (n, side), by_columns in known.items():
        room = max(1, (SHARED_BYTES - 8) // 9 // n)
        most = min(max(4, min(8, 16384 // n), rules.most_points // n), 32, room)
        possible = [columns for columns in by_columns if columns <= most]
        if possible:
            taken = min(possible, key=lambda columns: cost(n, side, columns, rules))
            lost.append((1 - by_columns[taken] / max(by_columns.values()), n, side, taken))
    return sorted(lost, reverse=True)


def show(known, rules):
    lost = losses(known, rules)
    print(f"{rules}: {100 * sum(one[0] for one in lost) / len(lost):.2f} % in the mean;",
          ", ".join(f"{n} beside {side} by {c} {100 * loss:.0f} %" for loss, n, side, c in lost[:4]))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    known = arrays(sys.argv[1:] or glob.glob(os.path.join(here, "results/*-h200-tune-*.csv.gz")))
    print(len(known), "arrays")
    show(known, CHOSEN)
    grid = itertools.product((11264, 12288, 13312, 14336), (0.5, 1), (3, 4), (4, 6), (10, 14),
                             (0, 2e-6, 4e-6))
    best = sorted(map(Rules._make, grid),
                  key=lambda rules: sum(one[0] for one in losses(known, rules)))
    for rules in best[:5]:
        show(known, rules)


if __name__ == "__main__":
    main()
