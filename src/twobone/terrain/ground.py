"""Terrains from data or functions: height arrays, your own functions, and `as_terrain`.

It also exports the terrains that are formulas, `Flat`, `Slope`, `Steps` and `Noise`, from
`landforms`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike, NDArray, Number
from twobone.core.immutable import Immutable
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments
from twobone.terrain.heights import Grid, grid_height
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
    "ground_of_walk",
]

WANTED = (
    "a number, a terrain (`Noise(0.1, 2.0)`, `HeightArray(heights, spacing)`, ...),"
    " an array of heights of shape (Nz, Nx) or a function of arrays x and z that returns heights"
)

# A function of two arrays, x and z, of the same shape.
OfPlaces: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike[Any]]


class HasHeight(Protocol):
    """A user-defined terrain; it may have a method `normal(x, z)` too."""

    def height(self, x: Any, z: Any, /) -> Any: ...


Ground: TypeAlias = Number | HasHeight | OfPlaces | NDArray[Any]  # whatever `as_terrain` accepts


class HeightArray(Immutable, Terrain):
    """Terrain that interpolates heights on a square grid.

    The surface is a bicubic Catmull-Rom spline: it passes through the heights, and its slope is
    continuous (C1). Outside the grid, the slope falls to 0 within one cell; beyond that cell, the
    height is that of the nearest point of the border.

    Parameters
    ----------
    heights : array, shape (Nz, Nx)
        `heights[i, j]` is the height at x = origin[0] + j spacing, z = origin[1] + i spacing.
    spacing : float
        Distance between neighbours in the grid; positive.
    origin : (float, float)
        x and z of `heights[0, 0]`.

    Raises
    ------
    ShapeError
        If `heights` is not a table of at least one row and column, or `origin` not two numbers.
    CreatureError
        If a number is NaN, infinite or beyond 1e9, or `spacing` is not positive.
    ArrayTypeError
        If an argument does not consist of numbers.

    Examples
    --------
    >>> from twobone.terrain.ground import HeightArray
    >>> hill = HeightArray([[0, 0, 0], [0, 1, 0], [0, 0, 0]], spacing=0.5)
    >>> hill.height(0.5, 0.5)
    np.float64(1.0)

    At several places, one of them outside the grid:

    >>> hill.height([0.5, 0.25, 9.0], 0.5)
    array([1.    , 0.5625, 0.    ])
    """

    _set_once = ("heights", "spacing", "origin", "_grid")

    def __init__(
        self,
        heights: ArrayLike[Any],
        spacing: float,
        origin: tuple[float, float] | ArrayLike[Any] = (0.0, 0.0),
    ) -> None:
        table = np.array(arrays.as_array(arrays.NUMPY, "heights", heights), np.float64)
        if table.ndim != 2 or 0 in table.shape:
            wanted = "have shape (Nz, Nx), at least one row and one column"
            came = arguments.shape_shown(table.shape)
            raise ShapeError("heights", wanted, table.shape, came)
        if not np.all(np.isfinite(table)):
            row, column = np.argwhere(~np.isfinite(table))[0]
            came = f"{table[row, column]} at heights[{row}, {column}]"
            raise CreatureError("heights", "be finite (fill holes with some depth)", came)
        most = float(np.max(np.abs(table)))
        if most > arguments.FARTHEST:
            raise CreatureError("heights", f"be at most {arguments.FARTHEST:g}", f"{most:g}")
        table.flags.writeable = False
        self.heights, self.spacing = table, arguments.positive("spacing", spacing)
        start = np.array(arrays.as_array(arrays.NUMPY, "origin", origin), np.float64)
        if start.shape != (2,):
            came = arguments.shape_shown(start.shape)
            raise ShapeError("origin", "be two numbers, x and z", start.shape, came)
        self.origin = arguments.number("origin", start[0]), arguments.number("origin", start[1])
        rows = tuple(tuple(row) for row in table.tolist())
        self._grid = Grid(rows, self.spacing, *self.origin)

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, z = arguments.places(x, z)
        (columns, across, _), (rows, along, _) = self._cells(x, z)
        return self._sum(rows, along, columns, across)[()]

    def height_at(self, x: float, z: float) -> float:
        return grid_height(self._grid, x, z)

    def for_kernel(self) -> Any:
        return ("grid", self._grid) if type(self) is HeightArray else None

    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        x, z = arguments.places(x, z)
        (columns, across, d_across), (rows, along, d_along) = self._cells(x, z)
        along_x = self._sum(rows, along, columns, d_across) / self.spacing
        return along_x, self._sum(rows, d_along, columns, across) / self.spacing

    def formula(self) -> dict[str, Any]:
        heights = self.heights.tolist()
        return {
            "kind": "array",
            "heights": heights,
            "spacing": self.spacing,
            "origin": list(self.origin),
        }

    def _cells(self, x, z):
        """Return indices, weights and derivatives of four nodes near each place, for x and z."""
        size = self.heights.shape
        return [
            _four((place - start) / self.spacing, count)
            for place, start, count in zip((x, z), self.origin, size[::-1], strict=True)
        ]

    def _sum(self, rows, along, columns, across):
        """Return the weighted sum of the heights at the 4 x 4 nodes around each place."""
        total = 0.0
        for row, row_weight in zip(rows, along, strict=True):
            line = 0.0
            for column, column_weight in zip(columns, across, strict=True):
                line = line + column_weight * self.heights[row, column]
            total = total + row_weight * line
        return np.asarray(total)

    def __repr__(self) -> str:
        rows, columns = self.heights.shape
        low, high = np.min(self.heights), np.max(self.heights)
        shown = f"<{rows} x {columns} heights from {low:.4g} to {high:.4g}>"
        return f"HeightArray({shown}, spacing={self.spacing}, origin={self.origin})"


def _four(place, count):
    """Return the four nodes near a place along an axis, their weights, and derivatives of these.

    `place` is in units of the spacing. Nodes beyond the border are replaced by those of the border,
    so the surface levels out within one cell.
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


class HeightFunction(Immutable, Terrain):
    """Terrain given by your own function; its results are checked at each call.

    Parameters
    ----------
    function : callable
        `function(x, z)` takes two float64 arrays of the same shape and returns the heights: an
        array of that shape, or one number.
    normal_function : callable, optional
        Takes the same arguments and returns unit normals, shape (..., 3). By default normals are
        computed by central differences.

    Notes
    -----
    `height` raises a CreatureError if a height is NaN or infinite, and a ShapeError or an
    ArrayTypeError if the result is not an array of heights. Exceptions that the function itself
    raises are passed on.

    Examples
    --------
    >>> from twobone.terrain.ground import HeightFunction
    >>> bowl = HeightFunction(lambda x, z: 0.1 * (x**2 + z**2))
    >>> bowl.normal(0.0, 0.0)
    array([0., 1., 0.])
    """

    _set_once = ("function", "normal_function")

    def __init__(self, function: OfPlaces, normal_function: OfPlaces | None = None) -> None:
        wanted = "a function of arrays x and z"
        if not callable(function):
            raise ArrayTypeError("function", wanted, arguments.shown(function))
        if not (normal_function is None or callable(normal_function)):
            raise ArrayTypeError("normal_function", wanted, arguments.shown(normal_function))
        self.function, self.normal_function = function, normal_function

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, z = arguments.places(x, z)
        return check_heights(_ask(self.function, x, z), x, z)[()]

    def height_at(self, x: float, z: float) -> float:
        place = np.array(x), np.array(z)
        height = _ask(self.function, *place)
        if type(height) is np.ndarray and height.shape == ():
            height = height[()]
        if type(height) is np.float64 and math.isfinite(height):
            return float(height)
        return float(check_heights(height, *place))

    def normal(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        if self.normal_function is None:
            return super().normal(x, z)
        x, z = arguments.places(x, z)
        return _check(_ask(self.normal_function, x, z), x, z, "normals", (3,))

    def __repr__(self) -> str:
        more = "" if self.normal_function is None else f", {self.normal_function!r}"
        return f"HeightFunction({self.function!r}{more})"


KNOWN = (Flat, Slope, Steps, Noise, HeightArray, HeightFunction)  # returned as they are


def as_terrain(value: Ground) -> Terrain:
    """Convert a number, an array, a function or an object to a terrain.

    Parameters
    ----------
    value : number, terrain, array or callable
        A number becomes level ground at that height. An array of heights, shape (Nz, Nx), becomes a
        `HeightArray` whose points are 1 m apart and whose middle is at the origin; for other
        distances call `HeightArray`. A terrain of this package is returned
        unchanged. A function `f(x, z)` that returns heights, or an object with a method
        `height(x, z)` and optionally `normal(x, z)`, becomes a `HeightFunction`.

    Returns
    -------
    Terrain
        With the methods `height(x, z)` and `normal(x, z)`.

    Raises
    ------
    ArrayTypeError
        If `value` is anything else.
    CreatureError
        If `value` is a number that is not finite, or is beyond 1e9, or holds one.
    ShapeError
        If `value` is an array of another shape.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.terrain.ground import as_terrain
    >>> as_terrain(np.array([[0.0, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.0]])).height(0.0, 0.0)
    np.float64(0.3)
    >>> as_terrain(0.5)
    Flat(0.5)
    >>> as_terrain(lambda x, z: 0.1 * x).height(2.0, 0.0)
    np.float64(0.2)
    """
    if isinstance(value, KNOWN):
        return value
    if isinstance(value, type):  # `Flat` instead of `Flat()`; a class is callable too
        raise ArrayTypeError("terrain", WANTED, f"the class {value.__name__}")
    own: Any = value
    if callable(getattr(own, "height", None)):
        normal = own.normal if callable(getattr(own, "normal", None)) else None
        return HeightFunction(own.height, normal)
    if callable(value):
        return HeightFunction(value)
    if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind in "fiu":
        middle = [-0.5 * (size - 1) for size in value.shape[::-1]]
        return HeightArray(value, 1.0, middle if value.ndim == 2 else (0.0, 0.0))
    if not arguments.is_number(value):
        wanted = f"{WANTED}; `make_terrain` makes ground by name" if type(value) is str else WANTED
        raise ArrayTypeError("terrain", wanted, arguments.shown(value))
    return Flat(arguments.number("terrain", value))


def ground_of_walk(value: Ground) -> Terrain:
    """Convert the ground of a recorded walk to a terrain; raise if it is a number other than 0.

    `walk(terrain=0.3)` walks over hills of roughness 0.3, but `as_terrain(0.3)` is level ground at
    a height of 0.3. So a number alone does not tell on which of the two a recording was made.

    Examples
    --------
    >>> from twobone.terrain.ground import ground_of_walk
    >>> ground_of_walk(0.0)
    Flat(0.0)
    """
    if arguments.is_number(value) and not isinstance(value, Terrain):
        height = arguments.number("terrain", value)
        if height != 0.0:
            wanted = (
                "be the terrain of the walk: for a roughness, what `make_terrain` returned for it;"
                f" for level ground at that height, `Flat({height:g})`"
            )
            raise CreatureError("terrain", wanted, f"{height:g}")
    return as_terrain(value)


def check_heights(
    heights: ArrayLike[Any], x: NDArray[np.float64], z: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Validate the heights that a terrain returned, and return them as a float64 array.

    Parameters
    ----------
    heights : array
        The heights: one for each place, or one number for all.
    x, z : array, shape (...)
        The places; both have the same shape. Where a coordinate is not finite, the height is not
        checked.

    Returns
    -------
    array, shape (...)
        The heights as a new array.

    Raises
    ------
    ShapeError, ArrayTypeError
        If `heights` is not an array of that shape.
    CreatureError
        If a height is NaN or infinite; the message names the first such place.

    Examples
    --------
    >>> from twobone.terrain.ground import check_heights
    >>> check_heights(1.0, np.array([1.0, 2.0]), np.array([0.0, 0.0]))
    array([1., 1.])
    """
    return _check(heights, x, z, "heights", ())


def _check(values, x, z, noun, tail):
    """Return heights or normals (`noun`) as float64, broadcast to the shape of x plus `tail`."""
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
        f"return finite {noun} everywhere (in a hole return some depth, such as -10.0; beyond"
        " your data repeat its border, as `HeightArray` does)"
    )
    raise CreatureError("terrain", wanted, said)


def _ask(function, x, z):
    """Call a user's function with copies of the places, so that it may modify them."""
    try:
        return function(x.copy(), z.copy())
    except (TypeError, ValueError) as error:
        error.add_note(
            "A terrain is called with two arrays, x and z, of the same shape;"
            " `numpy.vectorize(f)` makes such a function from one that takes numbers."
        )
        raise
