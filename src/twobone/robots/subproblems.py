"""Subproblems: the angles of two or three joints whose axes meet, that rotate vectors as wanted.

These are the subproblems of Paden and Kahan (Paden, "Kinematics and control of robot manipulators",
1986), for axes with any angle between them. No angle is an arc cosine, and the last angle of each
is that of the vector as the others have rotated it, so a gimbal lock costs no digits of the
rotation. `xp` and `t` are those of `core.formula`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from twobone.core.formula import dot, magnitude
from twobone.core.vectors import cross
from twobone.robots import kinematics
from twobone.robots.chain import dot as fine_dot
from twobone.robots.chain import length, unit

TINY = 16.0  # eps: vectors are on an axis if they are nearer to it, for a length of 1


class Basis(NamedTuple):
    """Three unit vectors, of which the first is an axis; right-handed."""

    axis: tuple
    x: tuple
    y: tuple


class Pair(NamedTuple):
    """Two axes that meet."""

    a: tuple  # the axis that rotates last
    b: tuple  # the axis that rotates first
    cos: float  # of the angle between them
    sin: float
    at_a: Basis  # x is in the plane of both
    at_b: Basis


class Ball(NamedTuple):
    """Three axes that meet."""

    pair: Pair
    last: Basis


class Turns(NamedTuple):
    """The angles of two joints."""

    first: Any
    second: Any
    over: Any  # negative if no angles rotate the vector as wanted
    free: Any  # bool: the first angle may be any


def basis_of(axis, towards=None):
    """Return a basis with an axis; x is towards a vector, or a coordinate axis if there is one."""
    if towards is None:
        towards = min(
            ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), key=lambda v: _cos(v, axis)
        )
    along = fine_dot(axis, towards)
    x = _snapped(unit(tuple(v - along * w for v, w in zip(towards, axis, strict=True))))
    return Basis(axis, x, _snapped(unit(cross(axis, x))))


def _cos(v, axis):
    return abs(fine_dot(v, axis))


def _snapped(v):
    """Return a coordinate axis if a vector equals it up to rounding."""
    if sorted(map(abs, v))[1] <= 2.0**-52:
        return tuple(float(round(part)) for part in v)
    return v


def pair_of(a, b):
    """Return the constants of two axes that meet."""
    cos = fine_dot(a, b)
    cos = 0.0 if abs(cos) <= 2.0**-52 else cos
    return Pair(a, b, cos, length(cross(a, b)), basis_of(a, b), basis_of(b, a))


def ball_of(axes):
    """Return the constants of three axes that meet."""
    a, b, c = axes
    return Ball(pair_of(a, b), basis_of(c))


def in_plane(basis, v):
    """Return the components of a vector perpendicular to the axis of a basis."""
    return dot(basis.x, v), dot(basis.y, v)


def turned(xp, axis, angle, v):
    """Return a vector, rotated about a unit axis."""
    sin, cos = xp.xp.sin(angle), xp.xp.cos(angle)
    return turned_by(axis, cos, sin, v)


def turned_by(axis, cos, sin, v):
    """Return a vector, rotated about a unit axis by the angle of a cosine and a sine."""
    along, across = dot(axis, v), cross(axis, v)
    return tuple(
        along * a + (cos * (part - along * a) + sin * other)
        for a, part, other in zip(axis, v, across, strict=True)
    )


def beside(xp, radius, offset):
    """Return the root of the difference of two squares, and 0 if it is negative."""
    size = magnitude(xp, offset)
    return kinematics.root_of(xp, (radius - size) * (radius + size))


def two_turns(xp, t, pair, m, w, sign, hold):
    """Return the angles with which two rotations, about `b` and then about `a`, take `m` to `w`.

    Both vectors have the same length. `sign` chooses one of two solutions; the first angle is
    `hold` if it may be any.
    """
    a, b, k, s, at_a, at_b = pair
    along_a, along_b = dot(a, w), dot(b, m)
    flat_w = in_plane(at_a, w)
    radius = kinematics.root_of(xp, dot(flat_w, flat_w))
    # The vector between both rotations: its part in the plane of both axes is known.
    aside = (along_b - k * along_a) / s
    across = beside(xp, radius, aside) * sign
    between = (along_a - k * along_b) / s, across
    second = angle_of(xp, in_plane(at_b, m), between)
    moved = in_plane(at_a, turned(xp, b, second, m))
    free = radius <= TINY * t.eps * kinematics.root_of(xp, dot(w, w))
    first = xp.where(free, hold, angle_of(xp, moved, flat_w))
    return Turns(first, second, radius - magnitude(xp, aside), free)


def angle_of(xp, u, v):
    """Return the angle from one vector of a plane to another, 0 if one of them is 0."""
    (a, b), (c, d) = u, v
    along, across = a * c + b * d, a * d - b * c
    if xp.differentiates:
        none = (along == 0.0) & (across == 0.0)
        return xp.xp.atan2(across, xp.where(none, 1.0, along))
    return xp.xp.atan2(across, along)


def three_turns(xp, t, ball, rotate, sign, hold):
    """Return the angles of three joints whose product is a rotation: a tuple, `over` and `free`.

    `rotate` is a function that rotates a vector.
    """
    c = ball.last
    turns = two_turns(xp, t, ball.pair, c.axis, rotate(c.axis), sign, hold)
    d = turned(xp, ball.pair.a, -turns.first, rotate(c.x))
    third = angle_of(xp, (1.0, 0.0), in_plane(c, turned(xp, ball.pair.b, -turns.second, d)))
    return (turns.first, turns.second, third), turns.over, turns.free


def rotated_by(matrix, v):
    """Return a vector, rotated by a matrix given as rows."""
    return tuple(dot(row, v) for row in matrix)


def transposed(matrix):
    """Return the transposed matrix."""
    return tuple(zip(*matrix, strict=True))


def times_matrix(a, b):
    """Return the product of two matrices."""
    columns = transposed(b)
    return tuple(tuple(dot(row, column) for column in columns) for row in a)
