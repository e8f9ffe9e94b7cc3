#!/usr/bin/env python3
"""Fits Speeds::of_persistent of planner/src/profile.hpp: kernels whose blocks stay for a tile after
the other (planner/src/persistent_cost.cpp has the formula).

    bench/fit_persistent.py bench/results/2026-11-29-h200-tune-persistent.csv.gz

Needs NumPy and SciPy (Debian: python3-numpy, python3-scipy). Five fits, each without a fifth of the
lengths: printed are the constants of a fit to all, and what the first choice among the measured
candidates of a length loses against the fastest of them, by the fit that has not seen the length.
"""
import sys

import numpy as np
from scipy.optimize import least_squares

from fit_cost_model import Data, is_persistent, last_times, option, radices, report

NAMES = ("any", "issue", "shared", "lap_of_ends", "lap_within", "few_registers",
         "missing_register")
ENOUGH = 2  # registers of a thread beside those of its points, for each point: see the formula


def phases(row):
    """Points of a butterfly of each phase: steps that a thread has room for go together."""
    most, points = option(row, "points-per-thread"), []
    for radix in radices(row):
        if points and points[-1] * radix <= most:
            points[-1] *= radix
        else:
            points.append(radix)
    return points


def laps(row):
    """Of the first and last phase, which agree, and beyond the first one of all between them."""
    points, n, threads = phases(row), int(row["shape"]), int(row["threads"])
    items = [n // one for one in points]
    most = max(items[0], items[-1])
    values = points[-2]  # of the digits that both have slowest
    ends = 1 if most <= threads else -(-values // (threads // (most // values)))
    return ends, sum(-(-one // threads) - 1 for one in items[1:-1])


class Staying(Data):
    def __init__(self, rows):
        super().__init__(rows)
        # Of the first 2,729 rows model_shared says too little.
        self.shared = np.array([float(row["wavefronts"]) / int(row["shape"]) for row in rows])
        counts = np.array([laps(row) for row in rows])
        self.ends, self.within = counts[:, 0], counts[:, 1]
        points = np.array([max(phases(row)) for row in rows])
        registers = np.array([option(row, "registers") for row in rows])
        self.few = np.maximum(0, ENOUGH - (registers - 2 * points) / points)

    def model(self, constants):
        c = dict(zip(NAMES, constants))
        total = (c["any"] + c["issue"] * self.issue + c["shared"] * self.shared
                 + c["lap_of_ends"] * (self.ends - 1) + c["lap_within"] * self.within
                 + c["few_registers"] * self.few)
        return np.maximum(self.copy, total * (1 + c["missing_register"] * self.missing_registers))

    def fit(self, seen):
        residual = lambda constants: np.log(self.model(constants) / self.cycles)[seen]
        return least_squares(residual, np.full(len(NAMES), 0.1), bounds=(0, 10), loss="soft_l1",
                             f_scale=0.05).x


def main(paths):
    if not paths:
        sys.exit(__doc__)
    data = Staying([row for row in last_times(paths)
                    if is_persistent(row) and len(phases(row)) > 2])
    everything = np.full(len(data.length), True)
    fifth = data.length * 2654435761 % 1000003 % 5
    unseen = np.zeros(len(data.length))
    for held_out in range(5):
        model = data.model(data.fit(fifth != held_out))
        unseen[fifth == held_out] = model[fifth == held_out]
    fitted = data.fit(everything)
    for name, value in zip(NAMES, fitted):
        print(f"{name:18} {value:.4g}")
    report(data, "now, of all", data.total, everything)
    report(data, "fitted to all", data.model(fitted), everything)
    report(data, "held out in turn", unseen, everything)


if __name__ == "__main__":
    main(sys.argv[1:])
