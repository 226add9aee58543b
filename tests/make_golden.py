"""Write the golden vectors: `python tests/make_golden.py`.

`tests/golden/plane.json` and `space.json` hold inputs and answers in float64, as hexadecimal
floats, one limb a row. Every engine must answer them with `==`; NaN equals NaN.
"""

import json
from itertools import product
from pathlib import Path

import numpy as np

import twobone
from families import FAMILIES, make, make_bits

GOLDEN = Path(__file__).parent / "golden"
OUT = ["end_x", "end_y", "status"], ["end_x", "end_y", "end_z", "status"]
COLUMNS = {
    2: ["unreachable", "side", "px", "py", "r1", "r2", "x", "y", *OUT[0]],
    3: [
        "unreachable",
        "side",
        "px",
        "py",
        "pz",
        "r1",
        "r2",
        "nx",
        "ny",
        "nz",
        "x",
        "y",
        "z",
        *OUT[1],
    ],
}
COUNT = {2: 66, 3: 38}  # of a family
NAN, INF = float("nan"), float("inf")
TINY, LARGEST = 5e-324, 1.7976931348623157e308


# --- what is asked: (side, target, r1, r2, pole) ------------------------------------------


def of_families(size):
    rng = np.random.default_rng(2)
    for name in FAMILIES:
        yield from _rows(*make(name, np.float64, size, COUNT[size], rng))
    yield from _rows(*make_bits(np.float64, size, 3 * COUNT[size], rng))


def _rows(target, r1, r2, side, pole):
    pole = [()] * len(r1) if pole is None else pole.tolist()
    yield from zip(side.tolist(), target.tolist(), r1.tolist(), r2.tolist(), pole, strict=True)


def at_edges(size):
    """The table of edges: where the answer changes its kind, and what lies beside."""
    for bones in [(1.0, 1.0), (2.0, 1.0), (1.0, 2.0), (1.5, 0.25), (1.0, 1.0 + 2.0**-52)]:
        for distance in _distances(*bones):
            for way in _ways(size):
                target = [distance * part for part in way]
                yield 1.0, target, *bones, _pole(size)
                yield -1.0, target, *bones, _pole(size)


def _distances(r1, r2):
    edges = [r1 + r2, abs(r1 - r2)]
    steps = [-16, -5, -4, -3, -1, 0, 1, 3, 4, 5, 16]
    return [edge * (1 + step * 2.0**-52) for edge in edges for step in steps] + [0.0, TINY, 10.0]


def _ways(size):
    return [[1.0, 0.0], [0.6, -0.8]] if size == 2 else [[0.0, -1.0, 0.0]]


def _pole(size):
    return () if size == 2 else (0.25, 0.5, 1.0)


def of_strange_bones(size):
    """No bones, thin bones, tiny and huge ones."""
    sizes = [0.0, TINY, 1e-310, 1e-300, 1e-12, 1.0, 1e12, 1e300, LARGEST]
    way = [0.6, -0.8] if size == 2 else [0.48, -0.8, 0.36]
    for r1, r2 in product(sizes, sizes):
        for distance in (0.0, abs(r1 - r2), max(r1, r2), r1 + r2):
            if distance <= LARGEST:
                yield 1.0, [distance * part for part in way], r1, r2, _pole(size)


def of_strange_poles(size):
    """Poles that say nothing, or almost nothing."""
    if size == 2:
        return
    ways = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0), (-3.0, 2.0, 1.0)]
    for way in [*ways, (0.0, 0.0, 0.0)]:
        poles = [(0.0, 0.0, 0.0), way, [-2.0 * part for part in way], (TINY, 0.0, 0.0)]
        poles += [(way[0], way[1] + step, way[2]) for step in (2e-16, 1e-14, 1e-9, 1e300)]
        for pole in poles:
            yield 1.0, [0.4 * part for part in way], 1.0, 1.0, pole
            yield -1.0, [0.4 * part for part in way], 1.5, 1.0, pole


def not_valid(size):
    """What no limb can be; and signs of zero, which all can."""
    good = [1.0] * size, 1.0, 1.0, _pole(size)
    for bad in (NAN, INF, -INF):
        yield 1.0, [bad, *good[0][1:]], *good[1:]
        yield 1.0, [*good[0][:-1], bad], *good[1:]
        yield 1.0, good[0], bad, 1.0, good[3]
        yield 1.0, good[0], 1.0, bad, good[3]
        if size == 3:
            yield 1.0, *good[:3], (bad, 0.0, 1.0)
    yield 1.0, good[0], -1.0, 1.0, good[3]
    yield 1.0, good[0], 1.0, -TINY, good[3]
    yield 0.0, *good
    yield 2.0, *good
    yield -1.0, [-0.0] * size, 1.0, 1.0, good[3]
    yield 1.0, [-1.0, *[-0.0] * (size - 1)], 1.0, 1.0, good[3]


# --- what is answered ---------------------------------------------------------------------


def answered(size):
    """Yield rows of the table; where nothing else comes of it, "clamp" says it for all."""
    kinds = (of_families, at_edges, of_strange_bones, of_strange_poles, not_valid)
    asked = [limb for kind in kinds for limb in kind(size)]
    side, target, r1, r2, pole = (np.array(part, float) for part in zip(*asked, strict=True))
    way = {"pole": pole} if size == 3 else {}
    given = np.column_stack([target, r1, r2, pole]).tolist()
    clamped = None
    for word in ("clamp", "stretch", "nan"):
        joint, end, status = twobone.reach(target, r1, r2, side=side, unreachable=word, **way)
        found = np.column_stack([joint, end])
        clamped = found if clamped is None else clamped
        for i, code in enumerate(status.tolist()):
            if word == "clamp" or not np.array_equal(found[i], clamped[i], equal_nan=True):
                numbers = [value.hex() for value in (*given[i], *found[i].tolist())]
                yield [word, int(side[i]), *numbers, code]


def write(path, size):
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in answered(size))
    columns = json.dumps(COLUMNS[size])
    path.write_text(f'{{"columns":{columns},\n"rows":[\n{rows}\n]}}\n')


def main():
    GOLDEN.mkdir(exist_ok=True)
    for name, size in (("plane", 2), ("space", 3)):
        write(GOLDEN / f"{name}.json", size)


if __name__ == "__main__":
    main()
