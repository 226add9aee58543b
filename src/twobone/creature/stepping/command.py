"""What is asked for becomes a velocity, a gait, and the rate of its clock."""

from __future__ import annotations

import math

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import (
    GRAVITY,
    HUGE,
    TINY,
    Damped,
    clamp,
    damp,
    larger,
    smaller,
    wrapped,
)
from twobone.creature.stepping.path import swinging, velocity
from twobone.creature.stepping.records import Order, Walk
from twobone.creature.stepping.rhythm import (
    ASTRAY,
    AT_EASE,
    ENOUGH,
    WITH_GAITS,
    WITH_STEPS,
    answer,
    clock,
    eased,
    settle,
)

CAREFUL = 0.6  # footholds that cost 1 each slow the walk to 1 / (1 + .6); taste
STILL = 0.02  # of sqrt(g hip), or of a lower top speed: who is, and shall be, slower stands; taste
# When an animal that stands makes a small step, and with which leg.
SOONEST = 0.5  # of the mean time between two: the least; the most is this and 1; taste
GOLDEN = 0.618  # the golden section: its multiples, without whole parts, come in no pattern; a law


def limited(animal: Anatomy, order: Order) -> Order:
    """Return what an animal can do of an order: the same direction, at most at its top speed."""
    speed = speed_of(animal, order)
    if speed <= animal.top_speed:
        return order
    share = animal.top_speed / speed
    return Order(share * order.aside, share * order.ahead, share * order.turn)


def arm_of(animal: Anatomy) -> float:
    """Return how far from its middle the feet of an animal are."""
    return 0.5 * animal.span + abs(animal.legs[0].foot_aside)


def speed_of(animal: Anatomy, order: Order) -> float:
    """Return the speed of the feet; a turn adds how fast they go around the middle."""
    around = around_of(animal, order.ahead, order.turn)
    return math.sqrt(order.aside * order.aside + order.ahead * order.ahead + around * around)


def around_of(animal: Anatomy, ahead: float, turn: float) -> float:
    """Return the speed of the outermost feet from a turn, of an animal that goes ahead."""
    whole = swinging(animal, ahead, turn)
    return abs(turn * animal.legs[0].foot_aside) + 0.5 * animal.span * abs(whole)


def obey(animal: Anatomy, walk: Walk, order: Order, dt: float) -> None:
    """Move the velocity to what is asked for, less on bad ground, as quickly as the animal can."""
    squares = 0.0
    for step in walk.steps:
        squares += step.cost * step.cost
    rough = math.sqrt(squares / len(walk.steps))
    walk.calm = eased(walk.calm, 1.0 / (1.0 + CAREFUL * rough), AT_EASE, dt)
    calm = walk.calm
    asked = Order(calm * order.aside, calm * order.ahead, calm * order.turn)
    walk.asked = asked
    walk.stops = size_of(animal, order) <= still(animal)
    rate = answer(animal)
    most = animal.strong * GRAVITY
    follow(walk.aside, asked.aside, rate, most, dt)
    follow(walk.ahead, asked.ahead, rate, most, dt)
    follow(walk.felt_aside, walk.aside.at, AT_EASE, GRAVITY, dt)
    follow(walk.felt_ahead, walk.ahead.at, AT_EASE, GRAVITY, dt)
    # Shoulders and hips, half a hip's height from the middle, accelerate as much in a turn.
    follow(walk.turn, asked.turn, rate, 2.0 * most / animal.hip, dt)


def still(animal: Anatomy) -> float:
    """Return the speed below which an animal stands."""
    return STILL * smaller(math.sqrt(GRAVITY * animal.hip), animal.top_speed)


def size_of(animal: Anatomy, order: Order) -> float:
    """Return the size of an order; a turn counts as the speed of a hip's height around it."""
    return abs(order.aside) + abs(order.ahead) + abs(order.turn) * animal.hip


def follow(value: Damped, goal: float, rate: float, most: float, dt: float) -> None:
    """Move a velocity to a goal, with an acceleration of at most `most`."""
    was = value.at
    damp(value, goal, rate, dt)
    value.at = clamp(value.at, was - most * dt, was + most * dt)
    value.speed = clamp(value.speed, -most, most)


def shove(animal: Anatomy, walk: Walk, aside: float, ahead: float) -> None:
    """Add to the velocity of a body; the sum is at most its top speed."""
    order = Order(walk.aside.at + aside, walk.ahead.at + ahead, 0.0)
    possible = limited(animal, order)
    walk.aside.at = possible.aside
    walk.ahead.at = possible.ahead


def pace(animal: Anatomy, walk: Walk) -> float:
    """Return the speed of the feet over the ground, which the gait depends on."""
    return speed_of(animal, Order(walk.aside.at, walk.ahead.at, walk.turn.at))


def tick(animal: Anatomy, walk: Walk, order: Order, dt: float) -> None:
    """Choose the gait of the speed, and move its clock.

    A cycle is c hip Fr^(1/4) long, with Froude's number Fr = v^2 / (g hip) (Alexander and Jayes,
    1983): so its rate is sqrt(g / hip) Fr^(1/4) / c. It is higher where stances would be too long.
    """
    root = math.sqrt(GRAVITY * animal.hip)
    speed = pace(animal, walk)
    change_gait(animal, walk, speed / root, dt)
    walk.moving = speed > still(animal) or not walk.stops
    fidget(animal, walk, dt)
    stepping = walk.moving or walk.fidget >= 0
    for step in walk.steps:
        stepping = stepping or not step.down or step.stray > ASTRAY * animal.hip
    if stepping and walk.rate == 0.0:
        set_off(animal, walk, order)
    if stepping:
        duty = walk.duty.at
        wanted = math.sqrt(GRAVITY / animal.hip * speed / root) / animal.stride
        # Who shall stand puts its feet together as in its slowest gait at its highest speed.
        brisk = math.sqrt(GRAVITY / animal.hip * animal.gaits[0].high) / animal.stride
        wanted = larger(wanted, brisk if walk.stops else animal.slowest)
        wanted = larger(wanted, duty * speed / animal.travel)
        wanted = larger(wanted, duty * abs(walk.aside.at) / animal.across)
        walk.rate = eased(walk.rate, smaller(wanted, animal.fastest), AT_EASE, dt)
    else:
        walk.rate = 0.0
    # The body moves in full from a stance of half a hip's height on.
    stance = walk.slow * speed * walk.duty.at / clock(animal, walk)
    vigour = smaller(1.0, 2.0 * stance / animal.hip) if walk.moving else 0.0
    damp(walk.vigour, vigour, AT_EASE, dt)
    walk.phase += walk.rate * dt
    walk.phase -= math.floor(walk.phase)
    shift_offsets(animal, walk, dt)


def change_gait(animal: Anatomy, walk: Walk, froude: float, dt: float) -> None:
    """Choose the gait of a speed over sqrt(g hip), and move duty factor and forces to its own."""
    while walk.gait + 1 < len(animal.gaits) and froude > animal.gaits[walk.gait].high:
        walk.gait += 1
    while walk.gait > 0 and froude < animal.gaits[walk.gait].low:
        walk.gait -= 1
    gait = animal.gaits[walk.gait]
    walk.blend = clamp((froude - gait.low) / (gait.high - gait.low), 0.0, 1.0)
    duty = gait.duty_low + (gait.duty_high - gait.duty_low) * walk.blend
    time = dt if walk.rate > 0.0 else 0.0
    settle(walk.vault, gait.vault, WITH_GAITS * walk.rate, time)
    settle(walk.flex, gait.flex, WITH_GAITS * walk.rate, time)
    settle(walk.duty, duty, WITH_STEPS * walk.rate, time)


def fidget(animal: Anatomy, walk: Walk, dt: float) -> None:
    """Let an animal that stands make a small step now and then, with one leg after another."""
    if walk.moving:
        walk.idle = 0.0
        walk.fidget = -1
    elif walk.rate == 0.0:
        part = GOLDEN * walk.fidgets
        walk.idle += animal.manner.fidgets * dt
        if walk.idle > SOONEST + part - math.floor(part):
            walk.idle = 0.0  # unreached: kernel-walks
            count = len(walk.steps)
            walk.fidget = count - 1 - walk.fidgets % count
            walk.fidgets += 1


def set_off(animal: Anatomy, walk: Walk, order: Order) -> None:
    """Set the clock of an animal that stands, so that the leg which leads steps first.

    An animal that balances first moves its body, the longer the further that goes.
    """
    wanted = velocity(walk, order.aside, order.ahead)
    first = 0
    most = -HUGE
    for i, step in enumerate(walk.steps):
        lead = wanted.x * (step.foot.x - walk.x) + wanted.z * (step.foot.z - walk.z)
        if i == walk.fidget:
            lead = HUGE  # unreached: kernel-walks
        if lead > most + TINY:
            first = i
            most = lead
    walk.phase = walk.steps[first].offset.at + walk.duty.at - animal.balance * animal.lead
    for step in walk.steps:
        step.phase = walk.phase - step.offset.at
        step.phase -= math.floor(step.phase)


def shift_offsets(animal: Anatomy, walk: Walk, dt: float) -> None:
    """Move the offsets of the legs to those of the gait, each the shorter way around the cycle."""
    gait = animal.gaits[walk.gait]
    for i, step in enumerate(walk.steps):
        between = wrapped(gait.offsets_high[i] - gait.offsets_low[i])
        goal = gait.offsets_low[i] + walk.blend * between
        goal = step.offset.at + wrapped(goal - step.offset.at)
        damp(step.offset, goal, WITH_GAITS * walk.rate, dt)


def wait(animal: Anatomy, walk: Walk, order: Order, dt: float) -> None:
    """Count the seconds in which an animal does less than `ENOUGH` of what it is asked for."""
    arm = arm_of(animal)
    asked = order.aside * order.aside + order.ahead * order.ahead
    asked += order.turn * order.turn * arm * arm
    done = walk.aside.at * order.aside + walk.ahead.at * order.ahead
    done = walk.slow * (done + walk.turn.at * order.turn * arm * arm)
    if done >= ENOUGH * asked:
        walk.delay = 0.0
    else:
        walk.delay += dt
