"""Climb: change inputs of `twobone.pose` a little, keep what makes the errors larger, go on.

Run by hand: python tools/climb_rotations.py [seconds] [names]. Prints the greatest error found,
in the units of `rotations_cases.CASES`, and where.
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from rotations_cases import CASES, errors

KEPT, TRIED = 40, 160


def changed(rng, argument):
    """Return arguments of which one part of each row differs, by some ulps or by more."""
    changed = argument.copy()
    flat = changed.reshape(len(changed), -1)
    rows = np.arange(len(flat))
    column = rng.integers(0, flat.shape[1], len(flat))
    old = flat[rows, column].astype(float)
    eps = float(np.finfo(argument.dtype).eps)
    most = -np.log10(eps)
    factor = 1.0 + rng.choice([-1.0, 1.0], len(flat)) * 10.0 ** -rng.uniform(0.3, most, len(flat))
    ulps = 1.0 + rng.integers(-3, 4, len(flat)) * eps
    kind = rng.integers(0, 8, len(flat))
    new = np.select([kind < 4, kind < 7], [old * factor, old * ulps], -old)
    flat[rows, column] = new.astype(argument.dtype)
    return changed


def children(rng, parents, count):
    chosen = rng.integers(0, len(parents[0]), count)
    result = [argument[chosen] for argument in parents]
    for _ in range(rng.integers(1, 4)):
        k = rng.integers(0, len(result))
        result[k] = changed(rng, result[k])
    return tuple(result)


def worst_of(case, dtype, arguments):
    found = errors(case, dtype, arguments)
    best = np.argsort(found)[::-1][:KEPT]
    return found[best], tuple(argument[best] for argument in arguments)


def climb(case, dtype, seconds, seed=0):
    """Return the greatest error found and the arguments that make it."""
    rng = np.random.default_rng(seed)
    end = time.monotonic() + seconds
    best, arguments = worst_of(case, dtype, case.make(rng, 10 * KEPT, dtype))
    while time.monotonic() < end:
        tried = children(rng, arguments, TRIED)
        fresh = case.make(rng, KEPT, dtype)
        tried = tuple(np.concatenate(pair) for pair in zip(tried, fresh, strict=True))
        tried = case.tidy(*tried) if case.tidy else tried
        both = tuple(np.concatenate(pair) for pair in zip(arguments, tried, strict=True))
        best, arguments = worst_of(case, dtype, both)
    return best[0], [argument[0].tolist() for argument in arguments]


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    for name in sys.argv[2:] or CASES:
        for dtype in ("float64", "float32"):
            error, arguments = climb(CASES[name], dtype, seconds)
            print(f"{name:30} {dtype} {error:8.3f}  {arguments}", flush=True)


if __name__ == "__main__":
    main()
