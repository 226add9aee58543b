"""Ground that is a formula: flat, a slope, steps, noise. `terrain.py` is the door to it.

y is up. A terrain is a pure function of x and z: the same place has the same height, to the
bit, in whatever array it is asked for, so that a planted foot does not stir.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from twobone.core.array_types import ArrayLike, NDArray
from twobone.errors import CreatureError
from twobone.terrain import arguments

WAVES = 24
SHORTEST, LONGEST = 0.6, 2.5  # wavelengths of noise, beside the one asked for
BLOCK = 1024  # points whose waves fit the cache
FACE = 0.04  # of the run of a step is taken by its face

Slopes: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]


class Terrain:
    """Ground: what has `height(x, z)` and `normal(x, z)`. Base class of all kinds here.

    The arguments are numbers or arrays that broadcast; the answers are float64, heights of
    shape (...), normals of shape (..., 3), of length 1, upwards.

    Attributes
    ----------
    has_edges : bool
        Whether there may be steps, walls and ditches. A walker then looks more closely where it
        goes, and a step of it takes about twice as long.
    """

    has_edges = True

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        """Return the height of the ground at places x, z."""
        raise CreatureError(type(self).__name__, "define `height(x, z)`", "none")

    def formula(self) -> dict[str, Any]:
        """Return the numbers of its formula, for who computes it elsewhere (the page does).

        `kind` is flat: `level`; slope: `rise` along x and z; steps: `rise`, `run`, and the share
        `face` of the run; noise: the sum over `waves` (a, b, c) of `high` cos(a x + b z + c).
        """
        raise CreatureError("terrain", "have a formula", type(self).__name__)

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        """Return how much the ground rises along x and along z; by central differences."""
        x, z = arguments.places(x, z)
        # What is left of the step after rounding is what is divided by.
        step = 1e-4 + 1e-9 * np.maximum(np.abs(x), np.abs(z))
        left, right, back, front = x - step, x + step, z - step, z + step
        along_x = (self.height(right, z) - self.height(left, z)) / (right - left)
        along_z = (self.height(x, front) - self.height(x, back)) / (front - back)
        return along_x, along_z

    def normal(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        """Return the unit normal of the ground at places x, z; shape (..., 3)."""
        along_x, along_z = self.slopes(x, z)
        normal = np.stack([0.0 - along_x, np.ones_like(along_x), 0.0 - along_z], axis=-1)
        return normal / np.hypot.reduce(normal, axis=-1, keepdims=True)


class Flat(Terrain):
    """Level ground.

    Parameters
    ----------
    height : float
        How high it lies.

    Raises
    ------
    ArrayTypeError, CreatureError
        If an argument is no finite number; so do all kinds of terrain.

    Examples
    --------
    >>> from twobone.terrain.ground import Flat
    >>> Flat(0.5).height([0.0, 1.0], 2.0)
    array([0.5, 0.5])
    """

    has_edges = False

    def __init__(self, height: float = 0.0) -> None:
        self.level = arguments.number("height", height)

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, _ = arguments.places(x, z)
        return np.full(x.shape, self.level)[()]

    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        x, _ = arguments.places(x, z)
        return np.zeros(x.shape), np.zeros(x.shape)

    def formula(self) -> dict[str, Any]:
        return {"kind": "flat", "level": self.level}

    def __repr__(self) -> str:
        return f"Flat({self.level})"


class Slope(Terrain):
    """A plane through the origin that rises by some degrees, without end.

    Parameters
    ----------
    degrees : float
        How steep it is, between -90 and 90.
    heading_degrees : float
        Which way it rises: 0 is +z, 90 is +x, which is to the left of who looks along +z.

    Examples
    --------
    >>> from twobone.terrain.ground import Slope
    >>> Slope(45).height(0.0, [1.0, 2.0]).round(12)
    array([1., 2.])
    """

    has_edges = False

    def __init__(self, degrees: float, heading_degrees: float = 0.0) -> None:
        self.degrees = arguments.number("degrees", degrees)
        self.heading_degrees = arguments.number("heading_degrees", heading_degrees)
        if not -90.0 < self.degrees < 90.0:
            raise CreatureError("degrees", "lie between -90 and 90", str(self.degrees))
        heading, rise = math.radians(self.heading_degrees), math.tan(math.radians(self.degrees))
        self._rise = rise * math.sin(heading), rise * math.cos(heading)

    @np.errstate(invalid="ignore")
    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, z = arguments.places(x, z)
        return self._rise[0] * x + self._rise[1] * z

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        x, _ = arguments.places(x, z)
        return np.full(x.shape, self._rise[0]), np.full(x.shape, self._rise[1])

    def formula(self) -> dict[str, Any]:
        return {"kind": "slope", "rise": list(self._rise)}

    def __repr__(self) -> str:
        return f"Slope({self.degrees}, heading_degrees={self.heading_degrees})"


class Steps(Terrain):
    """A staircase along +z, without end; the origin is in the middle of a tread at height 0.

    A face is not quite upright: it takes 4 % of the run, in a smooth curve, so that the height
    and the normal are continuous.

    Parameters
    ----------
    rise : float
        How much higher each tread is than the one before; negative steps go down.
    run : float
        How far it is from one face to the next; positive.

    Examples
    --------
    >>> from twobone.terrain.ground import Steps
    >>> Steps(0.2, 1.0).height(0.0, [0.0, 0.4, 0.5, 0.6, 1.0])
    array([0. , 0. , 0.1, 0.2, 0.2])
    """

    def __init__(self, rise: float, run: float) -> None:
        self.rise, self.run = arguments.number("rise", rise), arguments.positive("run", run)

    def _on_stairs(self, x, z):
        """Return which step each place is on, and how far through the face after it, 0 to 1."""
        _, z = arguments.places(x, z)
        runs = z / self.run
        step = np.floor(runs)
        return step, np.clip((runs - step - 0.5) / FACE + 0.5, 0.0, 1.0)

    @np.errstate(invalid="ignore")
    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        step, face = self._on_stairs(x, z)
        return self.rise * (step + face * face * (3.0 - 2.0 * face))

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        _, face = self._on_stairs(x, z)
        along = self.rise / (FACE * self.run) * 6.0 * face * (1.0 - face)
        return np.zeros_like(along), along

    def formula(self) -> dict[str, Any]:
        return {"kind": "steps", "rise": self.rise, "run": self.run, "face": FACE}

    def __repr__(self) -> str:
        return f"Steps({self.rise}, {self.run})"


class Noise(Terrain):
    """Rough ground: 24 plane waves of random directions and phases, smooth everywhere.

    All waves are equally high. Their lengths are spread evenly (in octaves) from 0.6 to 2.5 of
    the one given, so roughness at the scale of strides dominates, and it repeats nowhere.

    Parameters
    ----------
    rms : float
        Root mean square of the height over the whole plane; at least 0.
    wavelength : float
        About how far it is from hill to hill; positive.
    seed : int
        Which of all such grounds; at least 0.

    Examples
    --------
    >>> from twobone.terrain.ground import Noise
    >>> rough = Noise(0.3, 2.0, seed=1)
    >>> x, z = np.random.default_rng(0).uniform(-1000, 1000, (2, 10_000))
    >>> round(float(np.std(rough.height(x, z))), 2)
    0.3
    """

    has_edges = False

    def __init__(self, rms: float, wavelength: float, seed: int = 0) -> None:
        self.rms, self.wavelength = (
            arguments.at_least_0("rms", rms),
            arguments.positive("wavelength", wavelength),
        )
        self.seed = arguments.seed(seed)
        rng = np.random.default_rng(self.seed)
        # One wave in each of 24 bands of length and of direction: no seed is all alike.
        shares = (rng.permutation(WAVES) + rng.random(WAVES)) / WAVES
        lengths = self.wavelength * SHORTEST * (LONGEST / SHORTEST) ** shares
        directions = math.pi * (np.arange(WAVES) + rng.random(WAVES)) / WAVES
        # Half angles, for `_waves`.
        self._along = (math.pi / lengths * np.array([np.sin(directions), np.cos(directions)]))[
            :, :, None
        ]
        self._phase = rng.uniform(0.0, math.pi, (WAVES, 1))
        self._high = self.rms * math.sqrt(2.0 / WAVES)  # a wave's mean square is half its height's

    @np.errstate(invalid="ignore")
    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        return self._summed(x, z, self._heights, 1)[0]

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        along_x, along_z = self._summed(x, z, self._slopes, 2)
        return along_x, along_z

    def _summed(self, x, z, formula, count):
        """Return what a formula makes of all places, in blocks."""
        x, z = arguments.places(x, z)
        if 1 < x.size <= BLOCK:
            found = formula(*self._waves(x.reshape(-1), z.reshape(-1)))
            return [part.reshape(x.shape) for part in found]
        # NumPy sums a single column in another order than one of many.
        places = np.zeros((2, x.size + (x.size % BLOCK == 1)))
        places[0, : x.size], places[1, : x.size] = x.reshape(-1), z.reshape(-1)
        out = np.empty((count, places.shape[1]))
        for start in range(0, x.size, BLOCK):
            part = slice(start, start + BLOCK)
            out[:, part] = formula(*self._waves(*places[:, part]))
        return out[:, : x.size].reshape(count, *x.shape)

    def _waves(self, x, z):
        """Return tan(a/2) and 2 / (1 + tan(a/2)^2) = 1 + cos(a) for the angle a of each wave.

        One tangent is ten times as fast as one cosine where NumPy has AVX-512: 60,000 places
        take 7 ms, not 26.
        """
        half = self._along[0] * x
        half += self._along[1] * z
        half += self._phase
        np.tan(half, out=half)
        square = half * half
        square += 1.0
        return half, np.divide(2.0, square, out=square)

    def _heights(self, half, cosine):
        return [self._high * (np.add.reduce(cosine, axis=0) - WAVES)]

    def _slopes(self, half, cosine):
        half *= cosine  # sin(a)
        return [-2.0 * self._high * np.add.reduce(along * half, axis=0) for along in self._along]

    def formula(self) -> dict[str, Any]:
        waves = np.concatenate([self._along[..., 0], self._phase.T]).T
        return {"kind": "noise", "high": self._high, "waves": (2.0 * waves).tolist()}

    def __repr__(self) -> str:
        return f"Noise({self.rms}, {self.wavelength}, seed={self.seed})"
