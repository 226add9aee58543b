"""Random limbs under weights: how far a change of a weight may move them, and a search for jumps.

`python tools/weighted_limbs.py --minutes 60` runs both checks of `pose/test_weights.py` on fresh
seeds and prints the largest share of the bound that was used.
"""

import argparse
import time
from typing import NamedTuple

import numpy as np

import twobone
from twobone import LocalPose, Skeleton, Soft, Stretch

WEIGHTS = ("position_weight", "rotation_weight", "pole_weight")
FADE = np.sin(np.radians(10.0))
POLICIES = ("clamp", Soft(0.1), Soft(0.05) | Stretch(limit=1.2), Stretch(limit=1.5), Soft(0.02))
ON_THE_WAY = np.linspace(0.0, 1.0, 101)[:, None]


class Case(NamedTuple):
    """A limb, as many poses as targets, and the options of `reach`."""

    limb: twobone.Limb
    pose: LocalPose
    target: np.ndarray
    options: dict
    weights: dict
    length: float  # of both bones

    def at(self, rows=slice(None), **changed):
        """Return what `reach` makes of some rows with changed weights."""
        weights = {name: value[rows] for name, value in self.weights.items()} | changed
        options = {
            name: value[rows] if isinstance(value, np.ndarray) else value
            for name, value in self.options.items()
        }
        pose = LocalPose(self.pose.rotations[rows])
        return self.limb.reach(pose, self.target[rows], **options, **weights)


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def a_case(rng, count, *, hinged, policy="clamp", limits=False, bend=None):
    """Return a random case; `hinged` poses bend about the hinge only, and the right way."""
    offsets = rng.normal(size=(4, 3))
    skeleton = Skeleton([-1, 0, 1, 2], offsets)
    limits = {"limits": (40, 170)} if limits else {}
    limb = twobone.Limb(skeleton, 1, 2, 3, **limits)
    length = np.linalg.norm(offsets[2]) + np.linalg.norm(offsets[3])
    rotations = unit(rng.normal(size=(count, 4, 4)))
    if hinged:
        straight = np.arccos(unit(offsets[2]) @ unit(offsets[3]))
        half = 0.5 * (straight - rng.uniform(0.0, np.pi, count))[:, None]
        rotations[:, 2] = np.concatenate([limb.mid_axis * np.sin(half), np.cos(half)], axis=-1)
    far = length * rng.uniform(0.1, 1.3, (count, 1))
    target = offsets[1] + far * unit(rng.normal(size=(count, 3)))
    kind = bend or ("rest", "pole", "pole_point")[rng.integers(3)]
    options = {"unreachable": policy}
    if kind != "rest":
        options[kind] = 2.0 * rng.normal(size=(count, 3))
    if rng.integers(2):
        options["end_rotation"] = unit(rng.normal(size=(count, 4)))
    weights = {name: rng.uniform(0.0, 1.0, count) for name in WEIGHTS}
    for value in weights.values():
        chance = rng.random(count)
        value[chance < 0.25], value[chance > 0.75] = 0.0, 1.0
    return Case(limb, LocalPose(rotations), target, options, weights, length)


def places(case, posed):
    """Return start, mid and end in the world."""
    limb = case.limb
    positions = limb.skeleton.to_global(posed.pose).positions
    return (positions[..., joint, :] for joint in (limb.start, limb.mid, limb.end))


# --- a bound ------------------------------------------------------------------------------------


def position_bound(case):
    """Return the constants of the bound on the joint's way, `r1`, and which rows have a bound.

    A change of the position weight by `d` moves the goal by `v d`, with the distance `v` from the
    end to the target. Seen from the root at the distance `h`, it rotates by at most `v d / h`, and
    the plane about it by `k` times as much. The angle at the root is the arc cosine of `u`, with
    `|du| <= r2 / (r1 h) |dh|`, and `|acos a - acos b| <= pi sqrt(|a - b| / 2)`. So the joint moves
    by at most `r1 (1 + k) v d / h + pi sqrt(r1 r2 v d / (2 h))`; where the limb is clamped its end
    is nearer than the goal, but not nearer than `|r1 - r2|`. The end moves by at most `v d`, or, as
    far away as the limb is folded at least, by as much more as that is farther than the goal.

    `k` is the cotangent of the angle between pole and target direction or, without a pole, the
    tangent of half the angle to the direction of the rest pose. Near their poles there is no bound.
    """
    limb, (root, joint, end) = case.limb, places(case, case.at(**dict.fromkeys(WEIGHTS, 0.0)))
    r1, r2 = (np.linalg.norm(b - a, axis=-1) for a, b in ((root, joint), (joint, end)))
    goal = (end - root) + ON_THE_WAY[..., None] * (case.target - end)
    far = np.linalg.norm(goal, axis=-1)
    direction = goal / far[..., None]
    if "pole" in case.options or "pole_point" in case.options:
        pole = case.options["pole"] if "pole" in case.options else case.options["pole_point"] - root
        cos = np.sum(direction * unit(pole), axis=-1)
        sine = np.sqrt(1.0 - cos * cos)
        steep = np.abs(cos) / sine
        known = sine.min(axis=0) > 1.1 * FADE
    else:
        above = limb.skeleton.to_global(case.pose).rotations[:, limb.skeleton.parents[limb.start]]
        rest = limb.skeleton.rest.positions
        at_rest = twobone.rotations.rotate(above, unit(rest[limb.end] - rest[limb.start]))
        cos = np.sum(direction * at_rest, axis=-1)
        steep = np.sqrt((1.0 - cos) / (1.0 + cos))
        known = steep.max(axis=0) < 4.0
    way = case.target - end
    speed = np.linalg.norm(way, axis=-1)
    share = np.clip(-np.sum((end - root) * way, axis=-1) / speed**2, 0.0, 1.0)
    near = np.linalg.norm(end - root + share[:, None] * way, axis=-1)
    nearest = np.clip(near, np.abs(r1 - r2), r1 + r2)
    linear = r1 * (1.0 + steep.max(axis=0)) * speed / near
    root_of = np.pi * np.sqrt(r1 * r2 * speed / (2.0 * nearest))
    end_linear = speed * np.maximum(1.0, nearest / near)
    return linear, root_of, end_linear, r1, known & (near > 0.05 * case.length)


def used_bounds(case, rng):
    """Return the shares of the bounds that changes of the position and the pole weight use."""
    linear, root_of, end_linear, r1, known = position_bound(case)
    count = len(known)
    shares = []
    for exponent in np.arange(-9.0, 0.0):
        step = 10.0 ** (exponent + rng.uniform(0.0, 1.0, count)) * 0.9
        for low in (np.zeros(count), 1.0 - step, rng.uniform(0.0, 1.0, count) * (1.0 - step)):
            high = np.minimum(low + step, 1.0)
            for name in ("position_weight", "pole_weight"):
                (_, a, p), (_, b, q) = (
                    places(case, case.at(**{name: value})) for value in (low, high)
                )
                d = high - low
                joint, end = (np.linalg.norm(v, axis=-1) for v in (a - b, p - q))
                bounds = linear * d + root_of * np.sqrt(d), end_linear * d
                if name == "pole_weight":
                    # Two rotations about the line to the goal, which pass through 180 and 360
                    # degrees at most, at 3.4 and 8 rad for each unit of the weight.
                    bounds = 11.4 * r1 * d, 0.0
                for moved, bound in zip((joint, end), bounds, strict=True):
                    shares.append((moved / (bound + 1e-7 * case.length))[known].max(initial=0.0))
    return max(shares)


# --- a search for jumps -------------------------------------------------------------------------


def largest_jumps(case, name):
    """Return for each row the largest jump as one weight goes from 0 to 1.

    The search halves the interval in which most happens, until it is 1e-12 long. Rows in which the
    target comes near the axis of the pole, or near the opposite of its direction in the rest pose,
    have none, nor have rows in which the end comes near the line through the start along the hinge
    axis, where it does not show how the limb is rotated about that line.
    """
    count, limb = len(case.target), case.limb
    rows = np.arange(count)
    along = np.broadcast_to(ON_THE_WAY, (len(ON_THE_WAY), count))
    local = case.at(np.broadcast_to(rows, along.shape), **{name: along}).pose
    posed = limb.skeleton.to_global(local)
    axis = twobone.rotations.rotate(posed.rotations[..., limb.mid, :], limb.mid_axis)
    end = posed.positions[..., limb.end, :] - posed.positions[..., limb.start, :]
    aside = np.linalg.norm(np.cross(axis, end), axis=-1).min(axis=0)
    known = position_bound(case)[-1] & (aside > 0.05 * case.length)

    def values(weight):
        posed = case.at(np.broadcast_to(rows, weight.shape), **{name: weight})
        positions = case.limb.skeleton.to_global(posed.pose).positions / case.length
        return positions, posed.pose.rotations

    def apart(a, b):
        signs = np.sign(np.sum(a[1] * b[1], axis=-1, keepdims=True))
        rotated = np.linalg.norm(a[1] - signs * b[1], axis=-1).max(axis=-1)
        return np.maximum(np.abs(a[0] - b[0]).max(axis=(-1, -2)), rotated)

    found = posed.positions / case.length, local.rotations
    jumps = apart([v[1:] for v in found], [v[:-1] for v in found])
    worst = jumps.argmax(axis=0)
    low, high = ON_THE_WAY[worst, 0], ON_THE_WAY[worst + 1, 0]
    begin, end = values(low), values(high)
    for _ in range(33):
        middle = 0.5 * (low + high)
        between = values(middle)
        first = apart(begin, between) >= apart(between, end)
        low, high = np.where(first, low, middle), np.where(first, middle, high)
        here = first[:, None, None]
        begin = tuple(np.where(here, *pair) for pair in zip(begin, between, strict=True))
        end = tuple(np.where(here, *pair) for pair in zip(between, end, strict=True))
    return np.where(known, apart(begin, end), 0.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    end, seed, rows = time.monotonic() + 60.0 * asked.minutes, asked.seed, 0
    share = jump = 0.0
    while time.monotonic() < end:
        rng = np.random.default_rng(seed)
        case = a_case(rng, 100, hinged=True)
        share = max(share, used_bounds(case, rng))
        policy, limits = POLICIES[seed % len(POLICIES)], seed % 3 == 0
        case = a_case(rng, 100, hinged=seed % 2 == 0, policy=policy, limits=limits)
        for name in WEIGHTS:
            found = largest_jumps(case, name)
            if found.max() > 1e-3:
                print(f"seed {seed}: {name} jumps by {found.max():.3g} in row {found.argmax()}")
            jump = max(jump, found.max())
        seed, rows = seed + 1, rows + 200
    print(
        f"{rows} limbs, seeds {asked.seed} to {seed - 1}: {share:.3f} of the bound, jump {jump:.2g}"
    )


if __name__ == "__main__":
    main()
