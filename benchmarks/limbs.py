"""Time `correct_limb` on one core: `python benchmarks/limbs.py`

It takes matrices and returns quaternions. The compiled kernel is compared with the same formula
in NumPy, and with the law of cosines in Python, one pose at a time. Times are medians of runs in
turns, in one process.
"""

import argparse
import math
from typing import NamedTuple

import numpy as np
import recorded

import twobone
from twobone.commands import bench_rows as rows
from twobone.commands import stopwatch
from twobone.core import engine
from twobone.pose import correct_limb

COUNTS = (1, 1000, 100_000, 1_000_000)
LARGEST = {
    "NumPy": 100_000,
    "Python": 1000,
    "lists": 1,
}  # more takes long and is no faster per limb
POLE, MID_AXIS = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
OZZ = "ozz-animation's IKTwoBoneJob: 7.6 million per second, 131 ns (not measured in this run)"


class Limbs(NamedTuple):
    """Limbs as matrices without scale, with hinges about z; one target in six is out of reach."""

    start: np.ndarray
    mid: np.ndarray
    end: np.ndarray
    target: np.ndarray


def make_limbs(count, dtype):
    """Return limbs, the same at every call."""
    rng = np.random.default_rng(4)
    few = min(count, 10_000)  # the others are repetitions
    q = rng.normal(size=(few, 4))
    start = _matrices(_rotations(q / np.linalg.norm(q, axis=1, keepdims=True)))
    start[:, :3, 3] = rng.normal(size=(few, 3))
    half = -rng.uniform(0.1, 1.45, few)  # negative, so that a positive rotation opens the joint
    none = np.zeros(few)
    mid = _matrices(_rotations(np.stack([none, none, np.sin(half), np.cos(half)], axis=1)))
    mid[:, :3, 3] = [1.0, 0.0, 0.0]
    end = np.tile(np.eye(4), (few, 1, 1))
    end[:, :3, 3] = [0.8, 0.0, 0.0]
    mid = start @ mid
    target = start[:, :3, 3] + 0.8 * rng.normal(size=(few, 3))
    limbs = start, mid, mid @ end, target
    return Limbs(*(np.resize(v.astype(dtype), (count, *v.shape[1:])) for v in limbs))


def _rotations(q):
    """Return the rotation matrices of unit quaternions xyzw."""
    x, y, z, w = q.T
    parts = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(parts), -1, 0)


def _matrices(rotations):
    made = np.tile(np.eye(4), (len(rotations), 1, 1))
    made[:, :3, :3] = rotations
    return made


# --- one pose in Python -------------------------------------------------------------------


def cosines(start, mid, end, target, pole, mid_axis):
    """Correct one limb without scale by the law of cosines, as it is usually written.

    Takes nested lists and returns two quaternions xyzw; degenerate cases are not handled.
    """
    (a, b, c, sx), (d, e, f, sy), (g, h, i, sz), _ = start

    def seen(x, y, z):  # transform a direction to the space of the start joint
        return a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z

    jx, jy, jz = seen(mid[0][3] - sx, mid[1][3] - sy, mid[2][3] - sz)
    bx, by, bz = seen(end[0][3] - mid[0][3], end[1][3] - mid[1][3], end[2][3] - mid[2][3])
    gx, gy, gz = goal = seen(target[0] - sx, target[1] - sy, target[2] - sz)
    x, y, z = mid_axis
    ax, ay, az = seen(*(row[0] * x + row[1] * y + row[2] * z for row in mid[:3]))
    first, second = math.sqrt(jx * jx + jy * jy + jz * jz), math.sqrt(bx * bx + by * by + bz * bz)
    far = math.sqrt(gx * gx + gy * gy + gz * gz)
    reach = min(max(far, abs(first - second)), first + second)
    # The joint angle before and after.
    both = first * second
    now = math.acos(max(-1.0, min(1.0, -(jx * bx + jy * by + jz * bz) / both)))
    cos = (first * first + second * second - reach * reach) / (2.0 * both)
    half = 0.5 * (math.acos(max(-1.0, min(1.0, cos))) - now)
    s, w = math.sin(half), math.cos(half)
    at_mid = (s * x, s * y, s * z, w)
    # The end after bending, and the shortest arc from its direction to the target direction.
    u, v, t = _rotate((s * ax, s * ay, s * az, w), (bx, by, bz))
    ex, ey, ez = jx + u, jy + v, jz + t
    size = math.sqrt(ex * ex + ey * ey + ez * ez) * far
    arc = (
        ey * gz - ez * gy,
        ez * gx - ex * gz,
        ex * gy - ey * gx,
        size + ex * gx + ey * gy + ez * gz,
    )
    arc = _unit(arc)
    # Rotate about the target direction until the axis of the hinge is along target x pole.
    ox, oy, oz = _rotate(arc, (ax, ay, az))
    px, py, pz = seen(*pole)
    nx, ny, nz = gy * pz - gz * py, gz * px - gx * pz, gx * py - gy * px
    sin = gx * (oy * nz - oz * ny) + gy * (oz * nx - ox * nz) + gz * (ox * ny - oy * nx)
    roll = 0.5 * math.atan2(sin / far, ox * nx + oy * ny + oz * nz)
    s = math.sin(roll) / far
    return _multiply((s * goal[0], s * goal[1], s * goal[2], math.cos(roll)), arc), at_mid


def _rotate(q, v):
    x, y, z, w = q
    a, b, c = v
    u, v, t = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return (
        a + w * u + (y * t - z * v),
        b + w * v + (z * u - x * t),
        c + w * t + (x * v - y * u),
    )


def _multiply(p, q):
    a, b, c, d = p
    x, y, z, w = q
    return (
        d * x + a * w + b * z - c * y,
        d * y + b * w + c * x - a * z,
        d * z + c * w + a * y - b * x,
        d * w - a * x - b * y - c * z,
    )


def _unit(q):
    x, y, z, w = q
    size = 1.0 / math.sqrt(x * x + y * y + z * z + w * w)
    return x * size, y * size, z * size, w * size


# --- measuring ----------------------------------------------------------------------------


def runs(count, dtype):
    """Return functions by name, which all correct the same limbs."""
    limbs = many = make_limbs(count, dtype)
    if count == 1:
        limbs = Limbs(*(value[0] for value in many))
    pole, mid_axis = np.array(POLE, dtype), np.array(MID_AXIS, dtype)
    found = {"twobone": lambda: correct_limb(*limbs, pole=pole, mid_axis=mid_axis)}
    if count <= LARGEST["NumPy"] and engine.KERNEL is not None:
        found["NumPy"] = lambda: without_kernel(found["twobone"])
    if dtype == "float64" and count <= LARGEST["Python"]:
        poses = list(zip(*(value.tolist() for value in many), strict=True))
        found["Python"] = lambda: [cosines(*pose, POLE, MID_AXIS) for pose in poses]
        if count <= LARGEST["lists"]:
            found["lists"] = lambda: correct_limb(*poses[0], pole=POLE, mid_axis=MID_AXIS)
    return found


def without_kernel(run):
    """Call a function with the NumPy engine."""
    kernel, engine.KERNEL = engine.KERNEL, None
    try:
        return run()
    finally:
        engine.KERNEL = kernel


NAMES = {
    "twobone": "correct_limb",
    "NumPy": "its formula in NumPy",
    "lists": "correct_limb, lists",
    "Python": "cosines in Python",
}


def lines(counts, seconds, found=None):
    """Measure and yield the table line by line; add the rows to `found` as plain values."""
    heads = "".join(f"{name:>21}" for name in NAMES.values())
    yield f"{'':16}{'nanoseconds per limb':>21}"
    yield f"{'limbs':>16}{heads}{'millions per second':>20}"
    for dtype in ("float32", "float64"):
        for count in counts:
            taken = stopwatch.measure(runs(count, dtype), seconds, fewest=3)
            each = {name: time.median / count * 1e9 for name, time in taken.items()}
            if found is not None:
                found.append({"dtype": dtype, "count": count, "ns": each})
            cells = "".join(f"{each[n]:>21,.1f}" if n in each else f"{'-':>21}" for n in NAMES)
            yield f"{dtype}{count:>9}{cells}{1e3 / each['twobone']:>20.3f}"
    yield OZZ


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--count", type=int, action="append", help="number of limbs per call; repeatable"
    )
    parser.add_argument("--seconds", type=float, default=0.2, help="time per measurement")
    recorded.option(parser)
    options, found = parser.parse_args(), []
    before = twobone.engine().threads
    twobone.engine(threads=1)
    for name, value in rows.machine().items():
        print(f"{name}: {value}")
    for line in lines(options.count or COUNTS, options.seconds, found):
        print(line.rstrip(), flush=True)
    if options.json:
        recorded.write(options.json, recorded.machine(), rows=found)
    twobone.engine(threads=before)


if __name__ == "__main__":
    main()
