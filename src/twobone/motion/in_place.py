"""Clips in place, as on a treadmill: the velocity of the ground below a body that stays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from twobone.motion import legs
from twobone.motion.chains import Floats
from twobone.motion.feet import Feet

FAR = 0.15  # of a limb: feet that move less than this while in contact hardly move
LEFT = 0.5  # of the drift of feet: ground that moves must leave less than still ground does
STAYS = 0.2  # of the speed of feet: a body that is slower stays


def ground_velocity(feet: Feet, known: bool | None = None) -> Floats:
    """Return the velocity (3,) of feet in contact below a body that stays, in units a second.

    It is the velocity of level ground on which feet drift the least: the root of the mean square of
    their distances from where they are on average in each footplant. Feet that are animated by hand
    hardly move evenly, but if such ground leaves less than half of their drift, the clip is in
    place. The velocity is 0 for all other clips: those whose body moves, or whose feet hardly move,
    or do so in several directions.

    `known` is whether the clip is in place, if that is known.
    """
    none = np.zeros(3)
    if known is False:
        return none
    square, way, drift, duration, joints = 0.0, none, 0.0, 0.0, set()
    for joint, _, _, times, away in _footplants(feet):
        square += float(times @ times)
        way = way + away @ times
        drift += float((away * away).sum())
        duration += 2.0 * float(times[-1])
        joints.add(joint)
    if not square > 0.0:
        return none
    velocity = way / square
    speed = float(np.sqrt(velocity @ velocity))
    is_even = drift - speed * speed * square <= LEFT**2 * drift
    walks = speed * duration >= FAR * _size(feet) * len(joints)
    stays = _moved(feet, 0, feet.held.shape[-1]) < STAYS * speed
    return velocity if known or (is_even and walks and stays) else none


def slid_in_place(feet: Feet) -> float:
    """Return the largest drift in a footplant during which the body stays; 0 if it is small.

    It is small up to 0.15 of a limb. To hold such feet still is probably not what was meant.
    """
    most = 0.0
    for _, first, last, times, away in _footplants(feet):
        drift = float(legs.length(away).max())
        went = away[:, -1] - away[:, 0]
        speed = float(np.sqrt(went @ went)) / (2.0 * float(times[-1]))
        if drift > most and _moved(feet, first, last) < STAYS * speed:
            most = drift
    return most if most > FAR * _size(feet) else 0.0


def _footplants(feet: Feet) -> Iterator[tuple[tuple[int, int], int, int, Floats, Floats]]:
    """Yield joint, frames, times and level positions (3, N) of each footplant.

    Times and positions are relative to their means. Footplants of a single frame are left out.
    """
    at = (feet.legs.end, feet.legs.end + feet.foot)
    for kind, plants in enumerate((feet.ends, feet.toes)):
        for limb, first, last in plants.spans.tolist():
            if last - first > 1:
                times = (np.arange(last - first) - 0.5 * (last - first - 1)) / feet.fps
                away = at[kind][:, limb, first:last]
                away = away - away.mean(-1, keepdims=True)
                away[feet.up] = 0.0
                yield (limb, kind), first, last, times, away


def _moved(feet: Feet, first: int, last: int) -> float:
    """Return the mean level speed of the body over some frames."""
    body = feet.legs.start[:, :, [first, last - 1]].mean(1)
    went = body[:, 1] - body[:, 0]
    went[feet.up] = 0.0
    return float(np.sqrt(went @ went)) * feet.fps / max(last - first - 1, 1)


def _size(feet: Feet) -> float:
    return float(np.median(legs.bones(feet.legs)))
