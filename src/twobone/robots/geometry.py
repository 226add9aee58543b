"""Geometry: what the closed form needs to know of a limb, or why the limb has none.

A limb has, in this order: a joint about an axis `a`, or none; two joints, or in an arm three, about
axes parallel to `b`, perpendicular to `a`; and in an arm perhaps one that rolls about the tool's
axis, perpendicular to `b`. (Three parallel joints alone are an arm that moves in a plane.) Vectors
are expressed in the frame (b, c, a), with `c = a x b`, which the first joint rotates. The parallel
joints move in the plane of `c` and `a`, in which vectors are pairs (c, a). All vectors are those of
the limb while all angles are 0.
"""

from __future__ import annotations

import functools
import math
from contextlib import suppress
from typing import NamedTuple

from twobone.core.vectors import cross
from twobone.errors import RobotError
from twobone.robots import structure
from twobone.robots.chain import (
    Chain,
    Matrix,
    Vector,
    apply,
    dot,
    ends_with_wheel,
    length,
    total,
    unit,
    without_last,
)

MOST = 5  # joints
SQUARE = 1e-4  # radians by which axes may be off
ROUNDED = 5e-3  # radians; axes that are off by less are probably meant to be square
THIN = 1e-6  # of the limb's length: shorter bones are none
Pair = tuple[float, ...]  # of two numbers


class Roll(NamedTuple):
    """The point that a rolling joint rotates: `fixed + cos(roll) even + sin(roll) odd`."""

    fixed: Vector  # in the frame (b, c, a), from the last parallel joint
    even: Vector
    odd: Vector


class Geometry(NamedTuple):
    """The constants of the closed form."""

    chain: Chain  # without the wheel at its end, if there was one
    frame: Matrix  # b, c and a in the axes of the base
    shift: Vector  # subtracted from a target in this frame: see `geometry_of`
    yaw: bool  # whether there is a first joint about `a`
    hip: float  # c of the first parallel joint, from the axis of the first joint
    offset: float  # b of the tip; with a roll joint, without what depends on it
    upper: Pair  # the two bones
    lower: Pair
    last: Pair | None  # of an arm, from the last parallel joint to the tip, if nothing rolls
    roll: Roll | None
    tool: Pair | None  # the direction of the tool
    signs: tuple[float, ...]  # of the parallel joints: +1 if their axis is b, -1 if -b
    hinges: tuple[Vector, ...]  # the axes of the parallel joints, in the frame
    places: tuple[Vector, ...]  # each from the joint before; the first from the first axis
    beyond: Vector  # from the last parallel joint to the tip, if nothing rolls
    forward: Pair  # signs of c and a for pitch: towards the tip, and up
    length: float
    skew: float  # radians by which axes are off


def geometry_of(chain):
    """Return the geometry of a chain; a wheel at its end is left out.

    Raises
    ------
    RobotError
        If the chain does not fit.
    """
    whole = chain
    while ends_with_wheel(chain) and _last_are_parallel(chain):
        chain = without_last(chain)
    try:
        return _fitted(chain)
    except RobotError:
        if ends_with_wheel(chain):
            with suppress(RobotError):
                return _fitted(without_last(chain))
        if chain is not whole and len(whole.joints) <= MOST and not _wrong(_off(whole)):
            return _fitted(whole)  # no wheel but a knee, below which the file has no foot
        raise


def _last_are_parallel(chain):
    if len(chain.joints) < 2:
        return True
    one, two = (joint.axis for joint in chain.joints[-2:])
    return length(cross(one, two)) <= SQUARE


def _fitted(chain):
    count = len(chain.joints)
    if not 2 <= count <= MOST:
        raise RobotError(functools.partial(_counted, chain), tip=chain.tip)
    off = _off(chain)
    wrong = _wrong(off)
    if wrong:
        told = functools.partial(_told, chain, wrong)
        raise RobotError(told, tip=chain.tip, axes=wrong)
    yaw, rolls, hinges = _roles(chain)
    axes = [joint.axis for joint in chain.joints]
    return _measured(chain, axes, yaw, rolls, hinges, max(each[3] for each in off))


def _counted(chain):
    """Return that there are too many joints, or too few."""
    names = ", ".join(joint.name for joint in chain.joints)
    told = f"{chain.tip}: a limb has two to seven joints; from {chain.base} there are"
    told += f" {len(chain.joints)}" + (f": {names}." if names else ".")
    return told + _facts(chain)


def _facts(chain):
    """Return what the axes of a chain do, as a sentence."""
    found = structure.facts(chain) if chain.joints else []
    return f" Of these, {'; '.join(found)}." if found else ""


def _roles(chain):
    """Return whether the first joint is one about `a`, whether the last rolls, and the others."""
    count, axes = len(chain.joints), [joint.axis for joint in chain.joints]
    planar = count == 3 and all(length(cross(axes[0], axis)) <= SQUARE for axis in axes[1:])
    yaw, rolls = count > 2 and not planar, count == 5
    return yaw, rolls, range(int(yaw), count - int(rolls))


def _off(chain):
    """Return by how much each axis is off: (joint, other joint, what they must be, radians)."""
    yaw, rolls, hinges = _roles(chain)
    wanted = [(hinges[0], i, "parallel") for i in hinges[1:]]
    wanted += [(0, hinges[0], "perpendicular")] * yaw
    wanted += [(hinges[-1], len(chain.joints) - 1, "perpendicular")] * rolls
    pairs = ((chain.joints[i], chain.joints[j], how) for i, j, how in wanted)
    return [(one.name, two.name, how, _angle(one.axis, two.axis, how)) for one, two, how in pairs]


def _wrong(off):
    return [each for each in off if not each[3] <= SQUARE]


def _angle(one, two, how):
    """Return by how many radians two unit axes are not parallel or not perpendicular."""
    sin, cos = length(cross(one, two)), abs(dot(one, two))
    return math.atan2(sin, cos) if how == "parallel" else math.atan2(cos, sin)


def _told(chain, wrong):
    names = ", ".join(joint.name for joint in chain.joints)
    parts = [
        f"{one} and {two} must be {how}, and are off by {_degrees(angle)}"
        for one, two, how, angle in wrong
    ]
    told = f"{chain.tip}: the axes of {'; of '.join(parts)} (joints: {names})." + _facts(chain)
    if max(angle for *_, angle in wrong) < ROUNDED:
        told += (
            " The file seems to round its angles: 1.57 is too few digits of pi / 2, 1.5708 enough."
        )
    return told


def _degrees(angle):
    return f"{math.degrees(angle):.3g} degrees"


def _measured(chain, axes, yaw, rolls, hinges, skew):
    """Return the geometry of a chain whose axes fit."""
    b = axes[hinges[0]]
    frame = _frame(axes[0], b) if yaw else _frame_of_plane(b)
    into = [apply(frame, offset) for offset in chain.offsets]
    signs = tuple(math.copysign(1.0, dot(axes[i], b)) for i in hinges)
    # The first parallel joint, from a point on the axis of the first joint.
    hip = into[1] if yaw else (0.0, 0.0, 0.0)
    bones = into[hinges[0] + 1 :]
    upper, lower = bones[0], bones[1]
    last = roll = tool = None
    offset = math.fsum((hip[0], upper[0], lower[0]))
    if len(hinges) == 3:
        last, tool = bones[2][1:], bones[2][1:]
        if rolls:
            axis = apply(frame, axes[-1])
            tool = _tool(axis, bones[3], bones[2])[1:]
            roll = _roll(axis, bones[2], bones[3])
            last = None
        else:
            offset = math.fsum((offset, bones[2][0]))
    size = math.fsum(map(length, chain.offsets[hinges[0] + 1 :]))
    _check_bones(chain, hinges, size, upper, lower, tool)
    at = total(chain.offsets[: hinges[0] + 1])  # the first parallel joint
    start = chain.offsets[0]
    shift = (dot(start, frame[0]), dot(start, frame[1]), dot(at, frame[2]))
    tip = math.fsum(each[1] for each in (hip, *bones))
    forward = (_forward(frame[1], tip, size), -1.0 if frame[2][2] < -THIN else 1.0)
    return Geometry(
        chain,
        frame,
        shift,
        yaw,
        hip[1],
        offset,
        upper[1:],
        lower[1:],
        last,
        roll,
        tool,
        signs,
        tuple(apply(frame, axes[i]) for i in hinges),
        ((hip[0], hip[1], 0.0), *bones[: len(hinges) - 1]),
        bones[len(hinges) - 1],
        forward,
        size,
        skew,
    )


def _forward(c, tip, size):
    """Return the sign of c that points to the tip, or of an upright arm to +x, +y or +z."""
    if abs(tip) > THIN * size:
        return math.copysign(1.0, tip)
    return math.copysign(1.0, next(part for part in c if abs(part) > 0.1))


def _check_bones(chain, hinges, size, upper, lower, tool):
    names = [joint.name for joint in chain.joints]
    ends = [names[i] for i in hinges] + ["the tip"]
    bones = [upper[1:], lower[1:]] + ([tool] if tool is not None else [])
    for i, bone in enumerate(bones):
        if math.hypot(*bone) <= THIN * size:
            message = (
                f"{chain.tip}: the axis of {ends[i]} passes through {_of(ends[i + 1])}, so the"
            )
            message += " bone between them has no length."
            if i == len(bones) - 1:
                message += " (`point` takes a point of this link other than its origin.)"
            raise RobotError(message, tip=chain.tip)


def _of(name):
    return name if name == "the tip" else f"that of {name}"


def _frame(a, b):
    """Return unit vectors b, c and a, perpendicular to each other; `a` keeps its direction."""
    a, b = _snapped(a), _snapped(_square_to(a, b))
    return b, _snapped(unit(cross(a, b))), a


def _frame_of_plane(b):
    """Return b, c and a, where `a` is as near to z as possible, or to x if `b` is nearly z."""
    up = (0.0, 0.0, 1.0) if abs(b[2]) < 0.9 else (1.0, 0.0, 0.0)
    a, b = _snapped(_square_to(b, up)), _snapped(b)
    return b, _snapped(unit(cross(a, b))), a


def _square_to(a, b):
    """Return the direction of the part of `b` perpendicular to the unit vector `a`."""
    along = dot(a, b)
    return unit(tuple(v - along * w for v, w in zip(b, a, strict=True)))


def _snapped(v):
    """Return a coordinate axis if a vector equals it up to rounding."""
    if sorted(map(abs, v))[1] <= 2.0**-52:
        return tuple(float(round(part)) for part in v)
    return v


def _tool(axis, beyond, before):
    """Return the axis of a roll joint, with the sign that points to the tip.

    If the tip is beside the axis, the sign is that which points away from the joint before.
    """
    size = length(beyond) + length(before)
    for towards in (beyond, before):
        along = dot(axis, towards)
        if abs(along) > THIN * size:
            return tuple(math.copysign(1.0, along) * part for part in axis)
    return axis


def _roll(axis, before, beyond):
    """Return the tip from the last parallel joint, as a function of the angle of the roll joint."""
    along = dot(axis, beyond)
    fixed = tuple(p + along * part for p, part in zip(before, axis, strict=True))
    even = tuple(p - along * part for p, part in zip(beyond, axis, strict=True))
    return Roll(fixed, even, cross(axis, beyond))
