"""How a foot lies: its third segment and its sole, on the ground and in the air."""

from __future__ import annotations

from collections.abc import Callable

from twobone.core import transcendental
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.numbers import clamp, mix, smooth
from twobone.creature.stepping.records import Lie, Step, Walk
from twobone.creature.stepping.rhythm import DECIDED, MOST_TILT
from twobone.creature.stepping.swings import CLEARANCE, arc

LANDED = 0.3  # of a stance: how long a foot rolls onto the ground, and stays there at least; taste


def lie_of(animal: Anatomy, walk: Walk, i: int, ground: Callable[[float, float], float]) -> Lie:
    """Return how the ground lies under the foothold of a foot that faces as the trunk."""
    goal = walk.steps[i].goal
    turn = walk.stations[animal.legs[i].station].facing
    d = CLEARANCE * animal.hip
    ahead = ground(goal.x + d * turn.s, goal.z + d * turn.c)
    behind = ground(goal.x - d * turn.s, goal.z - d * turn.c)
    left = ground(goal.x + d * turn.c, goal.z - d * turn.s)
    right = ground(goal.x - d * turn.c, goal.z + d * turn.s)
    return Lie(
        clamp(transcendental.arctangent(ahead - behind, 2.0 * d), -MOST_TILT, MOST_TILT),
        clamp(transcendental.arctangent(left - right, 2.0 * d), -MOST_TILT, MOST_TILT),
    )


def sole_of(leg: Leg, step: Step) -> Lie:
    """Return how the sole of a foot lies: as the ground while it stands.

    In the air it turns with the third segment, as far as there is room below: toes and heel reach
    half as far as that segment is long.
    """
    if step.down or leg.third == 0.0:
        return step.lie
    over = smooth(step.part / DECIDED)
    most = transcendental.arctangent(step.foot.y - step.base, 0.5 * leg.third)
    bent = leg.rest + mix(step.slope_before, step.slope, over) - step.angle.at
    return Lie(
        mix(step.lie_before.pitch, step.lie.pitch, over) + clamp(bent, -most, most),
        mix(step.lie_before.roll, step.lie.roll, over),
    )


def angle_of(leg: Leg, walk: Walk, step: Step) -> float:
    """Return the angle of the third segment above the ground: it lands, rolls, peels off, curls."""
    duty = walk.duty.at
    vigour = walk.vigour
    if not step.down:
        part = step.part
        over = smooth(part / DECIDED)
        bent = leg.peel * (1.0 - over) + leg.curl * arc(part) - leg.land * smooth(2.0 * part - 1.0)
        return leg.rest + vigour * bent + mix(step.slope_before, step.slope, over)
    landed = 1.0
    left = 0.0
    if walk.rate > 0.0:
        landed = smooth(step.since / (LANDED * duty))
        left = step.phase / duty if step.phase < duty else 1.0
    bent = landed * leg.peel * smooth(2.0 * left - 1.0) - (1.0 - landed) * leg.land
    return leg.rest + vigour * bent + step.slope
