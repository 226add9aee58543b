"""Paths of waypoints, and how a walker follows them.

Corners become arcs. The walker turns as they do where the front of its trunk is, since the rest of
a trunk that bends follows; and by pure pursuit towards a point ahead for what it is off its way. It
slows down before arcs that are too tight for its speed and before the end. At sharp corners, and
where the path begins behind it, it turns on the spot.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.curves import changes, rounded
from twobone.creature.stepping import command, rhythm
from twobone.creature.stepping import path as trunk
from twobone.creature.stepping.numbers import GRAVITY, facing
from twobone.creature.stepping.records import Order
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments

if TYPE_CHECKING:
    from twobone.creature.walker import Walker

NEAR = 0.2  # of the size: how near an arc comes to its waypoint, and a walker to a sharp corner
ROOM = 0.1  # of that: where less is left, it is as if this were; taste
SHARP = math.radians(120.0)  # change of direction from which an animal turns on the spot; taste
EASY = 0.5  # of walking speed, and of acceleration: how much of them a turn takes; taste
ARRIVE = 1.5  # per second: how fast an animal slows down, over the distance; taste
SAME = 1.0e-9  # angles that differ by less are the same
DIGITS = 60  # binary digits of a curvature
LATE = 2.0  # time constants by which a critically damped number comes late: a law
PathName: TypeAlias = Literal["circle", "eight"]
KINDS = get_args(PathName)
POINTS = 48  # waypoints of a circle


def make_path(kind: PathName, creature: AnimalName | Animal = "insect") -> NDArray[np.float64]:
    """Make a closed path that fits the size of an animal.

    Parameters
    ----------
    kind : {"circle", "eight"}
        A circle to the left, or the same followed by a circle to the right. It starts at the origin
        along +z and ends there.
    creature : str or Animal
        The name of an animal in `ANIMALS`, or your own. The radius is twice the length of its leg,
        or twice the distance of its outermost foot from its middle if that is more.

    Returns
    -------
    array, shape (K, 2)
        Waypoints, x and z.

    Raises
    ------
    CreatureError
        If there is no such path or animal.

    Examples
    --------
    >>> from twobone.creature import make_path
    >>> make_path("circle", "dog").shape
    (48, 2)
    """
    if not (isinstance(kind, str) and kind in KINDS):
        raise CreatureError("path", f"be {' or '.join(KINDS)}, or waypoints", arguments.shown(kind))
    animal = animals.as_animal(creature)
    radius = 2.0 * _size(animal)
    angle = 2.0 * np.pi * np.arange(1, POINTS + 1) / POINTS
    left = radius * np.stack([1.0 - np.cos(angle), np.sin(angle)], -1)
    return left if kind == "circle" else np.concatenate([left, left * [-1.0, 1.0]])


def as_path(value: ArrayLike[Any]) -> NDArray[np.float64]:
    """Convert waypoints to a float64 array of shape (K, 2); raise if they are invalid."""
    found = np.asarray(arrays.as_array(arrays.NUMPY, "path", value), np.float64)
    if found.shape == (2,):
        found = found[None]
    if found.ndim != 2 or found.shape[1] != 2 or not len(found):
        wanted = "have shape (K, 2): x and z of one waypoint or more"
        raise ShapeError("path", wanted, found.shape, arguments.shape_shown(found.shape))
    if not np.all(np.isfinite(found)):
        row = int(np.argwhere(~np.isfinite(found))[0, 0])
        x, z = found[row]
        raise CreatureError("path", "be finite", f"({x}, {z}) as waypoint {row}")
    most = float(np.max(np.abs(found)))
    if most > arguments.FARTHEST:
        raise CreatureError("path", f"be at most {arguments.FARTHEST:g}", f"{most:g}")
    return found


class Pursuit:
    """Steer a walker along a path by pure pursuit.

    Parameters
    ----------
    path : array, shape (K, 2)
        Waypoints, x and z; the path starts where the walker is.
    walker : Walker
        A single walker.
    pace : float
        Speed in units of length per second, above 0.

    Examples
    --------
    >>> from twobone.creature import Walker
    >>> from twobone.creature.paths import Pursuit
    >>> walker = Walker("insect")
    >>> pursuit = Pursuit([(0.0, 2.0), (2.0, 2.0)], walker, pace=1.0)
    >>> while not pursuit.there:
    ...     walker.step(1 / 60, *pursuit.orders())
    >>> walker.place.round(1).tolist()
    [[2.0, 2.0]]
    """

    def __init__(self, path: ArrayLike[Any], walker: Walker, pace: float) -> None:
        if not hasattr(walker, "place"):
            raise ArrayTypeError("walker", "a Walker", arguments.shown(walker))
        pace = arguments.positive("pace", pace)
        path = np.concatenate([walker.place[:1], as_path(path)])
        new = np.any(np.diff(path, axis=0) != 0.0, -1)
        path = path[np.concatenate([[True], new])]
        animal, anatomy = walker.animal, walker.animal.anatomy
        self.walker, self.anatomy, self.pace = walker, anatomy, min(pace, animal.top_speed)
        self.feet, self.near = _feet(anatomy), NEAR * _size(animal)
        self.around = EASY * animal.walking_speed  # most speed of the feet from a turn
        self.push = EASY * anatomy.strong * GRAVITY  # most acceleration in a turn
        self.most = self.around / self._around(0.0, 1.0)  # radians per second, on the spot
        sharpest = self._sharpest()
        # How far a trunk lies along its way: in full, if it bends enough.
        straight = sharpest * anatomy.span
        self.lies = min(1.0, trunk.bends(anatomy) / straight) if straight else 0.0
        self.half = 0.5 * self.lies * anatomy.span
        self.late = LATE / rhythm.answer(anatomy)
        self.look = 1.0 / sharpest + self.late * self.pace
        self.end, self.turned = path[-1], _turned(walker, path)
        self.curves = rounded(path, self.near, SHARP)
        self.total = sum(curve.total for curve in self.curves)
        # Of the path: curves that are over, and of the present one, where what leads is.
        self.passed, self.on = 0.0, self.half
        self.speed = 0.0  # that it was told last

    @property
    def fraction(self) -> float:
        """The fraction of the path that the walker has passed."""
        if self.there:
            return 1.0
        return min(1.0, (self.passed + self.on - self.half) / self.total)

    @property
    def there(self) -> bool:
        """Whether the walker is so near to the end that it would stand on the rest of the way."""
        if not self.curves:
            return True
        size = command.size_of(self.anatomy, self._last_order())
        return self._ends() and size <= command.still(self.anatomy)

    def longest(self) -> float:
        """Return a generous limit on the seconds to the end if nothing is in the way."""
        return 15.0 + 3.0 * (self.total / self.pace + self.turned / self.most)

    def orders(self) -> tuple[NDArray[np.float64], float]:
        """Return the velocity, to the left and forward, and the turn for `Walker.step`."""
        if self.there:
            return np.zeros(2), 0.0
        self._advance()
        if self._ends():
            order = self._last_order()
            return np.array([order.aside, order.ahead]), 0.0
        curve, (place, heading) = self.curves[0], self._lead()
        *way, angle = curve.at(self.on)
        target = curve.at(self.on + max(self.near, min(self.look, self._left())))[:2]
        off_way, bend_way = _pursued(way, angle, target)
        side = 0.0
        if self.anatomy.sideways:
            # It walks with the side ahead that is nearer.
            off = _pursued(place, heading, target)[0] - off_way
            side = math.copysign(1.0, math.sin(off))
            heading += side * 0.5 * math.pi
        off, bend = _pursued(place, heading, target)
        off -= off_way
        if math.cos(off) < -SAME:
            self.speed = 0.0
            return np.zeros(2), math.copysign(self.most, math.sin(off))
        back = max(abs(bend - bend_way), self._bend_back(place - way, heading - angle, angle))
        soon = self.on + self.late * self.speed
        bend = curve.bends[curve.row(soon)] + math.copysign(back, math.sin(off))
        self.speed = min(self._pace_in(bend), self._pace_before(soon))
        velocity = [side * self.speed, 0.0] if side else [0.0, self.speed]
        return np.array(velocity), float(self.speed * bend)

    def _sharpest(self):
        """Return the curvature of the sharpest curve in which the animal keeps its pace."""
        low, high = 0.0, 2.0 * self.push / self.pace**2
        for _ in range(DIGITS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._pace_in(middle) == self.pace else (low, middle)
        return low

    def _around(self, ahead, turn):
        """Return the speed of the outermost feet from a turn, while it goes ahead.

        Shoulders and hips, half a hip's height from the middle, are turned as feet are.
        """
        whole = trunk.swinging(self.anatomy, ahead, turn)
        feet = np.hypot(turn * self.feet[:, 0], whole * self.feet[:, 1])
        return max(float(np.max(feet)), 0.5 * self.anatomy.hip * abs(turn))

    def _bend_back(self, away, turned, angle):
        """Return the curvature with which it turns to its way, and leaves it by little before.

        An arc that turns by an angle leaves it by its radius times 1 - cos.
        """
        out = math.copysign(1.0, math.sin(turned)) * _rotated(away, -angle)[0]
        return (1.0 - math.cos(turned)) / max(self.near - out, ROOM * self.near)

    def _pace_in(self, bend):
        """Return the pace in a curve of a curvature."""
        bend = abs(bend)
        if not bend:
            return self.pace
        around = self._around(1.0, bend)
        return min(self.pace, self.around / around, math.sqrt(self.push / bend))

    def _pace_before(self, soon):
        """Return the pace with which it slows down for what comes, if it soon is there."""
        curve = self.curves[0]
        rate = min(ARRIVE, self.push / self.pace)
        paces = [
            self._pace_in(curve.bends[k]) + rate * max(0.0, curve.starts[k] - soon)
            for k in range(curve.row(self.on), curve.row(soon + self.pace / rate) + 1)
        ]
        return min(*paces, self.pace, rate * self._left())

    def _lead(self):
        """Return the place that is led along the path, and its heading.

        It is the front of a trunk that lies along its way, and the middle of a stiff one.
        """
        place, heading = self.walker.place[0], self.walker.heading[0]
        *front, facing = self.walker.front[0]
        return place + self.lies * (front - place), heading + self.lies * (facing - heading)

    def _left(self):
        """Return how far it is to the end of the present curve."""
        return max(0.0, self.curves[0].total + self.half - self.on)

    def _advance(self):
        """Update how far along the path the walker is; it never goes back.

        A curve is over when the walker has been near its end. If it has come by beside it, a line
        leads there.
        """
        curve = self.curves[0]
        x, z, angle = curve.at(self.on)
        self.on += max(0.0, _rotated(self._lead()[0] - (x, z), -angle)[1])
        if self._left() > self.near or self._ends():
            return
        end = curve.at(curve.total)[:2]
        if self._away(end) < self.near:
            following = self.curves[1:]
        elif self._left() == 0.0:
            back = np.stack([self.walker.place[0], end])
            following = [*rounded(back, self.near, SHARP), *self.curves[1:]]
        else:
            return
        self.curves, self.passed, self.on = following, self.passed + curve.total, self.half

    def _last_order(self):
        """Return a velocity straight to the end, without a turn."""
        aside, ahead = ARRIVE * self._seen(self.end)
        size = math.hypot(aside, ahead)
        share = min(1.0, self.pace / size) if size else 1.0
        return Order(share * aside, share * ahead, 0.0)

    def _ends(self):
        """Return whether the walker is near the end, and not only passing by on an earlier lap."""
        return (
            len(self.curves) == 1 and self._left() <= self.near and self._away(self.end) < self.near
        )

    def _seen(self, point):
        """Return a point relative to the walker: to the left and forward."""
        return _rotated(point - self.walker.place[0], -self.walker.heading[0])

    def _away(self, point):
        """Return the distance from the walker to a point."""
        return math.hypot(*(point - self.walker.place[0]))


def _pursued(place, angle, target):
    """Return by what angle a target is off a direction, and the curvature of the arc to it."""
    aside, ahead = _rotated(target - place, -angle)
    return math.atan2(aside, ahead), 2.0 * aside / (aside * aside + ahead * ahead)


def _turned(walker, path):
    """Return by how much an animal turns in all, on a path from where it is."""
    angles = np.concatenate([walker.heading[:1], np.arctan2(*np.diff(path, axis=0).T)])
    return float(np.sum(np.abs(changes(angles))))


def _size(animal):
    """Return the length of a leg, or the distance of a foot from the middle if that is more."""
    return max(animal.length, float(np.max(np.hypot(*_feet(animal.anatomy).T))))


def _feet(anatomy):
    """Return where feet are at rest, from the middle of the trunk to the left and ahead."""
    along = np.array(anatomy.along)[[leg.station for leg in anatomy.legs]]
    return np.array([(leg.foot_aside, leg.foot_ahead) for leg in anatomy.legs]) + np.stack(
        [np.zeros_like(along), along], -1
    )


def _rotated(vector, heading):
    """Rotate a vector (x, z) by a heading, from +z towards +x."""
    turn = facing(heading)
    x, z = vector
    return np.array([x * turn.c + z * turn.s, z * turn.c - x * turn.s])
