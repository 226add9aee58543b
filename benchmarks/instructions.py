"""Count the kernel's instructions: `python benchmarks/instructions.py [--update]`

Instructions are counted by valgrind with the AVX2 instruction set, inside the kernel alone, so
other programs on the machine do not affect the result. One process runs all workloads, since its
imports take most of the time, and has the counts written after each. The counts are compared with
benchmarks/instructions.json; the exit code is 1 if one grew by more than 5 %. `--update`
rewrites that file. If valgrind is missing, or the kernel was made by a different compiler,
the script says so and exits with 0.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import recorded

STORED = Path(__file__).with_name("instructions.json")
MOST = 1.05  # maximum ratio to the stored count
COUNT = 100_000  # targets; for solve_xy a tenth as many calls

PREPARE = """
import os, subprocess
import numpy as np, twobone
from twobone.core import _kernel
_kernel.use_instruction_set("avx2")
rng = np.random.default_rng(4)
def make(count, size, dtype):
    target = rng.normal(size=(count, size))
    length = np.linalg.norm(target, axis=-1, keepdims=True)
    return (target / length * rng.uniform(0.15, 1.85, (count, 1))).astype(dtype)
def write_counts(name):
    told = subprocess.Popen(["callgrind_control", "--dump=" + name, str(os.getpid())],
                            stdout=subprocess.DEVNULL)
    while told.poll() is None:  # valgrind obeys only while it executes instructions
        pass
    assert told.returncode == 0
"""
SOLVE = "target = make({count}, {size}, '{dtype}')\nout = np.empty_like(target)\n"
SOLVE += "twobone.solve(target, 1.0, 0.9, pole={pole}, out=out)"
MIXED = SOLVE.replace("\ntwobone", "\ntarget[::5] *= 20.0\ntwobone")
FLOATS = "for x, y in make({count}, 2, float).tolist(): twobone.solve_xy(x, y, 1.0, 0.9)"


def workloads():
    """Return, by name, Python code and the number of limbs it solves."""
    made = {}
    for name, template in (("", SOLVE), (", mixed", MIXED)):
        for place, size, pole in (
            ("plane", 2, "None"),
            ("space", 3, "np.array([0, 0.6, 0.8], '{}')"),
        ):
            for dtype in ("float64", "float32"):
                given = {"count": COUNT, "size": size, "dtype": dtype, "pole": pole.format(dtype)}
                made[f"{place} {dtype}{name}"] = template.format(**given), COUNT
    made["solve_xy"] = FLOATS.format(count=COUNT // 10), COUNT // 10
    return made


# --- counting -----------------------------------------------------------------------------


def count(codes, kernel):
    """Return the number of instructions that each Python code executes inside the kernel."""
    script = [PREPARE, 'write_counts("imports")']
    for number, code in enumerate(codes):
        script += [code, f'write_counts("{number}")']
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={path}", sys.executable]
        command += ["-c", "\n".join(script)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        found = {}
        for part in path.parent.iterdir():
            text = part.read_text()
            if name := re.search(r"^desc: Trigger: dump (\d+)$", text, re.MULTILINE):
                found[int(name[1])] = costs_by_object(text.splitlines())[kernel]
    return [found[number] for number in range(len(codes))]


def costs_by_object(lines):
    """Return how many instructions each object file (a program or a library) executed itself.

    >>> text = "ob=(1) /a.so;fn=(1) f;3 10;cob=(2) b;calls=1 5;4 999;* 10;ob=(2);+5 7;totals: 27"
    >>> costs_by_object(text.split(";"))
    Counter({'/a.so': 20, 'b': 7})
    """
    names, found, current, inside = {}, Counter(), None, False
    for line in lines:
        if match := re.match(r"(c?ob)=\((\d+)\)(?: (.*))?", line):
            kind, key, name = match.groups()
            if name:
                names[key] = name
            if kind == "ob":
                current = names[key]
        elif line.startswith("calls="):
            inside = True  # the next line has the cost of the called function
        elif match := re.match(r"(?:[+-]?\d+|\*) (\d+)$", line):
            if not inside and current is not None:
                found[current] += int(match[1])
            inside = False
    return found


def compiler_of(kernel):
    """Return the name and the major version of the compiler that built the kernel."""
    text = Path(kernel).read_bytes()
    # Start-up code of the system is built by gcc even if the kernel is not, so try clang first.
    for name, pattern in (("clang", rb"clang version (\d+)"), ("gcc", rb"GCC: \([^)]*\) (\d+)")):
        if match := re.search(pattern, text):
            return f"{name} {match[1].decode()}"
    return "unknown"


# --- comparing ----------------------------------------------------------------------------


def compare(found, stored):
    """Return a line for each workload, and the names of those whose count grew too much."""
    lines, grown = [], []
    for name, each in found.items():
        before = stored.get(name)
        change = "new" if before is None else f"{100.0 * (each / before - 1.0):+.1f} %"
        lines.append(f"{name:28}{each:>10.2f}{change:>10}")
        if before is not None and each > MOST * before:
            grown.append(name)
    return lines, grown


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="store the counts")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed: nothing counted")
        return 0
    from twobone.core import engine

    if engine.KERNEL is None or "avx2" not in engine.KERNEL.instruction_sets():
        print("no kernel with AVX2 here: nothing counted")
        return 0
    kernel = engine.KERNEL.__file__
    compiler = compiler_of(kernel)
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    if not options.update and compiler != stored.get("compiler"):
        print(f"kernel built by {compiler}, stored counts for {stored.get('compiler')}: passed")
        return 0
    codes, limbs = zip(*workloads().values(), strict=True)
    counts = zip(workloads(), count(codes, kernel), limbs, strict=True)
    found = {name: round(counted / solved, 2) for name, counted, solved in counts}
    lines, grown = compare(found, stored.get("instructions a limb", {}))
    print(f"instructions per limb, AVX2, {compiler}", *lines, sep="\n")
    if options.update:
        kept = {"compiler": compiler, "instructions a limb": found}
        recorded.write(STORED, recorded.machine(**{"instruction set": "avx2"}), **kept)
    elif grown:
        print(f"grown by more than {MOST - 1.0:.0%}: {', '.join(grown)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
