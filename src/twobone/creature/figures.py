"""Looks derived from an anatomy: a trunk along its stations, a head, a tail, limbs and feet."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from twobone.creature.appearance import Appearance, Capsule, Ellipsoid, LegRadii, Pivot, both
from twobone.creature.stepping.anatomy import Anatomy

LINKS = 4  # of a drawn tail
# Sizes over others. All are taste.
DEEP = 0.85  # half the height of the trunk, over its belly
BETWEEN = 0.88  # of that: between two stations
PIECES = 4  # between two stations
LAPS = 0.85  # half the length of a piece, over its share of the way
HIDDEN = 0.6  # of half its height: how far hips may be below the middle of a girdle
TOUCHES = 0.9  # over the length of girdles: stations so near need nothing between them
LONG = 0.3  # half the length of a girdle, over the distance of two stations
THIN = 0.085, 0.045, 0.03, 0.024  # radii of hip, knee, ankle and toes, over the longest leg
SLIM = 0.045, 0.028, 0.018, 0.01  # the same of legs that stand out
RISE = 0.8  # of a neck that rises, over its length; the rest is ahead
TORSO = 0.62  # height of a torso on two legs, over the height of the hips


class Sizes(NamedTuple):
    """What looks are derived from; lengths in metres."""

    anatomy: Anatomy
    neck: float
    tail: float
    sprawls: bool  # legs stand out


def appearance_of(sizes: Sizes) -> Appearance:
    """Return what an animal looks like, given its sizes."""
    anatomy = sizes.anatomy
    is_upright = len(anatomy.legs) == 2 and not (sizes.sprawls or sizes.neck or sizes.tail)
    if is_upright:
        return _upright(sizes)
    leg = anatomy.reach
    wide = max(abs(each.aside) for each in anatomy.legs) / leg
    deep = DEEP * anatomy.belly / leg
    along = [z / leg for z in anatomy.along]
    backs = [_sunk(anatomy, k, deep) for k in range(len(along))]
    parts = [*_girdles(along, backs, wide, deep), *_between(along, backs, wide, deep)]
    front = along[-1] + _half(along, deep)
    pivot = (0.0, backs[-1] + 0.3 * deep, along[-1] + 0.5 * _half(along, deep))
    neck = sizes.neck / leg
    end = (
        (0.0, pivot[1] + RISE * neck, pivot[2] + 0.6 * neck)
        if neck
        else (0.0, backs[-1] + 0.2 * deep, front)
    )
    size = 0.62 * min(deep, 1.2 * wide + 0.04)
    if neck:
        parts.append(Capsule("body", pivot, end, (0.8 * size, 0.62 * size), "neck"))
    parts += _head(end, size)
    rear = (0.0, backs[0] + 0.3 * deep, along[0] - 0.8 * _half(along, deep))
    parts += _tail(rear, sizes.tail / leg, 0.3 * deep)
    parts += _foot(anatomy, leg)
    head = end if neck else (end[0], end[1], end[2] - 0.5 * size)
    pivots = (Pivot("neck", pivot),) if neck else ()
    return Appearance(tuple(parts), _radii(sizes), head=head, tail=rear, pivots=pivots)


def _half(along, deep):
    """Return half the length of a girdle."""
    if len(along) == 1:
        return 1.6 * deep
    return (
        max(LONG * (along[1] - along[0]), 0.6 * deep)
        if len(along) < 5
        else 0.62 * (along[1] - along[0])
    )


def _sunk(anatomy, station, deep):
    """Return how far a girdle is above the trunk's line, below it if its hips are far below."""
    up = min(leg.up for leg in anatomy.legs if leg.station == station)
    return min(0.0, up / anatomy.reach + HIDDEN * deep)


def _girdles(along, backs, wide, deep):
    """Return a rounded body at each station."""
    half = (1.05 * wide, deep, _half(along, deep))
    return [
        Ellipsoid("light" if k % 2 and len(along) > 2 else "body", (0.0, y, z), half, 2.4)
        for k, (y, z) in enumerate(zip(backs, along, strict=True))
    ]


def _between(along, backs, wide, deep):
    """Return what joins the stations of a trunk: pieces that bend with it."""
    count = PIECES if len(along) == 2 else 1
    found = []
    for (a, low), (b, high) in itertools.pairwise(zip(along, backs, strict=True)):
        if b - a <= 2.0 * _half(along, deep) * TOUCHES:
            continue
        step = (b - a) / count
        half = (BETWEEN * wide, BETWEEN * deep, LAPS * step)
        for k in range(count):
            part = (k + 0.5) / count
            y = low + part * (high - low) + 0.05 * deep
            found.append(Ellipsoid("body", (0.0, y, a + part * (b - a)), half, 2.6))
    return found


def _head(place, size):
    """Return a skull with a muzzle, eyes and ears."""
    _, y, z = place
    return [
        Ellipsoid(
            "accent", (0.0, y, z + 0.3 * size), (0.75 * size, 0.75 * size, size), 2.2, node="head"
        ),
        Capsule(
            "light",
            (0.0, y - 0.1 * size, z + 0.9 * size),
            (0.0, y - 0.25 * size, z + 1.7 * size),
            (0.5 * size, 0.32 * size),
            "head",
        ),
        *both(
            Ellipsoid(
                "body",
                (0.5 * size, y + 0.35 * size, z + 0.85 * size),
                (0.14 * size, 0.16 * size, 0.14 * size),
                node="head",
            )
        ),
    ]


def _tail(start, length, radius):
    """Return the links of a tail that hangs."""
    if not length:
        return []
    _, y, z = start
    step = length / LINKS
    found = []
    for k in range(LINKS):
        ends = [(0.0, y - 0.55 * step * j, z - 0.835 * step * j) for j in (k, k + 1)]
        radii = radius * (1.0 - k / (LINKS + 1.0)), radius * (1.0 - (k + 1.0) / (LINKS + 1.0))
        found.append(Capsule("body", ends[0], ends[1], radii, "tail"))
    return found


def _foot(anatomy, leg):
    """Return a foot, if legs end in one and do not stand out."""
    if any(each.radial for each in anatomy.legs):
        return []
    size = 0.045
    return [
        Ellipsoid(
            "feet", (0.0, 0.6 * size, 0.35 * size), (size, 0.6 * size, 1.2 * size), 2.4, node="foot"
        )
    ]


def _radii(sizes):
    """Return the radii of all legs."""
    hip, knee, ankle, tip = SLIM if sizes.sprawls else THIN
    if sizes.sprawls:
        return LegRadii(hip, knee, ankle, tip, 1.2 * knee, 1.3 * tip)
    return LegRadii(hip, knee, ankle, tip, knee, 0.0)


def _upright(sizes):
    """Return the looks of an animal that walks upright: a torso with arms, and a head on it."""
    anatomy = sizes.anatomy
    leg = anatomy.reach
    wide = max(abs(each.aside) for each in anatomy.legs) / leg
    high = TORSO * anatomy.hip / leg
    broad = max(wide, 0.12) + 0.06
    top = high + 0.05
    shoulder, elbow = (broad, 0.88 * high, 0.0), (broad + 0.03, 0.48 * high, -0.02)
    hand = broad + 0.035, 0.1 * high, 0.04
    parts = [
        Ellipsoid("body", (0.0, 0.02, 0.0), (wide + 0.06, 0.12, 0.1), 2.4),
        Capsule("body", (0.0, 0.05, 0.0), (0.0, 0.55 * high, 0.0), (0.1, 0.11)),
        Ellipsoid("light", (0.0, 0.72 * high, 0.0), (broad, 0.32 * high, 0.11), 2.5, node="chest"),
        *both(
            Capsule("light", shoulder, elbow, (0.05, 0.038), "arm_left"),
            Capsule("light", elbow, hand, (0.037, 0.027), "forearm_left"),
            Ellipsoid("accent", hand, (0.025, 0.06, 0.04), node="forearm_left"),
        ),
        Capsule("light", (0.0, high, 0.0), (0.0, top, 0.01), (0.05, 0.045), "chest"),
        Ellipsoid("accent", (0.0, top + 0.1, 0.03), (0.08, 0.11, 0.095), 2.2, node="head"),
        *both(Ellipsoid("body", (0.035, top + 0.12, 0.12), (0.014, 0.016, 0.012), node="head")),
        *_foot(anatomy, leg),
    ]
    return Appearance(
        tuple(parts),
        _radii(sizes),
        head=(0.0, top, 0.0),
        pivots=(
            Pivot("chest", (0.0, 0.3 * high, 0.0)),
            *both(Pivot("arm_left", shoulder), Pivot("forearm_left", elbow)),
        ),
    )
