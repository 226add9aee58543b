"""Paths: waypoints that an animal goes to in turn, and how it follows them.

It turns towards a point ahead on the path (pure pursuit), on the spot where that lies behind,
and slows down where the path bends faster than it can turn and where it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.footing import facing
from twobone.errors import CreatureError, ShapeError
from twobone.terrain import arguments

if TYPE_CHECKING:
    from twobone.creature.walker import Walker

AHEAD = 0.6  # of the leg's length: how far ahead the point is that it turns towards
NEAR = 0.2  # of the leg's length: so near a corner counts as passed, and the end is stepped onto
THERE = 0.01  # of the leg's length: so near the end it stands
CORNER = 0.7  # cosine of the turn from which on a waypoint is a corner, and not cut
TURNING = 0.5  # of full speed: how fast the outermost feet may go round
ARRIVE = 1.5  # a second: how quickly it slows down before the end
PathName: TypeAlias = Literal["circle", "eight"]
KINDS = get_args(PathName)
POINTS = 48  # of a circle


def make_path(kind: PathName, creature: AnimalName | Animal = "insect") -> NDArray[np.float64]:
    """Return a path of an animal's size, from the origin along +z and back there.

    Parameters
    ----------
    kind : {"circle", "eight"}
        A circle to the left; or that and then one to the right.
    creature : str or Animal
        Circles have a radius of twice its leg, or of twice how far its feet are from its middle.

    Returns
    -------
    array, shape (K, 2)
        Waypoints, x and z.

    Raises
    ------
    CreatureError
        If there is no such path.

    Examples
    --------
    >>> from twobone.creature import make_path
    >>> make_path("circle", "dog").shape
    (48, 2)
    """
    if not (isinstance(kind, str) and kind in KINDS):
        raise CreatureError("path", f"be {' or '.join(KINDS)}, or waypoints", arguments.shown(kind))
    animal = animals.as_animal(creature)
    radius = 2.0 * max(animals.length(animal), _breadth(animal))
    angle = 2.0 * np.pi * np.arange(1, POINTS + 1) / POINTS
    left = radius * np.stack([1.0 - np.cos(angle), np.sin(angle)], -1)
    return left if kind == "circle" else np.concatenate([left, left * [-1.0, 1.0]])


def as_path(value: ArrayLike[Any]) -> NDArray[np.float64]:
    """Return waypoints as an array of shape (K, 2), or raise naming what makes no path."""
    found = np.asarray(arrays.as_array(arrays.NUMPY, "path", value), np.float64)
    if found.shape == (2,):
        found = found[None]
    if found.ndim != 2 or found.shape[1] != 2 or not len(found):
        raise ShapeError("path", "have shape (K, 2): x and z of one waypoint or more", found.shape)
    if not np.all(np.isfinite(found)):
        row = int(np.argwhere(~np.isfinite(found))[0, 0])
        x, z = found[row]
        raise CreatureError("path", "be finite", f"({x}, {z}) as waypoint {row}")
    most = float(np.max(np.abs(found)))
    if most > arguments.FARTHEST:
        raise CreatureError("path", f"be at most {arguments.FARTHEST:g}", f"{most:g}")
    return found


class Pursuit:
    """What tells a walker where to go, so that it follows a path from where it is.

    Parameters
    ----------
    path : array, shape (K, 2)
        Waypoints, x and z.
    walker : Walker
        A single one.
    pace : float
        Units of length a second, above 0.

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
        path = np.concatenate([walker.place[:1], as_path(path)])
        new = np.any(np.diff(path, axis=0) != 0.0, -1)
        path = path[np.concatenate([[True], new])]
        self.walker, self.pace, self.length = walker, pace, walker.length
        self.most = TURNING * walker.animal.speed / _breadth(walker.animal)
        steps = np.diff(path, axis=0)
        sizes = np.hypot(*steps.T)
        self.points, self.ways = path, steps / sizes[:, None]
        self.starts = np.concatenate([[0.0], np.cumsum(sizes)])
        sharp = np.sum(self.ways[1:] * self.ways[:-1], -1) < CORNER
        self.corners = [*self.starts[1:-1][sharp], self.total]
        self.along = 0.0

    @property
    def total(self) -> float:
        """The length of the path."""
        return float(self.starts[-1])

    @property
    def share(self) -> float:
        """How much of the path lies behind it, from 0 to 1."""
        return self.along / self.total if self.total else 1.0

    @property
    def there(self) -> bool:
        """Whether it is at the end."""
        return self._ends(THERE)

    def longest(self) -> float:
        """Return a time in which it gets to the end, unless something stops it; seconds."""
        first = _turned((0.0, 1.0), self.walker.heading[0])
        ways = np.concatenate([first[None], self.ways])
        turns = np.arccos(np.clip(np.sum(ways[1:] * ways[:-1], -1), -1.0, 1.0))
        return 15.0 + 3.0 * (self.total / self.pace + float(np.sum(turns)) / self.most)

    def orders(self) -> tuple[NDArray[np.float64], float]:
        """Return the velocity, to the left and forward, and the turn to go on with."""
        if not self.total:
            return np.zeros(2), 0.0
        self._advance()
        if self._ends(NEAR):
            return self._step_onto_the_end()
        target = self._point(min(self.along + AHEAD * self.length, self.corners[0]))
        aside, ahead = self._seen(target)
        distance = np.hypot(aside, ahead)
        if ahead <= 0.0:
            return np.zeros(2), np.copysign(self.most, aside)
        bend = 2.0 * aside / distance**2
        pace = min(self.pace, ARRIVE * (self.total - self.along))
        turn = np.clip(pace * bend, -self.most, self.most)
        if pace * abs(bend) > self.most:
            pace = self.most / abs(bend)
        return np.array([0.0, pace * np.clip(2.0 * ahead / distance - 0.6, 0.0, 1.0)]), turn

    def _step_onto_the_end(self):
        if self.there:
            return np.zeros(2), 0.0
        aside, ahead = ARRIVE * self._seen(self.points[-1])
        return np.array([aside, max(ahead, 0.0)]), 0.0

    def _ends(self, share):
        """Say whether it has come so near the end, and not only passes by."""
        near = self.total - self.along <= NEAR * self.length
        return near and len(self.corners) == 1 and self._away() < share * self.length

    def _advance(self):
        """Find how far along it is: never back, and past no corner that it was not near."""
        last = min(self.along + AHEAD * self.length, self.corners[0])
        low = np.clip(self.along - self.starts[:-1], 0.0, None)
        high = np.minimum(last - self.starts[:-1], np.diff(self.starts))
        rows = np.flatnonzero(high >= low)
        beyond = self.walker.place[0] - self.points[rows]
        share = np.clip(np.sum(beyond * self.ways[rows], -1), low[rows], high[rows])
        away = np.hypot(*(beyond - share[:, None] * self.ways[rows]).T)
        nearest = np.argmin(away)
        self.along = float(self.starts[rows[nearest]] + share[nearest])
        corner = self.corners[0]
        if len(self.corners) > 1 and self._away(self._point(corner)) < NEAR * self.length:
            self.along, self.corners = corner, self.corners[1:]

    def _point(self, along):
        row = min(int(np.searchsorted(self.starts, along, "right")) - 1, len(self.ways) - 1)
        return self.points[row] + (along - self.starts[row]) * self.ways[row]

    def _seen(self, point):
        """Return how far a point is to the left and forward."""
        return _turned(point - self.walker.place[0], -self.walker.heading[0])

    def _away(self, point=None):
        return float(np.hypot(*self._seen(self.points[-1] if point is None else point)))


def _breadth(animal):
    """Return how far the outermost foot is from the body's middle."""
    return float(np.max(np.hypot(*animal.legs.footholds.T)))


def _turned(way, heading):
    """Turn x and z by a heading, +z towards +x."""
    found = complex(*way) * facing(heading)
    return np.array([found.real, found.imag])
