"""Soft shadows of solids: the light that comes from a direction, and what blocks it."""

from typing import NamedTuple

import numpy as np

from twobone.film.rays import BLOCK, dot
from twobone.film.solids import Balls, Cones, repeated

EDGE = 0.04  # half the width of a shadow's edge on the solid that casts it, relative to its size
_DIAGONALS = np.sqrt(0.5) * np.array([[1.0, 1.0], [1.0, -1.0]])


class Light(NamedTuple):
    """A distant light: its direction and two axes perpendicular to it, in the camera's space."""

    direction: np.ndarray  # (3), a unit vector towards the light
    across: np.ndarray  # (2, 3)
    soft: float  # widening of shadows per distance from the solid that casts them

    def axes(self):
        """Return all three axes, (3, 3): `across` and `direction`."""
        return np.stack([*self.across, self.direction])

    def coordinates(self, points):
        """Return coordinates of points (3, n) along these axes, (3, n)."""
        # Not as a product of matrices: for so few rows, that is slower on several threads.
        return np.stack([dot(axis, points) for axis in (*self.across, self.direction)])


def make_light(direction, soft):
    """Return the light that comes from a direction, which must not be the camera's axis."""
    direction = np.asarray(direction, np.float64) / np.linalg.norm(direction)
    aside = np.cross(direction, [0.0, 0.0, 1.0])
    aside /= np.linalg.norm(aside)
    across = np.stack([aside, np.cross(direction, aside)])
    return Light(direction.astype(np.float32), across.astype(np.float32), soft)


class Shades:
    """The shadows of solids. They are those of balls, cones and ellipsoids.

    Parameters
    ----------
    light : Light
    solids : Solids
    """

    def __init__(self, light, solids):
        self.light, self.solids = light, solids
        axes = light.axes().astype(np.float64)
        self._tables = []
        for group in solids.groups:
            if isinstance(group, Balls):
                found = _ball_away, _table(group.middle @ axes.T, group.radius)
            elif isinstance(group, Cones):
                found = _cone_away, _cone_table(group, axes)
            else:
                found = _lump_away, _lump_table(group, axes)
            self._tables.append(found)

    def near(self, casters, low, high, blur=0.0):
        """Return pairs of boxes and of solids that may shade something there, ordered by solid.

        Parameters
        ----------
        casters : array of int, shape (n)
            Indices of solids, in ascending order.
        low, high : arrays of float32, shape (3, m)
            Bounds of boxes along the axes of the light.
        blur : array, shape (m), optional
            As for `dark`, the most in each box.

        Returns
        -------
        box, owner : arrays of int
        """
        axes = self.light.axes().astype(np.float64)
        middles = self.solids.middles[casters] @ np.concatenate([axes, _DIAGONALS @ axes[:2]]).T
        radii = self.solids.radii[casters][..., None]
        least, most = np.min(middles - radii, axis=1), np.max(middles + radii, axis=1)
        size = 0.5 * np.max(most - least, axis=1, keepdims=True)
        above = most[:, 2, None] - low[2]
        wide = self.light.soft * above + (EDGE * size + blur)
        may = above > 0.0
        for axis in (0, 1):
            may &= most[:, axis, None] + wide > low[axis]
            may &= least[:, axis, None] - wide < high[axis]
        # Bones are long and thin, and many are aslant, so the bounds along diagonals are closer.
        for axis, way in enumerate(_DIAGONALS.astype(np.float32)[..., None], 3):
            one, other = way * low[:2], way * high[:2]
            first, last = np.minimum(one, other).sum(axis=0), np.maximum(one, other).sum(axis=0)
            may &= most[:, axis, None] + wide > first
            may &= least[:, axis, None] - wide < last
        found, box = np.nonzero(may)
        return box, casters[found]

    def dark(self, owner, places, blur=None):
        """Return the fraction of the light, 0 to 1, that a solid blocks at each of n places.

        Parameters
        ----------
        owner : array, shape (n)
            The index of the solid, in ascending order.
        places : array of float32, shape (3, n)
            Coordinates along the axes of the light.
        blur : array of float32, shape (n), optional
            By how much the edge of a shadow is wider there: the size of a pixel on the ground.
        """
        found = np.empty(len(owner), np.float32)
        for number, _, part, place in self.solids.parts(owner):
            away, table = self._tables[number]
            for start in range(0, len(place), BLOCK):
                some = slice(start, start + BLOCK)
                u, v, height = places[:, part][:, some]
                size, off, top = away(repeated(place[some], table), u, v)
                wide = EDGE * size if blur is None else EDGE * size + blur[part][some]
                found[part][some] = _soften(self.light.soft, wide, size, off, top - height)
        return found


def _table(*columns):
    parts = [np.reshape(column, (len(column), -1)).T for column in columns]
    return np.concatenate(parts).astype(np.float32)


def _cone_table(cones, axes):
    start, axis = cones.start @ axes.T, cones.axis @ axes.T
    across = axis[:, :2]
    length = np.sum(across * across, axis=-1, keepdims=True)
    seen = length > 1e-12 * cones.first[:, None] ** 2  # else it points towards the light
    inverse = np.where(seen, across, 0.0) / np.where(seen, length, 1.0)
    return _table(start, axis, inverse, cones.first, cones.last - cones.first)


def _lump_table(lumps, axes):
    """Return tables of lumps, as ellipsoids, whose outlines seen from the light are ellipses."""
    spread = axes[:2] @ np.swapaxes(1.1 * lumps.half[..., None] * lumps.axes, 1, 2)
    turned = np.linalg.inv(np.linalg.cholesky(spread @ np.swapaxes(spread, 1, 2)))
    a, b, c = turned[:, 0, 0], turned[:, 1, 0], turned[:, 1, 1]
    return _table(lumps.centre @ axes.T, a, b, c, 1.0 / np.sqrt(a * c))


# Each of these returns the size of a solid, the distance from its middle and its height, for
# places u, v.


def _ball_away(given, u, v):
    x, y, top, radius = given
    return radius, np.sqrt((u - x) ** 2 + (v - y) ** 2), top


def _cone_away(given, u, v):
    x, y, top, along_x, along_y, rise, share_x, share_y, radius, more = given
    u = u - x
    v = v - y
    share = u * share_x
    share += v * share_y
    np.clip(share, 0.0, 1.0, out=share)
    u -= share * along_x
    v -= share * along_y
    u *= u
    v *= v
    u += v
    return radius + share * more, np.sqrt(u, out=u), top + share * rise


def _lump_away(given, u, v):
    x, y, top, a, b, c, size = given
    u = u - x
    v = v - y
    share = np.sqrt((a * u) ** 2 + (b * u + c * v) ** 2)
    return size, share * size, top


def _soften(soft, least, size, away, above):
    """Return the soft shadow of a solid at height `above` a point, `away` from its centre.

    `least` is half the width of its edge on the solid.
    """
    wide = np.maximum(above, 0.0)
    wide *= soft
    wide += least
    share = size - away
    share /= wide
    share *= 0.5
    share += 0.5
    np.clip(share, 0.0, 1.0, out=share)
    share *= share * (3.0 - 2.0 * share)
    # A solid thinner than its penumbra covers only a part of the light source.
    share *= np.minimum(1.25 * size / wide, 1.0)
    above = above / size
    above -= 0.3
    share *= np.clip(above, 0.0, 1.0, out=above)
    return share
