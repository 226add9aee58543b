"""Precomputed geometry of an animal: hips, limits of its legs, points of its underside."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from twobone.core import solver
from twobone.creature import animals, springs
from twobone.creature.animals import Animal
from twobone.creature.appearance import Appearance, Capsule
from twobone.creature.footing import from_above, rotated

# Distances from hip to foot are fractions of r1 + r2 ("of reach") or of the distance when the
# animal stands on flat ground ("of the standing leg").
XZY = np.array([0, 2, 1])  # swaps (x, y, z) and (x, z, y)
SLOW_FROM = 0.88  # of reach: beyond it the walker slows down and feet look for nearer ground
LANDING = 0.92  # of reach: no foot lands farther from its hip
NEAR = 0.7  # of the standing leg: footholds nearer to the hip than this are penalised
# Pairs of legs from which on feet hang in the air if they find no ground. With eight legs a body
# that goes on so would often come to where the other legs cannot lift.
MANY = 5
# Of reach: the plane of a leg whose foot passes nearer to the hip, under it, would turn fast. Only
# the feet of many legs come there; those of others need the way to cross bars.
PASSING = 0.3
FOLDED = 0.78  # of the standing leg: if it is folded more, the knee comes near the ground
SLIM = 0.3  # of the leg's length: minimum breadth, so that narrow animals do not turn too fast
CLEAR = 0.04  # of the leg's length: clearance of the body above the ground
MARGIN = 0.04  # of reach: margin between a foot and the minimum reach of its leg
# Of the leg's length, for each leg's length by which the body is longer than one leg: how deep it
# may sink into crests, since a long stiff body cannot stay clear of all of them.
GRAZE = 0.03
EVERY = 0.5  # of the leg's length: spacing of the places to which a trunk bends
TINY = 1e-9  # mean square of a shape that hips or belly are too few for
# Of the leg's length and of a stride: where feet are while knees should be outside the body.
RAISED, STRODE = np.array([0.0, 0.1, 0.2, 0.3]), np.array([-0.5, 0.0, 0.5])
FINE = 0.15  # of the leg's length: spacing of the points of the keel
DEEPER = 0.022  # of the leg's length: how far they are lowered, to cover the gaps between them


class LegLimits(NamedTuple):
    """Distances from hip to foot, for each of L legs."""

    reach: np.ndarray  # (L), of a straight leg
    used: np.ndarray  # (L), beyond which the body goes lower
    long: np.ndarray  # (L), beyond which footholds are penalised and the body rises no further
    short: np.ndarray  # (L), below which the body goes no lower
    near: np.ndarray  # (L), below which footholds are penalised
    landing: np.ndarray  # (L), maximum when a foot lands
    min_reach: np.ndarray  # (L), minimum in any pose
    passing: np.ndarray  # (L), minimum on the way of a swing


class Underside(NamedTuple):
    """Points of a body's underside, which must stay above the ground."""

    belly: np.ndarray  # (P), complex: places of a few points
    low: np.ndarray  # (P), depth of these points below the body's middle, and clearance
    keel: np.ndarray  # (3, Q), finer points: the underside, the outline, tail, nose and head
    graze: float  # how deep the body may sink into crests where the ground has no edges


class Spine(NamedTuple):
    """How a trunk bends up and down: heights of some points where it is bent by 1.

    It bends in two ways, first as an arch and second as an S; see `shapes`.
    """

    half: float  # half its length
    fit: np.ndarray  # (2, P): weights of the ground below the points of `Underside.belly`
    pull: np.ndarray  # (2, L): weights of heights by which hips would have to sink
    hips: np.ndarray  # (2, L)
    belly: np.ndarray  # (2, P)
    keel: np.ndarray  # (2, Q)

    def coefficients(self, bend):
        """Return coefficients of the heights of bent trunks, as those of `Recording.body_bend`."""
        arch, curve = bend[:, 0], bend[:, 1]
        parts = -0.5 * arch, -1.5 * curve / self.half, 1.5 * arch, 2.5 * curve / self.half
        square = self.half * self.half
        return np.stack([*parts[:2], parts[2] / square, parts[3] / square], -1)


class Tail(NamedTuple):
    """The tail or abdomen, as it is drawn."""

    pivot: np.ndarray  # (3)
    arm: np.ndarray  # (3): from the pivot to the middle of its parts; 0 if it has none
    middle: np.ndarray  # (3): the middle of its parts


class Anatomy(NamedTuple):
    """Geometry of an animal in the body's space, as each step needs it.

    Places seen from above are complex, points are x, z, y (see `footing`).
    """

    length: float  # of the longest leg
    breadth: float  # maximum horizontal distance of a nominal foothold from the body's middle
    stride: float  # distance that the body covers in one stance
    pairs: int  # of legs
    steepness: float  # see `Gait.steepness`
    spaced: bool  # neighbours on one side never swing at the same time
    balances: bool  # four legs, stable by swaying: the body waits for a foot that cannot lift yet
    stiff: float  # regularization of the plane through the feet
    footholds: np.ndarray  # (L), complex: nominal footholds
    hip_places: np.ndarray  # (L), complex: hips from above
    hips: np.ndarray  # (L, 3)
    poles: np.ndarray  # (L, 3)
    outward: np.ndarray  # (L, 3): added to a pole, it turns the knee away from the body
    spreads: bool  # whether `outward` is not 0 for some legs
    bones: np.ndarray  # (2, L)
    legs: LegLimits
    underside: Underside
    trunk: np.ndarray | None  # (3): half sizes of a body, if knees must stay outside it
    spine: Spine | None  # None if the trunk is stiff
    tail: Tail
    gains: springs.Gains  # of the springs that move the body

    def footholds_at(self, place, facing):
        """Return the nominal footholds, shape (N, L), of bodies at places with a facing."""
        return place[:, None] + rotated(facing[:, None], self.footholds)


def anatomy_of(animal: Animal) -> Anatomy:
    """Return the geometry of an animal."""
    legs, length = animal.legs, animals.length(animal)
    hips, poles, bones = (
        np.array(part, np.float64, order="C")
        for part in (legs.hips[:, XZY], legs.poles[:, XZY], legs.bones.T)
    )
    # Knees that point forward or back can turn aside; those that point up are out of the way.
    outward = np.zeros_like(poles)
    outward[:, 0] = np.sign(hips[:, 0]) * np.maximum(np.abs(poles[:, 1]) - np.abs(poles[:, 2]), 0.0)
    footholds, reach = legs.footholds @ np.array([1.0, 1.0j]), bones.sum(0)
    folded = np.abs(bones[0] - bones[1]) + MARGIN * reach
    limits = LegLimits(
        reach=reach,
        used=animal.body.stretch * reach,
        long=SLOW_FROM * reach,
        short=FOLDED * animals.stand(animal),
        near=NEAR * animals.stand(animal),
        landing=LANDING * reach,
        min_reach=folded,
        passing=np.maximum(folded, PASSING * reach) if len(reach) >= 2 * MANY else folded,
    )
    underside = Underside(
        **belly(animal.body, length),
        **keel(animal.body, length, np.max(np.abs(hips[:, 0]))),
    )
    return Anatomy(
        length=length,
        breadth=max(SLIM * length, float(np.max(np.abs(footholds)))),
        stride=animal.gait.stride * length,
        pairs=len(footholds) // 2,
        steepness=animal.gait.steepness(len(footholds) // 2),
        balances=(
            len(footholds) == 4 and animal.gait.balance == "static" and any(animal.gait.sway)
        ),
        spaced=not animal.gait.neighbours_swing_together(len(footholds) // 2),
        stiff=0.02 * float(max(np.sum(legs.footholds**2), 0.01 * np.sum(reach**2))),
        footholds=footholds,
        hip_places=from_above(hips),
        hips=hips,
        poles=poles,
        outward=outward,
        spreads=bool(outward.any()),
        bones=bones,
        legs=limits,
        underside=underside,
        trunk=trunk_of(animal) if outward.any() else None,
        spine=spine_of(animal.body, underside, hips) if animal.body.bend else None,
        tail=tail_of(animal.appearance, length),
        gains=springs.gains_of(animal),
    )


def spine_of(body: animals.Body, underside: Underside, hips) -> Spine:
    """Return how the trunk of a body bends that has such an underside and hips."""
    half = 0.5 * float(np.array(body.size)[2])
    along = np.imag(underside.belly)
    return Spine(
        half=half,
        fit=body.bend * _weights(along, half),
        pull=body.bend * _weights(hips[:, 1], half),
        hips=shapes(hips[:, 1], half),
        belly=shapes(along, half),
        keel=shapes(underside.keel[1], half),
    )


def shapes(along, half):
    """Return the heights of a trunk that is bent by 1 in each way, at places along it; (2, P).

    They are the Legendre polynomials of second and third degree: the ends are 1 high, or one of
    them -1, and bending changes neither height nor slope of the whole.
    """
    part = along / half
    square = part * part
    return np.stack([1.5 * square - 0.5, part * (2.5 * square - 1.5)])


def _weights(along, half):
    """Return the weights, (2, P), with which heights at places along a trunk give its bend.

    This is the fit of least squares, with a plane beside the bends: of an arch and a height, and of
    an S and a slope. The sums are rounded once, so that all machines have the same bits.
    """

    def product(u, v):
        return math.fsum((u * v).tolist())

    found = []
    for shape, beside in zip(shapes(along, half), (np.ones_like(along), along), strict=True):
        size = product(beside, beside)
        own = shape - beside * (product(shape, beside) / size) if size else shape
        size = product(own, own)
        found.append(own / size if size > TINY * len(own) else np.zeros_like(own))
    return np.stack(found)


def trunk_of(animal: Animal):
    """Return the half sizes of the body, or None if it bends or knees must enter it.

    They must if one is inside it while its foot is anywhere in a stride on flat ground, or above.
    """
    legs, half = animal.legs, 0.5 * np.array(animal.body.size, np.float64)
    if animal.body.bend or not np.all(half > 0.0):
        return None
    length = animals.length(animal)
    up, along = np.meshgrid(length * RAISED, animal.gait.stride * length * STRODE)
    ways = np.stack([np.zeros_like(up), up, along], -1).reshape(-1, 1, 3)
    to_feet = animals.to_footholds(animal) + ways
    knees = legs.hips + solver.solve(to_feet, *legs.bones.T, side=1.0, pole=legs.poles)
    outside = np.sum((knees / half) ** animals.ROUND, -1) > 1.0
    return half[XZY] if np.all(outside) else None


def tail_of(appearance: Appearance | None, leg: float) -> Tail:
    """Return the tail of an animal that looks like this; `leg` is the longest leg."""
    parts = () if appearance is None else [p for p in appearance.parts if p.node == "tail"]
    if appearance is None or not parts:
        return Tail(np.zeros(3), np.zeros(3), np.zeros(3))
    middles = [
        0.5 * np.add(part.start, part.end) if isinstance(part, Capsule) else np.array(part.centre)
        for part in parts
    ]
    pivot = np.array(appearance.tail, np.float64)
    pivot, arm = leg * pivot[XZY], leg * (np.mean(middles, 0) - pivot)[XZY]
    return Tail(pivot, arm, pivot + arm)


def belly(body, leg):
    """Return places of a body's underside, and their depth below its middle plus the clearance.

    The body is taken as the superellipsoid |x/a|^4 + |y/b|^4 + |z/c|^4 = 1, roughly what the
    pictures show. If its trunk bends, the places are closer and reach its ends, so that these bend
    to the ground too.
    """
    wide, high, long = 0.5 * np.array(body.size, np.float64)
    if body.bend:
        along = np.linspace(-1.0, 1.0, 2 + math.ceil(2.0 * long / (EVERY * leg)))
    else:
        along = np.linspace(-0.9, 0.9, 3 + 2 * math.ceil(long / leg))
    x, z = np.meshgrid([-0.7, 0.0, 0.7], along)
    left = 1.0 - x**4 - z**4
    there = (left > 0.0) | bool(body.bend)
    return {
        "belly": wide * x[there] + 1j * long * z[there],
        "low": high * np.maximum(left[there], 0.0) ** 0.25 + CLEAR * leg,
    }


def keel(body, leg, hips):
    """Return points of a body's underside and head, and how deep it may sink into crests.

    The points are close enough together not to miss a narrow obstacle.
    """
    wide, high, long = 0.5 * np.array(body.size, np.float64)
    wide = max(wide, hips + 0.025 * leg)  # wide enough to contain the hips
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
        "graze": 0.0 if body.bend else leg * GRAZE * max(0.0, 2.0 * long / leg - 1.0),
    }
