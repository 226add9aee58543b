"""Limbs over all frames of a clip, and the rotations that bring their ends to targets.

Arrays have components first, then limbs, then frames: (3, L, T) and (4, L, T).
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, NamedTuple, Protocol

import numpy as np

from twobone.core import vectors
from twobone.core.arrays import NUMPY
from twobone.core.policies import Unreachable
from twobone.errors import ClipError
from twobone.motion.chains import Chains, Floats, inverse, multiply, rotate
from twobone.pose import correct_limb
from twobone.rotations import quaternions

TINY = 1e-300  # keeps divisions by lengths of 0 finite
SAME = 1e-10  # of the limb: an end this close to its target is not moved
BLOCK = 1 << 13  # limbs solved at once: their matrices take 4 MB
USUAL = 0.2  # weight of the usual hinge axis: limbs bent by less, as a sine, show hardly any


class Limb(Protocol):
    """Two bones of a skeleton, and what touches the ground; joints are indices."""

    @property
    def start(self) -> int: ...
    @property
    def mid(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def toe(self) -> int | None: ...


class Legs(NamedTuple):
    """World positions (3, L, T) and rotations (4, L, T) of the joints of limbs.

    `axis` (3, L, T) is the hinge axis in the space of the mid joint; a positive rotation about it
    straightens the limb.
    """

    start: Floats
    start_rotation: Floats
    mid: Floats
    mid_rotation: Floats
    end: Floats
    axis: Floats


class Turns(NamedTuple):
    """Quaternions (4, L, T) to multiply on the right of the rotations of start and mid joints."""

    start: Floats
    mid: Floats


# --- vectors ------------------------------------------------------------------------------


def length(v: Floats) -> Floats:
    """Return the lengths of vectors whose components are on the first axis."""
    return np.sqrt((v * v).sum(0))


def direction(v: Floats) -> Floats:
    """Return vectors scaled to length 1; 0 stays 0."""
    return v / np.maximum(length(v), TINY)


def arcs(a: Floats, b: Floats) -> Floats:
    """Return the shortest rotations (4, ...) from directions of vectors (3, ...) to others."""
    a, b = direction(a), direction(b)
    aside = quaternions.axis_square_to(NUMPY, a, np.zeros_like(a))
    return np.stack(quaternions.shortest_arc_of_units(NUMPY, a, b, aside))


def no_turn(shape: tuple[int, ...]) -> Floats:
    """Return identity quaternions (4, ...)."""
    q = np.zeros((4, *shape))
    q[3] = 1.0
    return q


# --- limbs --------------------------------------------------------------------------------


def stacked(chains: Chains, joints: Sequence[int]) -> tuple[Floats, Floats]:
    """Return positions (3, N, T) and rotations (4, N, T) of joints."""
    positions = np.stack([chains.positions[joint] for joint in joints], axis=1)
    return positions, np.stack([chains.rotations[joint] for joint in joints], axis=1)


def legs_of(chains: Chains, limbs: Sequence[Limb]) -> Legs:
    """Return where limbs are.

    The hinge axis is perpendicular to both bones in each frame, so that the reachable range is
    that of their lengths. Where a limb is straight, it is the usual axis over the clip.
    """
    start, start_rotation = stacked(chains, [limb.start for limb in limbs])
    mid, mid_rotation = stacked(chains, [limb.mid for limb in limbs])
    end, _ = stacked(chains, [limb.end for limb in limbs])
    upper, lower = direction(mid - start), direction(end - mid)
    back = inverse(mid_rotation)
    opens, bone = rotate(back, np.stack(vectors.cross(lower, upper))), rotate(back, lower)
    axis = opens + USUAL * direction(opens.sum(-1, keepdims=True))
    axis = axis - (axis * bone).sum(0) * bone
    none = length(axis) < 1e-9  # never bent, or NaN: any axis that is perpendicular to the bone
    if none.any():
        aside = np.stack(quaternions.axis_square_to(NUMPY, bone, np.zeros_like(bone)))
        axis = np.where(none, aside, axis)
    return Legs(start, start_rotation, mid, mid_rotation, end, direction(axis))


def bones(legs: Legs) -> Floats:
    """Return the length of both bones together, shape (L, T)."""
    return length(legs.mid - legs.start) + length(legs.end - legs.mid)


def shifted(legs: Legs, by: Floats) -> Legs:
    """Return limbs moved by a shift that broadcasts to (3, L, T)."""
    return legs._replace(start=legs.start + by, mid=legs.mid + by, end=legs.end + by)


def scaled(legs: Legs, by: Floats) -> Legs:
    """Return limbs whose bones are longer by factors (L, T)."""
    mid, end = (legs.start + by * (joint - legs.start) for joint in (legs.mid, legs.end))
    return legs._replace(mid=mid, end=end)


def at_distance(start: Floats, target: Floats, size: Floats) -> Floats:
    """Return targets (3, L, T) brought to distances (L, T) from start joints."""
    away = target - start
    old = length(away)
    # A distance within rounding of the old one leaves the target where it is, bit for bit.
    differs = np.abs(size - old) > 1e-12 * old
    return np.where(differs, start + away * (size / np.maximum(old, TINY)), target)


def within(legs: Legs, target: Floats, limits: Floats) -> Floats:
    """Return targets brought to no more than a distance (L, T) from the start joints."""
    away = target - legs.start
    size = length(away)
    # A limit within rounding of the distance leaves the target where it is, bit for bit.
    over = size > limits * (1.0 + 1e-12)
    return np.where(over, legs.start + away * (limits / np.maximum(size, TINY)), target)


def solve(legs: Legs, target: Floats, unreachable: Unreachable = "clamp") -> Turns:
    """Return the rotations that bring the ends of limbs to targets (3, L, T)."""
    shape = target.shape[1:]
    turns = Turns(no_turn(shape), no_turn(shape))
    moves = length(target - legs.end) > SAME * bones(legs)
    limbs, frames = np.nonzero(moves)
    for first in range(0, len(frames), BLOCK):
        some = np.s_[:, limbs[first : first + BLOCK], frames[first : first + BLOCK]]
        found = correct_limb(
            matrices(legs.start_rotation[some], legs.start[some]),
            matrices(legs.mid_rotation[some], legs.mid[some]),
            matrices(no_turn(legs.end[some].shape[1:]), legs.end[some]),
            np.ascontiguousarray(target[some].T),
            mid_axis=np.ascontiguousarray(legs.axis[some].T),
            unreachable=unreachable,
        )
        turns.start[some], turns.mid[some] = found.start.T, found.mid.T
    return turns


def matrices(rotation: Floats, position: Floats) -> Floats:
    """Return matrices (N, 4, 4) of quaternions (4, N) and positions (3, N)."""
    x, y, z, w = rotation
    made = np.zeros((len(x), 4, 4))
    made[:, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    made[:, 0, 1] = 2.0 * (x * y - z * w)
    made[:, 0, 2] = 2.0 * (x * z + y * w)
    made[:, 1, 0] = 2.0 * (x * y + z * w)
    made[:, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    made[:, 1, 2] = 2.0 * (y * z - x * w)
    made[:, 2, 0] = 2.0 * (x * z - y * w)
    made[:, 2, 1] = 2.0 * (y * z + x * w)
    made[:, 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    made[:, :3, 3] = position.T
    made[:, 3, 3] = 1.0
    return made


def turned(legs: Legs, turns: Turns) -> Legs:
    """Return limbs after corrections of their start and mid joints."""
    start_rotation = multiply(legs.start_rotation, turns.start)
    arc = multiply(start_rotation, inverse(legs.start_rotation))
    mid = legs.start + rotate(arc, legs.mid - legs.start)
    mid_rotation = multiply(multiply(arc, legs.mid_rotation), turns.mid)
    arc = multiply(mid_rotation, inverse(legs.mid_rotation))
    end = mid + rotate(arc, legs.end - legs.mid)
    return Legs(legs.start, start_rotation, mid, mid_rotation, end, legs.axis)


def extension(legs: Legs) -> Floats:
    """Return the distance from start to end as a share of the length of both bones, (L, T)."""
    return length(legs.end - legs.start) / np.maximum(bones(legs), TINY)


def listed(limbs: Any) -> list[Any]:
    """Return limbs as a list; those that `find_limbs` returns are legs, then arms.

    Raises
    ------
    ClipError
        If one has no `start`, `mid`, `end` or `toe`, or they are not different indices.
    """
    try:
        found = [*limbs.legs, *limbs.arms] if hasattr(limbs, "legs") else list(limbs)
        joints = [(limb.start, limb.mid, limb.end, limb.toe) for limb in found]
    except (AttributeError, TypeError) as error:
        wanted = "what `find_limbs` returns, or objects with `start`, `mid`, `end` and `toe`"
        raise ClipError("the limbs", wanted, repr(limbs)) from error
    for limb in joints:
        given = limb[:3] if limb[3] is None else limb
        if len(set(given)) < len(given) or not all(isinstance(j, Integral) for j in given):
            raise ClipError("the limbs", "different indices of joints", repr(limb))
    return found
