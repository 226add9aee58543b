"""Figures that measure the quality of a recorded walk.

Each is a pure function of a `Recording`, no matter what made it. If its input contains a NaN the
figure is NaN; if there are no frames, stances or touch-downs to measure, it is 0. Units are those
of the recording: metres, seconds, radians. `report.report` computes all of them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core import arrays, exact
from twobone.core.array_types import NDArray
from twobone.core.exact import FLOAT64
from twobone.creature.polygons import signed_distance
from twobone.errors import ArrayTypeError, ShapeError
from twobone.files.recordings import Recording
from twobone.terrain import arguments
from twobone.terrain.ground import Ground, as_terrain

EPS = 2.0**-52
STRAIGHT = 1e-6  # sine of the angle at the hip below which a leg is too straight to have a plane
ROUNDING = 1e-12  # of reach: tolerance, so that rounding does not put a straight leg out of reach


class FeetDown(NamedTuple):
    """The minimum and mean number of feet on the ground over all frames."""

    least: int
    mean: float


# --- feet ---------------------------------------------------------------------------------


def slide(recording: Recording) -> float:
    """Return the maximum distance of a foot in stance from where the stance began, in metres.

    A stance is a run of frames in which the foot is on the ground. For feet that do not slide the
    result is exactly 0. Slow sliding is measured over the whole stance.
    """
    r = _checked(recording)
    frames = np.arange(len(r.time))[:, None]
    starts = np.maximum.accumulate(np.where(_touch_downs(r.stance), frames, 0), axis=0)
    moved = r.feet - np.take_along_axis(r.feet, starts[..., None], axis=0)
    return _greatest(_length(moved)[r.stance])


def feet_down(recording: Recording) -> FeetDown:
    """Return the minimum and mean number of feet on the ground over all frames."""
    r = _checked(recording)
    count = np.sum(r.stance, axis=1)
    return FeetDown(int(np.min(count)), float(np.mean(count))) if len(count) else FeetDown(0, 0.0)


def touch_down_speed(recording: Recording) -> NDArray[np.float64]:
    """Return the speed of the foot at each touch-down, shape (N), in metres per second.

    There is one value per touch-down, in order of time: the distance from the foot's last frame in
    the air to its first on the ground, over dt. It tends to 0 with dt if feet land at rest. Feet on
    the ground in the first frame are not counted.
    """
    r = _checked(recording)
    speed = _length(np.diff(r.feet, axis=0)) / r.dt
    return speed[_touch_downs(r.stance)[1:]]


def peak_acceleration(recording: Recording) -> float:
    """Return the maximum second difference of a foot's position over dt squared, in m/s^2.

    It stays bounded as dt halves if the velocity of feet is continuous.
    """
    r = _checked(recording)
    return _greatest(_length(np.diff(r.feet, n=2, axis=0))) / r.dt**2


def depth_of_feet(recording: Recording) -> float:
    """Return the maximum depth of a foot below `ground`, in metres; 0 if no foot is below it."""
    r = _checked(recording)
    return _greatest(r.ground - r.feet[..., 1])


def depth_of_knees(recording: Recording, terrain: Ground) -> float:
    """Return the maximum depth of a knee below a terrain, in metres; 0 if no knee is below it.

    `terrain` is anything that `as_terrain` accepts.
    """
    r = _checked(recording)
    ground = as_terrain(terrain).height(r.knees[..., 0], r.knees[..., 2])
    return _greatest(ground - r.knees[..., 1])


def depth(recording: Recording, terrain: Ground | None = None) -> float:
    """Return the maximum depth below ground of feet and, given a terrain, of knees, in metres."""
    feet = depth_of_feet(recording)
    return feet if terrain is None else _greatest([feet, depth_of_knees(recording, terrain)])


# --- legs ---------------------------------------------------------------------------------


def bone_error(recording: Recording) -> float:
    """Return the maximum error of a bone's length, in units of eps times that length.

    It is | |knee - hip| - r1 | / (2^-52 r1), and likewise from knee to foot. It is computed in
    double-word arithmetic, so it adds no rounding errors of its own. Far from the origin the error
    cannot be small, because the knees are rounded: see `knee_rounding`.
    """
    r = _checked(recording)
    thigh = _length_error(r.hips, r.knees, r.bones[:, 0])
    return _greatest([_greatest(thigh), _greatest(_length_error(r.knees, r.feet, r.bones[:, 1]))])


def knee_rounding(recording: Recording) -> float:
    """Return the `bone_error` that rounding the knees to float64 can cause on its own.

    It is the length of half a unit in the last place of each coordinate of a knee, in units of
    2^-52 times the shorter bone, in the worst frame. For given hips and feet no recording can
    guarantee a smaller `bone_error`.
    """
    r = _checked(recording)
    half = _length(0.5 * np.spacing(np.abs(r.knees)))
    return _greatest(_over(half, EPS * np.min(r.bones, axis=1)))


def greatest_reach(recording: Recording) -> float:
    """Return the maximum of |foot - hip| / (r1 + r2); 1 is a straight leg."""
    return _greatest(_reach(_checked(recording)))


def unreachable(recording: Recording) -> int:
    """Return in how many frames a foot is out of reach, summed over the legs.

    A foot is out of reach if its distance from the hip is more than r1 + r2 or less than |r1 - r2|,
    by more than 1e-12 of r1 + r2 to allow for rounding, or is NaN.
    """
    r = _checked(recording)
    reach = _reach(r)
    min_reach = _over(np.abs(r.bones[:, 0] - r.bones[:, 1]), np.sum(r.bones, axis=1))
    return int(np.sum(~((reach <= 1.0 + ROUNDING) & (reach >= min_reach - ROUNDING))))


def knee_plane_turn(recording: Recording) -> float:
    """Return the maximum rotation of the plane of a leg between two frames, in radians.

    The normal of the plane is cross(knee - hip, foot - hip). While a leg is so straight that the
    sine of the angle between these two is at most 1e-6, it keeps its last normal; until it has one,
    its rotation counts as 0.
    """
    r = _checked(recording)
    thigh, leg = r.knees - r.hips, r.feet - r.hips
    normal = np.cross(thigh, leg)
    bent = ~(_length(normal) <= STRAIGHT * _length(thigh) * _length(leg))  # NaN counts as bent
    frames = np.arange(len(r.time))[:, None]
    last = np.maximum.accumulate(np.where(bent, frames, -1), axis=0)
    held = np.take_along_axis(normal, np.maximum(last, 0)[..., None], axis=0)
    turn = _angle(held[:-1], held[1:])
    return _greatest(turn[last[:-1] >= 0])


# --- body ---------------------------------------------------------------------------------


def static_margin(recording: Recording) -> NDArray[np.float64]:
    """Return the static margin of each frame, shape (T), in metres.

    Seen from above, it is the distance from `body_position` to the nearest edge of the support
    polygon, the convex hull of the feet on the ground; outside it is negative. With two feet it is
    minus the distance to the segment between them, with one foot minus the distance to it, and with
    none minus infinity.
    """
    r = _checked(recording)
    return signed_distance(r.body_position[:, [0, 2]], r.feet[..., [0, 2]], r.stance)


def backwards(recording: Recording) -> float:
    """Return the maximum step of the body against its heading, in metres; 0 if there is none.

    A step is the motion between two frames. The heading is the body's +z seen from above, halfway
    between the two.
    """
    r = _checked(recording)
    x, y, z, w = _rotation(r)
    ahead = np.stack([2 * (x * z + w * y), w * w - x * x - y * y + z * z], axis=-1)
    ahead = _unit(_unit(ahead)[:-1] + _unit(ahead)[1:])
    step = np.diff(r.body_position[:, [0, 2]], axis=0)
    return _greatest(-np.sum(step * ahead, axis=-1))


def tilt(recording: Recording) -> float:
    """Return the maximum angle between the body's up axis and the vertical, in radians."""
    x, y, z, w = _rotation(_checked(recording))
    aside = np.hypot(2 * (x * y - w * z), 2 * (y * z + w * x))
    return _greatest(np.arctan2(aside, w * w - x * x + y * y - z * z))


def blocked(recording: Recording) -> float:
    """Return the seconds for which the ground kept the animal from going on, NaN if unknown."""
    r = _checked(recording)
    return math.nan if r.blocked is None else float(r.dt * np.count_nonzero(r.blocked))


# --- parts of figures ---------------------------------------------------------------------


def _touch_downs(stance):
    """Return where stances begin; those of the first frame begin there."""
    before = np.zeros_like(stance)
    before[1:] = stance[:-1]
    return stance & ~before


def _rotation(r):
    """Return x, y, z and w of the body's rotation, scaled so that their squares do not overflow.

    They are divided by a power of two near the largest.
    """
    _, exponent = np.frexp(np.max(np.abs(r.body_rotation), axis=-1, keepdims=True))
    return _parts(np.ldexp(r.body_rotation, -exponent))


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


def _reach(r):
    return _over(_length(r.feet - r.hips), np.sum(r.bones, axis=1))


def _angle(a, b):
    a, b = _unit(a), _unit(b)
    return np.arctan2(_length(np.cross(a, b)), np.sum(a * b, axis=-1))


@np.errstate(all="ignore")
def _length_error(start, end, bone):
    """Return | |v| - r | over eps r for v = end - start, computed as (|v|^2 - r^2) / (|v| + r)."""
    differences = [exact.two_sum(e, -s) for s, e in zip(*map(_parts, (start, end)), strict=True)]
    square = exact.sum_of_pairs(
        [exact.product_of_pairs(FLOAT64, difference, difference) for difference in differences]
    )
    other, lost = exact.two_square(FLOAT64, exact.split(FLOAT64, bone))
    high, low = exact.sum_of_pairs([square, (-other, -lost)])
    return _over(np.abs(_over(high + low, np.sqrt(square[0]) + bone)), EPS * bone)


def _parts(v):
    return np.moveaxis(v, -1, 0)


# --- arguments ----------------------------------------------------------------------------


def _checked(recording) -> Recording:
    """Return a recording as NumPy arrays; raise if their types or shapes are wrong."""
    if not isinstance(recording, Recording):
        raise ArrayTypeError("recording", "a Recording", type(recording).__name__)
    count, legs = np.shape(recording.time)[:1], np.shape(recording.bones)[:1]
    tails = {
        "time": count,
        "body_position": (*count, 3),
        "body_rotation": (*count, 4),
        **dict.fromkeys(("hips", "knees", "feet"), (*count, *legs, 3)),
        "stance": (*count, *legs),
        "bones": (*legs, 2),
        "ground": (*count, *legs),
    }
    found: Any = {
        name: _array(name, getattr(recording, name), shape) for name, shape in tails.items()
    }
    blocked: Any = recording.blocked
    if blocked is not None:
        blocked = _array("blocked", blocked, count)
    return Recording(**found, dt=arguments.positive("recording.dt", recording.dt), blocked=blocked)


def _array(name, value, shape) -> Any:
    if name in ("stance", "blocked"):
        array = np.asarray(value)
        if array.dtype != bool:
            raise ArrayTypeError(f"recording.{name}", "of type bool", f"{array.dtype}")
    else:
        array = np.asarray(arrays.as_array(arrays.NUMPY, f"recording.{name}", value), np.float64)
    if array.shape != shape or not shape:
        wanted = f"have shape {shape}, by `time` and `bones`" if shape else "have at least one axis"
        raise ShapeError(f"recording.{name}", wanted, array.shape)
    return array
