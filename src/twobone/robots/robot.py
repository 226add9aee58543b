"""Robots: the limbs that a URDF file has, and why others are none."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from twobone.core.arrays import to_floats
from twobone.core.immutable import Immutable
from twobone.core.vectors import cross
from twobone.errors import RobotError
from twobone.files import urdf
from twobone.files.columns import counted
from twobone.robots.chain import (
    Step,
    apply,
    chain_of,
    from_rpy,
    length,
    product,
    total,
    unit,
)
from twobone.robots.geometry import geometry_of
from twobone.robots.limb import Arm, Leg, Rest

FREE = ("floating", "planar")


def limb_of(chain, rest=None) -> Leg | Arm:
    """Return the limb that a chain is, or raise."""
    geometry = geometry_of(chain)
    return (Arm if geometry.tool is not None else Leg)(geometry, rest)


def read_urdf(file: str | os.PathLike[str] | bytes) -> Robot:
    """Read a robot from a URDF file.

    Parameters
    ----------
    file : str, path or bytes
        The path of a file, or its text. Meshes are not opened.

    Returns
    -------
    Robot

    Raises
    ------
    FileError
        If the file is not a valid URDF file; with the line, the column and the joint.
    ArrayTypeError
        If `file` is neither a path nor text.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from twobone import robots
    >>> robot = robots.read_urdf("go2.urdf")  # doctest: +SKIP
    >>> robot.leg("FR_foot").solve([0.19, -0.14, -0.3])  # doctest: +SKIP
    array([-0.00714286,  0.78747   , -1.5785641 ])
    """
    return Robot(urdf.read(file))


class Robot(Immutable):
    """The links and joints of a robot.

    Made by `read_urdf`. `limbs` finds all legs and arms; `limb` takes one by the name of its tip,
    and so do `leg` and `arm`, for which type checkers know what they return.

    Attributes
    ----------
    name : str
        The name of the robot in its file.
    links, joint_names : tuple of str
        All links and joints.
    root : str
        The link that is no joint's child.
    """

    _set_once = ("name", "links", "joint_names", "root", "_joints", "_above", "_source", "_found")

    def __init__(self, document: urdf.UrdfDocument) -> None:
        self.name = document.name
        self.links = document.links
        self.joint_names = tuple(joint.name for joint in document.joints)
        self.root = document.root
        self._source = document.source
        self._joints = document.joints
        self._above = {joint.child: joint for joint in document.joints}

    def __repr__(self) -> str:
        counts = counted(len(self.links), "link"), counted(len(self.joint_names), "joint")
        return f"<Robot {self.name!r}: {', '.join(counts)}>"

    @property
    def limbs(self) -> Mapping[str, Leg | Arm]:
        """All limbs that are found, by the names of their tips.

        A tip is a link without joints that move below it; grippers do not count. Of several that
        the same joint moves, it is the one farthest from that joint's axis. `limb` takes any.
        """
        return MappingProxyType(self._all().limbs)

    @property
    def misfits(self) -> Mapping[str, RobotError]:
        """The tips that two or more joints move, but that are not the tips of limbs, and why."""
        return MappingProxyType(self._all().misfits)

    def limb(
        self,
        tip: str,
        base: str | None = None,
        rest: Rest | None = None,
        point: Sequence[float] | None = None,
    ) -> Leg | Arm:
        """Return the limb from a base to a tip.

        Parameters
        ----------
        tip : str
            The name of the link at the end.
        base : str, optional
            The name of the link at which the limb begins, and in whose axes targets are given; by
            default the root of the robot, or the last link above the tip that floats freely.
        rest : sequence of n numbers, or mapping from joint names to numbers, optional
            The rest pose, in radians; by default the middle of the limits, and 0 without limits.
            Branch 0 of the solutions is that of this pose.
        point : three numbers, optional
            The point to bring to the target, in the axes of the tip; by default its origin.

        Returns
        -------
        Leg or Arm

        Raises
        ------
        RobotError
            If there are no such links, or the joints between them do not fit: the message says
            which axes are off and by how much.
        """
        path = self._path(tip, base)
        steps = []
        for joint in path:
            moves = joint.kind in urdf.MOVING
            if joint.kind == "prismatic" or (moves and joint.mimic is not None):
                copies = "it slides" if not moves else f"it copies {joint.mimic!r}"
                message = f"{tip}: joint {joint.name!r} must rotate on its own, but {copies}."
                raise RobotError(message, tip=tip)
            name = joint.name if moves else None
            steps.append(Step(joint.position, from_rpy(joint.rpy), name, joint.axis, joint.limits))
        start = path[0].parent if path else tip
        point = (0.0, 0.0, 0.0) if point is None else _point(point, tip)
        return limb_of(chain_of(tip, start, steps, point), rest)

    def leg(
        self,
        tip: str,
        base: str | None = None,
        rest: Rest | None = None,
        point: Sequence[float] | None = None,
    ) -> Leg:
        """Return the leg from a base to a tip: `limb`, of which a type checker knows more.

        Parameters
        ----------
        tip, base, rest, point
            As for `limb`.

        Returns
        -------
        Leg

        Raises
        ------
        RobotError
            Where `limb` does, and if the limb is an arm.
        """
        found = self.limb(tip, base, rest, point)
        if not isinstance(found, Leg):
            raise RobotError(_other_kind(found, "a leg, which has two or three"), tip=tip)
        return found

    def arm(
        self,
        tip: str,
        base: str | None = None,
        rest: Rest | None = None,
        point: Sequence[float] | None = None,
    ) -> Arm:
        """Return the arm from a base to a tip: `limb`, of which a type checker knows more.

        Parameters
        ----------
        tip, base, rest, point
            As for `limb`.

        Returns
        -------
        Arm

        Raises
        ------
        RobotError
            Where `limb` does, and if the limb is a leg.
        """
        found = self.limb(tip, base, rest, point)
        if not isinstance(found, Arm):
            raise RobotError(_other_kind(found, "an arm, which has four or five"), tip=tip)
        return found

    def _path(self, tip, base):
        """Return the joints from a base to a tip."""
        for name, given in (("tip", tip), ("base", base)):
            known = given == self.root or (isinstance(given, str) and given in self._above)
            if not known and not (name == "base" and given is None):
                message = f"`{name}` must be a link of the robot, got {given!r}"
                raise RobotError(f"{message}; it has: {', '.join(self.links)}.", tip=tip)
        path, link = [], tip
        while link != base and link in self._above:
            joint = self._above[link]
            if joint.kind in FREE:
                break
            path.append(joint)
            link = joint.parent
        if base is not None and link != base:
            if link in self._above and self._is_above(base, link):
                message = f"{tip}: `base` must not be above joint {self._above[link].name!r},"
                raise RobotError(f"{message} which moves freely, got {base!r}.", tip=tip)
            raise RobotError(f"`base` must be above {tip!r}, got {base!r}.", tip=tip)
        return path[::-1]

    def _is_above(self, base, link):
        while link != base and link in self._above:
            link = self._above[link].parent
        return link == base

    def _all(self):
        if "_found" not in vars(self):
            self._found = find_limbs(self, self._joints)
        return self._found


def _other_kind(limb, wanted):
    names = limb.joint_names
    message = f"{limb.tip}: {wanted} joints, was asked for; from {limb.base} there are"
    return f"{message} {len(names)}: {', '.join(names)}."


def _point(point, tip):
    parts = point if np.iterable(point) else ()
    values = to_floats(**{f"point {i}": part for i, part in enumerate(parts)})
    if len(values) != 3 or not all(abs(part) < 1e9 for part in values):
        raise RobotError(f"{tip}: `point` must be three finite numbers, got {point!r}.", tip=tip)
    return tuple(values)


# --- finding limbs ------------------------------------------------------------------------


class Found(NamedTuple):
    """All tips of a robot."""

    limbs: Mapping[str, Leg | Arm]
    misfits: Mapping[str, RobotError]


class Place(NamedTuple):
    """Where a link is, relative to the last joint that moves it."""

    moved_by: tuple[str, ...]  # names of the joints above that rotate
    group: str  # the link that the last of them carries
    position: tuple
    rotation: tuple
    axis: tuple | None  # of that joint


def find_limbs(robot, joints):
    """Return all limbs of a robot, and the tips that are none."""
    limbs, misfits = {}, {}
    for tip, moved_by in _tips(robot, joints):
        try:
            limb = robot.limb(tip)
        except RobotError as error:
            misfits[tip] = error, moved_by
            continue
        same = limbs.get(limb.joint_names)
        if same is None or limb.bones[-1] >= same.bones[-1]:
            limbs[limb.joint_names] = limb
    # What ends inside of a limb, or branches off it before its end as rotors do, is no limb.
    parts = {names[:count] for names in limbs for count in range(len(names))}
    by_tip = {limb.tip: limb for names, limb in limbs.items() if names not in parts}
    carriers = {joint.name: joint.parent for joint in joints}
    told = {
        tip: _with_carrier(robot, error, carriers[names[-1]], parts.union(limbs))
        for tip, (error, names) in misfits.items()
        if names[:-1] not in parts
    }
    return Found(by_tip, told)


def _with_carrier(robot, error, carrier, known):
    """Return the error of a tip; it names the link before the last joint if a limb ends there.

    Such a joint is the jaw of a gripper, if the file has no other tip in the gripper.
    """
    try:
        limb = robot.limb(carrier)
    except RobotError:
        return error
    if limb.joint_names in known:
        return error
    message = f"{error} The limb that ends at {carrier!r} fits."
    return RobotError(message, tip=error.tip, axes=error.axes)


def _tips(robot, joints):
    """Yield the tip of each group of links that two or more joints move, and those joints."""
    places = {robot.root: Place((), robot.root, (0.0, 0.0, 0.0), from_rpy((0.0, 0.0, 0.0)), None)}
    grip = _grippers(joints)
    ends = set(robot.links) - {joint.parent for joint in joints if joint.name not in grip}
    for joint in joints:  # parents come first
        if joint.name in grip or joint.parent not in places:
            continue
        above = places[joint.parent]
        if joint.kind in urdf.MOVING:
            here = Place(
                (*above.moved_by, joint.name),
                joint.child,
                (0.0, 0.0, 0.0),
                from_rpy((0.0, 0.0, 0.0)),
                unit(joint.axis),
            )
        else:
            moved = apply(above.rotation, joint.position)
            here = above._replace(
                position=total([above.position, moved]),
                rotation=product(above.rotation, from_rpy(joint.rpy)),
            )
        if joint.kind in FREE:
            here = here._replace(moved_by=(), group=joint.child, axis=None)
        places[joint.child] = here
    best = {}
    for link in robot.links:
        place = places.get(link)
        if link in ends and place is not None and place.axis and len(place.moved_by) > 1:
            away = length(cross(place.axis, place.position))
            if place.group not in best or away > best[place.group][0]:
                best[place.group] = away, link, place.moved_by
    for _, link, moved_by in best.values():
        yield link, moved_by


def _grippers(joints):
    """Return the names of joints that slide or copy others, and move nothing that rotates alone."""
    rotates, found = set(), set()
    for joint in reversed(joints):  # children come first
        alone = joint.kind in urdf.MOVING and joint.mimic is None
        if alone or joint.child in rotates:
            rotates.add(joint.parent)
        elif joint.kind == "prismatic" or joint.mimic is not None:
            found.add(joint.name)
    return found
