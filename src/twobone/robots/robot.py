"""Robots: the limbs that a URDF file has, and why others are none."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from twobone.core.arrays import to_floats
from twobone.core.immutable import Immutable
from twobone.core.vectors import cross
from twobone.errors import RobotError
from twobone.files import urdf
from twobone.files.columns import counted
from twobone.robots.chain import (
    Step,
    Walk,
    apply,
    ended,
    ends_with_wheel,
    from_rpy,
    length,
    product,
    total,
    unit,
    walked,
    without_last,
)
from twobone.robots.geometry import geometry_of
from twobone.robots.limb import Arm, Leg, Rest
from twobone.robots.pose_limb import PoseLimb
from twobone.robots.redundant_limb import RedundantLimb
from twobone.robots.structure import COUNTS, fit_of

FREE = ("floating", "planar")
L = TypeVar("L", bound=Leg | Arm | PoseLimb)
MOST_JOINTS = 8  # of a limb, with a wheel at its end


def limb_of(chain, rest=None, approximate=False) -> Leg | Arm | PoseLimb:
    """Return the limb that a chain is, or raise."""
    if len(chain.joints) in COUNTS:
        return _pose_limb_of(chain, rest, approximate)
    geometry = geometry_of(chain)
    return (Arm if geometry.tool is not None else Leg)(geometry, rest)


def _pose_limb_of(chain, rest, approximate):
    try:
        fit = fit_of(chain, approximate)
    except RobotError:
        if ends_with_wheel(chain):
            with suppress(RobotError):
                return limb_of(without_last(chain), rest)
        raise
    return (PoseLimb if len(chain.joints) == 6 else RedundantLimb)(chain, fit, rest)


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
    and so do `leg`, `arm`, `pose_limb` and `redundant_limb`, for which type checkers know what they
    return.

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
    def limbs(self) -> Mapping[str, Leg | Arm | PoseLimb]:
        """All limbs that are found, by the names of their tips.

        A tip is a link without joints that move below it; grippers do not count. Of several that
        the same joint moves, it is the one farthest from that joint's axis. A chain from the root
        to a tip that is no limb is split where others branch off it, behind joints that slide, and
        before a last joint that may be a jaw. `limb` takes any base and tip.
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
        *,
        approximate: bool = False,
    ) -> Leg | Arm | PoseLimb:
        """Return the limb from a base to a tip.

        Parameters
        ----------
        tip : str
            The name of the link at the end.
        base : str, optional
            The name of the link at which the limb begins, and in whose axes targets are given; by
            default the root of the robot, or the last link above the tip that floats freely. Those
            in `limbs` may begin later, as arms do at the chest of a humanoid.
        rest : sequence of n numbers, or mapping from joint names to numbers, optional
            The rest pose, in radians; by default the middle of the limits, and 0 without limits.
            Branch 0 of the solutions is that of this pose.
        point : three numbers, optional
            The point to bring to the target, in the axes of the tip; by default its origin.
        approximate : bool
            Whether to solve a limb of six joints whose axes miss by up to 5 % of its length the
            point in which they should meet, or are off by up to 0.05 radians: from the nearest
            limb whose axes fit, by Newton's method. A branch that it does not find is not REACHED,
            and branches may be the same.

        Returns
        -------
        Leg, Arm, PoseLimb or RedundantLimb
            Two or three joints are a leg, whose target is a point; four or five, or three parallel
            ones, are an arm, whose target has a pitch as well; that of six and seven is a pose. A
            `RedundantLimb` is a `PoseLimb` of seven joints, with a free angle.

        Raises
        ------
        RobotError
            If there are no such links, or the joints between them do not fit: the message says
            which axes meet or are parallel, what is missing, and by how much axes are off.
        """
        point = (0.0, 0.0, 0.0) if point is None else _point(point, tip)
        try:
            return limb_of(ended(*self._walk(tip, base, {}), point), rest, approximate)
        except RobotError as error:
            if base is not None or tip not in self.links:
                raise
            told, axes = functools.partial(self._with_base, tip, error), error.axes
            raise RobotError(told, tip=tip, axes=axes) from None

    def _with_base(self, tip, error):
        """Return why a limb from the root is refused, and whether another base helps."""
        other = self.limbs.get(tip)
        more = "" if other is None else f" With base={other.base!r}, it is a limb."
        return f"{error}{more}"

    def _walk(self, tip, base, walks):
        """Return the walk from a base to a tip, the tip, and where the walk starts.

        `walks` are those by their start and end: walks that begin alike are done once.
        """
        path = self._path(tip, base)
        for joint in path:
            moves = joint.kind in urdf.MOVING
            if joint.kind == "prismatic" or (moves and joint.mimic is not None):
                copies = "it slides" if not moves else f"it copies {joint.mimic!r}"
                message = f"{tip}: joint {joint.name!r} must rotate on its own, but {copies}."
                raise RobotError(message, tip=tip)
        start, known = path[0].parent if path else tip, len(path)
        while known and (start, path[known - 1].child) not in walks:
            known -= 1
        walk = walks[start, path[known - 1].child] if known else Walk()
        for joint in path[known:]:
            name = joint.name if joint.kind in urdf.MOVING else None
            turn = from_rpy(joint.rpy)
            walk = walked(walk, Step(joint.position, turn, name, joint.axis, joint.limits))
            walks[start, joint.child] = walk
        return walk, tip, start

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
        return _of_kind(Leg, found, "a leg, whose target is a point")

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
        return _of_kind(Arm, found, "an arm, whose target has a pitch")

    def pose_limb(
        self,
        tip: str,
        base: str | None = None,
        rest: Rest | None = None,
        point: Sequence[float] | None = None,
        *,
        approximate: bool = False,
    ) -> PoseLimb:
        """Return the limb of six or seven joints from a base to a tip: `limb`, with its type.

        Parameters
        ----------
        tip, base, rest, point, approximate
            As for `limb`.

        Returns
        -------
        PoseLimb

        Raises
        ------
        RobotError
            Where `limb` does, and if the target of the limb is a point.
        """
        found = self.limb(tip, base, rest, point, approximate=approximate)
        return _of_kind(PoseLimb, found, "a limb whose target is a pose")

    def redundant_limb(
        self,
        tip: str,
        base: str | None = None,
        rest: Rest | None = None,
        point: Sequence[float] | None = None,
        *,
        approximate: bool = False,
    ) -> RedundantLimb:
        """Return the limb of seven joints from a base to a tip: `limb`, with its type.

        Parameters
        ----------
        tip, base, rest, point, approximate
            As for `limb`.

        Returns
        -------
        RedundantLimb

        Raises
        ------
        RobotError
            Where `limb` does, and if the limb has no seven joints.
        """
        found = self.limb(tip, base, rest, point, approximate=approximate)
        return _of_kind(RedundantLimb, found, "a limb of seven joints")

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


def _of_kind(kind: type[L], limb: Leg | Arm | PoseLimb, wanted: str) -> L:
    """Return a limb if it is of a kind; `wanted` says in words what was asked for."""
    if isinstance(limb, kind):
        return limb
    names = limb.joint_names
    message = f"{limb.tip}: {wanted}, was asked for; from {limb.base} there are"
    raise RobotError(f"{message} {len(names)}: {', '.join(names)}.", tip=limb.tip)


def _point(point, tip):
    parts = point if np.iterable(point) else ()
    values = to_floats(**{f"point {i}": part for i, part in enumerate(parts)})
    if len(values) != 3 or not all(abs(part) < 1e9 for part in values):
        raise RobotError(f"{tip}: `point` must be three finite numbers, got {point!r}.", tip=tip)
    return tuple(values)


# --- finding limbs ------------------------------------------------------------------------


class Found(NamedTuple):
    """All tips of a robot."""

    limbs: Mapping[str, Leg | Arm | PoseLimb]
    misfits: Mapping[str, RobotError]


class Place(NamedTuple):
    """Where a link is, relative to the last joint that moves it."""

    moved_by: tuple[str, ...]  # names of the joints above that rotate
    group: str  # the link that the last of them carries
    position: tuple
    rotation: tuple
    axis: tuple | None  # of that joint
    slides: tuple[int, ...] = ()  # how many rotating joints are above each that does not


def find_limbs(robot, joints):
    """Return all limbs of a robot, and the tips that are none.

    A chain from the root to a tip that is no limb is split where others branch off it, or behind a
    joint that slides: the arms of a humanoid begin at its chest, and end where fingers begin.
    """
    by_name = {joint.name: joint for joint in joints}
    tips = list(_tips(robot, joints))
    counts = Counter(name for _, place in tips for name in place.moved_by)
    limbs, misfits = {}, {}
    memory = {}, {}  # what was tried, and walks
    for tip, place in tips:
        names = place.moved_by
        starts = _splits(names, counts, place.slides)
        _search(robot, by_name, (tip, names, starts), limbs, misfits, memory)
    # What ends inside of a limb, or branches off it before its end as rotors do, is no limb.
    parts = {names[:count] for names in limbs for count in range(len(names))}
    by_tip = {limb.tip: limb for names, limb in limbs.items() if names not in parts}
    told = {tip: error for tip, (error, names) in misfits.items() if names[:-1] not in parts}
    return Found(by_tip, told)


def _splits(names, counts, slides):
    """Return before which joints of a chain a limb may begin.

    These are the first one, those where others branch off, and those behind a joint that slides.
    Each has a truth value: whether the limb begins at the link that carries the joint, and not at
    the base of all.
    """
    found = {i for i in range(1, len(names)) if counts[names[i]] < counts[names[i - 1]]}
    starts = sorted({0}.union(found, (slide for slide in slides if slide < len(names))))
    return {start: start > 0 or 0 in slides for start in starts}


def _search(robot, by_name, chain, limbs, misfits, memory):
    """Find the limbs of a chain: the longest one at its end, then those before it.

    If none is at the end, one without the last joint may be: it is the jaw of a gripper, if the
    file has no other tip in the gripper.
    """

    def fit(tip, names) -> tuple[Any, int | None]:
        """Return the longest limb that ends at a tip, and where it starts; or why there is none."""
        error = None
        for start in starts:
            if start >= len(names):
                break
            base = by_name[names[start]].parent if starts[start] else None
            found = _attempt(robot, tip, base, names[start:], *memory)
            if isinstance(found, RobotError):
                error = found if error is None or len(names) - start <= MOST_JOINTS else error
            elif found is not None:
                return found, start
        return error, None

    tip, names, starts = chain
    while len(names) > 1:
        found, start = fit(tip, names)
        if start is None:
            if tip == chain[0]:
                misfits[tip] = found, names
            found, start = fit(by_name[names[-1]].parent, names[:-1])
        if start is None:
            start = max((each for each in starts if each < len(names)), default=0)
        else:
            limbs.setdefault(found.joint_names, found)
        tip, names = by_name[names[start]].parent, names[:start]


def _attempt(robot, tip, base, names, tried, walks):
    """Return the limb of some joints, or the error that says why there is none.

    None stands for a chain that is too short to be one, or too long but for one from the root.
    """
    if base is not None and not 1 < len(names) <= MOST_JOINTS:
        return None
    if (tip, base) not in tried:
        try:
            tried[tip, base] = limb_of(ended(*robot._walk(tip, base, walks)))
        except RobotError as error:
            tried[tip, base] = error
    return tried[tip, base]


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
                above.slides,
            )
        else:
            moved = apply(above.rotation, joint.position)
            here = above._replace(
                position=total([above.position, moved]),
                rotation=product(above.rotation, from_rpy(joint.rpy)),
            )
        if joint.kind == "prismatic" or joint.mimic is not None:
            here = here._replace(slides=(*above.slides, len(here.moved_by)))
        if joint.kind in FREE:
            here = here._replace(moved_by=(), group=joint.child, axis=None, slides=())
        places[joint.child] = here
    best = {}
    for link in robot.links:
        place = places.get(link)
        if link in ends and place is not None and place.axis and len(place.moved_by) > 1:
            away = length(cross(place.axis, place.position))
            if place.group not in best or away > best[place.group][0]:
                best[place.group] = away, link, place
    for _, link, place in best.values():
        yield link, place


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
