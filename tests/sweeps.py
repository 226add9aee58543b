"""Targets that move in small steps, and how far that turns a limb."""

import numpy as np

import twobone
from skeletons import angle_between, chain, norm, places, turn_between, unit
from twobone.pose import LocalPose

UPPER, LOWER = 0.5, 0.45
POLE = (0.0, 0.0, 1.0)
SKELETON = chain([0, 0, 0], [0, -UPPER, 0], [0, -LOWER, 0])
LIMB = twobone.Limb(SKELETON, 0, 1, 2, bend_towards=POLE)
BENDS = ("pole", "rest", "transport")
RIGHT, UP, FORWARD = np.eye(3)


def line(start, stop, step=0.001):
    """Return targets along a straight way."""
    start, stop = np.array(start, float), np.array(stop, float)
    count = round(float(norm(stop - start)) / step)
    return start + (stop - start) * np.linspace(0.0, 1.0, count + 1)[:, None]


def circle(center, radius, u, v, rounds=2):
    """Return targets on a circle, a millimetre apart or less."""
    count = max(24, int(2.0 * np.pi * radius * 1000.0)) * rounds
    angle = np.linspace(0.0, 2.0 * np.pi * rounds, count + 1)[:, None]
    return np.array(center) + radius * (np.cos(angle) * u + np.sin(angle) * v)


def reach(targets, bend, *, pole=POLE, pose=LocalPose(SKELETON.rotations), **options):  # noqa: B008
    options |= {} if bend == "rest" else {"pole": pole}
    return LIMB.reach(pose, targets, bend=bend, **options)


class Sweep:
    """What happens while a target moves: per step, and the worst per millimetre."""

    def __init__(self, targets, rotations):
        self.positions, turned = places(SKELETON, LocalPose(rotations))
        self.turns = turn_between(turned[1:, :2], turned[:-1, :2])
        knee = norm(np.diff(self.positions[:, 1], axis=0))
        self.steps = norm(np.diff(targets, axis=0)) * 1000.0
        self.turns_per_mm = np.degrees(self.turns) / self.steps[:, None]
        self.thigh, self.shin = self.turns_per_mm.max(axis=0)
        self.knee = (knee * 1000.0 / self.steps).max()

    def triangle(self):
        """Return the angles of the triangle at root and end: what it takes to open and close."""
        knee, end = self.positions[:, 1], self.positions[:, 2]
        return angle_between(knee, end), angle_between(end - knee, end)


def way_turns(sweep):
    """Return by what the way to the end turns at each step."""
    end = sweep.positions[:, 2]
    return angle_between(end[1:], end[:-1])


def sweep(targets, bend, **options):
    """Return the `Sweep` of one target."""
    return Sweep(targets, reach(targets, bend, **options).pose.rotations)


def wander(seed, count=2000, clips=()):
    """Return targets that wander about in steps of 1 mm, and poles that do so too."""
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(count, *clips, 3))
    for i in range(1, count):
        ways[i] = 0.97 * ways[i - 1] + 0.25 * ways[i]
    targets = rng.normal(size=(*clips, 3)) * 0.3 + np.cumsum(0.001 * unit(ways), axis=0)
    moves = np.cumsum(rng.normal(size=(count, *clips, 3)) * 0.02, axis=0)
    return targets, unit(moves + rng.normal(size=(*clips, 3)))
