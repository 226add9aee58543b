"""Names of branches, such as "knee forward, hip flipped": what they look like on the robot.

A branch is a choice for three parts of a limb, or two. Where the two choices bring a part of the
robot to different places, the name says which of both: for a knee or an elbow the joint between the
bones, for a shoulder or a hip whose axes do not meet the plane in which the bones are, for a wrist
whose axes do not meet the joint before it. Places are compared along the axis of the base in which
they differ most, on the average over poses around the rest pose: forward is +x, left +y and up +z,
as in ROS (REP 103). So names do not depend on the signs of axes, and limbs that mirror each other
have the same. Of parts whose axes meet, both choices look alike, and the name says which differ
from branch 0; so it does if neither word is true of most of these poses.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.core.vectors import minus, plus
from twobone.errors import RobotError
from twobone.robots.chain import Vector, total
from twobone.robots.structure import LATE, LEG, PARALLEL, SWIVEL, from_axis, listed, meeting_point
from twobone.robots.subproblems import turned_by

AROUND = 0.3  # radians by which all joints rotate from the rest pose, in either direction
TINY = 1e-3  # of the limb's length: places that differ by less look alike
MOSTLY = 0.9  # of the poses, in which a word must be true
WORDS = (("forward", "backward"), ("left", "right"), ("up", "down"))  # +x and -x, +y, +z


class Part(NamedTuple):
    """A part of a limb, and the point of it that branches bring to different places."""

    name: str
    bit: int  # of the number of a branch
    settled: int  # the bits of the number on which the place of its point depends
    joint: int = 0  # the joints before this one move the point
    point: Vector | None = None  # while all angles are 0; None if branches do not move it


def poses_around(limits: NDArray[Any], rest: NDArray[Any]) -> NDArray[np.float64]:
    """Return angles around those at rest, within limits; the same whatever the signs of axes."""
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=len(rest))))
    return (rest + AROUND * signs).clip(*limits.T)


def names_of(chain, parts, found, reached, size) -> tuple[str, ...]:
    """Return the names of all branches.

    Parameters
    ----------
    chain : Chain
    parts : tuple of Part
        From the base to the tip.
    found : array, shape (poses, branches, joints)
        The angles of all branches for some targets,
    reached : array, shape (poses, branches)
        and which of them reach these.
    size : float
        The length of the limb, in metres.
    """
    count = found.shape[1]
    words, flipped = [[] for _ in range(count)], [[] for _ in range(count)]
    for part in parts:
        apart = None if part.point is None else _moved(chain, part, found)
        for number in range(count):
            word = None if apart is None else _word(part, apart, reached, number, size)
            if word:
                words[number].append(f"{part.name} {word}")
            elif number & part.bit:
                flipped[number].append(part.name)
    every = zip(words, flipped, strict=True)
    return tuple(", ".join([*told, *_flipped(turned)]) or "rest" for told, turned in every)


def _flipped(names):
    return [f"{listed(names)} flipped"] if names else []


def _word(part, places, reached, number, size):
    """Return the word for the place of a part in a branch, None if there is none."""
    alike = [k for k in range(places.shape[1]) if not (k ^ number) & part.settled]
    ways = [
        (places[:, k] - places[:, k ^ part.bit])[reached[:, k] & reached[:, k ^ part.bit]]
        for k in alike
    ]
    ways = np.concatenate(ways)
    if not len(ways):
        return None
    mean = ways.mean(axis=0)
    axis = int(np.abs(mean).argmax())
    sign = 1.0 if mean[axis] > 0.0 else -1.0
    if (ways[:, axis] * sign > TINY * size).mean() < MOSTLY:
        return None
    return WORDS[axis][int(sign < 0.0)]


def _moved(chain, part, angles):
    """Return where the point of a part is, in the axes of the base."""
    place = part.point
    for i in reversed(range(part.joint)):
        angle, origin = angles[..., i], _origin(chain, i)
        away = minus(place, origin)
        away = turned_by(chain.joints[i].axis, np.cos(angle), np.sin(angle), away)
        place = plus(origin, away)
    return np.stack(place, axis=-1)


def number_of(limb, branch: int | str) -> int:
    """Return the number of a branch that is given by its number or its name."""
    names = limb.branch_names
    if isinstance(branch, str):
        if branch in names:
            return names.index(branch)
        there = ", ".join(map(repr, names))
        message = f"{limb.tip}: no branch {branch!r}; this limb has: {there}."
        raise RobotError(message, tip=limb.tip)
    if branch in range(len(names)):
        return int(branch)
    *others, last = range(len(names))
    there = f"{', '.join(map(str, others))} or {last}"
    message = f"{limb.tip}: `branch` must be {there}, got {branch!r}."
    raise RobotError(message, tip=limb.tip)


# --- parts of limbs -----------------------------------------------------------------------


def parts_of_plane(chain, yaw: bool, names: tuple[str, str]) -> tuple[Part, ...]:
    """Return the parts of a limb of which two joints, or three, are parallel, behind a first one.

    `names` are those of the part at the first joint, and of the joint between the bones.
    """
    tip = total(chain.offsets)
    knee = _on_hinge(names[1], 1, 3, chain, int(yaw) + 1, tip)
    return (_on_hinge(names[0], 2, 2, chain, 1, tip), knee) if yaw else (knee,)


def parts_of_pose(chain, fit) -> tuple[Part, ...]:
    """Return the parts of a limb of six or seven joints."""
    numbers, kind, backwards = fit.view.numbers, fit.kind, fit.view.backwards
    names = ("shoulder", "elbow", "wrist")
    if len(chain.joints) == 6 and backwards:
        names = ("hip", "knee", "ankle")
    first, middle, last = reversed(names) if backwards else names
    ends = numbers[4:] if kind == PARALLEL else numbers[-3:]
    end = _meeting(chain, ends)
    one, two, three = Part(first, 4, 4), Part(middle, 2, 7), Part(last, 1, 5)
    if kind == LATE:
        at = _meeting(chain, numbers[1:3])
        two = two._replace(joint=max(numbers[1:3]), point=at)
    else:
        two = _on_hinge(middle, 2, 7, chain, numbers[3 if kind == SWIVEL else 2], end)
    if kind in (LEG, PARALLEL):
        one = _on_hinge(first, 4, 4, chain, numbers[1], end)
    if kind == PARALLEL:
        three = _on_hinge(last, 1, 5, chain, numbers[3], end)
    parts = one, two, three
    return parts[::-1] if backwards else parts


def _on_hinge(name, bit, settled, chain, joint, near):
    """Return a part whose point is on the axis of a joint, as near to another point as it can be.

    So it is in the plane in which the bones are.
    """
    axis, origin = chain.joints[joint].axis, _origin(chain, joint)
    return Part(name, bit, settled, joint, minus(near, from_axis(axis, origin, near)))


def _meeting(chain, joints):
    axes, origins = [chain.joints[i].axis for i in joints], [_origin(chain, i) for i in joints]
    return meeting_point(axes, origins)


def _origin(chain, joint):
    """Return where a joint is, while all angles are 0."""
    return total(chain.offsets[: joint + 1])
