"""Places at which derivatives are checked: zeros, ones, equal bones, axes; never generic ones.

A `Case` is a public function, how its arguments are drawn, and which of its results count.
"""

import functools
import itertools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import twobone
from exact_derivatives import formula_of, reach_of
from twobone import Limits, Soft, Stretch, pose, rotations
from twobone.pose import LocalPose, Skeleton

POLICIES = [
    "clamp",
    "stretch",
    "nan",
    Soft(0.1),
    Stretch(limit=1.3),
    Limits(20, 160),
    Soft(0.1) | Stretch(limit=1.3),
    Limits(10, 150) | Soft(0.1),
]
SPECIAL = (0.0, 0.0, 0.0, 1.0, -1.0, 0.5, -2.0)
HALF = 0.5**0.5
MATRICES = ("start", "mid", "end", "joint")  # whose last row is fixed


class Case(NamedTuple):
    """A function, its arguments and its results."""

    draw: Callable  # rng -> {name: array}, one case
    call: Callable  # (**arguments) -> a result
    results: Callable  # a result -> its arrays, in the order of the formula's
    exact: Callable  # arguments of one case -> the same, as a function of exact numbers
    fixed: tuple = ()  # arguments that have no derivative


# --- what is drawn ------------------------------------------------------------------------


def vector(rng, size=3):
    """Return a vector other than 0 out of special numbers."""
    while True:
        v = rng.choice(SPECIAL, size)
        if v.any():
            return v


def axis(rng, size=3):
    """Return an axis of coordinates, either way."""
    return np.eye(size)[rng.integers(size)] * rng.choice([-1.0, 1.0])


def unit(rng):
    v = vector(rng)
    return v / np.linalg.norm(v)


def quaternion(rng):
    """Return a unit quaternion: half of them turn by a half turn about an axis, or not at all."""
    if rng.random() < 0.5:
        return np.eye(4)[rng.integers(4)]
    q = vector(rng, 4)
    return q / np.linalg.norm(q)


def number(*values):
    return lambda rng: np.array(rng.choice(values))


def target(rng, size, full):
    """Return a target about a limb that reaches so far: half of them on an axis."""
    if rng.random() < 0.5:
        return axis(rng, size) * rng.choice([0.5, 0.7, 0.75, 0.9, 1.1]) * full
    return vector(rng, size) * rng.choice([0.5, 0.7, 1.0])


# --- core ---------------------------------------------------------------------------------


def reaching(size, policy):
    def draw(rng):
        r1, r2 = rng.choice([1.0, 1.0, 0.5, 1.5, 2.0, 0.75], 2)
        root = rng.choice(SPECIAL, size)
        drawn = {"target": root + target(rng, size, r1 + r2), "r1": r1, "r2": r2, "root": root}
        drawn["side"] = rng.choice([-1.0, 1.0])
        if size == 3:
            drawn["pole"] = vector(rng)
        return drawn

    return Case(
        draw,
        functools.partial(twobone.reach, unreachable=policy),
        lambda found: [found.joint, found.end],
        lambda values: reach_of(policy),
        fixed=("side",),
    )


# --- limbs given as matrices --------------------------------------------------------------


def matrix(rng, at=None):
    scale = rng.choice([1.0, 1.0, 1.0, 2.0, 0.5, -1.0])
    found = np.eye(4)
    found[:3, :3] = scale * rotations.quaternion_to_matrix(quaternion(rng))
    found[:3, 3] = rng.choice(SPECIAL, 3) if at is None else at
    return found


def correcting(policy, kind):
    def draw(rng):
        axes = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)[:, None]
        bones = axes[0], rng.choice([0.0, 1.0, 0.5]) * axes[0] + axes[1]
        root = rng.choice([0.0, 0.0, 1.0], 3)
        joint = root + bones[0] * rng.choice([1.0, 0.5])
        end = joint + bones[1] * rng.choice([1.0, 0.5])
        start, mid, end = (matrix(rng, at) for at in (root, joint, end))
        if kind == "uneven":
            mid[:3, :3] *= rng.choice([1.0, 2.0, 0.5], 3)
        hinge = np.linalg.solve(mid[:3, :3], np.cross(*bones))
        hinge = hinge / np.linalg.norm(hinge)
        drawn = {"start": start, "mid": mid, "end": end, "mid_axis": hinge}
        drawn["target"] = root + target(rng, 3, 1.5)
        if kind != "plain":
            drawn["pole"] = vector(rng)
        if kind == "options":
            drawn["twist"] = number(0.0, 0.0, 1.0, 0.5)(rng)
            drawn["soften"] = number(0.9, 0.5)(rng)
            drawn["weight"] = number(0.5, 0.25, 0.9)(rng)
        return drawn

    return of_pose(
        draw,
        functools.partial(twobone.correct_limb, unreachable=policy),
        lambda found: [found.start, found.mid],
    )


def flat_matrix(rng, at=None):
    c, s = [(1, 0), (0, 1), (-1, 0), (0.6, 0.8)][rng.integers(4)]
    found = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    found[:2, :2] *= rng.choice([1.0, 2.0, 0.5])
    found[0, :2] *= rng.choice([1.0, 1.0, -1.0])
    found[:2, 2] = rng.choice([0.0, 0.0, 1.0], 2) if at is None else at
    return found


def correcting_in_plane(policy, kind):
    def draw(rng):
        root = rng.choice([0.0, 0.0, 1.0], 2)
        joint = root + vector(rng, 2)
        places = root, joint, joint + vector(rng, 2)
        start, mid, end = (flat_matrix(rng, at) for at in places)
        drawn = {"start": start, "mid": mid, "end": end, "target": root + target(rng, 2, 1.5)}
        if kind == "pole":
            drawn["pole"] = vector(rng, 2)
        else:
            drawn["mid_axis"] = rng.choice([-1.0, 1.0])
        drawn["weight"] = number(0.9, 0.45)(rng)
        return drawn

    return of_pose(
        draw,
        functools.partial(twobone.correct_limb, unreachable=policy),
        lambda found: [found.start, found.mid],
        fixed=("mid_axis",),
    )


def aiming(*names):
    def draw(rng):
        drawn = {"joint": matrix(rng), "forward": vector(rng)}
        if "direction" in names:
            drawn["direction"] = vector(rng)
        else:
            drawn["target"] = drawn["joint"][:3, 3] + 3.0 * vector(rng)
        if "offset" in names:
            drawn["offset"] = 0.25 * vector(rng)
        if "up" in names:
            drawn["up"], drawn["pole"] = vector(rng), vector(rng)
        if "twist" in names:
            drawn["twist"] = number(0.0, 0.0, 1.0)(rng)
            drawn["weight"] = number(0.5, 0.25, 0.9)(rng)
        return drawn

    return of_pose(draw, twobone.correct_aim, lambda found: [found.correction])


def aiming_in_plane():
    def draw(rng):
        drawn = {"joint": flat_matrix(rng), "forward": vector(rng, 2)}
        return drawn | {"target": 3.0 * vector(rng, 2)}

    return of_pose(draw, twobone.correct_aim, lambda found: [found.correction])


# --- limbs of skeletons -------------------------------------------------------------------

NAMES = ("hip", "thigh", "knee", "foot", "twist", "toe")
OFFSETS = [[0, 0, 0], [0, 1, 0], [0, -0.5, 0], [0, -0.5, 0], [0, -0.25, 0], [0, 0, 0.2]]


@functools.cache
def leg(kind, hinge):
    turned = [[HALF, 0, 0, HALF] if i == 1 else [0, 0, 0, 1] for i in range(6)]
    skeleton = Skeleton(
        [-1, 0, 1, 2, 2, 3],
        OFFSETS,
        names=NAMES,
        rotations=turned if kind == "turned" else None,
    )
    return twobone.Limb(
        skeleton,
        "thigh",
        "knee",
        "foot",
        mid_axis=np.eye(3)[hinge],
        limits=(10, 170) if kind == "rest" else (0, 180),
        twist={"twist": 0.5} if kind == "twist" else None,
    )


def legs(policy, kind, hinge):
    limb = leg(kind, hinge)
    stretches = "tretch" in repr(policy)

    def draw(rng):
        rotations = np.tile([0.0, 0.0, 0.0, 1.0], (6, 1))
        if rng.random() < 0.5:
            for joint in range(6):
                if rng.random() < 0.4:
                    rotations[joint] = quaternion(rng)
        if kind == "weights" or rng.random() < 0.7:
            sine = rng.choice([0.6, HALF])
            rotations[2] = [*(sine * limb.mid_axis), (1.0 - sine * sine) ** 0.5]
        drawn = {"rotations": rotations, "translations": np.array(OFFSETS, float)}
        drawn["target"] = np.array([0.0, 1.0, 0.0]) + target(rng, 3, 1.0)
        if kind == "point":
            drawn["pole_point"] = 2.0 * vector(rng)
        elif kind != "rest":
            drawn["pole"] = vector(rng)
        if kind == "weights":
            for name in ("position_weight", "rotation_weight", "pole_weight"):
                drawn[name] = number(0.5, 0.25, 0.9)(rng)
            drawn["end_rotation"] = quaternion(rng)
        return drawn

    def call(rotations, translations, **options):
        return limb.reach(LocalPose(rotations, translations), unreachable=policy, **options)

    def results(found):
        turned, moved = found.pose.rotations, found.pose.translations
        joints = [limb.start, limb.mid, limb.end, *limb.twist]
        listed = [found.conditioning, found.transported, *(turned[..., j, :] for j in joints)]
        return listed + [moved[..., j, :] for j in (2, 3)] * stretches

    return of_pose(draw, call, results, joints=limb.used)


def controlling():
    limb = leg("plain", 0)

    def draw(rng):
        rotations = np.array([quaternion(rng) for _ in range(6)])
        return {"rotations": rotations, "translations": np.array(OFFSETS, float)}

    def call(rotations, translations):
        return limb.controls(LocalPose(rotations, translations))

    return of_pose(draw, call, list, joints=limb.used)


def placing(name, first, second):
    """Return the case of `Skeleton.to_global` or `to_local`."""
    skeleton = leg("plain", 0).skeleton
    kind = LocalPose if name == "to_global" else pose.GlobalPose

    def draw(rng):
        rotations = np.array([quaternion(rng) for _ in range(6)])
        return {first: rotations, second: np.array([vector(rng) for _ in range(6)])}

    def call(**parts):
        return getattr(skeleton, name)(kind(**parts))

    return of_pose(draw, call, list)


# --- rotations ----------------------------------------------------------------------------


def rotating(name, **draws):
    def draw(rng):
        return {key: each(rng) for key, each in draws.items()}

    def results(found):
        return list(found) if isinstance(found, tuple) else [found]

    return of_pose(draw, getattr(rotations, name), results)


def long_quaternion(rng):
    return quaternion(rng) * rng.choice([1.0, 2.0])


def rotation_matrix(rng):
    return rotations.quaternion_to_matrix(quaternion(rng))


def any_vector(rng):
    return rng.choice(SPECIAL, 3)


SHARE = number(0.0, 1.0, 0.5, 0.25, -1.0, 2.0)
ROTATIONS = {
    "shortest_arc": {"a": vector, "b": vector, "axis": vector},
    "frame": {"x": vector, "y": vector},
    "look_at": dict.fromkeys(("direction", "up", "forward", "local_up"), vector),
    "multiply": {"p": quaternion, "q": quaternion},
    "inverse": {"q": long_quaternion},
    "normalize": {"q": long_quaternion},
    "rotate": {"q": quaternion, "v": any_vector},
    "nlerp": {"p": quaternion, "q": quaternion, "weight": SHARE},
    "slerp": {"p": quaternion, "q": quaternion, "weight": SHARE},
    "twist_swing": {"q": quaternion, "axis": vector},
    "quaternion_to_matrix": {"q": quaternion},
    "matrix_to_quaternion": {"matrix": rotation_matrix},
    "quaternion_to_rotation_vector": {"q": quaternion},
    "rotation_vector_to_quaternion": {"rotation_vector": any_vector},
    "angle_about": {"axis": vector, "a": vector, "b": vector},
    "clamp_angle": {
        "angle": number(0.0, 1.0, -2.0, 4.0, 7.0),
        "least": number(-1.0, 0.0, -0.5),
        "greatest": number(0.5, 2.0),
    },
}


# --- all of them --------------------------------------------------------------------------


def of_pose(draw, call, results, *, fixed=(), joints=()):
    return Case(draw, call, results, lambda values: formula_of(call, values, joints), fixed)


def all_cases():
    """Return {function: [cases]}: the places of a function are shared among its cases."""
    kinds = itertools.cycle(("options", "pole", "plain"))
    sides = itertools.cycle(("pole", "axis"))
    found = {
        "reach": [reaching(size, policy) for size in (2, 3) for policy in POLICIES],
        "correct_limb": [
            *(correcting(policy, kind) for policy, kind in zip(POLICIES, kinds, strict=False)),
            correcting("clamp", "uneven"),
        ],
        "correct_limb in the plane": [
            correcting_in_plane(policy, side)
            for policy, side in zip(POLICIES[::2], sides, strict=False)
        ],
        "correct_aim": [
            aiming("target"),
            aiming("direction"),
            aiming("target", "offset"),
            aiming("target", "up"),
            aiming("target", "up", "twist"),
        ],
        "correct_aim in the plane": [aiming_in_plane()],
        "Limb.reach": [
            legs("clamp", "pole", 0),
            legs(Soft(0.1), "point", 2),
            legs("stretch", "rest", 0),
            legs(Stretch(limit=1.3), "turned", 2),
            legs("clamp", "weights", 0),
            legs(Soft(0.1) | Stretch(limit=1.3), "twist", 2),
        ],
        "Limb.controls": [controlling()],
        "Skeleton.to_global": [placing("to_global", "rotations", "translations")],
        "Skeleton.to_local": [placing("to_local", "rotations", "positions")],
    }
    return found | {name: [rotating(name, **draws)] for name, draws in ROTATIONS.items()}


def direction(rng, values, fixed=()):
    """Return a direction among the arguments: mostly one number of one of them."""
    way = {name: np.zeros(np.shape(value)) for name, value in values.items()}
    free = [name for name in values if name not in fixed]
    if rng.random() < 0.6:
        name = free[rng.integers(len(free))]
        entries = way[name].reshape(-1)
        entries[rng.integers(entries.size)] = 1.0
    else:
        for name in free:
            way[name] = np.asarray(rng.choice([-1.0, 0.0, 0.0, 1.0], way[name].shape))
    return keep_last_rows(way)


def keep_last_rows(way):
    for name in MATRICES:
        if name in way and way[name].ndim == 2 and way[name].shape[0] == way[name].shape[1]:
            way[name][-1] = 0.0
    return way
