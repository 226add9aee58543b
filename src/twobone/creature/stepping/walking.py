"""A step of time."""

from __future__ import annotations

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.command import limited, obey, tick, wait
from twobone.creature.stepping.legs import lift, may_lift, plan, stray, swing
from twobone.creature.stepping.levels import level, moved
from twobone.creature.stepping.limbs import buried
from twobone.creature.stepping.numbers import Ground, Point, larger, smaller
from twobone.creature.stepping.path import advance, velocity
from twobone.creature.stepping.pose import put
from twobone.creature.stepping.records import Order, Pose, Stand, Walk
from twobone.creature.stepping.rhythm import WITH_SWINGS, clock, eased
from twobone.creature.stepping.support import allowed, beyond, margin

DT = 1.0 / 120.0  # seconds of a step
SOON = 4.0 * DT  # how far ahead a leg that stands is freed from the ground; taste


def step_on(animal: Anatomy, walk: Walk, pose: Pose, order: Order, ground: Ground) -> None:
    """Walk for one step of time, to the pose at its end."""
    possible = limited(animal, order)
    obey(animal, walk, possible, DT)
    stray(animal, walk)
    tick(animal, walk, possible, DT)
    v = velocity(walk, walk.aside.at, walk.ahead.at)
    reach = allowed(animal, walk, v.x, v.z)
    walk.lets = eased(walk.lets, reach, WITH_SWINGS * clock(animal, walk), DT)
    advance(animal, walk, v.x, v.z, share_of(animal, walk, v.x, v.z, reach), DT)
    swing(animal, walk, ground, DT)
    level(animal, walk, DT)
    put(animal, walk, pose, ground, DT)
    give_up(animal, walk, pose, ground)
    wait(animal, walk, possible, DT)


def share_of(animal: Anatomy, walk: Walk, vx: float, vz: float, reach: float) -> float:
    """Return the share of a velocity that the legs on the ground allow, until they lift."""
    share = reach
    if animal.steady:
        cycles = 1.0
        for step in walk.steps:
            if not step.down:
                cycles = smaller(cycles, 1.0 - step.phase)
        seconds = cycles / clock(animal, walk)
        share = smaller(share, margin(animal, walk, -1, vx * seconds, vz * seconds).share)
    for station in walk.stations:
        share = smaller(share, station.free)
    return larger(share, 0.0)


def give_up(animal: Anatomy, walk: Walk, pose: Pose, ground: Ground) -> None:
    """Lift legs that cannot reach their foot any longer, or soon have the ground in their way."""
    for i, leg in enumerate(animal.legs):
        step = walk.steps[i]
        if step.down and walk.rate > 0.0:
            short = beyond(animal, leg, step, step.hip) > 0.0
            if short or is_hindered(animal, walk, pose.stands[i], i, ground):
                step.phase = larger(step.phase, walk.duty.at)
                lift(walk, i)
                plan(animal, walk, i, ground)
                pose.stands[i].down = False


def is_hindered(animal: Anatomy, walk: Walk, stand: Stand, i: int, ground: Ground) -> bool:
    """Return whether a leg that may lift soon has the ground in its way.

    It is asked in the second half of a stance. Where there is another ground now, feet step onto
    that one after the other.
    """
    leg = animal.legs[i]
    step = walk.steps[i]
    if step.phase < 0.5 * walk.duty.at or step.foot.y != step.under:
        return False
    if not may_lift(animal, walk, i):
        return False
    hip = moved(walk.stations[leg.station], step.hip, SOON)
    still = Point(0.0, 0.0, 0.0)
    return buried(animal, leg, hip, step.foot, stand.angle, step.toes, still, ground) > 0.0
