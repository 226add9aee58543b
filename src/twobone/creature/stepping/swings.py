"""The way of a foot through the air: a minimum-jerk course, and arcs over the ground."""

from __future__ import annotations

from typing import NamedTuple

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import Point, clamp, larger
from twobone.creature.stepping.records import Course, Step

# Accelerations of a foot as it lifts and lands, in ways per squared swing by (1 - duty). Taste.
PUSH, BRAKE = 6.0, 8.0
SKEW = 0.4  # of the arc of a stride: 0 is highest in the middle of a swing, 1 at .3 of it; taste
HIGHEST = 0.9  # of the hip: a foot steps and swings at most so much higher than it stood; taste
CLEARANCE = 0.04  # of the hip: between the ground and a leg, a swinging foot or a belly; taste


class Quintic(NamedTuple):
    """The coefficients of a course, from the first power on."""

    c1: float
    c2: float
    c3: float
    c4: float
    c5: float


def aim(step: Step, goal: Point, duty: float) -> None:
    """Let a foot that lifts set off to a goal.

    It sets off fast and brakes late, the more the longer it is in the air: so it is not far ahead
    of its body before it lands.
    """
    if step.part == 0.0:
        push_off(step.x, goal.x, 1.0 - duty)
        push_off(step.y, goal.y, 1.0 - duty)
        push_off(step.z, goal.z, 1.0 - duty)


def push_off(course: Course, goal: float, air: float) -> None:
    """Give a course its accelerations, for the share of a cycle that a foot is in the air."""
    course.acceleration = PUSH * air * (goal - course.place)
    course.brake = -BRAKE * air * (goal - course.place)


def planned(step: Step, goal: Point, part: float) -> Point:
    """Return the place of a foot at a part of its swing, without its arcs."""
    return Point(at(step.x, goal.x, part), at(step.y, goal.y, part), at(step.z, goal.z, part))


def lifted_by(step: Step, part: float) -> float:
    """Return how high a swing is over its course at a part of it."""
    left = at(step.over, 0.0, part) if step.over.start > 0.0 else 0.0
    return step.low * arc(part) + left + risen_by(step, step.high, part)


def risen_by(step: Step, high: float, part: float) -> float:
    """Return the height of the arc that the last plan added: mostly needed late, so not skewed."""
    s = (part - step.over.start) / (1.0 - step.over.start)
    return high * skewed(s, 0.0)


def goes_on(step: Step) -> Course:
    """Return how a swing goes on, from where it is, without the arc that the last plan added."""
    time = 1.0 - step.over.start
    s = (step.part - step.over.start) / time
    left = from_here(step.over, 0.0, step.part)
    p = s * (1.0 - s)
    high = 16.0 * step.high
    return Course(
        step.part,
        left.place + high * p * p,
        left.velocity + 2.0 * high * p * (1.0 - 2.0 * s) / time,
        left.acceleration + 2.0 * high * (1.0 - 6.0 * p) / (time * time),
    )


def highest(animal: Anatomy, step: Step) -> float:
    """Return how high another arc may be: the later it starts, the less, to be no faster."""
    left = HIGHEST * animal.hip - step.low - step.over.place
    return larger(left, 0.0) * (1.0 - step.part) * (1.0 - step.part)


def arc(part: float) -> float:
    """Return the height of a stride over its greatest: steep at first, level at both ends."""
    return skewed(part, SKEW)


def skewed(part: float, skew: float) -> float:
    """Return an arc from 0 to 1 to 0 with level ends, the earlier the more it is skewed."""
    s = part * (1.0 + skew - skew * part)
    s = s * (1.0 - s)
    return 16.0 * s * s


def at(course: Course, goal: float, part: float) -> float:
    """Return the place on a course at a part of the swing."""
    s = clamp((part - course.start) / (1.0 - course.start), 0.0, 1.0)
    return course.place + along(quintic(course, goal), s)


def along(c: Quintic, s: float) -> float:
    """Return how far a course has gone at a part of its time."""
    return s * (c.c1 + s * (c.c2 + s * (c.c3 + s * (c.c4 + s * c.c5))))


def quintic(course: Course, goal: float) -> Quintic:
    """Return the coefficients of a course, from its state to that at the goal (Flash and Hogan)."""
    time = 1.0 - course.start
    v = course.velocity * time
    a = course.acceleration * time * time
    b = course.brake * time * time
    d = goal - course.place
    return Quintic(
        v,
        0.5 * a,
        10.0 * d - 6.0 * v - 1.5 * a + 0.5 * b,
        -15.0 * d + 8.0 * v + 1.5 * a - b,
        6.0 * d - 3.0 * v - 0.5 * a + 0.5 * b,
    )


def from_here(course: Course, goal: float, part: float) -> Course:
    """Return a course that goes on from where another one is."""
    c = quintic(course, goal)
    time = 1.0 - course.start
    s = clamp((part - course.start) / time, 0.0, 1.0)
    place = course.place + along(c, s)
    slope = c.c1 + s * (2.0 * c.c2 + s * (3.0 * c.c3 + s * (4.0 * c.c4 + s * 5.0 * c.c5)))
    curve = 2.0 * c.c2 + s * (6.0 * c.c3 + s * (12.0 * c.c4 + s * 20.0 * c.c5))
    return Course(part, place, slope / time, curve / (time * time), course.brake)
