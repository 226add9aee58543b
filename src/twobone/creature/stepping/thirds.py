"""The angle of a third segment where the bones above it decide: of legs that lock, and birds."""

from __future__ import annotations

from twobone.core import transcendental
from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import behind, bend, pole_of
from twobone.creature.stepping.numbers import Point, between, facing
from twobone.creature.stepping.records import Step, Walk
from twobone.creature.stepping.swings import arc

UP = 0.5  # of a way back: how far up the ankle below a still thigh points; taste


def hold_of(walk: Walk, step: Step) -> float:
    """Return how much the bones above decide, 0 to 1: less in the air, where a leg must fold."""
    if step.down:
        return 1.0
    return 1.0 - walk.vigour.at * arc(step.part)


def angle_with(
    animal: Anatomy,
    leg: Leg,
    hip: Point,
    foot: Point,
    free: float,
    hold: float,
    toes: Turn,
    turn: Turn,
) -> float:
    """Return the angle of the third segment of a leg above the ground, given that if it were free.

    `hold` is how much the bones above it decide, and `turn` that of the trunk.

    A leg that locks goes straight from knee to foot. One whose thigh is still has its ankle where
    shin and third segment meet, from the knee of a leg at rest to the foot.
    """
    angle = free
    if leg.third == 0.0 or (leg.locks == 0.0 and leg.still == 0.0):
        return angle
    back = behind(leg, hip, foot, toes)
    way = between(hip, foot)
    if leg.locks > 0.0:
        knee = bend(way, leg.upper, leg.lower + leg.third, pole_of(leg, turn, way))
        angle += leg.locks * hold * steeper(between(way, knee), back, angle)
    if leg.still > 0.0:
        thigh = thigh_of(animal, leg)
        knee = Point(thigh.z * turn.s, thigh.y, thigh.z * turn.c)
        pole = Point(back.s, UP, back.c)
        ankle = bend(between(way, knee), leg.third, leg.lower, pole)
        angle += leg.still * hold * steeper(ankle, back, angle)
    return angle


def steeper(way: Point, back: Turn, angle: float) -> float:
    """Return by how much a way from a foot rises more steeply than an angle, seen from the side."""
    up = facing(angle)
    along = way.x * back.s + way.z * back.c
    return transcendental.arctangent(way.y * up.c - along * up.s, along * up.c + way.y * up.s)


def thigh_of(animal: Anatomy, leg: Leg) -> Point:
    """Return the way from hip to knee of a leg at rest that faces +z, seen from the side."""
    up = facing(leg.rest)
    high = animal.height + leg.up
    ankle = Point(0.0, leg.third * up.s - high, leg.foot_ahead - leg.third * up.c)
    return bend(ankle, leg.upper, leg.lower, pole_of(leg, Turn(1.0, 0.0), ankle))
