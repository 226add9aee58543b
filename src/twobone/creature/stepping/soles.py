"""How a foot lies: its third segment and its sole, on the ground and in the air."""

from __future__ import annotations

from twobone.core import transcendental
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.numbers import Ground, Point, clamp, facing, larger, mix, smooth
from twobone.creature.stepping.records import Lie, Step, Walk
from twobone.creature.stepping.rhythm import DECIDED, MOST_TILT
from twobone.creature.stepping.swings import CLEARANCE, arc, lifted_by, planned, risen_by, skewed

LANDED = 0.3  # of a stance: how long a foot rolls onto the ground, and stays there at least; taste
# Of a swing: when toes rise for a landing on the heel, when they sink, and how long both last.
RISES, SINKS, TURNS = 0.45, 0.75, 0.25
UNPEELED = 0.5  # of a swing: how long a foot that has peeled off takes to turn back; taste
SOLE = 0.35  # of the third segment: how far around a foot the ground is looked at; taste
LEAD = 0.12  # of a swing: by how much earlier the angle of a foot turns, as it is damped
KICKED = 1.0  # skew of the arc of a kick: its top is at .3 of a swing, and it ends softly


def lie_of(animal: Anatomy, walk: Walk, i: int, ground: Ground) -> Lie:
    """Return how the ground lies under the foothold of a foot that faces as the trunk.

    Toes rise with the ground ahead where that is steeper than on average.
    """
    goal = walk.steps[i].goal
    turn = walk.stations[animal.legs[i].station].facing
    d = larger(CLEARANCE * animal.hip, SOLE * animal.legs[i].third)
    ahead = ground(goal.x + d * turn.s, goal.z + d * turn.c)
    behind = ground(goal.x - d * turn.s, goal.z - d * turn.c)
    left = ground(goal.x + d * turn.c, goal.z - d * turn.s)
    right = ground(goal.x - d * turn.c, goal.z + d * turn.s)
    rises = larger(ahead - behind, 2.0 * (ahead - goal.y))
    return Lie(
        clamp(transcendental.arctangent(rises, 2.0 * d), -MOST_TILT, MOST_TILT),
        clamp(transcendental.arctangent(left - right, 2.0 * d), -MOST_TILT, MOST_TILT),
    )


def foot_of(animal: Anatomy, walk: Walk, leg: Leg, step: Step) -> Point:
    """Return where a foot is: in the air it kicks up behind, and rolls over its heel to land."""
    if step.down:
        return step.foot
    kick = animal.gaits[walk.gait].kick * animal.hip * walk.vigour.at * skewed(step.part, KICKED)
    up = facing(walk.vigour.at * leg.land * toes_up(leg, step, step.goal, step.part))
    back = leg.heel * (1.0 - up.c)
    x = step.foot.x - back * step.toes.s
    z = step.foot.z - back * step.toes.c
    return Point(x, step.foot.y + kick + leg.heel * up.s, z)


def lift_over(
    animal: Anatomy, walk: Walk, i: int, goal: Point, slope: float, samples: int, ground: Ground
) -> float:
    """Return the height of another arc with which a foot clears the ground on its way to a goal.

    A heel that trails behind it clears the ground, too; it will land on such a slope.
    """
    leg = animal.legs[i]
    step = walk.steps[i]
    lifted = 0.0
    clear = CLEARANCE * animal.hip
    for n in range(samples):
        part = (n + 2.0) / (samples + 2.0)
        if part > step.part:
            foot = planned(step, goal, part)
            lacks = ground(foot.x, foot.z) - foot.y
            if leg.heel > 0.0 and part > UNPEELED:
                up = walk.vigour.at * leg.land * toes_up(leg, step, goal, part)
                rolled = facing(up)
                third = facing(leg.rest - up + slope * smooth(part / DECIDED))
                back = leg.heel * (1.0 - rolled.c) + leg.third * third.c
                under = ground(foot.x - back * step.toes.s, foot.z - back * step.toes.c)
                high = leg.heel * rolled.s + leg.third * third.s
                lacks = larger(lacks, under - foot.y - high)
            lacks -= lifted_by(step, part)
            lifted = larger(lifted, lacks / risen_by(step, 1.0, part) + clear)
    return lifted


def toes_up(leg: Leg, step: Step, goal: Point, part: float) -> float:
    """Return how far toes are up for a landing on the heel, 0 to 1, at a part of a swing.

    Who steps down by the length of a heel or more lands on the toes.
    """
    steps_down = smooth((step.stood.y - goal.y) / leg.heel) if leg.heel > 0.0 else 1.0
    return (1.0 - steps_down) * (smooth((part - RISES) / TURNS) - smooth((part - SINKS) / TURNS))


def sole_of(leg: Leg, step: Step, foot: Point, angle: float) -> Lie:
    """Return how the sole of a foot lies, given the `foot_of` a leg: as the ground while it stands.

    In the air it turns with the third segment, which has that angle above the ground, as far as
    there is room below: toes and heel reach half as far as that segment is long. Toes rise only for
    a landing on the heel.
    """
    if step.down or leg.third == 0.0:
        return step.lie
    turned = smooth(step.part / DECIDED)
    most = transcendental.arctangent(larger(foot.y - step.base, 0.0), 0.5 * leg.third)
    bent = leg.rest + mix(step.slope_before, step.slope, turned) - angle
    rises = most if leg.heel > 0.0 else 0.0
    return Lie(
        mix(step.lie_before.pitch, step.lie.pitch, turned) + clamp(bent, -most, rises),
        mix(step.lie_before.roll, step.lie.roll, turned),
    )


def angle_of(leg: Leg, walk: Walk, step: Step) -> float:
    """Return the angle of the third segment above the ground: it lands, rolls, peels off, curls."""
    duty = walk.duty.at
    vigour = walk.vigour.at
    if not step.down:
        part = step.part
        turned = smooth(part / DECIDED)
        stretched = smooth(2.0 * part - 1.0)
        if leg.heel > 0.0:
            stretched = toes_up(leg, step, step.goal, part + LEAD)
        bent = (
            leg.peel * (1.0 - smooth(part / UNPEELED)) + leg.curl * arc(part) - leg.land * stretched
        )
        return leg.rest + vigour * bent + mix(step.slope_before, step.slope, turned)
    landed = 1.0
    left = 0.0
    if walk.rate > 0.0:
        if leg.heel == 0.0:
            landed = smooth(step.since / (LANDED * duty))
        left = step.phase / duty if step.phase < duty else 1.0
    bent = landed * leg.peel * smooth(2.0 * left - 1.0) - (1.0 - landed) * leg.land
    return leg.rest + vigour * bent + step.slope
