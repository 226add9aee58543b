"""Chains: the joints from a base to a tip, with their axes and points while all angles are 0.

Everything here happens once for each limb, in Python floats. Sums of products are rounded once.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from twobone.core.vectors import cross

Vector = tuple[float, ...]  # of three numbers
Matrix = tuple[Vector, ...]  # three rows
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
THROUGH = 1e-6  # metres from its axis to the tip, of a wheel


class Step(NamedTuple):
    """A joint with the fixed transform before it, relative to the step before."""

    position: Vector
    rotation: Matrix
    name: str | None = None  # None if nothing moves here
    axis: Vector = (1.0, 0.0, 0.0)  # of any length, in the axes after `rotation`
    limits: tuple[float, ...] | None = None


class Link(NamedTuple):
    """A joint of a chain while all angles are 0, in the axes of the base."""

    name: str
    axis: Vector  # of length 1
    limits: tuple[float, ...]  # infinite if there are none


class Chain(NamedTuple):
    """The joints from a base to a tip."""

    tip: str
    base: str
    joints: tuple[Link, ...]
    offsets: tuple[Vector, ...]  # from the base to the first joint, then on, finally to the tip
    rotation: Matrix = IDENTITY  # of the tip


class Walk(NamedTuple):
    """What is known of a chain after some of its steps."""

    rotation: Matrix = IDENTITY
    parts: tuple[Vector, ...] = ()  # their sum leads from the last joint, or from the base, on
    offsets: tuple[Vector, ...] = ()
    joints: tuple[Link, ...] = ()


def chain_of(tip, base, steps, point=(0.0, 0.0, 0.0)):
    """Return the chain of steps from a base to a point given in the axes of the last step."""
    return ended(functools.reduce(walked, steps, Walk()), tip, base, point)


def walked(walk, step):
    """Return a walk after one more step."""
    rotation, parts, offsets, joints = walk
    parts = (*parts, apply(rotation, step.position))
    rotation = product(rotation, step.rotation)
    if step.name is None:
        return Walk(rotation, parts, offsets, joints)
    limits = step.limits or (-math.inf, math.inf)
    link = Link(step.name, apply(rotation, unit(step.axis)), limits)
    return Walk(rotation, (), (*offsets, total(parts)), (*joints, link))


def ended(walk, tip, base, point=(0.0, 0.0, 0.0)):
    """Return the chain of a walk to a point given in the axes of its last step."""
    rotation, parts, offsets, joints = walk
    parts = (*parts, apply(rotation, tuple(map(float, point))))
    return Chain(tip, base, joints, (*offsets, total(parts)), rotation)


def without_last(chain):
    """Return a chain whose last joint is fixed, at the angle 0."""
    *offsets, last, end = chain.offsets
    joined = (*offsets, total([last, end]))
    return chain._replace(joints=chain.joints[:-1], offsets=joined)


def ends_with_wheel(chain):
    """Return whether the last joint rotates without limits about an axis through the tip."""
    if not chain.joints or any(map(math.isfinite, chain.joints[-1].limits)):
        return False
    return length(cross(chain.joints[-1].axis, chain.offsets[-1])) <= THROUGH


def from_rpy(rpy):
    """Return the matrix of URDF's roll, pitch and yaw, about the fixed axes x, y and z."""
    (cr, cp, cy), (sr, sp, sy) = (tuple(map(f, rpy)) for f in (math.cos, math.sin))
    return (
        (cy * cp, math.fsum((cy * sp * sr, -sy * cr)), math.fsum((cy * sp * cr, sy * sr))),
        (sy * cp, math.fsum((sy * sp * sr, cy * cr)), math.fsum((sy * sp * cr, -cy * sr))),
        (-sp, cp * sr, cp * cr),
    )


def from_wxyz(q):
    """Return the matrix of a quaternion with w first."""
    w, x, y, z = (part / math.hypot(*q) for part in q)
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


# --- vectors ------------------------------------------------------------------------------


def dot(u, v):
    """Return the dot product, rounded once more than its terms."""
    return math.fsum(a * b for a, b in zip(u, v, strict=True))


def length(v):
    """Return the length of a vector."""
    return math.hypot(*v)


def unit(v):
    """Return a vector over its length; tiny and huge ones are scaled first."""
    size = max(map(abs, v))
    v = tuple(part / size for part in v)
    return tuple(part / math.hypot(*v) for part in v)


def total(parts):
    """Return the sum of vectors, rounded once."""
    return tuple(map(math.fsum, zip(*parts, strict=True)))


def apply(rotation, v):
    """Return a rotated vector."""
    return tuple(dot(row, v) for row in rotation)


def product(a, b):
    """Return the product of two matrices."""
    columns = tuple(zip(*b, strict=True))
    return tuple(tuple(dot(row, column) for column in columns) for row in a)
