"""Rotations of poses: quaternions of any length in, unit ones out, and which of them are known.

Clips are interpolated and compressed, so their quaternions need not be unit. One of length 0 says
nothing: values that depend on it are NaN.
"""

from twobone.core import batches
from twobone.core.answer import NAN
from twobone.rotations import quaternions


def unit_rotations(xp, t, rotations):
    """Return the rotations of a pose as unit quaternions, and which of them are known.

    See `quaternions.unit_quaternion`. One of length 0 is not known. It stays 0, which turns
    nothing, so that derivatives are finite; what comes of it must be made NaN in the end
    (`where_known`).
    """
    if xp.name in ("float", "numpy"):
        return tuple(zip(*(unit_rotation(xp, t, q) for q in rotations), strict=True))
    # All joints at once: an operation of theirs costs more than what it does.
    parts = [xp.xp.stack(part, axis=0) for part in zip(*rotations, strict=True)]
    units, known = quaternions.unit_quaternion(xp, t, parts), quaternions.is_some(parts)
    joints = range(len(rotations))
    return (
        tuple(tuple(part[joint, ...] for part in units) for joint in joints),
        tuple(known[joint, ...] for joint in joints),
    )


def unit_rotation(xp, t, q):
    """Return a quaternion of any length as a unit one, and whether it is known.

    The same bits as `quaternions.unit_quaternion`, with as little work as will do: where values
    can be seen, most need no more than a look. True means that all are known.
    """
    x, y, z, w = q
    square = x * x + y * y + z * z + w * w
    if batches.holds_everywhere(xp, quaternions.is_unit(t, square)):
        return q, True
    if batches.holds_everywhere(xp, quaternions.is_moderate(t, square)):
        return quaternions.over_length(xp, t, q, square), True
    return quaternions.unit_quaternion(xp, t, q), quaternions.is_some(q)


def known_in_world(parents, known):
    """Say of which joints the rotation in the world is known: that of none above is missing."""
    found = []
    for parent, own in zip(parents, known, strict=True):
        found.append(own if parent < 0 else own & found[parent])
    return found


def where_known(xp, known, parts, none=NAN):
    """Return the parts of a vector, nested or not; `none` where it is not known."""
    if known is True:
        return parts
    if isinstance(parts, tuple):
        return tuple(where_known(xp, known, part, none) for part in parts)
    return xp.where(known, parts, none)
