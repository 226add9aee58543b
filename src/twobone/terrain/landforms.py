"""Terrains that are formulas: flat ground, a slope, steps, noise; and their base class.

y is up. A terrain is a pure function of x and z: the height of a place has the same bits whichever
other places are in the array, so a planted foot does not move. Import terrains from `ground`.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from twobone.core.array_types import ArrayLike, NDArray
from twobone.core.immutable import Immutable
from twobone.core.transcendental import exponential, turn
from twobone.errors import CreatureError
from twobone.terrain import arguments, heights

WAVES = 24
SHORTEST, LONGEST = 0.6, 2.5  # range of the wavelengths of noise, over the one given
RANGE = 1.4271163556401458  # log(LONGEST / SHORTEST)
COSINE = [1.0, *(getattr(heights, f"COSINE_{power}") for power in range(1, 11))]
BLOCK = 1024  # points at once, so that their waves fit in the cache
FACE = 0.04  # fraction of the run of a step that its face takes

Slopes: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]


class Terrain:
    """Base class of all terrains, with heights and normals.

    The arguments x and z of the methods are numbers or arrays that broadcast. The results are
    float64: heights of shape (...), and upward unit normals of shape (..., 3).
    """

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if "height" in vars(cls) and "height_at" not in vars(cls):
            cls.height_at = Terrain.height_at  # not that of a formula which it is derived from

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        """Return the height of the ground at places (x, z)."""
        raise CreatureError(type(self).__name__, "define `height(x, z)`", "none")

    def height_at(self, x: float, z: float) -> float:
        """Return the height of the ground at one place, with the bits of `height`."""
        return float(self.height(x, z))

    def for_kernel(self) -> Any:
        """Return what the kernel knows of the ground, or None: then it calls `height_at`.

        That is a kind and the arguments of a function of `heights`, without the place; for waves,
        the coefficients of their cosine too.
        """
        return None

    def formula(self) -> dict[str, Any]:
        """Return the numbers of the formula, so that other programs (the page) can evaluate it.

        The key `kind` determines the others. "flat": `level`. "slope": `rise`, along x and along z.
        "steps": `rise`, `run`, and `face`, the fraction of the run. "noise": the height is the sum
        of `high` cos(a x + b z + c) over `waves`, a list of (a, b, c). "array": the arguments of
        `HeightArray`.
        """
        raise CreatureError("terrain", "have a formula", type(self).__name__)

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        """Return the slopes of the ground along x and along z, by central differences."""
        x, z = arguments.places(x, z)
        # Rounding changes the step, so divide by the actual differences.
        step = 1e-4 + 1e-9 * np.maximum(np.abs(x), np.abs(z))
        left, right, back, front = x - step, x + step, z - step, z + step
        along_x = (self.height(right, z) - self.height(left, z)) / (right - left)
        along_z = (self.height(x, front) - self.height(x, back)) / (front - back)
        return along_x, along_z

    def normal(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        """Return the unit normal of the ground at places (x, z), shape (..., 3)."""
        along_x, along_z = self.slopes(x, z)
        normal = np.stack([0.0 - along_x, np.ones_like(along_x), 0.0 - along_z], axis=-1)
        return normal / np.hypot.reduce(normal, axis=-1, keepdims=True)


class Flat(Immutable, Terrain):
    """Level ground.

    Parameters
    ----------
    height : float
        The height of the ground.

    Raises
    ------
    ArrayTypeError, CreatureError
        If `height` is not a finite number. All terrains raise these for invalid numbers.

    Examples
    --------
    >>> from twobone.terrain.ground import Flat
    >>> Flat(0.5).height([0.0, 1.0], 2.0)
    array([0.5, 0.5])
    """

    _set_once = ("level",)

    def __init__(self, height: float = 0.0) -> None:
        self.level = arguments.number("height", height)

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, _ = arguments.places(x, z)
        found = np.empty(x.shape)  # `np.full` takes twice as long for a few places
        found.fill(self.level)
        return found[()]

    def height_at(self, x: float, z: float) -> float:
        return self.level

    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        x, _ = arguments.places(x, z)
        return np.zeros(x.shape), np.zeros(x.shape)

    def for_kernel(self) -> Any:
        return ("level", self.level) if type(self) is Flat else None

    def formula(self) -> dict[str, Any]:
        return {"kind": "flat", "level": self.level}

    def __repr__(self) -> str:
        return f"Flat({self.level})"


class Slope(Immutable, Terrain):
    """An infinite inclined plane through the origin.

    Parameters
    ----------
    degrees : float
        Inclination, between -90 and 90.
    heading_degrees : float
        Direction in which it rises: 0 is +z, 90 is +x, which is to the left when facing +z.

    Examples
    --------
    >>> from twobone.terrain.ground import Slope
    >>> Slope(45).height(0.0, [1.0, 2.0]).round(12)
    array([1., 2.])
    """

    _set_once = ("degrees", "heading_degrees", "_rise")

    def __init__(self, degrees: float, heading_degrees: float = 0.0) -> None:
        self.degrees = arguments.number("degrees", degrees)
        self.heading_degrees = arguments.number("heading_degrees", heading_degrees)
        if not -90.0 < self.degrees < 90.0:
            raise CreatureError("degrees", "lie between -90 and 90", str(self.degrees))
        heading, up = (turn(math.radians(each)) for each in (self.heading_degrees, self.degrees))
        rise = up.s / up.c
        self._rise = rise * heading.s, rise * heading.c

    @np.errstate(invalid="ignore")
    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        x, z = arguments.places(x, z)
        return self._rise[0] * x + self._rise[1] * z

    def height_at(self, x: float, z: float) -> float:
        return heights.slope_height(*self._rise, x, z)

    def for_kernel(self) -> Any:
        return ("slope", *self._rise) if type(self) is Slope else None

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        x, _ = arguments.places(x, z)
        return np.full(x.shape, self._rise[0]), np.full(x.shape, self._rise[1])

    def formula(self) -> dict[str, Any]:
        return {"kind": "slope", "rise": list(self._rise)}

    def __repr__(self) -> str:
        return f"Slope({self.degrees}, heading_degrees={self.heading_degrees})"


class Steps(Immutable, Terrain):
    """An infinite staircase along +z; the origin is in the middle of a tread at height 0.

    Faces are not quite vertical: a face is a smooth curve that takes 4 % of the run, so height and
    normal are continuous.

    Parameters
    ----------
    rise : float
        Difference in height from one tread to the next; negative steps go down.
    run : float
        Distance from one face to the next; positive.

    Examples
    --------
    >>> from twobone.terrain.ground import Steps
    >>> Steps(0.2, 1.0).height(0.0, [0.0, 0.4, 0.5, 0.6, 1.0])
    array([0. , 0. , 0.1, 0.2, 0.2])
    """

    _set_once = ("rise", "run")

    def __init__(self, rise: float, run: float) -> None:
        self.rise, self.run = arguments.number("rise", rise), arguments.positive("run", run)

    def _on_stairs(self, x, z):
        """Return the step of each place, and the progress through the face after it, 0 to 1."""
        _, z = arguments.places(x, z)
        runs = z / self.run
        step = np.floor(runs)
        return step, np.clip((runs - step - 0.5) / FACE + 0.5, 0.0, 1.0)

    @np.errstate(invalid="ignore")
    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        step, face = self._on_stairs(x, z)
        return self.rise * (step + face * face * (3.0 - 2.0 * face))

    def height_at(self, x: float, z: float) -> float:
        return heights.steps_height(self.rise, self.run, FACE, z)

    def for_kernel(self) -> Any:
        return ("steps", self.rise, self.run, FACE) if type(self) is Steps else None

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        _, face = self._on_stairs(x, z)
        along = self.rise / (FACE * self.run) * 6.0 * face * (1.0 - face)
        return np.zeros_like(along), along

    def formula(self) -> dict[str, Any]:
        return {"kind": "steps", "rise": self.rise, "run": self.run, "face": FACE}

    def __repr__(self) -> str:
        return f"Steps({self.rise}, {self.run})"


class Noise(Immutable, Terrain):
    """Smooth rough ground: the sum of 24 plane waves of random directions and phases.

    All waves have the same amplitude. Their wavelengths are distributed evenly on a logarithmic
    scale from 0.6 to 2.5 times the one given, so the ground does not repeat.

    Parameters
    ----------
    rms : float
        Root mean square of the height over the whole plane; at least 0.
    wavelength : float
        Approximate distance from hill to hill; positive.
    seed : int
        Seed of the random numbers; at least 0.

    Examples
    --------
    >>> from twobone.terrain.ground import Noise
    >>> rough = Noise(0.3, 2.0, seed=1)
    >>> x, z = np.random.default_rng(0).uniform(-1000, 1000, (2, 10_000))
    >>> round(float(np.std(rough.height(x, z))), 2)
    0.3
    """

    _set_once = (
        "rms",
        "wavelength",
        "seed",
        "_along",
        "_phase",
        "_high",
        "_each",
    )

    def __init__(self, rms: float, wavelength: float, seed: int = 0) -> None:
        self.rms, self.wavelength = (
            arguments.at_least_0("rms", rms),
            arguments.positive("wavelength", wavelength),
        )
        self.seed = arguments.seed(seed)
        rng = np.random.default_rng(self.seed)
        # One wave in each of 24 bands of wavelength and of direction, so that no seed gives waves
        # that are all alike.
        fractions = (rng.permutation(WAVES) + rng.random(WAVES)) / WAVES
        lengths = (
            self.wavelength
            * SHORTEST
            * np.array([exponential(RANGE * f) for f in fractions.tolist()])
        )
        angles = math.pi * (np.arange(WAVES) + rng.random(WAVES)) / WAVES
        directions = np.array([turn(angle) for angle in angles.tolist()])
        # Half of the angles, see `_slopes`.
        along = math.pi / lengths * directions[:, ::-1].T
        self._along = along[:, :, None]
        self._phase = rng.uniform(0.0, math.pi, (WAVES, 1))
        self._high = self.rms * math.sqrt(2.0 / WAVES)  # mean square of a cosine is 1/2
        each = np.concatenate([*self._along, self._phase], axis=1) / math.pi  # the whole, in turns
        self._each = tuple(heights.Wave(*wave) for wave in each.tolist())

    def height(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore"):
            return self._summed(x, z, self._heights, 1)[0][()]

    def height_at(self, x: float, z: float) -> float:
        return heights.noise_height(self._each, self._high, x, z)

    @np.errstate(invalid="ignore")
    def slopes(self, x: ArrayLike[Any], z: ArrayLike[Any]) -> Slopes:
        along_x, along_z = self._summed(x, z, self._slopes, 2)
        return along_x, along_z

    def _summed(self, x, z, formula, count):
        """Evaluate a formula of the waves at all places, in blocks; return `count` arrays."""
        x, z = arguments.places(x, z)
        if 1 < x.size <= BLOCK:
            found = formula(x.reshape(-1), z.reshape(-1))
            return [part.reshape(x.shape) for part in found]
        # NumPy adds the numbers of a single column in another order than those of several columns;
        # pad, so that the height of a place does not depend on how many there are.
        places = np.zeros((2, x.size + (x.size % BLOCK == 1)))
        places[0, : x.size], places[1, : x.size] = x.reshape(-1), z.reshape(-1)
        out = np.empty((count, places.shape[1]))
        for start in range(0, x.size, BLOCK):
            part = slice(start, start + BLOCK)
            out[:, part] = formula(*places[:, part])
        return out[:, : x.size].reshape(count, *x.shape)

    def _heights(self, x, z):
        return [heights.noise_height(self._each, self._high, x, z)]

    def _slopes(self, x, z):
        # With t = tan(a/2), sin(a) = 2 t / (1 + t^2). With AVX-512, NumPy's tangent is ten times as
        # fast as its sine.
        half = self._along[0] * x
        half += self._along[1] * z
        half += self._phase
        np.tan(half, out=half)
        square = half * half
        square += 1.0
        half *= np.divide(2.0, square, out=square)
        return [-2.0 * self._high * np.add.reduce(along * half, axis=0) for along in self._along]

    def for_kernel(self) -> Any:
        known = "noise", self._each, self._high, COSINE
        return known if type(self) is Noise else None

    def formula(self) -> dict[str, Any]:
        waves = np.concatenate([self._along[..., 0], self._phase.T]).T
        return {"kind": "noise", "high": self._high, "waves": (2.0 * waves).tolist()}

    def __repr__(self) -> str:
        return f"Noise({self.rms}, {self.wavelength}, seed={self.seed})"
