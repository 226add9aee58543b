"""Arms and legs of two bones: where the middle joint is, and how the first bone is twisted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.core.solver import solve
from twobone.motion.joints.arcs import (
    TINY,
    arc,
    cross,
    dot,
    frame,
    inverse,
    length,
    multiply,
    rotate,
    transported,
    unit,
)
from twobone.motion.whittaker import LARGEST, smoother

Floats = NDArray[np.float64]

END = 2.0  # weight of the error of an end, where that of the middle joint has 1
NOISE = 0.01  # radians: the least uncertainty of a bend
CERTAIN = 30.0  # weight of a frame in averages, at most: that of a limb bent by 3 degrees
PRIOR = 1e-3  # weight of the usual hinge, for limbs that are straight all the time
SWERVE = 10.0  # rad / s^2: how fast limbs turn about their first bone, or stop turning
TWIST = 12.0  # rad / s: how fast limbs twist at most; only throws are faster
BEYOND = 0.25  # sine of the bend up to which a limb may be bent just beyond straight


class Bones(NamedTuple):
    """What is known of a limb: lengths of its bones, and how uncertain positions are."""

    first: float
    second: float
    noise: float  # standard deviation of the positions, as their distances tell

    @property
    def bend_noise(self) -> float:
        """The standard deviation of the bend of a straight limb, in radians."""
        r1, r2 = 1.0 / max(self.first, TINY), 1.0 / max(self.second, TINY)
        return self.noise * float(np.sqrt((r1 + r2) ** 2 + r1 * r1 + r2 * r2))


class Turned(NamedTuple):
    """World rotations (4, T) of the first and the second bone."""

    first: Floats
    second: Floats


def place(start: Floats, mid: Floats, end: Floats, bones: Bones, exact: bool) -> Floats:
    """Return where the middle joint is, relative to the start: (3, T), the first bone long.

    The limb bends towards the observed middle joint. If its distance from start to end were the
    observed one, noise would move a nearly straight elbow by centimetres, since there the joint
    moves much faster than the end. So the error is shared, unless `exact`: the distance is between
    the observed one and that which the observed directions of both bones give, and closer to the
    latter, the faster the joint moves with it. Errors of ends count more: hands touch, feet stand.
    """
    goal, pole = end - start, mid - start
    observed = length(goal)
    if not exact:
        both = bones.first * unit(pole) + bones.second * unit(end - mid)
        directed = np.maximum(length(both), 1e-9 * (bones.first + bones.second))
        gain = _gain(directed, bones)
        distance = observed + (directed - observed) * gain
        goal = distance * unit(goal)
    return solve(goal.T, bones.first, bones.second, pole=pole.T).T


def _gain(distance: Floats, bones: Bones) -> Floats:
    """Return g^2 / (END + g^2) for the speed g of the middle joint per change of the distance."""
    r1, r2 = bones.first, bones.second
    along = (distance * distance + r1 * r1 - r2 * r2) / (2.0 * distance)
    high2 = np.maximum(r1 * r1 - along * along, 0.0)
    slope = 1.0 - along / distance
    # g^2 = slope^2 + (along slope / high)^2 = (slope r1 / high)^2
    moved = (slope * r1) ** 2
    return moved / np.maximum(moved + END * high2, TINY)


def turn(
    parent: Floats,
    first: Floats,
    second: Floats,
    rest: Floats,
    hinge: Floats | None,
    bones: Bones,
    fps: float,
) -> Turned:
    """Return the rotations of both bones, twisted so that the limb bends about its hinge.

    Parameters
    ----------
    parent : array, shape (4, T)
        World rotations of the joint that carries the limb.
    first, second : array, shape (3, T)
        Directions of the bones.
    rest : array, shape (2, 3)
        Directions of the bones at rest.
    hinge : array, shape (3), or None
        The hinge at rest, in T-poses; None: the mean one of the clip.
    bones : Bones
    fps : float
    """
    along = rest[0][:, None]
    carried = multiply(arc(rotate(parent, along), first), parent)
    normal = cross(first, second)
    bend = length(normal)
    certainty = np.maximum((bend / max(NOISE, bones.bend_noise)) ** 2 - 2.0, 0.0)
    weights = np.minimum(certainty, CERTAIN)
    usual = _usual(rotate(inverse(carried), normal), weights, rest, hinge)
    axes = transported(first)
    u = _square_to(first[:, :1])
    u, v = rotate(axes, u), rotate(axes, cross(first[:, :1], u))
    seen = _complex(unit(normal), u, v)
    prior = PRIOR * _complex(rotate(carried, usual[:, None]), u, v)
    seen = _unbent(seen, bend, certainty, prior, fps)
    mean = _steadied(seen, certainty, prior, fps)
    size = np.abs(mean)
    angles = _slowed(np.unwrap(np.angle(mean)), TWIST / fps)
    hinges = np.cos(angles) * u + np.sin(angles) * v
    turned = multiply(frame(first, hinges), inverse(frame(along, usual[:, None])))
    turned = np.where(size > 0.0, turned, carried)  # bones of length 0 have no hinge
    return _with_second(turned, second, rest)


def swung(found: Turned, first: Floats, second: Floats, rest: Floats) -> Turned:
    """Return rotations whose bones point elsewhere, by the shortest arcs: they keep the twist.

    Near full stretch, exact ends bend a limb much further than is likely, in whatever direction the
    noise has: that must not decide about its hinge.
    """
    was = rotate(found.first, rest[0][:, None])
    return _with_second(multiply(arc(was, first), found.first), second, rest)


def _with_second(turned, second, rest):
    """Return rotations of both bones; the second bends from the first by the shortest arc."""
    return Turned(turned, multiply(arc(rotate(turned, rest[1][:, None]), second), turned))


def _unbent(seen, bend, certainty, prior, fps):
    """Return directions of hinges, turned round where the limb is just beyond straight.

    Elbows and knees do not bend backward, but positions show them so, by a few degrees. Frames that
    follow each other on the same side belong together: if none of them is clearly bent, they are
    turned round if that brings them nearer to the frames that are, before and after.
    """
    parted = (seen[1:] * seen[:-1].conj()).real <= 0.0
    first = np.concatenate([[0], np.flatnonzero(parted) + 1])
    sides = np.concatenate([[0], np.cumsum(parted)])
    is_clear = (np.maximum.reduceat(bend, first) >= BEYOND)[sides]
    reference = _steadied(seen, np.where(is_clear, certainty, 0.0), prior, fps)
    votes = np.add.reduceat(certainty * (seen * reference.conj()).real, first)[sides]
    return np.where(~is_clear & (votes < 0.0), -seen, seen)


def _steadied(seen, certainty, prior, fps):
    """Return a smooth curve near the directions that were seen, where these are certain."""
    stiffness = np.full_like(certainty, min((fps * fps / SWERVE) ** 2, LARGEST))[None]
    weights = certainty + PRIOR
    values = (certainty * seen + prior) / weights
    found = smoother(
        np.stack([values.real, values.imag])[:, None],
        weights[None],
        np.zeros_like(stiffness),
        stiffness=stiffness,
    )
    return found[0, 0] + 1j * found[1, 0]


def _slowed(angles, most):
    """Return angles (T) that change by at most so much from frame to frame.

    They are the given ones unless these change faster: then they start sooner and end later. The
    mean of the largest curve below and the smallest one above that are no steeper is such a curve.
    """
    ramp = most * np.arange(len(angles))
    low, high = angles.copy(), angles.copy()
    for way in (slice(None), slice(None, None, -1)):
        low[way] = np.minimum.accumulate(low[way] - ramp) + ramp
        high[way] = np.maximum.accumulate(high[way] + ramp) - ramp
    return 0.5 * (low + high)


def _usual(normals, weights, rest, hinge):
    """Return the mean hinge (3) in the space of the first bone, perpendicular to it."""
    along = rest[0] / np.linalg.norm(rest[0])
    mean = (weights * normals).sum(1)
    if hinge is not None:
        mean = mean / max(np.linalg.norm(mean), TINY) + hinge
    mean -= (mean @ along) * along
    size = np.linalg.norm(mean)
    if size > 1e-12 * max(weights.sum(), 1.0):
        return mean / size
    return _square_to(along[:, None])[:, 0]


def _square_to(direction: Floats) -> Floats:
    """Return a unit vector (3, 1) perpendicular to one."""
    axis = np.zeros((3, 1))
    axis[np.argmin(np.abs(direction[:, 0]))] = 1.0
    return unit(cross(direction, axis))


def _complex(vectors: Floats, u: Floats, v: Floats):
    """Return the components of vectors along two axes as complex numbers."""
    return dot(vectors, u) + 1j * dot(vectors, v)
