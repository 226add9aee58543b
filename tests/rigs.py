"""Limbs given as matrices, and what corrections make of them: rotation matrices, no quaternions.

`walk` goes forwards: it puts corrections on a limb and says where the joints come to lie.
`answer` goes backwards, by another way than the library: the distance of the end from the
root is measured for three turns of the hinge, which say what it is for all of them; the first
bone is then turned from frame to frame.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import twobone

SUITES = Path(__file__).parents[2] / "shared" / "cases" / "peer_cases.json"
COUNT = 400
SIZES = ("one", "uniform", "mirrored", "uneven")


class Rig(NamedTuple):
    """Limbs as arguments of `correct_limb`: matrices (n, 4, 4), `mid_axis` (n, 3)."""

    start: np.ndarray
    mid: np.ndarray
    end: np.ndarray
    mid_axis: np.ndarray


def suite(name):
    """Return the cases of a suite as parameters of a test, or one that is skipped."""
    if not SUITES.exists():
        return [pytest.param(None, marks=pytest.mark.skip(f"no {SUITES}"), id=name)]
    suites = json.loads(SUITES.read_text(encoding="utf-8"))["suites"]
    cases = next(found["cases"] for found in suites if found["id"] == name)
    return [pytest.param(case, id=case["id"]) for case in cases]


# --- matrices -----------------------------------------------------------------------------


def rotation(q):
    """Return matrices (..., 3, 3) of quaternions xyzw."""
    x, y, z, w = np.moveaxis(np.asarray(q, np.float64), -1, 0)
    parts = [
        1 - 2 * (y * y + z * z),
        2 * (x * y - z * w),
        2 * (x * z + y * w),
        2 * (x * y + z * w),
        1 - 2 * (x * x + z * z),
        2 * (y * z - x * w),
        2 * (x * z - y * w),
        2 * (y * z + x * w),
        1 - 2 * (x * x + y * y),
    ]
    return np.stack(parts, axis=-1).reshape(*x.shape, 3, 3)


def turned(axis, angle):
    """Return matrices (..., 3, 3) that turn about unit axes by angles (Rodrigues)."""
    axis, angle = np.broadcast_arrays(axis, np.asarray(angle)[..., None])
    angle = angle[..., :1, None]
    x, y, z = np.moveaxis(axis, -1, 0)
    zero = 0 * x
    k = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def affine(linear, move=0.0):
    """Return matrices (..., n + 1, n + 1) of a linear part and a translation."""
    linear, move = np.asarray(linear, np.float64), np.asarray(move, np.float64)
    size = linear.shape[-1]
    lead = np.broadcast_shapes(linear.shape[:-2], move.shape[:-1])
    matrix = np.zeros((*lead, size + 1, size + 1))
    matrix[..., :size, :size], matrix[..., :size, size], matrix[..., size, size] = linear, move, 1.0
    return matrix


def place(matrix):
    """Return where matrices put the origin."""
    return matrix[..., :-1, -1]


def apply(linear, v):
    """Return vectors as linear maps have them."""
    return np.einsum("...ij,...j->...i", linear, v)


def into(matrix, v):
    """Return directions in the space of matrices."""
    return np.linalg.solve(matrix[..., :-1, :-1], np.asarray(v)[..., None])[..., 0]


def widened(rig):
    """Return limbs in float64, the axis at its full length."""
    start, mid, end, axis = (np.asarray(part, np.float64) for part in rig)
    return Rig(start, mid, end, unit(axis))


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def square_to(v, axis):
    return v - np.sum(v * axis, axis=-1, keepdims=True) * axis


def walk(rig, found):
    """Return the matrices of the three joints after corrections: S R(qs), S' S^-1 M R(qm), ..."""
    start, mid, end = (np.asarray(matrix, np.float64) for matrix in rig[:3])
    new_start = start @ affine(rotation(found.start))
    new_mid = new_start @ np.linalg.solve(start, mid) @ affine(rotation(found.mid))
    return new_start, new_mid, new_mid @ np.linalg.solve(mid, end)


def missed_by(rig, found, target):
    """Return how far ends are from their targets, in the space of `start`, over full reach."""
    end = walk(rig, found)[2]
    off = into(np.asarray(rig.start, np.float64), place(end) - target)
    bones = (place(rig.mid) - place(rig.start), place(rig.end) - place(rig.mid))
    reach = sum(np.linalg.norm(into(np.asarray(rig.start, np.float64), v), axis=-1) for v in bones)
    return np.linalg.norm(off, axis=-1) / reach


# --- random limbs -------------------------------------------------------------------------


def random_rotation(rng, count):
    return rotation(unit(rng.normal(size=(count, 4))))


def sizes(rng, count, kind):
    """Return scales along three axes: 1, one size, one size mirrored in some, or of any size."""
    if kind == "one":
        return np.ones((count, 3))
    scale = rng.uniform(0.3, 3.0, (count, 3 if kind == "uneven" else 1))
    return scale * (1.0 if kind == "uniform" else rng.choice([-1.0, 1.0], (count, 3)))


def random_rig(rng, count, start="one", mid="one", *, skew=False):
    """Return random limbs; without `skew` hinges are square to both bones."""
    axis = unit(rng.normal(size=(count, 3)))  # in the space of start
    first, second = rng.normal(size=(2, count, 3)) * [[[1.0]], [[0.8]]]
    spin, scale = random_rotation(rng, count), sizes(rng, count, mid)
    local = spin * scale[:, None, :]
    mid_axis = unit(into(affine(local), axis))
    if skew:
        mid_axis = unit(rng.normal(size=(count, 3)))
    else:
        first, second = square_to(first, axis), square_to(second, mid_axis)
    begin = affine(
        random_rotation(rng, count) * sizes(rng, count, start)[:, None, :],
        rng.normal(size=(count, 3)),
    )
    between = begin @ affine(local, first)
    hand = random_rotation(rng, count) * sizes(rng, count, "uneven")[:, None, :]
    end = between @ affine(hand, second)
    return Rig(begin, between, end, mid_axis)


def random_targets(rng, rig):
    """Return targets about as far as the limbs reach: some beyond, some too near."""
    count = len(rig.start)
    far = np.linalg.norm(into(rig.start, place(rig.mid) - place(rig.start)), axis=-1)
    far = far + np.linalg.norm(into(rig.start, place(rig.end) - place(rig.mid)), axis=-1)
    local = unit(rng.normal(size=(count, 3))) * (far * rng.uniform(0.0, 1.2, count))[:, None]
    return place(rig.start) + apply(rig.start[:, :3, :3], local)


# --- limbs through the library ------------------------------------------------------------


def correct(rig, target, pole=None, **options):
    """Return corrections of limbs."""
    return twobone.correct_limb(*rig[:3], target, pole=pole, mid_axis=rig.mid_axis, **options)


def limbs(seed, start, mid, dtype="float64", *, skew=False):
    """Return random limbs, targets and poles."""
    rng = np.random.default_rng(seed)
    rig = random_rig(rng, COUNT, start, mid, skew=skew)
    target, pole = random_targets(rng, rig), rng.normal(size=(COUNT, 3))
    return Rig(*(part.astype(dtype) for part in rig)), target.astype(dtype), pole.astype(dtype)


def end_distance(rig, found):
    """Return how far ends are from roots in the space of `start`."""
    return np.linalg.norm(into(rig.start, place(walk(rig, found)[2]) - place(rig.start)), axis=-1)


def assert_units(found):
    """Turns are of length 1 and have w >= 0."""
    for q in (found.start, found.mid):
        eps = np.finfo(q.dtype).eps
        assert np.max(np.abs(np.linalg.norm(q.astype(np.float64), axis=-1) - 1)) <= 4 * eps
        assert np.all(q[..., 3] >= 0)


# --- the answer, by another way -----------------------------------------------------------


class Answer(NamedTuple):
    """What a limb can do and is to do, in the space of `start`."""

    goal: np.ndarray  # the target
    inner: np.ndarray  # least and greatest distance of the end
    outer: np.ndarray
    start: np.ndarray  # rotation matrices (n, 3, 3)
    mid: np.ndarray


def end_at(rig, angle):
    """Return where the end is in the space of `start`, the hinge turned by angles."""
    space = np.linalg.solve(rig.start, rig.mid)
    bone = into(rig.mid, place(rig.end) - place(rig.mid))
    bone = apply(turned(rig.mid_axis, angle), bone)
    return place(space) + apply(space[..., :3, :3], bone)


def answer(rig, target, pole, twist=0.0):
    """Solve limbs whose ends move on circles: the pole says all but where it lies along the way."""
    third = 2 * np.pi / 3
    squares = [np.sum(end_at(rig, k * third) ** 2, axis=-1) for k in range(3)]
    # The square of the distance is `mean + cos * c + sin * s`.
    mean = sum(squares) / 3
    c = sum(squares[k] * np.cos(k * third) for k in range(3)) * 2 / 3
    s = sum(squares[k] * np.sin(k * third) for k in range(3)) * 2 / 3
    swing, top = np.hypot(c, s), np.arctan2(s, c)
    goal = into(rig.start, target - place(rig.start))
    far = np.linalg.norm(goal, axis=-1)
    # Below the top a positive turn opens.
    angle = top - np.arccos(np.clip((far * far - mean) / swing, -1.0, 1.0))
    came, way = unit(end_at(rig, angle)), unit(goal)
    axis = hinge_axis(rig)
    before = frame(came, square_to(axis, came))
    after = frame(way, np.cross(way, into(rig.start, pole)))
    start = turned(way, np.broadcast_to(twist, far.shape)) @ after @ np.swapaxes(before, -1, -2)
    inner, outer = (np.linalg.norm(end_at(rig, a), axis=-1) for a in (top + np.pi, top))
    return Answer(goal, inner, outer, start, turned(rig.mid_axis, angle))


def hinge_axis(rig):
    """Return the axis in the space of `start` about which a positive turn goes."""
    space = np.linalg.solve(rig.start, rig.mid)[..., :3, :3]
    return unit(np.sign(np.linalg.det(space))[..., None] * apply(space, rig.mid_axis))


def frame(first, second):
    """Return matrices whose columns are two directions, square to each other, and their cross."""
    first, second = unit(first), unit(second)
    return np.stack([first, second, np.cross(first, second)], axis=-1)
