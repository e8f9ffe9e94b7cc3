#!/usr/bin/env python3
"""Fits what two passes take in one launch, of lengths that are no powers of two: OneLaunch in
planner/src/profile.hpp, and of_mixed_apart beside it, of a launch each.

    bench/fit_one_launch.py bench/results/2026-11-29-h200-tune-ragged.csv.gz \\
        --whole bench/results/2026-11-27-h200-tune-{long-products,left}.csv.gz \\
                bench/results/2026-11-28-h200-tune-exhaustive.csv.gz

Needs NumPy (Debian: python3-numpy). --whole: rows of tiles that both lengths divide, which the fit
does not see, and of a launch each. Printed are the constants, how far they are off, and what the
first choice by them loses against the fastest candidate that was measured of a length.
"""
import argparse
import collections
import csv
import gzip
import math
import re

import numpy as np

SM_BYTES, SM_THREADS, SM_REGISTERS, SECTOR = 227 * 1024, 2048, 65536, 4
COPY = 0.9  # the cost model's of a copy, in cycles of an SM


def share_of_rows(n):
    """Of both passes' times, compiled into model_total of the rows."""
    return 0.915 + 0.05 * math.log2(n / 65536)


def common_columns(a, b, wanted):
    """As planner/src/fuse.cpp has them, of as many tiles: of a points and of b points."""
    lengths, all_columns = (a, b), (b, a)

    def columns(tiles, i):
        fewest = -(-all_columns[i] // tiles)
        for some in (wanted, -(-fewest // SECTOR) * SECTOR, fewest):
            bits = (lengths[i] * some).bit_count() == 1
            if not bits and -(-all_columns[i] // some) == tiles:
                return some
        return None

    tiles = -(-max(a, b) // wanted)
    while not (columns(tiles, 0) and columns(tiles, 1)):
        tiles += 1
    return columns(tiles, 0), columns(tiles, 1)


def last_rows(paths, features):
    """Of each candidate what `features` takes from the row of the last round."""
    last = {}
    for path in paths:
        with gzip.open(path, "rt", newline="") as file:
            for row in csv.DictReader(file):
                plain = row["domain"] == "c2c" and row["precision"] == "f32" and row["eff"]
                if not plain or row["failure"] or "x" in row["shape"] or int(row["shape"]) <= 29056:
                    continue
                key = row["shape"], row["tuning"]
                if key not in last or row["round"] != "first":
                    last[key] = row
    return [one for row in last.values() if (one := features(row))]


def in_one_launch(row, ragged):
    """n, 1 / eff, both passes by the model, one over the blocks of an SM, one over the columns."""
    n, tuning = int(row["shape"]), row["tuning"]
    lengths = re.search(r"--pass-lengths (\d+),(\d+)(?:\s|$)", tuning)
    said = re.search(r"--columns (\d+)" if ragged else r"--block-points (\d+)", tuning)
    if not lengths or not said or "--fused 1" not in tuning or "--registers" in tuning:
        return None
    a, b, said = int(lengths[1]), int(lengths[2]), int(said[1])
    of_a, of_b = common_columns(a, b, said) if ragged else (said // a, said // b)
    threads, registers = int(row["threads"]), -(-int(row["registers"]) // 8) * 8
    blocks = max(1, min(SM_BYTES // (int(row["shared_bytes"]) + 1024), SM_THREADS // threads,
                        SM_REGISTERS // (threads * registers)))
    passes = float(row["model_total"]) / share_of_rows(n)
    return n, 1 / float(row["eff"]), passes, 1 / blocks, 1 / of_a + 1 / of_b


def apart(row):
    """Of a launch each: what was measured over what the model says."""
    two = re.search(r"--pass-lengths \d+,\d+(?:\s|$)", row["tuning"])
    bits = int(row["shape"]).bit_count() == 1
    if bits or not two or "--fused 0" not in row["tuning"] or "--cluster" in row["tuning"]:
        return None
    return COPY / float(row["eff"]) / float(row["model_total"])


def judge(name, rows, predicted):
    off = predicted / rows[:, 1] - 1
    of_length = collections.defaultdict(list)
    for i, n in enumerate(rows[:, 0]):
        of_length[n].append(i)
    losses = sorted(rows[min(some, key=lambda i: predicted[i]), 1] / rows[some, 1].min() - 1
                    for some in of_length.values() if len(some) > 1)
    print(f"{name}: {len(rows)} kernels, off by {np.median(off):+.3f} in the median, "
          f"{np.std(off):.3f} (standard deviation); of {len(losses)} lengths the first choice loses "
          f"{np.median(losses):.3f}, {losses[int(0.95 * len(losses))]:.3f} at the 95th percentile")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--whole", nargs="*", default=[])
    arguments = parser.parse_args()
    rows = np.array(last_rows(arguments.rows, lambda row: in_one_launch(row, True)))
    # Least squares of what is predicted over what was measured.
    constants = np.linalg.lstsq(rows[:, 2:] / rows[:, 1:2], np.ones(len(rows)), rcond=None)[0]
    print("of_passes, of_blocks, of_columns", np.round(COPY * constants, 3))
    judge("fitted", rows, rows[:, 2:] @ constants)
    if arguments.whole:
        whole = np.array(last_rows(arguments.whole, lambda row: in_one_launch(row, False)))
        judge("held out", whole, whole[:, 2:] @ constants)
        each = last_rows(arguments.whole, apart)
        print(f"of_mixed_apart {np.median(each):.3f}, of {len(each)} kernels")


if __name__ == "__main__":
    main()
