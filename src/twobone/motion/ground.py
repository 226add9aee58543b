"""The ground of a clip: given or found, and how high above it the joints of feet rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ArrayTypeError, ShapeError
from twobone.motion.branches import y_up
from twobone.motion.clip import Clip
from twobone.motion.curves import runs
from twobone.motion.limbs import FoundLimb, Limbs, given_legs
from twobone.terrain import arguments
from twobone.terrain import ground as terrains

LOW = 1.0  # percentile of the heights of a joint that counts as its lowest
# Of the leg: the lowest joint of feet on the ground is at most so high above it, an ankle without
# toes, or so far below it.
HIGHEST, LOWEST = 0.15, -0.06
RAISED = 0.12  # of the leg: feet that never come lower than this above another are never down
# Of its two bones: a leg whose joints never come lower than this above the lowest foot is in the
# air. Measured: wrists of a fox without paws walk at 0.20, hands of dinosaurs and monsters are
# carried at 0.75 to 3.
AIR = 0.3
FLIGHT = 0.8  # seconds: no jump lasts longer; the body then stands on something higher

Given: TypeAlias = "terrains.Ground | ClipGround | None"


class ClipGround:
    """The ground of a clip, in the clip's own axes and units.

    Parameters
    ----------
    terrain : Terrain
        Heights over the two level axes of the clip: x and z if y is up, x and y if z is up.
    up : {"y", "z"}
        The clip's axis that points up.
    rests : dict, optional
        Height above the ground at which each joint of a foot rests, by index of the joint.

    Attributes
    ----------
    terrain, up, rests
        As given.

    Examples
    --------
    >>> from twobone.motion.ground import ClipGround
    >>> from twobone.terrain.ground import Slope
    >>> slope = ClipGround(Slope(45, heading_degrees=90), "z")  # rises along x
    >>> slope.height([2.0, 5.0, 0.0]).round(6), slope.clearance([2.0, 5.0, 3.0]).round(6)
    (np.float64(2.0), np.float64(1.0))
    >>> slope.normal([2.0, 5.0, 0.0]).round(3) + 0.0
    array([-0.707,  0.   ,  0.707])
    """

    def __init__(
        self, terrain: terrains.Terrain, up: str, rests: dict[int, float] | None = None
    ) -> None:
        self.terrain = terrain
        self.up = up
        self.rests = dict(rests or {})

    def __repr__(self) -> str:
        return f"ClipGround({self.terrain!r}, {self.up!r})"

    def height(self, points: Any) -> NDArray[np.float64]:
        """Return the height of the ground below or above points, shape (..., 3): shape (...).

        NaN where a coordinate of a point is not finite.
        """
        points = _points(points)
        x, z = points[..., 0], points[..., 2 if self.up == "y" else 1]
        valid = np.isfinite(x) & np.isfinite(z)
        heights = self.terrain.height(np.where(valid, x, 0.0), np.where(valid, z, 0.0))
        return np.where(valid, heights, np.nan)[()]

    def clearance(self, points: Any) -> NDArray[np.float64]:
        """Return how high points, shape (..., 3), are above the ground, along the up axis."""
        points = _points(points)
        return (points[..., 1 if self.up == "y" else 2] - self.height(points))[()]

    def normal(self, points: Any) -> NDArray[np.float64]:
        """Return upward unit normals of the ground below or above points: shape (..., 3)."""
        points = _points(points)
        if self.up == "y":
            return self.terrain.normal(points[..., 0], points[..., 2])
        return self.terrain.normal(points[..., 0], points[..., 1])[..., [0, 2, 1]]


@np.errstate(all="ignore")  # poses may hold anything
def find_ground(clip: Clip, ground: Given = None, *, limbs: Limbs | None = None) -> ClipGround:
    """Return the ground of a clip, and how high above it the joints of feet rest.

    If no ground is given, it is level, at the height that the lowest joint of the feet has in all
    but the lowest 1 % of the frames: a few frames in which a foot is too low do not matter. In the
    same way, the rest height of a joint is its height above the ground in all but the lowest 1 % of
    the frames. Stairs and slopes are not found; pass them as `ground`.

    Parameters
    ----------
    clip : Clip
    ground : number, function, terrain or None
        The height of level ground; a function `height(x, z)` that takes two arrays and returns
        heights; or an object with such a method and optionally `normal(x, z)`. All are in units of
        the clip. If z is up in the clip, x and y are passed. By default the ground is found.
    limbs : Limbs, optional
        The limbs of the clip; by default `find_limbs(clip)`.

    Returns
    -------
    ClipGround
        Its `rests` are the rest heights of `end` and `toe` of all legs.

    Raises
    ------
    ClipError
        If `limbs` are not what `find_limbs` returns, or have joints that the clip does not have.
    ArrayTypeError, CreatureError, ShapeError
        If `ground` is none of these, a number that is not finite or beyond 1e9, or a function that
        does not return finite heights.

    Examples
    --------
    A person who stands on level ground at a height of 0.3; the ankles are 0.05 above it:

    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, find_ground
    >>> offsets = [[0, 1.2, 0]] + 2 * [[0.1, 0, 0], [0, -0.45, 0], [0, -0.4, 0], [0, -0.05, 0.15]]
    >>> names = ["Hips"] + [side + part for side in ("Left", "Right")
    ...                     for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
    >>> person = Skeleton([-1, 0, 1, 2, 3, 0, 5, 6, 7], offsets, names=names)
    >>> clip = Clip(person, LocalPose([person.rotations] * 60), fps=30)
    >>> ground = find_ground(clip)
    >>> ground.height([[0, 1, 0], [5, 1, 2]]).round(6)
    array([0.3, 0.3])
    >>> round(ground.rests[person.index("LeftFoot")], 6)
    0.05

    A slope that rises by 0.1 for each unit along z:

    >>> find_ground(clip, lambda x, z: 0.1 * z).normal([0, 0, 0]).round(3)
    array([ 0.   ,  0.995, -0.1  ])
    """
    if isinstance(ground, ClipGround) and ground.rests:
        return ground
    legs = given_legs(clip, limbs)
    with np.errstate(all="ignore"):  # poses may hold anything
        positions = clip.skeleton.to_global(clip.pose).positions if legs else np.zeros((1, 1, 3))
        return ground_below(positions, clip.up, ground, legs)


def ground_below(
    positions: NDArray[np.float64], up: str, ground: Given, legs: Sequence[FoundLimb]
) -> ClipGround:
    """Return what `find_ground` returns, for world positions (T, J, 3) of all joints."""
    feet = [[leg.end] if leg.toe is None else [leg.end, leg.toe] for leg in legs]
    if isinstance(ground, ClipGround):
        found = ClipGround(ground.terrain, ground.up)
    elif ground is None:
        heights = y_up(positions, up)[..., 1]
        joints = sorted({joint for foot in feet for joint in foot})
        level = _low(np.min(heights[:, joints], axis=1)) if joints else 0.0
        most = arguments.FARTHEST
        found = ClipGround(terrains.Flat(min(max(level, -most), most)), up)
    else:
        found = ClipGround(terrain_of(ground), up)
    found.rests = _rests(found, positions, legs)
    return found


def _rests(
    ground: ClipGround, positions: NDArray[np.float64], legs: Sequence[FoundLimb]
) -> dict[int, float]:
    """Return how high the joints of feet rest above the ground: as high as they are when lowest.

    A foot that is never on the ground rests as high as those of the other legs of its kind.
    """
    lows: dict[int, float] = {}
    alike: dict[tuple[Any, str], list[tuple[int, float]]] = {}
    for leg in legs:
        size = float(np.median(_size(positions, leg)))
        for part, joint in (("end", leg.end), ("toe", leg.toe)):
            if joint is not None:
                lows[joint] = _low(ground.clearance(positions[:, joint]))
                alike.setdefault((leg.place, part), []).append((joint, RAISED * size))
    for joints in alike.values():
        least = min(lows[joint] for joint, _ in joints)
        for joint, higher in joints:
            if lows[joint] > least + higher:
                lows[joint] = least
    return lows


class LegInAir(NamedTuple):
    """A leg that never comes near the ground, such as an arm that is named as a front leg.

    Attributes
    ----------
    name : str
        Its name.
    height : float
        How far above the lowest foot its joints stay.
    """

    name: str
    height: float


def legs_in_air(
    ground: ClipGround, positions: NDArray[np.float64], legs: Sequence[FoundLimb], fps: float
) -> tuple[list[FoundLimb], list[LegInAir]]:
    """Return the legs that come near the ground, and those that never do.

    `positions` (T, J, 3) are those of all joints. The ground is where the lowest foot is in the
    clip or, where the body climbs, in the frame.
    """
    feet = [[leg.end] if leg.toe is None else [leg.end, leg.toe] for leg in legs]
    heights = np.stack([ground.clearance(positions[:, foot]).min(-1) for foot in feet], axis=-1)
    heights -= min(_low(column) for column in heights.T)
    sizes = [float(np.median(_size(positions, leg))) for leg in legs]
    heights -= support_below(heights, HIGHEST * float(np.median(sizes)), fps)[:, None]
    down, up = [], []
    for leg, size, column in zip(legs, sizes, heights.T, strict=True):
        low = _low(column)
        if low > AIR * size:
            up.append(LegInAir(leg.name, low))
        else:
            down.append(leg)
    return down, up


def support_below(heights: NDArray[np.float64], near: float, fps: float) -> NDArray[np.float64]:
    """Return the height (T,) of what the body stands on above the ground: mostly 0.

    `heights` (T, K) are those of joints of feet. Where none is as near to the ground as `near` for
    longer than a jump lasts, it is that of the lowest joint.
    """
    lowest = np.min(heights, axis=1)
    support = np.zeros(len(heights))
    for first, last in runs((lowest >= near) & np.isfinite(lowest)):
        if last - first > FLIGHT * fps:
            support[first:last] = lowest[first:last]
    return support


def _size(positions: NDArray[np.float64], leg: FoundLimb) -> NDArray[np.float64]:
    """Return the length of a leg's two bones in each frame."""
    start, mid, end = (positions[:, joint] for joint in (leg.start, leg.mid, leg.end))
    return np.linalg.norm(mid - start, axis=-1) + np.linalg.norm(end - mid, axis=-1)


def _low(heights: NDArray[np.float64]) -> float:
    """Return the lowest of heights (T) but for some outliers; 0 if none is finite."""
    heights = heights[np.isfinite(heights)]
    return float(np.percentile(heights, LOW)) if len(heights) else 0.0


def gap_below_feet(clip: Clip, ground: Given, limbs: Limbs) -> float:
    """Return how far a ground is below the feet of a clip where they are lowest, in its units.

    Returns
    -------
    float
        Negative if the ground is above the feet; 0 if feet could stand on it, or there are none.

    Examples
    --------
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, find_limbs
    >>> from twobone.motion.ground import gap_below_feet
    >>> offsets = [[0, 0.9, 0], [0.1, 0, 0], [0, -0.42, 0], [0, -0.4, 0]]
    >>> leg = Skeleton([-1, 0, 1, 2], offsets, names=["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"])
    >>> clip = Clip(leg, LocalPose([leg.rotations] * 60), fps=30)
    >>> [round(gap_below_feet(clip, height, find_limbs(clip)), 2) for height in (0, -0.3, 0.5)]
    [0.0, 0.38, -0.42]
    """
    if not limbs.legs:
        return 0.0
    with np.errstate(all="ignore"):
        positions = clip.skeleton.to_global(clip.pose).positions
        gap = min(ground_below(positions, clip.up, ground, limbs.legs).rests.values())
        size = float(np.median([np.median(_size(positions, leg)) for leg in limbs.legs]))
    return 0.0 if LOWEST * size <= gap <= HIGHEST * size else gap


def terrain_of(ground: Any) -> terrains.Terrain:
    """Return a ground as it was given by a caller, or was found, as a terrain."""
    if isinstance(ground, ClipGround):
        return ground.terrain
    if arguments.is_number(ground):
        return terrains.Flat(arguments.number("ground", ground))
    if callable(ground) or hasattr(ground, "height"):
        given: Any = ground
        return terrains.as_terrain(given)
    wanted = "None, a height, a function `height(x, z)` or a terrain"
    raise ArrayTypeError("ground", wanted, arguments.shown(ground))


def _points(points: Any) -> NDArray[np.float64]:
    found = np.asarray(points, np.float64)
    if found.shape[-1:] != (3,):
        raise ShapeError("points", "have shape (..., 3)", found.shape)
    return found
