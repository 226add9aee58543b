"""The solids of a frame as arrays: balls, cones and lumps, of which many are handled at once."""

import numpy as np

from twobone.pictures.scene import Cone


class Solids:
    """All solids of a frame, in the camera's space, ordered by kind.

    Parameters
    ----------
    solids : sequence of Cone and Lump
        In any order.
    """

    def __init__(self, solids):
        solids = sorted(solids, key=_kind)
        self.paints = [solid.paint for solid in solids]
        kinds = [_kind(solid) for solid in solids]
        self.groups = []
        for kind in sorted(set(kinds)):
            some = [solid for solid, other in zip(solids, kinds, strict=True) if other == kind]
            self.groups.append(_MAKERS[kind[0]](some))
        self.stops = np.cumsum([len(group.bounds()[0]) for group in self.groups])
        # Balls, of whose convex hull each solid is a part: (n, 6, 3) and (n, 6).
        both = zip(*(group.bounds() for group in self.groups), strict=True)
        self.middles, self.radii = (np.concatenate(part) for part in both)

    def __len__(self):
        return len(self.paints)

    def parts(self, owner):
        """Yield a group, its part of an array of solids, and for each of these its place there.

        `owner` is an array of indices of solids, in ascending order. The part is a slice.
        """
        begin = np.concatenate([[0], self.stops[:-1]])
        ends = np.searchsorted(owner, self.stops)
        for number, (group, first, last) in enumerate(
            zip(self.groups, np.concatenate([[0], ends[:-1]]), ends, strict=True)
        ):
            if first < last:
                part = slice(int(first), int(last))
                yield number, group, part, owner[part] - begin[number]


def _kind(solid):
    """Return a key by which solids are grouped: what they are, and the power of lumps."""
    if not isinstance(solid, Cone):
        return 2, solid.power
    return (0, 2.0) if solid.start is solid.end else (1, 2.0)


def _array(values, *shape):
    return np.array(values, np.float64).reshape(len(values), *shape)


def spread(place, *columns):
    """Return values of solids for each of many places, in float32.

    Parameters
    ----------
    place : array of int, shape (n)
        In ascending order: the index of a solid.
    columns : arrays, shape (m, ...)
        Values of m solids.

    Returns
    -------
    array, shape (values, n)
    """
    table = np.concatenate([np.reshape(column, (len(column), -1)).T for column in columns])
    return repeated(place, table.astype(np.float32))


def repeated(place, table):
    """Return the columns of a table at ascending indices. This is much faster than `take`."""
    ends = np.searchsorted(place, np.arange(table.shape[1] + 1))
    return np.repeat(table, np.diff(ends), axis=1)


class Balls:
    """Balls: `middle` (n, 3) and `radius` (n)."""

    def __init__(self, solids):
        self.middle = _array([solid.start for solid in solids], 3)
        self.radius = _array([solid.radii[0] for solid in solids])

    def bounds(self):
        """Return balls around each solid, see `Solids`."""
        return np.repeat(self.middle[:, None], 6, axis=1), np.repeat(
            self.radius[:, None], 6, axis=1
        )


class Cones:
    """Cones with round ends: `start`, `end`, `axis` (n, 3), `first` and `last` radius (n)."""

    def __init__(self, solids):
        self.start = _array([solid.start for solid in solids], 3)
        self.end = _array([solid.end for solid in solids], 3)
        self.first, self.last = _array([solid.radii for solid in solids], 2).T
        self.axis = self.end - self.start
        self.length = np.sum(self.axis * self.axis, axis=-1)
        self.less = self.first - self.last
        # Not positive if one end contains the other.
        self.slant = self.length - self.less * self.less

    def bounds(self):
        """Return balls around each solid, see `Solids`."""
        return (
            np.repeat(np.stack([self.start, self.end], axis=1), 3, axis=1),
            np.repeat(np.stack([self.first, self.last], axis=1), 3, axis=1),
        )


class Lumps:
    """Superellipsoids of one `power`: `centre`, `half` (n, 3), `axes` (n, 3, 3)."""

    def __init__(self, solids):
        self.centre = _array([solid.centre for solid in solids], 3)
        self.axes = _array([solid.axes for solid in solids], 3, 3)
        self.half = _array([solid.half for solid in solids], 3)
        self.power = float(solids[0].power)
        self.matrix = self.axes / self.half[..., None]  # to a space in which its size is 1
        balls = [solid.bounds() for solid in solids]
        self._balls = _array([part[0] for part in balls], 6, 3), _array([b[1] for b in balls], 6)

    def bounds(self):
        """Return balls around each solid, see `Solids`."""
        return self._balls


_MAKERS = Balls, Cones, Lumps
