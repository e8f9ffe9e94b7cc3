#!/usr/bin/env python3
"""The tables of measurements in the documents, from the rows in bench/results.

    figures.py FILE.md...             exit code 1 where a table is not what the rows say
    figures.py --update FILE.md...    writes the tables anew

A table stands between a comment that says what it is made of and `<!-- end -->`:

    <!-- figures
    files: 2026-11-24-h200-2d.csv [other.csv...]     of equal rows the first one counts
    rows: 64^2 1080x1920 2^14                        dims; or LABEL = FROM..TO; ... (all lengths within)
    columns: HEAD = LIB METRIC [TYPE [PLACE]]; ...   type f32 and place out unless said; spaces of a type as _
    -->

METRIC is of one row speed (share of a copy), u (error in 2^-24), error, us, or a name of a column;
of LIB/LIB ratio (of speeds). Of a range it is count, median, or of LIB/LIB geomean and below0.97 (or another).
Other lines: commit (only rows of these), command (shown), without: powers (of two), head (of the first
column), source: above (no table of files).
"""
import argparse
import csv
import difflib
import math
import pathlib
import re
import statistics
import sys

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "bench" / "results"
# Rows do not say it; bench/NOTES.md does for these commits.
DRIVERS = dict.fromkeys("984d340 e5ef28f 1f16c7e 95b1c91 96563de 44ab993 a811d18 477ccf6 2213217 12ea064 9f594c6 12ebd89 381a76f-dirty f10f757 0a375f3 50b4f08 50b4f08-dirty 1080a2a-dirty 50b015e-dirty 42d5f0b 66fa3b4-dirty d7939a0 d7939a0-dirty 99fb072-dirty 5bcb855 d7ae33b-dirty 8119694 4a15814 4993783 40a650c 27167cb-dirty 8d0739b-dirty ee62bf3-dirty a8b742b f3852fc-dirty 74d35f4 96366c5f b9c7d919 37ee6d9e 8f428982 75016ce6-dirty 58677b92 c29b1e7e".split(), "580.159.04")
BLOCK = re.compile(r"(<!-- figures\n(.*?)-->\n)(.*?)(<!-- end -->)", re.DOTALL)


class Mistake(Exception):
    """Of a document: what a table asks for is not there."""


def dims_of(label):
    power = re.fullmatch(r"(\d+)\^(\d+)", label)
    if not power:
        return label
    base, exponent = int(power[1]), int(power[2])
    return str(2**exponent) if base == 2 else "x".join([str(base)] * exponent)


class Rows:
    def __init__(self, settings):
        self.settings = settings
        commits = settings.get("commit", "").split()
        self.found, self.used = {}, {}
        for name in settings["files"].split():
            if not (RESULTS / name).is_file():
                raise Mistake(f"no file bench/results/{name}")
            with open(RESULTS / name, newline="") as file:
                self._read(name, [r for r in csv.DictReader(file) if not commits or r["commit"] in commits])

    def _read(self, name, rows):
        mine = {}
        for row in rows:
            key = (row.get("lib", "sonoma"), row["type"], row.get("dims") or row["n"], row["place"])
            before = mine.setdefault(key, row)
            if before["commit"] != row["commit"]:
                raise Mistake(f"{name} has {key} of two commits: say which")
        for key, row in mine.items():
            self.found.setdefault(key, (name, row))

    def get(self, lib, type_, dims, place):
        name, row = self.found.get((lib, type_, dims, place), (None, None))
        if row:
            self.used.setdefault((name, row["gpu"], row["cuda"], row["commit"], row["date"]), None)
        return row

    def lengths(self, low, high, type_, place):
        numbers = {int(k[2]) for k in self.found if k[1] == type_ and k[3] == place and k[2].isdigit()}
        no_powers = self.settings.get("without") == "powers"
        return sorted(n for n in numbers if low <= n <= high and not (no_powers and n & (n - 1) == 0))


def speed(row):
    return float(row["copy_ms"]) / float(row["ms"])


def digits(value, count=3):
    """Three significant digits, no exponent."""
    return f"{value:.{max(0, count - 1 - math.floor(math.log10(value)))}f}"


ONE = {
    "speed": lambda row: f"{speed(row):.2f}",
    "u": lambda row: f"{float(row['relL2']) * 2**24:.1f}u",
    "error": lambda row: f"{float(row['relL2']):.1e}",
    "us": lambda row: f"{float(row['ms']) * 1000:.{1 if float(row['ms']) < 0.1 else 0}f}",
}


def one(rows, libs, metric, type_, dims, place):
    found = [rows.get(lib, type_, dims, place) for lib in libs]
    if None in found:
        return ""
    if metric == "ratio":
        return f"{speed(found[0]) / speed(found[1]):.2f}"
    if metric in ONE:
        return ONE[metric](found[0])
    number = found[0][metric]
    return number if number.isdigit() else digits(float(number))


def of_range(rows, libs, metric, type_, bounds, place):
    lengths = rows.lengths(*bounds, type_, place)
    found = [[rows.get(lib, type_, str(n), place) for lib in libs] for n in lengths]
    found = [f for f in found if None not in f]
    if not found:
        raise Mistake(f"no rows of {libs} {type_} within {bounds}")
    if metric == "count":
        return str(len(found))
    if metric == "median":
        return f"{statistics.median(speed(f[0]) for f in found):.2f}"
    ratios = [speed(f[0]) / speed(f[1]) for f in found]
    if metric == "geomean":
        return f"{statistics.geometric_mean(ratios):.2f}"
    if metric.startswith("below"):
        return str(sum(r < float(metric[5:]) for r in ratios))
    raise Mistake(f"metric {metric} is not one of a range")


def parsed_rows(text):
    if "=" not in text:
        return [(label, None) for label in text.split()]
    found = []
    for part in text.split(";"):
        label, bounds = part.split("=")
        found.append((label.strip(), tuple(int(b) for b in bounds.strip().split(".."))))
    return found


def parsed_columns(text):
    for part in text.split(";"):
        head, what = part.split("=")
        libs, metric, *rest = what.split()
        type_ = (rest[0] if rest else "f32").replace("_", " ")
        yield head.strip(), libs.split("/"), metric, type_, rest[1] if len(rest) > 1 else "out"


def source_line(rows, settings):
    lines = ["", "| file | GPU | CUDA | driver | commit | date |", "|---|---|---|---|---|---|"]
    for name, gpu, cuda, commit, date in sorted(rows.used):
        lines.append(f"| [{name}](../bench/results/{name}) | {gpu.removeprefix('NVIDIA ')} | {cuda} | "
                     f"{DRIVERS.get(commit, 'not recorded')} | {commit} | {date} |")
    if "command" in settings:
        lines += ["", f"Command: `{settings['command']}`"]
    return lines


def table(text):
    settings = dict(re.findall(r"^(\w+): *(.*?) *$", text, re.MULTILINE))
    rows, columns = Rows(settings), list(parsed_columns(settings["columns"]))
    lines = ["| " + " | ".join([settings.get("head", "n")] + [c[0] for c in columns]) + " |",
             "|---" * (len(columns) + 1) + "|"]
    for label, bounds in parsed_rows(settings["rows"]):
        cells = [of_range(rows, libs, metric, type_, bounds, place) if bounds else
                 one(rows, libs, metric, type_, dims_of(label), place)
                 for _, libs, metric, type_, place in columns]
        if not any(cells):
            raise Mistake(f"no row of {label} in {settings['files']}")
        lines.append("| " + " | ".join([label] + cells) + " |")
    if settings.get("source") != "above":
        lines += source_line(rows, settings)
    return "\n".join(lines) + "\n"


def rewritten(path, text):
    def replacement(match):
        try:
            return match[1] + table(match[2]) + match[4]
        except (Mistake, KeyError, ValueError) as mistake:
            line = text[:match.start()].count("\n") + 1
            raise Mistake(f"{path}:{line}: {mistake}") from mistake
    return BLOCK.sub(replacement, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    wrong = 0
    for path in options.documents:
        text = path.read_text()
        if text.count("<!-- figures\n") != len(BLOCK.findall(text)) or not BLOCK.search(text):
            raise Mistake(f"{path}: no table, or one without `<!-- end -->`")
        right = rewritten(path, text)
        if options.update:
            path.write_text(right)
        elif right != text:
            wrong += 1
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), right.splitlines(True),
                                                       str(path), "what the rows say", n=0))
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Mistake as mistake:
        sys.exit(f"figures: {mistake}")
