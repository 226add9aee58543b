"""Ground to walk on: its height and its normal at any place.

`Flat`, `Slope`, `Steps` and `Noise` are formulas (landforms.py); `HeightArray` is a table and
`HeightFunction` a function of your own. `as_terrain` takes them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike, NDArray, Number
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments
from twobone.terrain.landforms import Flat, Noise, Slope, Slopes, Steps, Terrain

__all__ = [
    "Flat",
    "HeightArray",
    "HeightFunction",
    "Noise",
    "Slope",
    "Steps",
    "Terrain",
    "as_terrain",
    "check_heights",
]

WANTED = (
    "a number, a terrain (`Noise(0.1, 2.0)`, `HeightArray(heights, spacing)`, ...)"
    " or a function of arrays x and z that returns heights"
)

# A function of arrays x and z of one shape.
OfPlaces: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike[Any]]


class HasHeight(Protocol):
    """An object of one's own that is ground; it may have `normal(x, z)` too."""

    def height(self, x: Any, z: Any, /) -> Any: ...


Ground: TypeAlias = Number | HasHeight | OfPlaces  # what `as_terrain` takes


class HeightArray(Terrain):
    """Ground given by heights on a square grid, with a C1 bicubic surface through them.

    (Catmull and Rom's curve along x and along z.) Outside the grid the border's heights go on.

    Parameters
    ----------
    heights : array, shape (Nz, Nx)
        `heights[i, j]` is the height at x = origin[0] + j spacing, z = origin[1] + i spacing.
    spacing : float
        How far neighbours are apart; positive.
    origin : (float, float)
        x and z of `heights[0, 0]`.

    Raises
    ------
    ShapeError
        If `heights` are not a table of at least one row and column.
    CreatureError
        If a height is NaN or infinite.

    Examples
    --------
    >>> from twobone.terrain.ground import HeightArray
    >>> hill = HeightArray([[0, 0, 0], [0, 1, 0], [0, 0, 0]], spacing=0.5)
    >>> hill.height([0.5, 0.25, 9.0], 0.5)
    array([1.    , 0.5625, 0.    ])
    """

    def __init__(
        self,
        heights: ArrayLike[Any],
        spacing: float,
        origin: tuple[float, float] | ArrayLike[Any] = (0.0, 0.0),
    ) -> None:
        table = np.array(arrays.as_array(arrays.NUMPY, "heights", heights), np.float64)
        if table.ndim != 2 or 0 in table.shape:
            raise ShapeError("heights", "have shape (Nz, Nx), none of them 0", table.shape)
        if not np.all(np.isfinite(table)):
            row, column = np.argwhere(~np.isfinite(table))[0]
            came = f"{table[row, column]} at heights[{row}, {column}]"
            raise CreatureError("heights", "be finite (fill holes with a depth)", came)
        most = float(np.max(np.abs(table)))
        if most > arguments.FARTHEST:
            raise CreatureError("heights", f"be at most {arguments.FARTHEST:g}", f"{most:g}")
        table.flags.writeable = False
        self.heights, self.spacing = table, arguments.positive("spacing", spacing)
        start = np.array(arrays.as_array(arrays.NUMPY, "origin", origin), np.float64)
        if start.shape != (2,):
            raise ShapeError("origin", "be two numbers, x and z", start.shape)
        self.origin = arguments.number("origin", start[0]), arguments.number("origin", start[1])
        rises = [np.max(np.abs(np.diff(table, axis=axis)), initial=0.0) for axis in (0, 1)]
        self.has_edges = bool(max(rises) > self.spacing)  # 45 degrees

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, z = arguments.places(x, z)
        (columns, across, _), (rows, along, _) = self._cells(x, z)
        return self._sum(rows, along, columns, across)[()]

    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        x, z = arguments.places(x, z)
        (columns, across, d_across), (rows, along, d_along) = self._cells(x, z)
        along_x = self._sum(rows, along, columns, d_across) / self.spacing
        return along_x, self._sum(rows, d_along, columns, across) / self.spacing

    def _cells(self, x, z):
        """Return, along x and z, four indices beside each place and their weights and slopes."""
        size = self.heights.shape
        return [
            _four((place - start) / self.spacing, count)
            for place, start, count in zip((x, z), self.origin, size[::-1], strict=True)
        ]

    def _sum(self, rows, along, columns, across):
        total = 0.0
        for row, weight in zip(rows, along, strict=True):
            line = 0.0
            for column, share in zip(columns, across, strict=True):
                line = line + share * self.heights[row, column]
            total = total + weight * line
        return np.asarray(total)

    def __repr__(self) -> str:
        rows, columns = self.heights.shape
        low, high = np.min(self.heights), np.max(self.heights)
        shown = f"<{rows} x {columns} heights from {low:.4g} to {high:.4g}>"
        return f"HeightArray({shown}, spacing={self.spacing}, origin={self.origin})"


def _four(place, count):
    """Return the four nodes beside a place, their weights and the slopes of these.

    Nodes beyond the border are those of the border, so the surface levels out within one cell.
    """
    place = np.clip(place, -2.0, count + 1.0)  # NaN stays NaN
    cell = np.floor(np.where(np.isnan(place), 0.0, place))
    t = place - cell
    nodes = [np.clip(cell + k, 0, count - 1).astype(np.intp) for k in (-1, 0, 1, 2)]
    weights = (
        0.5 * t * ((2.0 - t) * t - 1.0),
        0.5 * (t * t * (3.0 * t - 5.0) + 2.0),
        0.5 * t * ((4.0 - 3.0 * t) * t + 1.0),
        0.5 * t * t * (t - 1.0),
    )
    slopes = (
        0.5 * ((4.0 - 3.0 * t) * t - 1.0),
        0.5 * t * (9.0 * t - 10.0),
        0.5 * ((8.0 - 9.0 * t) * t + 1.0),
        0.5 * t * (3.0 * t - 2.0),
    )
    return nodes, weights, slopes


class HeightFunction(Terrain):
    """Ground given by a function of your own, whose heights are checked whenever it is asked.

    Parameters
    ----------
    function : callable
        `function(x, z)` is given two float64 arrays of one shape and returns the heights:
        an array of that shape, or one number.
    normal_function : callable, optional
        Likewise for the normals, shape (..., 3). By default they come from central differences.

    Notes
    -----
    `height` raises a CreatureError if a height is NaN or infinite, a ShapeError or an
    ArrayTypeError if it is no array of heights. What the function raises itself passes.

    Examples
    --------
    >>> from twobone.terrain.ground import HeightFunction
    >>> bowl = HeightFunction(lambda x, z: 0.1 * (x**2 + z**2))
    >>> bowl.normal(0.0, 0.0)
    array([0., 1., 0.])
    """

    def __init__(self, function: OfPlaces, normal_function: OfPlaces | None = None) -> None:
        self.function, self.normal_function = function, normal_function

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, z = arguments.places(x, z)
        return check_heights(_ask(self.function, x, z), x, z)[()]

    def normal(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        if self.normal_function is None:
            return super().normal(x, z)
        x, z = arguments.places(x, z)
        return _check(_ask(self.normal_function, x, z), x, z, "normals", (3,))

    def __repr__(self) -> str:
        more = "" if self.normal_function is None else f", {self.normal_function!r}"
        return f"HeightFunction({self.function!r}{more})"


KNOWN = (Flat, Slope, Steps, Noise, HeightArray, HeightFunction)  # whose heights are numbers


def as_terrain(value: Ground) -> Terrain:
    """Return ground as a terrain, whatever it is given by.

    Parameters
    ----------
    value : number, terrain, or callable
        A number is flat ground of that height. A terrain of this room stays as it is. An object
        of yours with `height(x, z)`, and `normal(x, z)` if it has that, and a function
        `f(x, z)` become a `HeightFunction`.

    Returns
    -------
    Terrain
        With `height(x, z)` and `normal(x, z)`.

    Raises
    ------
    ArrayTypeError
        If it is anything else.
    CreatureError
        If it is a number that is not finite.

    Examples
    --------
    >>> from twobone.terrain.ground import as_terrain
    >>> as_terrain(0.5)
    Flat(0.5)
    >>> as_terrain(lambda x, z: 0.1 * x).height(2.0, 0.0)
    np.float64(0.2)
    """
    if isinstance(value, KNOWN):
        return value
    if isinstance(value, type):  # a class can be called too: `Flat` for `Flat()`
        raise ArrayTypeError("terrain", WANTED, f"the class {value.__name__}")
    own: Any = value
    if callable(getattr(own, "height", None)):
        normal = own.normal if callable(getattr(own, "normal", None)) else None
        return HeightFunction(own.height, normal)
    if callable(value):
        return HeightFunction(value)
    if not arguments.is_number(value):
        raise ArrayTypeError("terrain", WANTED, arguments.shown(value))
    return Flat(arguments.number("terrain", value))


def check_heights(
    heights: ArrayLike[Any], x: NDArray[np.float64], z: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what a terrain said of places, as an array, if it can be walked on.

    Parameters
    ----------
    heights : array
        What came: of the shape of `x`, or one number.
    x, z : array, shape (...)
        The places, of one shape. Heights of places that are not finite may be anything.

    Returns
    -------
    array, shape (...)
        The heights, float64.

    Raises
    ------
    ShapeError, ArrayTypeError
        If `heights` is no array of that shape.
    CreatureError
        If a height is NaN or infinite, naming the first such place.

    Examples
    --------
    >>> from twobone.terrain.ground import check_heights
    >>> check_heights(1.0, np.array([1.0, 2.0]), np.array([0.0, 0.0]))
    array([1., 1.])
    """
    return _check(heights, x, z, "heights", ())


def _check(values, x, z, noun, tail):
    wanted = f"return {noun} of shape {(*x.shape, *tail)} for places x, z of shape {x.shape}"
    try:
        found = np.asarray(values)
    except ValueError:
        found = np.empty(0, object)  # a ragged list
    if found.dtype.kind not in "fiu":
        raise ArrayTypeError("terrain", f"a function that returns {noun}", arguments.shown(values))
    if found.shape not in (tail, (*x.shape, *tail)):
        raise ShapeError("terrain", wanted, found.shape)
    found = np.broadcast_to(found.astype(np.float64), (*x.shape, *tail))
    bad = ~np.isfinite(found)
    if np.any(bad):
        bad = np.any(bad, axis=tuple(range(x.ndim, bad.ndim))) & np.isfinite(x) & np.isfinite(z)
        for place in np.argwhere(bad)[:1]:
            _raise_bad(found[tuple(place)], x[tuple(place)], z[tuple(place)], np.sum(bad), noun)
    return np.array(found)


def _raise_bad(came, x, z, count, noun):
    said = f"{came} at x = {x}, z = {z}" + (f" and {count - 1} more" if count > 1 else "")
    wanted = (
        f"return finite {noun} everywhere (for a hole return a depth, -10.0 say;"
        " beyond your data its border: `HeightArray` does that)"
    )
    raise CreatureError("terrain", wanted, said)


def _ask(function, x, z):
    """Call a function of the user's with places of its own, which it may write into."""
    try:
        return function(x.copy(), z.copy())
    except (TypeError, ValueError) as error:
        error.add_note(
            "A terrain is called with two arrays, x and z, of one shape;"
            " `numpy.vectorize(f)` makes such a function of one that takes numbers."
        )
        raise
