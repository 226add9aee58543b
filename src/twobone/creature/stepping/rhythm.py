"""The rhythm of the steps: when feet lift and land, how fast the rest follows, what forces do."""

from __future__ import annotations

import math

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import (
    GRAVITY,
    TINY,
    Damped,
    clamp,
    damp,
    facing,
    larger,
    mix,
    smaller,
    wrapped,
)
from twobone.creature.stepping.records import Step, Sums, Walk

# How fast a number follows its goal, the inverse of its time constant. All are taste.
WITH_GAITS = 2.0  # per cycle: what does in two cycles, as the order of the steps; forces stay small
WITH_STEPS = 9.0  # per cycle: what goes nine tenths of its way in .43 of a cycle, as heights
WITH_SWINGS = 27.0  # per cycle: what does in .14 of a cycle, as a foot that turns in the air
ANSWER = 2.2  # time constants in which a damped number goes two thirds of its way: a law
WITH_KNEES = 81.0  # per cycle: what does in .05 of a cycle, as a knee that meets the ground
AT_EASE = 7.0  # per second: what does in half a second, whatever the steps are, as a lean
# When legs hurry, and when they are decided. All are taste.
ASTRAY = 0.09  # of the hip: a foot so far from where it should be steps, or plans again
DECIDED = 0.6  # of a swing: from here on a foothold stays, and the leg is as it will land
CATCH = 4.0  # of its delay: what a leg makes up for in a cycle
HURRY = 0.5  # of its pace: how much faster or slower a leg may be for that
SLOWEST = 0.16  # of sqrt(g / hip): cycles per second at the least; slower looks unreal; taste
ENOUGH = 1.0 / 3.0  # share of its velocity with which an animal is not blocked; taste
HASTE = 0.2  # of its speed: an animal that slows down by so much is on bad ground; taste
MOST_TILT = 0.5  # radians: pitch and roll from the forces, and bank in a curve; taste
HARMONICS = 6  # of the cycle; the next has an amplitude below a hundredth of the first


def clock(animal: Anatomy, walk: Walk) -> float:
    """Return the cycles per second of the steps; for an animal that stands, of its slowest."""
    return larger(walk.rate, animal.slowest)


def other(i: int) -> int:
    """Return the leg on the other side of a pair."""
    return i + 1 - 2 * (i % 2)


def answer(animal: Anatomy) -> float:
    """Return the rate, per second, with which velocities follow what is asked for."""
    return ANSWER / animal.quick


def left_to_stand(animal: Anatomy, walk: Walk, step: Step) -> float:
    """Return the seconds until a foot on the ground lifts."""
    duty = walk.duty.at
    cycles = duty - step.phase if step.phase < duty else 1.0 - step.phase + duty
    return cycles / clock(animal, walk)


def left_to_swing(animal: Anatomy, walk: Walk, step: Step) -> float:
    """Return the seconds until a foot in the air lands."""
    return (1.0 - step.part) * (1.0 - step.gate) / clock(animal, walk)


def over_of(animal: Anatomy, walk: Walk) -> float:
    """Return the share of a stance after which the body is over a foot: half of it on bad ground.

    There, a body ahead of its feet would come to a rise before they do.
    """
    calm = clamp(1.0 - (1.0 - walk.calm) / HASTE, 0.0, 1.0)
    return mix(0.5, animal.gaits[walk.gait].over, calm)


def catch_up(late: float) -> float:
    """Return by what share of its pace a leg is faster that is late by so many cycles."""
    return clamp(CATCH * wrapped(late), -HURRY, HURRY)


def eased(value: float, goal: float, rate: float, dt: float) -> float:
    """Return a number after a time, in which it went a share of its way to a goal.

    For a `rate` per second it is the exponential of a first-order lag, to first order in `dt`.
    """
    return value + (goal - value) * smaller(1.0, rate * dt)


def settle(value: Damped, goal: float, rate: float, dt: float) -> None:
    """Move a number to its goal, critically damped; at once if `dt` is 0."""
    if dt > 0.0:
        damp(value, goal, rate, dt)
    else:
        value.at = goal
        value.speed = 0.0


def sums(animal: Anatomy, walk: Walk) -> Sums:
    """Return how the forces of the feet move the body, and how its feet are placed."""
    count = len(walk.stations)
    found = Sums(
        ahead=[0.0 for _ in animal.legs],
        fore=[0.0 for _ in range(count)],
        apart=[0.0 for _ in range(count)],
        air=[0.0 for _ in range(count)],
    )
    feet = [0.0 for _ in range(count)]
    weight = 0.0
    for leg in animal.legs:
        weight += leg.share
    force = harmonics(walk.duty.at, walk.vault.at)
    # Of the hip: how far behind their places at rest feet are in the middle of a stance.
    stance = walk.ahead.at * walk.duty.at / (clock(animal, walk) * animal.hip)
    behind = (0.5 - over_of(animal, walk)) * stance
    for i, leg in enumerate(animal.legs):
        step = walk.steps[i]
        at = leg.station
        down = sunk(walk.phase - step.offset.at, walk.duty.at, force)
        load = down * leg.share / weight
        found.heave -= load
        found.pitch -= load * animal.along[at]
        found.roll -= load * leg.side
        found.air[at] -= down * leg.share * leg.side
        station = walk.stations[at]
        dx = step.foot.x - station.x
        dz = step.foot.z - station.z
        away = dx * station.facing.s + dz * station.facing.c - leg.foot_ahead
        fore = away / animal.hip + behind
        found.ahead[i] = fore
        found.fore[at] += fore
        found.apart[at] += fore * leg.side
        feet[at] += 1.0
    for k in range(count):
        found.fore[k] /= feet[k]
    # The double integral of g at the frequency of the steps, g / (2 pi f)^2. A slow walk would bob
    # without end: added to the square, that of the slowest steps limits it.
    slowest = SLOWEST * math.sqrt(GRAVITY / animal.hip)
    square = walk.beat.at * walk.beat.at + slowest * slowest
    size = walk.vigour.at * GRAVITY / (4.0 * math.pi * math.pi * square)
    # Radius of gyration, squared, of a box as long as the trunk and twice as high as its belly.
    gyration = (animal.span * animal.span + 4.0 * animal.belly * animal.belly) / 12.0
    gyration = larger(gyration, TINY)
    manner = animal.manner
    found.sway = -found.roll * size * manner.sway
    found.heave = found.heave * size * manner.heave
    found.pitch = clamp(found.pitch * size * manner.pitch / gyration, -MOST_TILT, MOST_TILT)
    found.roll = clamp(found.roll * size * manner.roll / animal.hip, -MOST_TILT, MOST_TILT)
    return found


def harmonics(duty: float, vault: float) -> list[float]:
    """Return the Fourier series of how far the force of a leg lets the body sink.

    Its mean is 0. The force over a stance is a half sine, and another of three times the frequency
    which `vault` scales: 0 is the one hump of a bounce, about 1/3 the two of a walk. Its Fourier
    series, integrated twice, has the coefficients A_k / k^2 with

        A_k = 2 cos(pi k d) (1 / (1 - 4 k^2 d^2) + (q / 3) / (1 - 4 k^2 d^2 / 9)) / (1 + q / 3)

    for a duty factor d, and the weight 1 - k^2 / 49, which lets the series end smoothly. It is in
    units of g / (2 pi f)^2, and its time is counted from the middle of the stance.
    """
    edge = facing(math.pi * duty)
    beyond = HARMONICS + 1.0
    # Chebyshev's recurrence: cos (k + 1) a = 2 cos a cos k a - cos (k - 1) a.
    edge_k = edge.c
    edge_before = 1.0
    found: list[float] = []
    for n in range(HARMONICS):
        k = n + 1.0
        part = hump(k * duty, edge_k, 1.0) + vault / 3.0 * hump(k * duty, edge_k, 3.0)
        weight = 2.0 * (1.0 - k * k / (beyond * beyond)) / (k * k * (1.0 + vault / 3.0))
        found.append(weight * part)
        edge_next = 2.0 * edge.c * edge_k - edge_before
        edge_before = edge_k
        edge_k = edge_next
    return found


def sunk(cycles: float, duty: float, force: list[float]) -> float:
    """Return how far a leg lets the body sink, in units of g / (2 pi f)^2, with its `harmonics`.

    `cycles` are those since the foot landed, and `duty` is the duty factor.
    """
    along = facing(2.0 * math.pi * (cycles - 0.5 * duty))
    height = 0.0
    along_k = along.c
    along_before = 1.0
    for part in force:
        height += part * along_k
        along_next = 2.0 * along.c * along_k - along_before
        along_before = along_k
        along_k = along_next
    return height


def hump(u: float, cosine: float, n: float) -> float:
    """Return cos(pi u) / (1 - 4 u^2 / n^2) for n = 1 or 3, given the cosine; u is 0 or more.

    Both are 0 at u = n / 2. With e = 1 - 2 u / n the cosine is +-sin(n pi e / 2), and the quotient
    near there +-(n pi / 2) / (2 - e), to a relative error of e^2.
    """
    e = 1.0 - 2.0 * u / n
    if abs(e) < TINY:
        limit = 0.5 * math.pi * n / (2.0 - e)
        return limit if n < 2.0 else -limit
    return cosine / (e * (2.0 - e))
