"""Recordings of version 1, and their conversion to the fields of version 2.

In version 1 a trunk was one body, which could be bent by a polynomial, and a leg had two bones, of
which the second could be drawn with a rigid bend at a hock.
"""

import numpy as np

from twobone.errors import FileError
from twobone.files.fields import checked
from twobone.rotations import inverse, multiply, normalize, rotate

SHAPES: dict[str, tuple] = {
    "time": ("T",),
    "body_position": ("T", 3),
    "body_rotation": ("T", 4),
    "hips": ("T", "L", 3),
    "knees": ("T", "L", 3),
    "feet": ("T", "L", 3),
    "stance": ("T", "L"),
    "bones": ("L", 2),
    "ground": ("T", "L"),
    "dt": (),
}
OPTIONAL: dict[str, tuple] = {
    "blocked": ("T",),
    "head_rotation": ("T", 4),
    "tail_rotation": ("T", 4),
    "foot_rotation": ("T", "L", 4),
    "body_bend": ("T", 4),
    "body_parts": ("P", 12),
    "body_pivots": (2, 3),
    "leg_radii": ("L", 5),
    "leg_hocks": ("L", 4),
}
NAMES = (*SHAPES, *OPTIONAL)
SAME = ("time", "hips", "knees", "feet", "stance", "ground", "dt", "blocked", "foot_rotation")
MOST = 100.0  # lengths of a leg: of a hock's radius and heel; larger ones are errors
STRAIGHT = 1e-6  # sine of the knee's angle below which a leg counts as straight


def converted(given, source, *, finite=False):
    """Return the fields of version 2 for those of version 1.

    A trunk that bends gets a station for each pair of legs, evenly along the hips; another one has
    a single station. Where a second bone was drawn with a bend, the leg gets a third segment: its
    ankle is at the hock. Lengths of the looks, which are multiples of that of the longest leg, stay
    what they are in metres.

    Parameters
    ----------
    given : dict
        Arrays or lists of numbers by name.
    source : str
        The name of their source in error messages.
    finite : bool
        Whether to refuse NaN and infinity.

    Raises
    ------
    FileError
        If a field is missing or has a wrong type, shape or value; the message names it.
    """
    old = checked(given, SHAPES, OPTIONAL, source, finite=finite)
    found = {name: old[name] for name in SAME if name in old}
    found |= {new: old[name][:, None] for new, name in ENDS.items() if name in old}
    with np.errstate(all="ignore"):  # numbers of any size, or none
        found |= _trunk(old, source) | _legs(old, source)
        scale = old["bones"].sum(axis=1).max() / (found["bones"].sum(axis=1).max() or 1.0)
        return found | _looks(old, scale)


ENDS = {"neck": "head_rotation", "tail": "tail_rotation"}


def _trunk(old, source):
    """Return stations, their rotations, and where they are along the trunk."""
    place, rotation = old["body_position"], old["body_rotation"]
    bend = old.get("body_bend")
    if bend is None:
        straight = {"stations": place[:, None], "station_rotations": rotation[:, None]}
        return straight | {"along": np.zeros(1)}
    turn = normalize(rotation)[:, None]
    hips = rotate(inverse(turn), old["hips"] - place[:, None])[..., 2].mean(axis=0)
    if not np.all(np.isfinite(hips)):
        raise FileError(source, "finite numbers where the trunk bends", "others", field="hips")
    along = np.unique(np.linspace(hips.min(), hips.max(), -(-len(hips) // 2)))
    constant, first, second, third = np.moveaxis(bend[:, None], -1, 0)
    height = constant + along * (first + along * (second + along * third))
    slope = first + along * (2.0 * second + along * (3.0 * third))
    nothing = np.zeros_like(slope)
    pitch = np.stack([-slope, nothing, nothing, 1.0 + np.sqrt(1.0 + slope * slope)], axis=-1)
    points = np.stack([nothing, height, nothing + along], axis=-1)
    return {
        "stations": place[:, None] + rotate(turn, points),
        "station_rotations": multiply(turn, normalize(pitch)),
        "along": along,
    }


def _legs(old, source):
    """Return the lengths of bones with a third segment, and the ankles."""
    hocks, knees, feet = old.get("leg_hocks"), old["knees"], old["feet"]
    if hocks is None:
        hocks = np.zeros((len(old["bones"]), 4))
    wrong = ~np.all((hocks >= 0.0) & (hocks <= [1.0, 1.0, MOST, MOST]), axis=1)
    if wrong.any():
        wanted = f"2 numbers from 0 to 1 and 2 from 0 to {MOST:g} for each leg"
        came = ", ".join(f"{value:g}" for value in hocks[wrong][0])
        raise FileError(source, wanted, came, field="leg_hocks")
    along, behind = hocks[:, 0], hocks[:, 1]
    bent = behind > 0.0
    shares = np.stack([np.hypot(along, behind), np.hypot(1.0 - along, behind)], axis=-1)
    shares[~bent] = [1.0, 0.0]
    bones = np.concatenate([old["bones"][:, :1], old["bones"][:, 1:] * shares], axis=1)
    shins = feet - knees
    sizes = np.linalg.norm(shins, axis=-1, keepdims=True)
    hocks = knees + along[:, None] * shins + behind[:, None] * sizes * _away(old, shins)
    return {"bones": bones, "ankles": np.where(bent[:, None], hocks, feet)}


def _away(old, shins):
    """Return unit vectors perpendicular to second bones, away from the knee in the leg's plane.

    A straight leg keeps the last one as seen from the body, or takes the first one to come; that of
    a leg which is never bent is as if its knee were in front.
    """
    turn = normalize(old["body_rotation"])[:, None]
    back = rotate(inverse(turn), old["hips"] - old["knees"])
    shins = rotate(inverse(turn), shins)
    square = np.sum(shins * shins, axis=-1, keepdims=True)
    away = back - np.sum(back * shins, axis=-1, keepdims=True) / square * shins
    bent = np.linalg.norm(away, axis=-1) > STRAIGHT * np.linalg.norm(back, axis=-1)
    frames = np.where(bent, np.arange(len(bent))[:, None], -1)
    last = np.maximum.accumulate(frames, axis=0)
    last = np.where(last < 0, np.argmax(bent, axis=0), last)
    away = np.take_along_axis(away, last[..., None], axis=0)
    away = np.where(np.any(bent, axis=0)[:, None], away, np.cross([1.0, 0.0, 0.0], shins))
    # It has to be perpendicular in this frame, too.
    away -= np.sum(away * shins, axis=-1, keepdims=True) / square * shins
    size = np.linalg.norm(away, axis=-1, keepdims=True)
    return rotate(turn, np.where(size > 0.0, away / size, 0.0))


def _looks(old, scale):
    """Return the description of the animal, with lengths in multiples of another leg's."""
    found = {}
    if "body_parts" in old:
        parts = old["body_parts"].copy()
        parts[:, 3:9] *= scale
        parts[parts[:, 2] == 0.0, 9:] *= scale  # radii of capsules; for others, a rotation
        found["body_parts"] = parts
    if "body_pivots" in old:
        found["body_pivots"] = old["body_pivots"] * scale
    if "leg_radii" in old:
        hip, knee, tip, joint, foot = old["leg_radii"].T
        hocks = old.get("leg_hocks", np.zeros((len(hip), 4)))
        ankle = np.where(hocks[:, 1] > 0.0, hocks[:, 2], tip)
        columns = [hip, knee, ankle, tip, joint, foot, hocks[:, 3], np.zeros(len(hip))]
        found["leg_radii"] = np.stack(columns, axis=-1) * scale
    return found
