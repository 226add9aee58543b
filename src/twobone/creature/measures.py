"""How good a walk is: figures of a recording, whoever made it.

Each is a pure function of a `Recording`. A NaN in what it looks at makes it NaN; what a
recording has none of (frames, stances, touch-downs) counts as 0. Units are those of the
recording: metres, seconds, radians. `report.py` gathers all of them.
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
STRAIGHT = 1e-6  # sine between thigh and leg below which a leg has no plane
ROUNDING = 1e-12  # of reach: a straight leg rounded up is no leg that cannot reach


class FeetDown(NamedTuple):
    """How many feet are on the ground: in the frame with the fewest, and on average."""

    least: int
    mean: float


# --- feet ---------------------------------------------------------------------------------


def slide(recording: Recording) -> float:
    """Return the greatest distance of a foot from where its stance began; metres.

    A stance is a run of frames in which the foot is on the ground. Planted feet have 0,
    exactly; a foot that creeps is measured over its whole stance.
    """
    r = _checked(recording)
    frames = np.arange(len(r.time))[:, None]
    starts = np.maximum.accumulate(np.where(_touch_downs(r.stance), frames, 0), axis=0)
    moved = r.feet - np.take_along_axis(r.feet, starts[..., None], axis=0)
    return _greatest(_length(moved)[r.stance])


def feet_down(recording: Recording) -> FeetDown:
    """Return how many feet are on the ground, at least and on average over all frames."""
    r = _checked(recording)
    count = np.sum(r.stance, axis=1)
    return FeetDown(int(np.min(count)), float(np.mean(count))) if len(count) else FeetDown(0, 0.0)


def touch_down_speed(recording: Recording) -> NDArray[np.float64]:
    """Return how fast each foot moved in the frame in which it came down; (N), metres a second.

    One for each touch-down, in the order of time: the way of the foot from the last frame in
    the air to the first on the ground, over dt. It goes to 0 with dt where feet land softly.
    Feet that are on the ground in the first frame do not count.
    """
    r = _checked(recording)
    speed = _length(np.diff(r.feet, axis=0)) / r.dt
    return speed[_touch_downs(r.stance)[1:]]


def peak_acceleration(recording: Recording) -> float:
    """Return the greatest second difference of a foot's way, over dt squared; metres / s^2.

    It stays bounded as dt halves where the velocity of feet is continuous.
    """
    r = _checked(recording)
    return _greatest(_length(np.diff(r.feet, n=2, axis=0))) / r.dt**2


def depth_of_feet(recording: Recording) -> float:
    """Return how far a foot is below `ground`, the terrain's height there; metres, 0 if none."""
    r = _checked(recording)
    return _greatest(r.ground - r.feet[..., 1])


def depth_of_knees(recording: Recording, terrain: Ground) -> float:
    """Return how far a knee is below a terrain (see `as_terrain`); metres, 0 if none."""
    r = _checked(recording)
    ground = as_terrain(terrain).height(r.knees[..., 0], r.knees[..., 2])
    return _greatest(ground - r.knees[..., 1])


def depth(recording: Recording, terrain: Ground | None = None) -> float:
    """Return how far a foot or, if the terrain is given, a knee is under ground; metres."""
    feet = depth_of_feet(recording)
    return feet if terrain is None else _greatest([feet, depth_of_knees(recording, terrain)])


# --- legs ---------------------------------------------------------------------------------


def bone_error(recording: Recording) -> float:
    """Return the greatest error of a bone's length, in eps of that bone.

    That is | |knee - hip| - r1 | over 2^-52 r1, and likewise from knee to foot. It is computed
    in double words, so it has no rounding errors of its own. A recording far from the origin
    cannot do well: see `knee_rounding`.
    """
    r = _checked(recording)
    thigh = _length_error(r.hips, r.knees, r.bones[:, 0])
    return _greatest([_greatest(thigh), _greatest(_length_error(r.knees, r.feet, r.bones[:, 1]))])


def knee_rounding(recording: Recording) -> float:
    """Return what rounding the knees to floats may alone cost; in eps of a bone.

    Half a unit in the last place of each part of a knee, over 2^-52 of the shorter bone, in the
    worst frame: hip and foot given, no recording can promise a smaller `bone_error`.
    """
    r = _checked(recording)
    half = _length(0.5 * np.spacing(np.abs(r.knees)))
    return _greatest(_over(half, EPS * np.min(r.bones, axis=1)))


def greatest_reach(recording: Recording) -> float:
    """Return the greatest |foot - hip| / (r1 + r2): 1 is a straight leg."""
    return _greatest(_reach(_checked(recording)))


def unreachable(recording: Recording) -> int:
    """Return how often a leg's foot is where no knee can serve it, counted once a frame.

    The foot is farther from the hip than r1 + r2 or nearer than |r1 - r2|, by more than
    rounding (1e-12 of r1 + r2), or there is a NaN.
    """
    r = _checked(recording)
    reach = _reach(r)
    fold = _over(np.abs(r.bones[:, 0] - r.bones[:, 1]), np.sum(r.bones, axis=1))
    return int(np.sum(~((reach <= 1.0 + ROUNDING) & (reach >= fold - ROUNDING))))


def knee_plane_turn(recording: Recording) -> float:
    """Return the greatest angle by which the plane of a leg turns between frames; radians.

    The plane's normal is cross(knee - hip, foot - hip). A leg so straight that the sine between
    these two is below 1e-6 keeps the normal it had; before it had one nothing turns.
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
    """Return how far the body is within the support polygon, for each frame; (T), metres.

    From above: the distance of `body_position` to the nearest edge of the convex hull of the
    feet on the ground; negative outside it. Of fewer than three feet it is minus the distance
    to the segment between them or to the one there is; of none minus infinity.
    """
    r = _checked(recording)
    return signed_distance(r.body_position[:, [0, 2]], r.feet[..., [0, 2]], r.stance)


def backwards(recording: Recording) -> float:
    """Return the greatest step of the body against its heading between frames; metres, 0 if none.

    The heading is the body's +z as seen from above, halfway between the two frames.
    """
    r = _checked(recording)
    x, y, z, w = _rotation(r)
    ahead = np.stack([2 * (x * z + w * y), w * w - x * x - y * y + z * z], axis=-1)
    ahead = _unit(_unit(ahead)[:-1] + _unit(ahead)[1:])
    step = np.diff(r.body_position[:, [0, 2]], axis=0)
    return _greatest(-np.sum(step * ahead, axis=-1))


def tilt(recording: Recording) -> float:
    """Return the greatest angle between the body's up and the vertical; radians."""
    x, y, z, w = _rotation(_checked(recording))
    aside = np.hypot(2 * (x * y - w * z), 2 * (y * z + w * x))
    return _greatest(np.arctan2(aside, w * w - x * x + y * y - z * z))


def blocked(recording: Recording) -> float:
    """Return for how long the ground kept the animal from going on; seconds, NaN if not known."""
    r = _checked(recording)
    return math.nan if r.blocked is None else float(r.dt * np.count_nonzero(r.blocked))


# --- parts --------------------------------------------------------------------------------


def _touch_downs(stance):
    """Return where stances begin, the first frame included."""
    before = np.zeros_like(stance)
    before[1:] = stance[:-1]
    return stance & ~before


def _rotation(r):
    """Return the parts of the body's rotation in units of their largest, so that squares fit."""
    _, exponent = np.frexp(np.max(np.abs(r.body_rotation), axis=-1, keepdims=True))
    return _parts(np.ldexp(r.body_rotation, -exponent))


def _length(v):
    return np.hypot.reduce(v, axis=-1)  # a tiny slide is not lost in its square


def _greatest(values):
    return float(np.max(values, initial=0.0))


def _over(a, b):
    """Return a / b, where nothing over nothing is nothing."""
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
    """Return | |end - start| - bone | in eps of the bone, from (|v|^2 - r^2) / (|v| + r)."""
    ways = [exact.two_sum(e, -s) for s, e in zip(*map(_parts, (start, end)), strict=True)]
    square = exact.sum_of_pairs([exact.product_of_pairs(FLOAT64, way, way) for way in ways])
    other, lost = exact.two_square(FLOAT64, exact.split(FLOAT64, bone))
    high, low = exact.sum_of_pairs([square, (-other, -lost)])
    return _over(np.abs(_over(high + low, np.sqrt(square[0]) + bone)), EPS * bone)


def _parts(v):
    return np.moveaxis(v, -1, 0)


# --- arguments ----------------------------------------------------------------------------


def _checked(recording) -> Recording:
    """Return a recording as NumPy arrays whose shapes fit."""
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
        wanted = f"have shape {shape}, by `time` and `bones`" if shape else "have axes"
        raise ShapeError(f"recording.{name}", wanted, array.shape)
    return array
