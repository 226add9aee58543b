"""Normalisation of a pose's quaternions, and which of them are valid rotations.

Interpolated and compressed clips hold quaternions whose length is not 1; any length but 0 is
accepted. A quaternion of length 0 is not a rotation: values that depend on it are NaN.
"""

from twobone.core import batches
from twobone.core.answer import NAN
from twobone.rotations import quaternions


def unit_rotations(xp, t, rotations):
    """Return the rotations of a pose as unit quaternions, and which of them are valid.

    See `quaternions.unit_quaternion`. A quaternion of length 0 is not valid. It stays 0, which
    rotates nothing, so that derivatives are finite; the caller must replace what depends on it
    by NaN in the end (`where_valid`).
    """
    if xp.name in ("float", "numpy", "program"):
        return tuple(zip(*(unit_rotation(xp, t, q) for q in rotations), strict=True))
    # All joints at once: in these libraries the overhead of a call outweighs its arithmetic.
    parts = [xp.xp.stack(part, axis=0) for part in zip(*rotations, strict=True)]
    units, valid = quaternions.unit_quaternion(xp, t, parts), quaternions.is_some(parts)
    joints = range(len(rotations))
    return (
        tuple(tuple(part[joint, ...] for part in units) for joint in joints),
        tuple(valid[joint, ...] for joint in joints),
    )


def unit_rotation(xp, t, q):
    """Return a quaternion of any length as a unit quaternion, and whether it is valid.

    The result has the same bits as `quaternions.unit_quaternion`. Where the values can be
    inspected, the usual cases take a shortcut. True means that all are valid.
    """
    x, y, z, w = q
    square = x * x + y * y + z * z + w * w
    if batches.holds_everywhere(xp, quaternions.is_unit(t, square)):
        return q, True
    if batches.holds_everywhere(xp, quaternions.is_moderate(t, square)):
        return quaternions.over_length(xp, t, q, square), True
    return quaternions.unit_quaternion(xp, t, q), quaternions.is_some(q)


def valid_in_world(parents, valid, order=None):
    """Return which joints have a valid world rotation: those with no invalid one above them.

    `order` lists the joints, parents first; by default they are in that order.
    """
    found = list(valid)
    for joint in order or range(len(parents)):
        parent = parents[joint]
        if parent >= 0:
            found[joint] = valid[joint] & found[parent]
    return found


def where_valid(xp, valid, parts, none=NAN):
    """Return the parts of a vector, nested or not; `none` where it is not valid."""
    if valid is True:
        return parts
    if isinstance(parts, tuple):
        return tuple(where_valid(xp, valid, part, none) for part in parts)
    return xp.where(valid, parts, none)
