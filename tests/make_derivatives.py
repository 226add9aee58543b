"""Write the golden derivatives: `python tests/make_derivatives.py`, or for some functions, named.

`tests/golden/derivatives.npz` holds, for each function and each of its cases, arguments,
directions, and the value and both derivatives in that direction of the exact answer. Places
beside a kink or a jump of the answer have no derivatives and are left out.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from derivative_cases import MATRICES, all_cases, direction
from exact_derivatives import Slope, smooth_slope_of

GOLDEN = Path(__file__).parent / "golden" / "derivatives.npz"
COUNT = 1000  # of each function


def places(case, count, seed):
    """Yield arguments, a direction and the `Slope`, until there are enough smooth places."""
    rng = np.random.default_rng(seed)
    while count:
        values = {name: np.asarray(value, float) for name, value in case.draw(rng).items()}
        way = direction(rng, values, case.fixed)
        still = {*case.fixed, *MATRICES}
        beside = {n: rng.normal(size=v.shape) * (n not in still) for n, v in values.items()}
        found = smooth_slope_of(case.exact(values), values, way, beside)
        if found is None or np.max(np.abs(found.first)) > 1e4 or is_elsewhere(case, values, found):
            continue
        yield values, way, found
        count -= 1


def is_elsewhere(case, values, slope):
    """Say whether rounding puts floats on the other side of a jump."""
    found = np.concatenate([np.ravel(part) for part in case.results(case.call(**values))])
    return np.max(np.abs(found - slope.value)) > 1e-9 * (1.0 + np.max(np.abs(slope.value)))


def make(job):
    """Return the arrays of one case."""
    name, index, count = job
    case = all_cases()[name][index]
    rows = list(places(case, count, [index, *name.encode()]))
    arrays = {}
    for key in rows[0][0]:
        arrays[f"{name}/{index}/at/{key}"] = np.array([values[key] for values, _, _ in rows])
        arrays[f"{name}/{index}/along/{key}"] = np.array([way[key] for _, way, _ in rows])
    for field in Slope._fields:
        listed = [getattr(slope, field) for _, _, slope in rows]
        arrays[f"{name}/{index}/{field}"] = np.array(listed)
    return arrays


def main(names):
    cases = {name: cases for name, cases in all_cases().items() if name in names or not names}
    jobs = [
        (name, i, -(-COUNT // len(own))) for name, own in cases.items() for i in range(len(own))
    ]
    arrays = {}
    if names:
        with np.load(GOLDEN) as file:
            arrays = {key: v for key, v in file.items() if key.partition("/")[0] not in names}
    with ProcessPoolExecutor() as pool:
        for job, found in zip(jobs, pool.map(make, jobs), strict=True):
            print(*job, flush=True)
            arrays |= found
    np.savez_compressed(GOLDEN, **dict(sorted(arrays.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
