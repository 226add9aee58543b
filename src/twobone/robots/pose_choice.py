"""The choice of a branch for a pose: the reached one within limits nearest to given angles."""

from __future__ import annotations

from typing import Any, NamedTuple

from twobone.core import vectors
from twobone.core.formula import dot, magnitude
from twobone.robots import choice, closed_form, kinematics
from twobone.robots.closed_form import AMBIGUOUS, Goal
from twobone.robots.pose_branches import Pose, flat, separately
from twobone.robots.subproblems import times_matrix
from twobone.rotations import frames

ROUGH = 1e-3  # by how much a matrix may miss being a rotation; what is less is rounding


class Best(NamedTuple):
    """The chosen branch."""

    angles: tuple
    status: Any
    within: Any


def sound_pose(xp, t, problem, position, rotation):
    """Return a pose whose numbers are finite, and whether the given one is valid.

    `rotation` is a quaternion of any length, or the nine components of a matrix.
    """
    total = position[0] * 0.0
    for part in (*position[1:], *rotation):
        total = total + part * 0.0
    valid = total == 0.0
    parts = tuple(xp.where(valid, part, 0.0) for part in rotation)
    if len(parts) == 4:
        valid = valid & _is_some(parts)
        matrix = frames.to_matrix(xp, t, parts)
    else:
        matrix, proper = _orthonormal(xp, parts, max(ROUGH, 64.0 * t.eps))
        valid = valid & proper
    matrix = tuple(
        tuple(xp.where(valid, part, float(i == k)) for k, part in enumerate(row))
        for i, row in enumerate(matrix)
    )
    position = closed_form.made_sound(xp, Goal(position), valid).target
    return Pose(position, times_matrix(matrix, problem.zero)), valid


def _is_some(parts):
    some = parts[0] != 0.0
    for part in parts[1:]:
        some = some | (part != 0.0)
    return some


def _orthonormal(xp, parts, rough):
    """Return a matrix with orthonormal columns near a given one, and whether that is a rotation."""
    x, y, z = (parts[i::3] for i in range(3))
    bad = magnitude(xp, dot(x, x) - 1.0) + magnitude(xp, dot(y, y) - 1.0)
    bad = bad + magnitude(xp, dot(z, z) - 1.0) + magnitude(xp, dot(x, y))
    bad = bad + magnitude(xp, dot(y, z)) + magnitude(xp, dot(z, x))
    third = vectors.cross(x, y)
    proper = (bad <= rough) & (dot(third, z) > 0.0)
    x = vectors.unit(xp, tuple(xp.where(proper, p, float(i == 0)) for i, p in enumerate(x)))
    third = tuple(xp.where(proper, p, float(i == 2)) for i, p in enumerate(third))
    third = vectors.unit(xp, third)
    return tuple(zip(x, vectors.cross(third, x), third, strict=True)), proper


def sound_near(xp, near, rest):
    """Return angles with those at rest where they are not finite."""
    return tuple(
        xp.where(part - part == 0.0, part, other) for part, other in zip(near, rest, strict=True)
    )


def choose(xp, t, problem, found, near):
    """Return the reached branch within limits that is nearest to given angles.

    If there is none, a reached one is better than one within limits.
    """
    best: Any = None
    rank = least = None
    for each in found:
        angles = choice.near_to(xp, t, problem, each.angles, near) if problem.wide else each.angles
        reached = (each.status == 0.0) | (each.status == AMBIGUOUS)
        worse = xp.where(reached, 0.0, 2.0) + xp.where(each.within, 0.0, 1.0)
        apart = vectors.minus(angles, near)
        away = dot(apart, apart)
        within = xp.where(each.within, 1.0, 0.0)
        worse, away, within = separately(xp, (worse, away, within))
        if best is None:
            best, rank, least = Best(angles, each.status, within), worse, away
            continue
        better = (worse < rank) | ((worse == rank) & (away < least))
        best = Best(
            vectors.choose(xp, better, angles, best.angles),
            xp.where(better, each.status, best.status),
            xp.where(better, within, best.within),
        )
        rank, least = xp.where(better, worse, rank), xp.where(better, away, least)
        numbers = separately(xp, (*best.angles, best.status, best.within, rank, least))
        *angles, status, within, rank, least = numbers
        best = Best(tuple(angles), status, within)
    return best


def tip_of(xp, chain, angles):
    """Return the position of the tip, and its rotation as a quaternion."""
    position, rotation = kinematics.pose(xp, chain, angles)
    return position, frames.from_rows(xp, times_matrix(rotation, chain.rotation))


def miss_of(pose, position, rotation):
    """Return the squares of what a tip is off: metres, and radians for small angles."""
    away = vectors.minus(position, pose.position)
    turned = vectors.minus(flat(rotation), flat(pose.rotation))
    return dot(away, away), 0.5 * dot(turned, turned)


def is_finite(xp, part):
    """Return whether numbers are finite."""
    return part - part == 0.0


def finite_or_zero(xp, part):
    """Return numbers, and 0 in place of those that are not finite."""
    return xp.where(is_finite(xp, part), part, 0.0)
