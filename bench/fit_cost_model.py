#!/usr/bin/env python3
"""Fits the constants of planner/src/cost_model.cpp to measurements of `sonoma tune --measure`.

    bench/fit_cost_model.py bench/results/2026-11-23-h200-tune-{c2c,laps,laps-2}.csv.gz \
        bench/results/2026-11-25-h200-tune-products.csv.gz \
        bench/results/2026-11-26-h200-tune-{products,large-tiles}.csv.gz \
        bench/results/2026-11-27-h200-tune-{registers,defaults}.csv.gz

Kernels whose blocks stay for a tile after the other are left out: bench/fit_persistent.py.

Needs NumPy and SciPy (Debian: python3-numpy, python3-scipy). A fifth of the lengths is held out:
the fit does not see them. Printed are the constants, and what the model's choice among the measured
candidates of a length loses against the fastest of them. `now`: with the constants that were
compiled into the rows (model_total).
"""
import collections
import csv
import gzip
import re
import sys

import numpy as np
from scipy.optimize import least_squares

NUMBERS = ("eff", "launches", "model_memory", "model_copy", "model_issue", "model_shared",
           "model_tensor", "model_blocks", "model_missing_registers", "model_total")
NAMES = ("issue", "shared", "power", "power_of_blocks", "wait_of_warps", "factors", "crowded",
         "hidden", "mixed", "cluster", "rounds", "missing_register")
START = (1.5, 1, 1.6, 1.6, 2.5, 0.01, 0.2, 0.1, 1, 1.5, 1.3, 0.01)
LEAST = (0.3, 0.3, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0)
MOST = (3, 3, 4, 4, 10, 1, 1, 1, 1.1, 3, 3, 0.1)
SPARE, SPILLED = 8, 0.04  # registers that a compiler can do without; others: an earlier fit's
SHORTEST = 16  # below, a block has many transforms, and little but memory counts


def is_persistent(row):
    return "--prefetch persistent" in row["tuning"]


def rows_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", newline="") as file:
        yield from csv.DictReader(file)


def last_times(paths):
    """Of each candidate the row of the last round."""
    rank = {"first": 0, "final": 1}
    last = {}
    for path in paths:
        for row in rows_of(path):
            if row["round"] not in rank:
                continue
            key = tuple(row[k] for k in ("domain", "convolution", "precision", "arithmetic",
                                         "shape", "columns", "tuning"))
            if key not in last or rank[row["round"]] >= rank[last[key]["round"]]:
                last[key] = row
    return [row for row in last.values() if fits(row)]


def fits(row):
    """Rows of one pass, on the CUDA cores."""
    plain = (row["domain"] == "c2c" and not row["convolution"] and "x" not in row["shape"]
             and "--pass-lengths" not in row["tuning"])
    return (plain and row["arithmetic"] == "simt" and row["launches"] == "1"
            and int(row["shape"]) >= SHORTEST)


def option(row, name):
    found = re.search(rf"--{name} (\d+)", row["tuning"])
    return int(found[1]) if found else 1


def is_crowded(row):
    """See is_crowded() in cost_model.cpp; of an SM with 228 KB."""
    return float(row["model_blocks"]) * (float(row["shared_bytes"]) + 1024) > 196 * 1024


def radices(row):
    tree = re.search(r'--decomposition "([^"]*)"', row["tuning"])[1]
    return [int(radix) for radix in re.findall(r"(?:gs|dft) (\d+)", tree)]


def loading_warps(row):
    """Of a block: its first butterflies, over the turns in which its threads load them."""
    first, threads = radices(row)[0], int(row["threads"])
    butterflies = int(row["shape"]) * int(row["transforms_per_block"]) / first
    at_once = max(1, option(row, "points-per-thread") // first)
    turns = np.ceil(butterflies / (threads * at_once))
    return butterflies / (at_once * turns) / 32


def reads(radix, row):
    """Of a step: factors of a point that are read, see reads_of() in cost_model.cpp."""
    if "--twiddles products" in row["tuning"]:
        return 0.5
    if "--twiddles powers" not in row["tuning"] or radix < 5:
        return 1
    return (1 + (radix - 1) // 4) / (radix - 1)


def factors(row):
    """Of the steps, which but for the last have a factor for each point."""
    return sum(reads(radix, row) for radix in radices(row)[:-1])


class Data:
    def __init__(self, rows):
        self.crowded = np.array([is_crowded(r) for r in rows])
        self.factors = np.array([factors(r) for r in rows])
        for name in NUMBERS:
            setattr(self, name.removeprefix("model_"), np.array([float(r[name]) for r in rows]))
        self.length = np.array([int(r["shape"]) for r in rows])
        self.mixed = self.length & (self.length - 1) != 0
        self.in_cluster = np.array([option(r, "cluster") > 1 for r in rows])
        self.in_rounds = np.array([option(r, "rounds") > 1 for r in rows])
        self.cycles = self.copy / self.eff
        self.loading_warps = self.blocks * np.array([loading_warps(r) for r in rows])
        self.held_out = self.length * 2654435761 % 1000003 % 5 == 0

    def model(self, constants):
        c = dict(zip(NAMES, constants))
        p = c["power"] + c["power_of_blocks"] * (1 - 1 / self.blocks)
        terms = (self.memory, c["issue"] * self.issue, c["shared"] * self.shared, self.tensor)
        total = sum(np.power(np.maximum(t, 1e-9), p) for t in terms) ** (1 / p)
        total += c["wait_of_warps"] / self.loading_warps + c["factors"] * self.factors
        total += c["crowded"] * self.crowded - c["hidden"]
        missing = self.missing_registers
        spills = c["missing_register"] * missing + SPILLED * np.maximum(0, missing - SPARE)
        total = np.maximum(self.copy, total * np.where(self.mixed, c["mixed"], 1)) * (1 + spills)
        return (total * np.where(self.in_cluster, c["cluster"], 1)
                * np.where(self.in_rounds, c["rounds"], 1))

    def losses(self, model, chosen):
        """Of each length: how much longer the model's first choice takes than the fastest."""
        of_length = collections.defaultdict(list)
        for i in np.flatnonzero(chosen):
            of_length[self.length[i]].append(i)
        lists = [np.array(l) for l in of_length.values()]
        return np.array([self.cycles[l[np.argmin(model[l])]] / self.cycles[l].min() - 1
                         for l in lists])


def report(data, name, model, chosen):
    loss = data.losses(model, chosen) * 100
    error = np.log(model / data.cycles)[chosen]
    print(f"{name}: {len(loss)} lengths, {chosen.sum()} candidates; the first choice loses "
          f"{np.median(loss):.1f} % in the median, {np.percentile(loss, 95):.1f} % at the 95th "
          f"percentile, {loss.max():.0f} % at most; rms of the time {100 * error.std():.1f} %")


def main(paths):
    if not paths:
        sys.exit(__doc__)
    data = Data([row for row in last_times(paths) if not is_persistent(row)])
    seen = ~data.held_out
    residual = lambda constants: np.log(data.model(constants) / data.cycles)[seen]
    fitted = least_squares(residual, START, bounds=(LEAST, MOST), loss="soft_l1", f_scale=0.05).x
    for name, value in zip(NAMES, fitted):
        print(f"{name:18} {value:.4g}")
    for name, model in (("now", data.total), ("fitted", data.model(fitted))):
        report(data, f"{name}, fitted to ", model, seen)
        report(data, f"{name}, held out  ", model, data.held_out)


if __name__ == "__main__":
    main(sys.argv[1:])
