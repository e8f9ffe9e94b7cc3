#!/usr/bin/env python3
"""What README.md and docs/*.md show, tried.

    documents.py run BIN DOCUMENT...            each ```sh block, by bash, with BIN first in PATH
    documents.py fragments OUT.cpp DOCUMENT...  each ```cpp block that is no whole program, as functions
    documents.py links DOCUMENT...              files and headings that links name are there
    documents.py settings SOURCE GUIDE          the guide's table has each variable that the source reads

The blocks of a document run one after the other, in one temporary folder, with the files of
make_inputs(). An SVG that is made there and is also in docs/ has the same bytes. Comments in front of a block say what is special:

    <!-- not run: WHY -->       neither run nor compiled, which is said aloud
    <!-- if: COMMAND -->        only where this command succeeds, e.g. `command -v nvcc`
    <!-- before: COMMAND -->    is run with it, in front of it
    <!-- file: NAME -->         of any language: is written to this file
    <!-- given: TYPE NAME; -->  what a fragment takes from before; stays for those that follow

Whole programs (with `int main`) are built against the installed package by tests/package.
"""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"<!-- (not run|if|before|file|given):[ ]?([^\n]*?)[ ]?-->\n")
BLOCK = re.compile(r"((?:<!-- [^\n]* -->\n)*)^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HEADERS = ("cmath", "complex", "cstdint", "cstdio", "cstdlib", "string", "thread", "vector", "sonoma/sonoma.hpp")


def blocks(path):
    text = path.read_text()
    for match in BLOCK.finditer(text):
        comments, language, code = match.groups()
        said = dict(COMMENT.findall(comments))
        line = text[:match.start(3)].count("\n") + 1
        yield {"where": f"{path.name}:{line}", "language": language, "code": code, "skip": said.get("not run"),
               "condition": said.get("if"), "before": said.get("before", ""), "file": said.get("file"),
               "given": said.get("given")}


def npy(path, kind, shape, numbers):
    """A .npy file of `numbers` in '<f4' or '<c8' (pairs of floats)."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
    path.write_bytes(data + struct.pack(f"<{len(numbers)}f", *numbers))


def make_inputs(folder):
    """Small arrays, so that the emulated device is done soon."""
    def numbers(count):
        return [((7 * i * i + 3 * i) % 31) / 16 - 1 for i in range(count)]
    npy(folder / "x.npy", "<c8", "(256,)", numbers(512))
    npy(folder / "rows.npy", "<c8", "(1500,)", numbers(3000))
    npy(folder / "x64.npy", "<c8", "(64,)", numbers(128))
    npy(folder / "real.npy", "<f4", "(4, 64)", numbers(256))
    npy(folder / "volume.npy", "<c8", "(8, 3, 16)", numbers(768))
    npy(folder / "images.npy", "<c8", "(2, 12, 16)", numbers(768))
    npy(folder / "taps.npy", "<c8", "(5,)", numbers(10))
    npy(folder / "taps2.npy", "<c8", "(3, 3)", numbers(18))


def why_not(block, environment, folder):
    if block["skip"]:
        return block["skip"]
    if block["condition"]:
        tried = subprocess.run(["bash", "-c", block["condition"]], env=environment, cwd=folder, capture_output=True)
        if tried.returncode:
            return f"`{block['condition']}` fails here"
    return None


def other_pictures(folder):
    """Those of docs/ whose bytes a command of the document does not make."""
    for made in sorted(folder.glob("*.svg")):
        shown = ROOT / "docs" / made.name
        if shown.exists() and shown.read_bytes() != made.read_bytes():
            yield shown.relative_to(ROOT)


def run_document(path, environment):
    failed = ran = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_inputs(folder)
        environment = dict(environment, SONOMA_OVERRIDES_DIR=str(folder / "overrides"))
        for shared in ("bench", "examples", "docs"):  # documents name files of the tree
            (folder / shared).symlink_to(ROOT / shared)
        for block in blocks(path):
            if block["file"]:
                (folder / block["file"]).write_text(block["code"])
            if block["language"] != "sh":
                continue
            reason = why_not(block, environment, folder)
            if reason:
                print(f"{block['where']}: not run: {reason}")
                continue
            started = time.monotonic()
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", block["before"] + "\n" + block["code"]],
                                  env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace")
            ran += 1
            print(f"{block['where']}: {time.monotonic() - started:.1f} s, exit code {done.returncode}", flush=True)
            if done.returncode:
                failed += 1
                print(block["code"] + done.stdout[-3000:])
        for picture in other_pictures(folder):
            failed += 1
            print(f"{path.name}: {picture} is not what its command makes")
    return failed, ran


def run(binaries, paths):
    environment = dict(os.environ, PATH=f"{binaries}{os.pathsep}{os.environ['PATH']}")
    results = [run_document(path, environment) for path in paths]
    ran = sum(r[1] for r in results)
    print(f"{ran} blocks were run, {sum(r[0] for r in results)} failed")
    return 1 if any(r[0] for r in results) or ran == 0 else 0


def fragments(out, paths):
    lines = [f"#include <{header}>" for header in HEADERS]
    count = 0
    for path in paths:
        given = ""
        for block in blocks(path):
            if block["language"] != "cpp":
                continue
            given = given if block["given"] is None else block["given"]
            if block["skip"] or block["file"] or "int main" in block["code"]:
                continue
            if "#include" in block["code"]:
                sys.exit(f"{block['where']}: a fragment includes a file: make it a whole program, or say `not run`")
            count += 1
            parameters = ", ".join(p.strip() for p in given.split(";") if p.strip())
            where, line = block["where"].split(":")
            lines += [f"void fragment_{count}({parameters});", f"void fragment_{count}({parameters}) {{",
                      f'#line {line} "{where}"', block["code"], "}"]
    pathlib.Path(out).write_text("\n".join(lines) + "\n")
    return 0


def anchors(path):
    for line in re.sub(r"^```.*?^```", "", path.read_text(), flags=re.DOTALL | re.MULTILINE).splitlines():
        if line.startswith("#"):
            name = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            yield name.replace(" ", "-")


def links(paths):
    missing = []
    for path in paths:
        for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
            if "://" in target:
                continue
            name, _, anchor = target.partition("#")
            file = (path.parent / name) if name else path
            if not file.exists():
                missing.append(f"{path.name}: no file {target}")
            elif anchor and anchor not in anchors(file):
                missing.append(f"{path.name}: no heading {target}")
    print("\n".join(missing) or "all links lead somewhere")
    return 1 if missing else 0


def settings(source, guide):
    read = set(re.findall(r'"((?:SONOMA_|CUDA_|XDG_)\w+|TMPDIR|HOME)"', source.read_text()))
    missing = sorted(name for name in read if name not in guide.read_text())
    print(f"not in {guide.name}: {missing}" if missing else f"all {len(read)} variables are in {guide.name}")
    return 1 if missing or not read else 0


def main():
    command, *rest = sys.argv[1:] or [""]
    if command not in ("run", "fragments", "links", "settings") or not rest:
        sys.exit(__doc__)
    if command == "settings":
        return settings(*[pathlib.Path(p) for p in rest])
    if command == "links":
        return links([pathlib.Path(p) for p in rest])
    paths = [pathlib.Path(p) for p in rest[1:]]
    return run(rest[0], paths) if command == "run" else fragments(rest[0], paths)


if __name__ == "__main__":
    sys.exit(main())
