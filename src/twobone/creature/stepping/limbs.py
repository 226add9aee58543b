"""Ankle and knee between a hip and a foot, and whether they are in the ground."""

from __future__ import annotations

import math
from typing import NamedTuple

from twobone.core import transcendental
from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.numbers import (
    TINY,
    Ground,
    Point,
    between,
    facing,
    larger,
    length,
    mix,
    plus,
    smaller,
)

OPEN = 1.06  # of the distance between the ends of two bones when folded: their least; taste
STRAIGHT = 0.995  # of the reach of two bones: the most that a leg uses; taste
SAMPLES = 6  # of the ground below a segment; more find lower edges and cost time
SOFT = 0.06  # of the reach of two bones: how far before its ends a leg begins to give way; taste


class Range(NamedTuple):
    """Distances from hip to ankle between which two bones bend."""

    least: float
    most: float


def range_of(leg: Leg, least: float, most: float) -> Range:
    """Return the range for shares of the reach of two bones."""
    reach = leg.upper + leg.lower
    folded = OPEN * abs(leg.upper - leg.lower)
    return Range(larger(folded, least * reach), most * reach)


def straightest(animal: Anatomy) -> float:
    """Return the most of its reach that a leg uses: all of it, where others wait for its foot."""
    return STRAIGHT if animal.waits else 0.5 * (1.0 + animal.straight)


def bending(animal: Anatomy, leg: Leg) -> Range:
    """Return the distances from hip to ankle between which the bones of a pose bend."""
    return range_of(leg, animal.least, straightest(animal))


def within(distance: float, allowed: Range, soft: float) -> float:
    """Return a distance in a range: the same number in its middle, bent smoothly at its ends.

    Within `soft` of an end it is a parabola that meets both lines with their slopes.
    """
    over = distance - allowed.most
    if over > -soft:
        if over >= soft:
            return allowed.most
        return distance - (over + soft) * (over + soft) / (4.0 * soft)
    under = allowed.least - distance
    if under > -soft:
        if under >= soft:
            return allowed.least
        return distance + (under + soft) * (under + soft) / (4.0 * soft)
    return distance


def behind(leg: Leg, hip: Point, foot: Point, toes: Turn) -> Turn:
    """Return where the third segment lies seen from above: x is `s` and z is `c`."""
    if not leg.radial:
        return Turn(-toes.c, -toes.s)
    dx = hip.x - foot.x
    dz = hip.z - foot.z
    d = math.sqrt(dx * dx + dz * dz)
    if d < TINY:
        return Turn(-toes.c, -toes.s)
    return Turn(dz / d, dx / d)


def ankle_of(leg: Leg, hip: Point, foot: Point, angle: float, toes: Turn, allowed: Range) -> Point:
    """Return the ankle: the end of the third segment that rises by an angle from the foot.

    The segment is in a plane with the hip, and turns there as far as the two bones need it to.
    Foot, hip and ankle are a triangle whose angle at the foot, e, has

        cos e = (d^2 + r^2 - distance^2) / (2 d r)

    for the way d from foot to hip, the length r of the segment, and the distance of hip and ankle,
    which alone moves the knee: so that is what nears the ends of its range smoothly.
    Below its trunk, the segment stays behind the way to the hip; that of a leg which stands out is
    above it.
    """
    if leg.third == 0.0:
        return foot
    back = behind(leg, hip, foot, toes)
    dx = hip.x - foot.x
    dz = hip.z - foot.z
    high = hip.y - foot.y
    away = dx * back.s + dz * back.c
    over = Turn(1.0, 0.0)
    if high > 0.0:
        aside = dx * back.c - dz * back.s
        rise = math.sqrt(high * high + aside * aside)
        over = Turn(high / rise, aside / rise)
        high = rise
    up = facing(angle)
    square = away * away + high * high
    if square > TINY:  # unreached: kernel-walks
        way = math.sqrt(square)
        rest = square + leg.third * leg.third
        above = 1.0 if leg.radial else -1.0
        nearest = abs(way - leg.third)
        inside = above * (away * up.s - high * up.c) > 0.0
        free = rest - 2.0 * leg.third * (away * up.c + high * up.s)
        free = math.sqrt(larger(free, 0.0)) if inside else nearest
        soft = smaller(SOFT * (leg.upper + leg.lower), smaller(way, leg.third))
        held = within(free, allowed, soft)
        # Where the leg is too short or too long, the segment lies along the way.
        room = smaller(allowed.most - nearest, way + leg.third - allowed.least)
        held = within(held, Range(nearest, way + leg.third), smaller(soft, larger(room, 0.0)))
        if held != free or not inside:
            c = (rest - held * held) / (2.0 * way * leg.third)
            s = above * math.sqrt(larger(1.0 - c * c, 0.0))
            up = Turn((away * c - high * s) / way, (high * c + away * s) / way)
    rises = leg.third * up.s
    return Point(
        foot.x + leg.third * up.c * back.s + rises * over.s * back.c,
        foot.y + rises * over.c,
        foot.z + leg.third * up.c * back.c - rises * over.s * back.s,
    )


def bend(target: Point, r1: float, r2: float, pole: Point) -> Point:
    """Return the joint between two bones, by the plain formula of the article.

    It is for plans and third segments: what a pose shows as a knee is `twobone.solve_xyz`.
    """
    h = larger(target.x * target.x + target.y * target.y + target.z * target.z, TINY * TINY)
    w = h + r1 * r1 - r2 * r2
    area = 4.0 * r1 * r1 * h - w * w
    dot = (pole.x * target.x + pole.y * target.y + pole.z * target.z) / h
    mx = pole.x - dot * target.x
    my = pole.y - dot * target.y
    mz = pole.z - dot * target.z
    mm = larger(mx * mx + my * my + mz * mz, TINY * TINY)
    if area <= 0.0:
        # Straight, or folded: the first bone lies along the way to the target, or against it.
        along = r1 / math.sqrt(h) if w > 0.0 else -r1 / math.sqrt(h)
        return Point(along * target.x, along * target.y, along * target.z)
    along = w / (2.0 * h)
    across = math.sqrt(area / (4.0 * h * mm))
    return Point(
        along * target.x + across * mx,
        along * target.y + across * my,
        along * target.z + across * mz,
    )


def pole_of(leg: Leg, turn: Turn, ankle: Point) -> Point:
    """Return the pole of a knee in space, for a trunk that faces so; `ankle` is seen from the hip.

    It is that of the leg at rest, turned with the leg the shortest way: its plane turns over only
    where the leg points against its rest. For unit vectors u to the ankle at rest and d to it now,
    the pole p becomes p - p . (u + d) / (1 + u . d) (u + d), and something along d; here times a
    positive number.
    """
    x = leg.pole_aside * turn.c + leg.pole_ahead * turn.s
    y = leg.pole_up
    z = leg.pole_ahead * turn.c - leg.pole_aside * turn.s
    ux = leg.ankle_aside * turn.c + leg.ankle_ahead * turn.s
    uy = leg.ankle_up
    uz = leg.ankle_ahead * turn.c - leg.ankle_aside * turn.s
    size = larger(length(ankle), TINY)
    sx = ux + ankle.x / size
    sy = uy + ankle.y / size
    sz = uz + ankle.z / size
    along = x * sx + y * sy + z * sz
    near = ux * sx + uy * sy + uz * sz
    return Point(
        near * x - along * sx,
        near * y - along * sy,
        near * z - along * sz,
    )


class Bent(NamedTuple):
    """A leg that bends as in plans; the knee is seen from the hip."""

    ankle: Point
    knee: Point


def bent(animal: Anatomy, leg: Leg, hip: Point, foot: Point, angle: float, toes: Turn) -> Bent:
    """Return ankle and knee of a leg; the arguments are those of `ankle_of`."""
    ankle = ankle_of(leg, hip, foot, angle, toes, bending(animal, leg))
    way = between(hip, ankle)
    return Bent(ankle, bend(way, leg.upper, leg.lower, pole_of(leg, toes, way)))


def buried(
    animal: Anatomy,
    leg: Leg,
    hip: Point,
    foot: Point,
    angle: float,
    toes: Turn,
    clear: Point,
    ground: Ground,
) -> float:
    """Return how deep a leg below its knee is in the ground, or would be if its joints moved.

    The foot stays, and ankle and knee move by `clear`. The other arguments are those of `ankle_of`.
    """
    found = bent(animal, leg, hip, foot, angle, toes)
    ankle = plus(found.ankle, clear)
    knee = plus(plus(hip, found.knee), clear)
    deep = sunken(foot, ankle, ground) if leg.third > 0.0 else 0.0
    return larger(deep, sunken(ankle, knee, ground))


def sunken(a: Point, b: Point, ground: Ground) -> float:
    """Return how deep a segment is in the ground beyond its point a; 0 if it is not."""
    most = 0.0
    for k in range(SAMPLES):
        part = (k + 1.0) / SAMPLES
        high = ground(mix(a.x, b.x, part), mix(a.z, b.z, part))
        most = larger(most, high - mix(a.y, b.y, part))
    return most


def slope_under(leg: Leg, hip: Point, foot: Point, toes: Turn, ground: Ground) -> float:
    """Return the angle of the ground behind a foot that the third segment must clear, 0 or more."""
    if leg.third == 0.0:
        return 0.0  # unreached: kernel-walks
    back = behind(leg, hip, foot, toes)
    most = 0.0
    for k in range(SAMPLES):
        d = (k + 1.0) / SAMPLES * leg.third
        most = larger(most, (ground(foot.x + d * back.s, foot.z + d * back.c) - foot.y) / d)
    # Upright is enough: beyond that it would lean over, away from the hip.
    upright = larger(0.5 * math.pi - leg.rest, 0.0)
    return smaller(transcendental.arctangent(most, 1.0), upright)
