"""Paths of waypoints, and how a walker follows them by pure pursuit.

The walker steers towards a point ahead on the path. If that point is behind it, it turns on the
spot. It slows down where the path bends more than it can turn at its speed, and at the end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.stepping.numbers import facing
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments

if TYPE_CHECKING:
    from twobone.creature.walker import Walker

AHEAD = 0.6  # of the leg's length: look-ahead distance
NEAR = 0.2  # of the leg's length: so near, a corner counts as passed, and the end is approached
THERE = 0.01  # of the leg's length: so near, the end is reached
CORNER = 0.7  # cosine of the change of direction beyond which a waypoint is a corner, not to be cut
TURNING = 0.5  # of walking speed: maximum speed of the outermost feet due to turning
ARRIVE = 1.5  # per second: maximum speed towards the end, over the distance to it
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
    radius = 2.0 * max(animal.length, _breadth(animal))
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
        self.walker, self.pace, self.length = walker, pace, walker.length
        self.most = TURNING * walker.animal.walking_speed / _breadth(walker.animal)
        steps = np.diff(path, axis=0)
        sizes = np.hypot(*steps.T)
        self.points, self.directions = path, steps / sizes[:, None]
        self.starts = np.concatenate([[0.0], np.cumsum(sizes)])
        sharp = np.sum(self.directions[1:] * self.directions[:-1], -1) < CORNER
        self.corners = [*self.starts[1:-1][sharp], self.total]
        self.along = 0.0

    @property
    def total(self) -> float:
        """The length of the path."""
        return float(self.starts[-1])

    @property
    def fraction(self) -> float:
        """The fraction of the path that the walker has passed."""
        return self.along / self.total if self.total else 1.0

    @property
    def there(self) -> bool:
        """Whether the walker is at the end."""
        return self._ends(THERE)

    def longest(self) -> float:
        """Return a generous limit on the seconds to the end if nothing is in the way."""
        first = _rotated((0.0, 1.0), self.walker.heading[0])
        directions = np.concatenate([first[None], self.directions])
        turns = np.arccos(np.clip(np.sum(directions[1:] * directions[:-1], -1), -1.0, 1.0))
        return 15.0 + 3.0 * (self.total / self.pace + float(np.sum(turns)) / self.most)

    def orders(self) -> tuple[NDArray[np.float64], float]:
        """Return the velocity, to the left and forward, and the turn for `Walker.step`."""
        if not self.total:
            return np.zeros(2), 0.0
        self._advance()
        if self._ends(NEAR):
            return self._step_onto_the_end()
        target = self._point(min(self.along + AHEAD * self.length, self.corners[0]))
        aside, ahead = self._seen(target)
        side = 0.0
        if self.walker.animal.anatomy.sideways:
            # It walks with the side ahead that is nearer: see the target from that side.
            side = np.copysign(1.0, aside)
            aside, ahead = -side * ahead, side * aside
        distance = np.hypot(aside, ahead)
        if ahead <= 0.0:
            return np.zeros(2), np.copysign(self.most, aside)
        bend = 2.0 * aside / distance**2
        pace = min(self.pace, ARRIVE * (self.total - self.along))
        turn = np.clip(pace * bend, -self.most, self.most)
        if pace * abs(bend) > self.most:
            pace = self.most / abs(bend)
        pace *= np.clip(2.0 * ahead / distance - 0.6, 0.0, 1.0)
        return np.array([side * pace, 0.0] if side else [0.0, pace]), turn

    def _step_onto_the_end(self):
        """Return a velocity straight to the end, without a turn."""
        if self.there:
            return np.zeros(2), 0.0
        aside, ahead = ARRIVE * self._seen(self.points[-1])
        if not self.walker.animal.anatomy.sideways:
            ahead = max(ahead, 0.0)
        return np.array([aside, ahead]), 0.0

    def _ends(self, ratio):
        """Return whether the walker is near the end, and not only passing by on an earlier lap.

        `ratio` is the maximum distance over the leg's length.
        """
        near = self.total - self.along <= NEAR * self.length
        return near and len(self.corners) == 1 and self._away() < ratio * self.length

    def _advance(self):
        """Update how far along the path the walker is.

        It never goes back, and passes no corner before the walker has been near it.
        """
        last = min(self.along + AHEAD * self.length, self.corners[0])
        low = np.clip(self.along - self.starts[:-1], 0.0, None)
        high = np.minimum(last - self.starts[:-1], np.diff(self.starts))
        rows = np.flatnonzero(high >= low)
        beyond = self.walker.place[0] - self.points[rows]
        beside = np.clip(np.sum(beyond * self.directions[rows], -1), low[rows], high[rows])
        away = np.hypot(*(beyond - beside[:, None] * self.directions[rows]).T)
        nearest = np.argmin(away)
        self.along = float(self.starts[rows[nearest]] + beside[nearest])
        corner = self.corners[0]
        if len(self.corners) > 1 and self._away(self._point(corner)) < NEAR * self.length:
            self.along, self.corners = corner, self.corners[1:]

    def _point(self, along):
        """Return the point at a distance along the path."""
        row = min(int(np.searchsorted(self.starts, along, "right")) - 1, len(self.directions) - 1)
        return self.points[row] + (along - self.starts[row]) * self.directions[row]

    def _seen(self, point):
        """Return a point relative to the walker: to the left and forward."""
        return _rotated(point - self.walker.place[0], -self.walker.heading[0])

    def _away(self, point=None):
        """Return the distance from the walker to a point, by default to the end."""
        return float(np.hypot(*self._seen(self.points[-1] if point is None else point)))


def _breadth(animal):
    """Return the maximum horizontal distance of a foot from the body's middle."""
    anatomy = animal.anatomy
    return max(
        math.hypot(leg.foot_aside, anatomy.along[leg.station] + leg.foot_ahead)
        for leg in anatomy.legs
    )


def _rotated(vector, heading):
    """Rotate a vector (x, z) by a heading, from +z towards +x."""
    turn = facing(heading)
    x, z = vector
    return np.array([x * turn.c + z * turn.s, z * turn.c - x * turn.s])
