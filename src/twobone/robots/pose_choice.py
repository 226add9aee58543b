"""The choice of a branch for a pose: the reached one within limits nearest to given angles."""

from __future__ import annotations

import math
from typing import Any

from twobone.core import vectors
from twobone.core.formula import dot, magnitude
from twobone.robots import choice, closed_form, kinematics
from twobone.robots.closed_form import Goal
from twobone.robots.pose_branches import Found, Pose
from twobone.robots.subproblems import times_matrix
from twobone.rotations import frames

FEW = 1024  # rows: those of a block of NumPy
ROUGH = 1e-3  # by how much a matrix may miss being a rotation; what is less is rounding


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


def branches(xp, problem, solve, shapes):
    """Return one `Found` for each branch, in their order; numbers are instead of truth values.

    `solve(signs)` returns one. `shapes` are numbers that have the shapes of all arguments.
    """
    signs = _on_axis(xp, problem.signs, shapes)
    if signs is None:
        found = [solve(signs) for signs in problem.signs]
        return [each._replace(within=xp.where(each.within, 1.0, 0.0)) for each in found]
    found = solve(signs)
    parts = (*found.angles, found.status, xp.where(found.within, 1.0, 0.0))
    *angles, status, within = (xp.xp.broadcast_to(part, signs[0].shape) for part in parts)
    return [
        Found(tuple(part[i, ...] for part in angles), status[i, ...], within[i, ...])
        for i in range(len(problem.signs))
    ]


def choose(xp, t, problem, solve, near, shapes):
    """Return the reached branch within limits that is nearest to given angles.

    If there is none, a reached one is better than one within limits. `solve` and `shapes` are as
    for `branches`.
    """

    def tried(signs):
        return choice.tried(xp, t, problem, solve(signs), near)

    signs = _on_axis(xp, problem.signs, shapes)
    if signs is None:
        return choice.best_of(xp, t, list(map(tried, problem.signs)))
    return choice.best_on_axis(xp, t, tried(signs))


def _on_axis(xp, signs, shapes):
    """Return signs that have the branches on their first axis, or None if each is solved for alone.

    With an axis, a formula is called once for all branches: eight copies of it take XLA minutes to
    compile, and calls of functions take most of the time of small arrays. Large ones are faster one
    by one, as then more of them fit the cache.
    """
    if xp.name in ("float", "straight"):
        return None
    zero: Any = 0.0 * sum(shapes)
    if xp.name != "jax" and math.prod(zero.shape) > FEW:
        return None
    return tuple(choice.column(xp, zero, each) for each in zip(*signs, strict=True))


def tip_of(xp, chain, angles):
    """Return the position of the tip, and its rotation as a quaternion."""
    position, rotation = kinematics.pose(xp, chain, angles)
    return position, frames.from_rows(xp, times_matrix(rotation, chain.rotation))


def is_finite(xp, part):
    """Return whether numbers are finite."""
    return part - part == 0.0


def finite_or_zero(xp, part):
    """Return numbers, and 0 in place of those that are not finite."""
    return xp.where(is_finite(xp, part), part, 0.0)
