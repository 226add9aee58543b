"""Figures that measure the quality of a walk or of any motion of feet on the ground.

Each is a pure function of arrays with T frames, L legs and S stations of a trunk, from a
`Recording`, a clip or elsewhere: `hips`, `knees`, `ankles` and `feet`, shape (T, L, 3); `contact`,
bool, shape (T, L); `bones`, shape (L, 3): two bones from hip to ankle, and the segment from ankle
to foot, 0 for none; `stations`, shape (T, S, 3); `body_position`, shape (T, 3); `body_rotation`,
quaternions xyzw, shape (T, 4); `dt`, the seconds between frames. Wrong shapes and types raise. y is
up; units are metres, seconds and radians. If an input contains a NaN the figure is NaN; if there is
nothing to measure, it is 0. `report.report` computes all of them for a recording.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core import arrays, exact
from twobone.core.array_types import NDArray
from twobone.core.exact import FLOAT64
from twobone.creature.contacts import latest, touch_downs
from twobone.creature.polygons import signed_distance
from twobone.errors import ArrayTypeError, ShapeError
from twobone.terrain import arguments
from twobone.terrain.ground import Ground, as_terrain

EPS = 2.0**-52
STRAIGHT = 1e-6  # sine of the angle at the hip below which a leg is too straight to have a plane
PLACES = 4  # points of a segment below a knee that are compared with the ground, beside its ends
ROUNDING = 1e-12  # of reach: tolerance, so that rounding does not put a straight leg out of reach


class FeetDown(NamedTuple):
    """The minimum and mean number of feet on the ground over all frames."""

    least: int
    mean: float


# --- feet ---------------------------------------------------------------------------------


def slide(feet: NDArray[np.float64], contact: NDArray[np.bool]) -> float:
    """Return the maximum distance of a foot in stance from where the stance began, in metres.

    A stance is a run of frames in which the foot is on the ground. For feet that do not slide the
    result is exactly 0. Slow sliding is measured over the whole stance.
    """
    feet, contact = checked(feet=feet, contact=contact)
    starts = latest(touch_downs(contact))
    moved = feet - np.take_along_axis(feet, starts[..., None], axis=0)
    return _greatest(_length(moved)[contact])


def feet_down(contact: NDArray[np.bool]) -> FeetDown:
    """Return the minimum and mean number of feet on the ground over all frames."""
    (contact,) = checked(contact=contact)
    count = np.sum(contact, axis=1)
    return FeetDown(int(np.min(count)), float(np.mean(count))) if len(count) else FeetDown(0, 0.0)


def touch_down_speed(
    feet: NDArray[np.float64], contact: NDArray[np.bool], dt: float
) -> NDArray[np.float64]:
    """Return the speed of the foot at each touch-down, shape (N), in metres per second.

    There is one value per touch-down, in order of time: the distance from the foot's last frame in
    the air to its first on the ground, over dt. It tends to 0 with dt if feet land at rest. Feet on
    the ground in the first frame are not counted.
    """
    feet, contact = checked(feet=feet, contact=contact)
    dt = arguments.positive("dt", dt)
    speed = _length(np.diff(feet, axis=0)) / dt
    return speed[touch_downs(contact)[1:]]


def peak_acceleration(feet: NDArray[np.float64], dt: float) -> float:
    """Return the maximum second difference of a foot's position over dt squared, in m/s^2.

    It stays bounded as dt halves if the velocity of feet is continuous.
    """
    (feet,) = checked(feet=feet)
    dt = arguments.positive("dt", dt)
    return _greatest(_length(np.diff(feet, n=2, axis=0))) / dt**2


def depth_of_feet(feet: NDArray[np.float64], ground: NDArray[np.float64]) -> float:
    """Return the maximum depth of a foot below `ground`, in metres; 0 if no foot is below it."""
    feet, ground = checked(feet=feet, ground=ground)
    return _greatest(ground - feet[..., 1])


def depth_of_legs(
    knees: NDArray[np.float64],
    ankles: NDArray[np.float64],
    feet: NDArray[np.float64],
    terrain: Ground,
) -> float:
    """Return the maximum depth of a leg below a terrain, in metres; 0 if it is not below it.

    It is that of the knee, of the ankle, and of `PLACES` other points on each of the two segments
    below the knee. The foot itself is left to `depth_of_feet`. `terrain` is anything that
    `as_terrain` accepts.
    """
    knees, ankles, feet = checked(knees=knees, ankles=ankles, feet=feet)
    ground = as_terrain(terrain)
    depths = [
        _depth(start + part * (end - start), ground)
        for start, end in ((knees, ankles), (ankles, feet))
        for part in np.arange(PLACES + 1) / (PLACES + 1)
    ]
    return _greatest(depths)


def depth_of_belly(stations: NDArray[np.float64], belly: float, terrain: Ground) -> float:
    """Return the maximum depth of a belly below a terrain, in metres; 0 if it is not below it.

    The belly is `belly` metres below each station of the trunk (`animal.anatomy.belly`).
    """
    (stations,) = checked(stations=stations)
    belly = arguments.at_least_0("belly", belly)
    return _greatest(belly + _depth(stations, as_terrain(terrain)))


def _depth(points, terrain):
    """Return how far points are below a terrain, negative above it."""
    return terrain.height(points[..., 0], points[..., 2]) - points[..., 1]


# --- legs ---------------------------------------------------------------------------------


def bone_error(
    hips: NDArray[np.float64],
    knees: NDArray[np.float64],
    ankles: NDArray[np.float64],
    feet: NDArray[np.float64],
    bones: NDArray[np.float64],
) -> float:
    """Return the maximum error of a bone's length, in eps of the coordinates.

    It is | |knee - hip| - r1 | over 2^-52 times the largest coordinate of the two ends, or r1 if
    that is more; likewise from knee to ankle and from ankle to foot. Coordinates are rounded to
    that much, so no recording can guarantee much less than 1. It is computed in double-word
    arithmetic, so it adds no rounding errors of its own.
    """
    joints = checked(hips=hips, knees=knees, ankles=ankles, feet=feet, bones=bones)
    bones = joints.pop()
    return _greatest(
        [
            _greatest(_length_error(start, end, bones[:, k]))
            for k, (start, end) in enumerate(itertools.pairwise(joints))
        ]
    )


def greatest_reach(
    hips: NDArray[np.float64], ankles: NDArray[np.float64], bones: NDArray[np.float64]
) -> float:
    """Return the maximum of |ankle - hip| / (r1 + r2); 1 is a leg with a straight knee."""
    hips, ankles, bones = checked(hips=hips, ankles=ankles, bones=bones)
    return _greatest(_reach(hips, ankles, bones))


def unreachable(
    hips: NDArray[np.float64], ankles: NDArray[np.float64], bones: NDArray[np.float64]
) -> int:
    """Return in how many frames an ankle is out of reach, summed over the legs.

    An ankle is out of reach if its distance from the hip is more than r1 + r2 or less than
    |r1 - r2|, by more than 1e-12 of r1 + r2 to allow for rounding, or is NaN.
    """
    hips, ankles, bones = checked(hips=hips, ankles=ankles, bones=bones)
    reach = _reach(hips, ankles, bones)
    min_reach = _over(np.abs(bones[:, 0] - bones[:, 1]), bones[:, 0] + bones[:, 1])
    return int(np.sum(~((reach <= 1.0 + ROUNDING) & (reach >= min_reach - ROUNDING))))


def knee_plane_rotation(
    hips: NDArray[np.float64], knees: NDArray[np.float64], ankles: NDArray[np.float64]
) -> float:
    """Return the maximum rotation of the plane of a leg between two frames, in radians.

    The normal of the plane is cross(knee - hip, ankle - hip). While a leg is so straight that the
    sine of the angle between these two vectors is at most 1e-6, it keeps its last normal; as long
    as it has none, its rotation counts as 0.
    """
    hips, knees, ankles = checked(hips=hips, knees=knees, ankles=ankles)
    thigh, leg = knees - hips, ankles - hips
    normal = np.cross(thigh, leg)
    bent = ~(_length(normal) <= STRAIGHT * _length(thigh) * _length(leg))  # NaN counts as bent
    frames = np.arange(len(ankles))[:, None]
    last = np.maximum.accumulate(np.where(bent, frames, -1), axis=0)
    held = np.take_along_axis(normal, np.maximum(last, 0)[..., None], axis=0)
    turn = _angle(held[:-1], held[1:])
    return _greatest(turn[last[:-1] >= 0])


def knee_acceleration(
    hips: NDArray[np.float64], knees: NDArray[np.float64], ankles: NDArray[np.float64], dt: float
) -> NDArray[np.float64]:
    """Return the angular acceleration of each knee, shape (T - 2, L), in radians/s^2.

    It is the second difference of the angle between the two bones, over dt squared.
    """
    hips, knees, ankles = checked(hips=hips, knees=knees, ankles=ankles)
    dt = arguments.positive("dt", dt)
    return np.diff(_angle(hips - knees, ankles - knees), n=2, axis=0) / dt**2


# --- body ---------------------------------------------------------------------------------


def static_margin(
    body_position: NDArray[np.float64], feet: NDArray[np.float64], contact: NDArray[np.bool]
) -> NDArray[np.float64]:
    """Return the static margin of each frame, shape (T), in metres.

    Seen from above, it is the distance from `body_position` to the nearest edge of the support
    polygon, the convex hull of the feet on the ground; outside it is negative. With two feet it is
    minus the distance to the segment between them, with one foot minus the distance to it, and with
    none minus infinity.
    """
    body_position, feet, contact = checked(body_position=body_position, feet=feet, contact=contact)
    return signed_distance(body_position[:, [0, 2]], feet[..., [0, 2]], contact)


def velocity(
    body_position: NDArray[np.float64], body_rotation: NDArray[np.float64], dt: float
) -> NDArray[np.float64]:
    """Return the velocity of the body to the left and forward, shape (T - 1, 2), in m/s.

    It is the step between two frames over dt. Forward is the body's +z seen from above, halfway
    between the two.
    """
    body_position, body_rotation = checked(body_position=body_position, body_rotation=body_rotation)
    dt = arguments.positive("dt", dt)
    step, ahead = _steps(body_position, body_rotation)
    return np.stack([_aside(step, ahead), np.sum(step * ahead, axis=-1)], axis=-1) / dt


def vertical_acceleration(body_position: NDArray[np.float64], dt: float) -> NDArray[np.float64]:
    """Return the acceleration of the body upwards, shape (T - 2), in m/s^2."""
    (body_position,) = checked(body_position=body_position)
    return np.diff(body_position[:, 1], n=2) / arguments.positive("dt", dt) ** 2


def backwards(body_position: NDArray[np.float64], body_rotation: NDArray[np.float64]) -> float:
    """Return the maximum step of the body against its heading, in metres; 0 if there is none.

    A step is the motion between two frames. The heading is the body's +z seen from above, halfway
    between the two.
    """
    body_position, body_rotation = checked(body_position=body_position, body_rotation=body_rotation)
    step, ahead = _steps(body_position, body_rotation)
    return _greatest(-np.sum(step * ahead, axis=-1))


def tilt(body_rotation: NDArray[np.float64]) -> float:
    """Return the maximum angle between the body's up axis and the vertical, in radians."""
    (body_rotation,) = checked(body_rotation=body_rotation)
    x, y, z, w = _rotation(body_rotation)
    aside = np.hypot(2 * (x * y - w * z), 2 * (y * z + w * x))
    return _greatest(np.arctan2(aside, w * w - x * x + y * y - z * z))


# --- how the body moves -------------------------------------------------------------------
#
# Amplitudes are those of a sine with the same mean square. They are measured from the smoothed
# motion: a quadratic polynomial is fitted to the two seconds around each frame, with weights that
# fade to both sides (Hann). Waves of 1.25 per second and more are measured to 5 %. The first and
# the last second are left out.


def bob(body_position: NDArray[np.float64], dt: float) -> float:
    """Return the amplitude with which the body goes up and down, in metres."""
    (body_position,) = checked(body_position=body_position)
    return _amplitude(_unsteady(body_position[:, 1], dt)[0])


def sway(
    body_position: NDArray[np.float64], body_rotation: NDArray[np.float64], dt: float
) -> float:
    """Return the amplitude with which the body goes from side to side, in metres."""
    body_position, body_rotation = checked(body_position=body_position, body_rotation=body_rotation)
    rest, frames = _unsteady(body_position[:, [0, 2]], dt)
    return _amplitude(_aside(rest, _ahead(body_rotation)[frames]))


def roll(body_rotation: NDArray[np.float64], dt: float) -> float:
    """Return the amplitude with which the body rolls from side to side, in radians."""
    (body_rotation,) = checked(body_rotation=body_rotation)
    x, y, z, w = _rotation(body_rotation)
    return _amplitude(_unsteady(_elevation(x * y + w * z, (x, y, z, w)), dt)[0])


def pitch(body_rotation: NDArray[np.float64], dt: float) -> float:
    """Return the amplitude with which the body pitches up and down, in radians."""
    (body_rotation,) = checked(body_rotation=body_rotation)
    x, y, z, w = _rotation(body_rotation)
    return _amplitude(_unsteady(_elevation(y * z - w * x, (x, y, z, w)), dt)[0])


def lateral_speed(body_position: NDArray[np.float64], body_rotation: NDArray[np.float64]) -> float:
    """Return the mean speed of the body to either side over that forward or backward."""
    body_position, body_rotation = checked(body_position=body_position, body_rotation=body_rotation)
    step, ahead = _steps(body_position, body_rotation)
    aside = np.sum(np.abs(_aside(step, ahead)))
    return float(_over(aside, np.sum(np.abs(np.sum(step * ahead, axis=-1)))))


def path_over_distance(body_position: NDArray[np.float64], dt: float) -> float:
    """Return the length of the body's path, seen from above, over that of the smoothed path."""
    (body_position,) = checked(body_position=body_position)
    path = body_position[:, [0, 2]]
    rest, frames = _unsteady(path, dt)
    smooth = path[frames] - rest
    length, distance = (np.sum(_length(np.diff(each, axis=0))) for each in (path[frames], smooth))
    return float(_over(length, distance))


def jerk(body_position: NDArray[np.float64], dt: float) -> float:
    """Return the root mean square of the body's jerk, in metres per second cubed."""
    (body_position,) = checked(body_position=body_position)
    dt = arguments.positive("dt", dt)
    return _amplitude(_length(np.diff(body_position, n=3, axis=0))) / (math.sqrt(2.0) * dt**3)


def _elevation(half_sine, rotation):
    """Return the angle above the horizontal, given half its sine for a quaternion of length 1."""
    x, y, z, w = rotation
    return np.arcsin(_over(2 * half_sine, x * x + y * y + z * z + w * w))


def _steps(body_position, body_rotation):
    """Return the steps of a body, and its headings halfway between frames; both are (T - 1, 2)."""
    ahead = _ahead(body_rotation)
    return np.diff(body_position[:, [0, 2]], axis=0), _unit(ahead[:-1] + ahead[1:])


def _aside(moves, ahead):
    """Return how far moves go to the left of directions; both are (T, 2), seen from above."""
    return moves[:, 0] * ahead[:, 1] - moves[:, 1] * ahead[:, 0]


def _ahead(body_rotation):
    """Return the direction of the body's +z seen from above, shape (T, 2)."""
    x, y, z, w = _rotation(body_rotation)
    return _unit(np.stack([2 * (x * z + w * y), w * w - x * x - y * y + z * z], axis=-1))


def _unsteady(values, dt):
    """Return the difference of values from their smoothed ones, and for which frames."""
    half = max(1, round(1.0 / arguments.positive("dt", dt)))
    frames = slice(half, len(values) - half)
    if len(values) <= 2 * half:  # nothing to measure
        return np.where(np.isnan(values), np.nan, 0.0), slice(None)
    i = np.arange(-half, half + 1) / (half + 1)
    hann = np.cos(0.5 * np.pi * i) ** 2
    zeroth, second, fourth = (np.sum(hann * i**power) for power in (0, 2, 4))
    weights = hann * (fourth - second * i * i) / (zeroth * fourth - second * second)
    columns = values.reshape(len(values), -1).T
    smooth = np.stack([np.convolve(column, weights, "valid") for column in columns], -1)
    return values[frames] - smooth.reshape(values[frames].shape), frames


def _amplitude(values):
    """Return the amplitude of a sine with the same mean square; 0 if there are no values."""
    return math.sqrt(2.0) * float(np.sqrt(np.mean(values * values))) if values.size else 0.0


# --- parts of figures ---------------------------------------------------------------------


def _rotation(rotation):
    """Return x, y, z and w of the body's rotation, scaled so that their squares do not overflow.

    They are divided by a power of two near the largest.
    """
    _, exponent = np.frexp(np.max(np.abs(rotation), axis=-1, keepdims=True))
    return _parts(np.ldexp(rotation, -exponent))


def _length(v):
    return np.hypot.reduce(v, axis=-1)  # `hypot` does not underflow on tiny values


def _greatest(values):
    return float(np.max(values, initial=0.0))


def _over(a, b):
    """Return a / b, where 0 / 0 is 0."""
    a, b = np.broadcast_arrays(a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((a == 0.0) & (b == 0.0), 0.0, a / b)


def _unit(v):
    return _over(v, _length(v)[..., None])


def _reach(hips, ankles, bones):
    return _over(_length(ankles - hips), bones[:, 0] + bones[:, 1])


def _angle(a, b):
    a, b = _unit(a), _unit(b)
    return np.arctan2(_length(np.cross(a, b)), np.sum(a * b, axis=-1))


@np.errstate(all="ignore")
def _length_error(start, end, bone):
    """Return | |v| - r | for v = end - start, as (|v|^2 - r^2) / (|v| + r), in eps of the size."""
    differences = [exact.two_sum(e, -s) for s, e in zip(*map(_parts, (start, end)), strict=True)]
    square = exact.sum_of_pairs(
        [exact.product_of_pairs(FLOAT64, difference, difference) for difference in differences]
    )
    other, lost = exact.two_square(FLOAT64, exact.split(FLOAT64, bone))
    high, low = exact.sum_of_pairs([square, (-other, -lost)])
    size = np.maximum(np.max(np.maximum(np.abs(start), np.abs(end)), axis=-1), bone)
    return _over(np.abs(_over(high + low, np.sqrt(square[0]) + bone)), EPS * size)


def _parts(v):
    return np.moveaxis(v, -1, 0)


# --- arguments ----------------------------------------------------------------------------

SHAPES: dict[str, tuple] = {  # T frames, L legs, S stations
    **dict.fromkeys(("hips", "knees", "ankles", "feet"), ("T", "L", 3)),
    **dict.fromkeys(("contact", "stance", "ground"), ("T", "L")),
    **dict.fromkeys(("time", "blocked"), ("T",)),
    "bones": ("L", 3),
    "along": ("S",),
    "stations": ("T", "S", 3),
    "station_rotations": ("T", "S", 4),
    "body_position": ("T", 3),
    "body_rotation": ("T", 4),
}


BOOLEANS = ("contact", "stance", "blocked")


def checked(**given: Any) -> list[Any]:
    """Return arguments as NumPy arrays; raise if their types or shapes do not fit."""
    sizes: dict[str, int] = {}
    return [_checked(name, value, sizes) for name, value in given.items()]


def _checked(name, value, sizes) -> Any:
    if name in BOOLEANS:
        try:
            array = np.asarray(value)
        except ValueError:  # rows of different lengths
            raise ArrayTypeError(name, "an array of bool", arguments.shown(value)) from None
        if array.dtype != bool:
            raise ArrayTypeError(name, "of type bool", f"{array.dtype}")
    else:
        array = np.asarray(arrays.as_array(arrays.NUMPY, name, value), np.float64)
    axes = SHAPES[name]
    if array.ndim == len(axes):
        wanted = [
            sizes.setdefault(axis, size) if isinstance(axis, str) else axis
            for axis, size in zip(axes, array.shape, strict=True)
        ]
        if array.shape == tuple(wanted):
            return array
    known = "".join(f", here {axis} = {size}" for axis, size in sizes.items() if axis in axes)
    wanted = f"have shape ({', '.join(map(str, axes))}){known}"
    came = "a single value" if not array.shape else str(array.shape)
    raise ShapeError(name, wanted, array.shape, came)
