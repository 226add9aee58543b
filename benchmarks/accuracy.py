"""Measure the accuracy of several formulas: `python benchmarks/accuracy.py [--count N]`

Limbs of every family, in float64 and float32, in the plane and in space, are solved by twobone
and by three formulas in common use, and compared with the exact result, computed with integers.
The tables show the worst error of each formula in units of eps r1. Below them are the inputs
with twobone's worst errors, and how often each formula returned NaN or infinity.

The other three formulas are only measured for targets within reach.
"""

import argparse
import os
import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import recorded
from formulas import article, cosines, heron

import twobone
from families import FAMILIES, make
from oracle import REACHED, exact_joint, length_error_in_eps, spacing
from twobone import Status

DTYPES = (np.float64, np.float32)
TASK = 5000  # limbs in one task of a process


# --- the formulas, all with the signature described in formulas.py ------------------------


def of_twobone(target, r1, r2, side, pole):
    return twobone.solve(target, r1, r2, side=side, pole=pole)


FORMULAS = {"twobone": of_twobone, "article": article, "heron": heron, "cosines": cosines}


# --- measuring ----------------------------------------------------------------------------


class Worst:
    """The worst of some errors, and the limb that caused it."""

    def __init__(self):
        self.error, self.limb, self.count, self.missing = 0.0, None, 0, 0

    def add(self, error, limb):
        self.count += 1
        if not np.isfinite(error):
            self.missing += 1
        elif error > self.error:
            self.error, self.limb = error, limb

    def join(self, other):
        self.count += other.count
        self.missing += other.missing
        if other.error > self.error:
            self.error, self.limb = other.error, other.limb
        return self


def measure(task):
    """Return the worst errors by formula; "length" is that of twobone's first bone's length."""
    name, dtype, size, count, seed = task
    target, r1, r2, side, pole = make(name, dtype, size, count, np.random.default_rng(seed))
    with np.errstate(all="ignore"):
        joints = {
            key: formula(target, r1, r2, side, pole).tolist() for key, formula in FORMULAS.items()
        }
    status = twobone.reach(target, r1, r2, side=side, pole=pole).status
    eps, worst = float(np.finfo(dtype).eps), defaultdict(Worst)
    poles = [None] * count if pole is None else pole.tolist()
    limbs = zip(
        target.tolist(), r1.tolist(), r2.tolist(), side.astype(int).tolist(), poles, strict=True
    )
    for i, limb in enumerate(limbs):
        if status[i] in (Status.AMBIGUOUS, Status.INVALID) or not any(limb[0]):
            continue
        exact, unit = exact_joint(*limb), spacing(eps, limb[1])
        worst["length"].add(length_error_in_eps(joints["twobone"][i], limb[1], eps=eps), limb)
        for key, joint in joints.items():
            if key == "twobone" or exact.status == REACHED:
                worst[key].add(exact.error(joint[i], unit), limb)
    return task[:3], dict(worst)


def tasks(count, seed):
    """Yield tasks that divide the limbs evenly among families, dtypes, plane and space."""
    kinds = [(name, dtype, size) for name in FAMILIES for dtype in DTYPES for size in (2, 3)]
    each = max(1, count // len(kinds))
    for k, kind in enumerate(kinds):
        for start in range(0, each, TASK):
            yield *kind, min(TASK, each - start), [seed, k, start]


# --- printing -----------------------------------------------------------------------------


def show(found):
    columns = ["length", *FORMULAS]
    for dtype in DTYPES:
        for size in (2, 3):
            place = "plane" if size == 2 else "space"
            print(f"\n{np.dtype(dtype)}, {place}: worst |x - x_exact| / (eps r1)")
            print(f"{'family':<14}" + "".join(f"{key:>10}" for key in columns))
            for name in FAMILIES:
                worst = found[name, dtype, size]
                line = "".join(f"{number(worst[key]):>10}" for key in columns)
                print(f"{name:<14}{line}")


def number(worst):
    if worst.missing == worst.count:
        return "NaN" if worst.count else "-"
    return f"{worst.error:.2f}" if worst.error < 100 else f"{worst.error:.0e}"


def show_worst(found):
    print("\nWorst errors of twobone:")
    for dtype in DTYPES:
        for size in (2, 3):
            kinds = [(found[name, dtype, size]["twobone"], name) for name in FAMILIES]
            worst, name = max(kinds, key=lambda kind: kind[0].error)
            target, r1, r2, side, pole = worst.limb
            more = f", pole={pole!r}" if pole else ""
            limb = f"solve({target!r}, {r1!r}, {r2!r}, side={side}{more})"
            print(f"{np.dtype(dtype)} {size}d {name} {worst.error:.3f}: {limb}")
    print("\nNaN or infinite results:")
    for key in FORMULAS:
        all_of_it = [worst[key] for worst in found.values()]
        missing, count = (sum(getattr(w, n) for w in all_of_it) for n in ("missing", "count"))
        print(f"{key:<10}{missing} of {count}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=float, default=1e7, help="total number of limbs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    recorded.option(parser)
    options = parser.parse_args()
    found = defaultdict(lambda: defaultdict(Worst))
    start = time.perf_counter()
    with ProcessPoolExecutor(options.processes) as pool:
        for kind, worst in pool.map(measure, tasks(int(options.count), options.seed)):
            for key, one in worst.items():
                found[kind][key].join(one)
    seconds = time.perf_counter() - start
    checked = sum(worst["twobone"].count for worst in found.values())
    print(f"{checked} limbs checked, seed {options.seed}, {seconds:.0f} s, NumPy {np.__version__}")
    show(found)
    show_worst(found)
    if options.json:
        about = recorded.machine(seconds=round(seconds))
        limbs = {"limbs": checked, "seed": options.seed}
        recorded.write(options.json, about, **limbs, rows=list(written(found)))


def written(found):
    """Yield the worst errors of each family as plain values; None if no result is finite."""
    for (name, dtype, size), worst in found.items():
        errors = {
            key: None if each.missing == each.count else each.error
            for key, each in worst.items()
            if each.count
        }
        place = "plane" if size == 2 else "space"
        yield {"family": name, "dtype": str(np.dtype(dtype)), "place": place, "worst": errors}


if __name__ == "__main__":
    main()
