"""What an animal is made of, prepared once for all its steps."""

import math
from typing import NamedTuple

import numpy as np

from twobone.creature import animals
from twobone.creature.footing import from_above

XZY = np.array([0, 2, 1])  # from x, y, z to x, z, y, and back
SLOW_FROM = 0.88  # of reach: legs farther out make it slow down, and feet look for nearer places
BEARS = 0.92  # of reach: where feet would be farther out they are not put
NEAR = 0.7  # of legs as they stand: for places nearer than that feet look farther off
FOLDED = 0.78  # of legs as they stand: with those folded more, knees come near the ground
CLEAR = 0.04  # of the leg's length: how far the body stays above the ground
FOLD = 0.04  # of reach: how much farther than folded a foot stays from its hip
GRAZE = 0.03  # of the leg's length, for each length of a leg that a body is longer than one: long
# stiff bodies cannot keep clear of all crests
FINE = 0.15  # of the leg's length: how close together points of the keel are
DEEPER = 0.022  # of the leg's length: how much lower they are, for what is between them


class Made(NamedTuple):
    """What an animal is made of, as its steps need it: places from above, points x, z, y."""

    footholds: np.ndarray  # (L)
    under: np.ndarray  # (L), hips from above
    whirl: np.ndarray  # (L), how fast footholds go, in the body's space, when it turns by 1
    hips: np.ndarray  # (L, 3)
    poles: np.ndarray  # (L, 3)
    bones: np.ndarray  # (2, L)
    reach: np.ndarray  # (L), of legs that are straight
    used: np.ndarray  # (L), of legs bent as much as they are before the body goes lower
    long: np.ndarray  # (L), of legs as straight as they may be, for feet and for the body to go up
    short: np.ndarray  # (L), of legs as folded as they may be for it to go lower
    near: np.ndarray  # (L), as near to their hips as feet are put
    bears: np.ndarray  # (L), of legs as straight as they may be when feet land
    fold: np.ndarray  # (L), how far feet are from their hips at least, in whatever pose
    stiff: float  # of the plane through the feet
    belly: np.ndarray  # (P), places of the body's underside from above
    low: np.ndarray  # (P), how far below the body's middle it is there
    keel: np.ndarray  # (3, Q), points of the underside and of the head, closer together
    graze: float  # how deep the body may sink into crests where the ground has no edges


def made(animal):
    """Return what an animal is made of."""
    legs = animal.legs
    hips, poles, bones = (
        np.array(part, np.float64, order="C")
        for part in (legs.hips[:, XZY], legs.poles[:, XZY], legs.bones.T)
    )
    footholds, reach = legs.footholds @ np.array([1.0, 1.0j]), bones.sum(0)
    return Made(
        footholds=footholds,
        under=from_above(hips),
        whirl=-1j * footholds,
        hips=hips,
        poles=poles,
        bones=bones,
        reach=reach,
        used=animal.body.stretch * reach,
        long=SLOW_FROM * reach,
        short=FOLDED * animals.stand(animal),
        near=NEAR * animals.stand(animal),
        bears=BEARS * reach,
        fold=np.abs(bones[0] - bones[1]) + FOLD * reach,
        stiff=0.02 * float(max(np.sum(legs.footholds**2), 0.01 * np.sum(reach**2))),
        **underside(animal.body.size, animals.length(animal)),
        **keel(animal.body.size, animals.length(animal), np.max(np.abs(hips[:, 0]))),
    )


def underside(size, leg):
    """Return places of a body's underside, and how far below its middle they are.

    The body is |x/a|^4 + |y/b|^4 + |z/c|^4 = 1, about as it is drawn (files/figure.py).
    """
    wide, high, long = 0.5 * np.array(size, np.float64)
    along = np.linspace(-0.9, 0.9, 3 + 2 * math.ceil(long / leg))
    x, z = np.meshgrid([-0.7, 0.0, 0.7], along)
    left = 1.0 - x**4 - z**4
    there = left > 0.0
    return {
        "belly": wide * x[there] + 1j * long * z[there],
        "low": high * left[there] ** 0.25 + CLEAR * leg,
    }


def keel(size, leg, hips):
    """Return points of a body's underside and head, and how deep it may sink into crests.

    They are as close together as it takes to notice a narrow obstacle.
    """
    wide, high, long = 0.5 * np.array(size, np.float64)
    wide = max(wide, hips + 0.025 * leg)  # it holds the hips
    along = np.linspace(-0.95, 0.95, 5 + 2 * math.ceil(long / (FINE * leg)))
    aside = np.linspace(-0.9, 0.9, 1 + 2 * math.ceil(0.9 * wide / (FINE * leg)))
    x, z = np.meshgrid(aside, along)
    left = 1.0 - x**4 - z**4
    there = left > 0.0
    deep = high * np.maximum(left, 0.0) ** 0.25 + DEEPER * leg
    below = np.stack([wide * x, long * z, -deep], -1)[there]
    ends = np.zeros((3, 3))
    ends[:, 1] = -long, long, long + 0.65 * min(wide, 1.6 * high)  # tail, nose, head
    sides = np.stack([wide * (1.0 - along**4) ** 0.25, long * along, 0.0 * along], -1)
    return {
        "keel": np.concatenate([below, sides, sides * [-1.0, 1.0, 1.0], ends]).T.copy(),
        "graze": leg * GRAZE * max(0.0, 2.0 * long / leg - 1.0),
    }
