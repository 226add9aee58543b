"""A walk in time: steps of one length, and poses at any time between them."""

from __future__ import annotations

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import Ground, Point, mix
from twobone.creature.stepping.pose import blank, put
from twobone.creature.stepping.records import (
    Angles,
    Frame,
    Journey,
    Motion,
    Order,
    Pose,
    Stand,
    Walk,
)
from twobone.creature.stepping.standing import started
from twobone.creature.stepping.walking import DT, step_on

SAME = 1.0e-9  # seconds: frames that end so near a step end with it
PATIENCE = 1.0  # seconds below a third of the order after which an animal is blocked


def set_off(animal: Anatomy, x: float, z: float, yaw: float, ground: Ground) -> Journey:
    """Return an animal that stands there, with its pose."""
    walk = started(animal, x, z, yaw, ground)
    pose = blank(animal)
    put(animal, walk, pose, ground, 0.0)
    start = moved(walk)
    return Journey(walk, [mixed(pose, pose, 0.0), pose], [start, start], 1, DT)


def travel(animal: Anatomy, journey: Journey, order: Order, dt: float, ground: Ground) -> None:
    """Walk for any time, in steps of the same length: the walk is the same at any frame rate."""
    journey.after += dt
    while journey.after > DT + SAME:
        journey.last = 1 - journey.last
        step_on(animal, journey.walk, journey.poses[journey.last], order, ground)
        journey.motions[journey.last] = moved(journey.walk)
        journey.after -= DT
    if journey.after > DT - SAME:
        journey.after = DT


def moved(walk: Walk) -> Motion:
    """Return the motion of a trunk after a step, as far as its legs allow."""
    slow = walk.slow
    front = walk.stations[len(walk.stations) - 1]
    return Motion(
        walk.x,
        walk.z,
        walk.yaw,
        slow * walk.aside.at,
        slow * walk.ahead.at,
        slow * walk.turn.at,
        front.x,
        front.z,
        front.yaw,
    )


def is_blocked(journey: Journey) -> bool:
    """Return whether an animal has been kept from doing what it is told."""
    return journey.walk.delay >= PATIENCE


def motion(journey: Journey) -> Motion:
    """Return the motion of a trunk at the time to which it has walked."""
    a = journey.motions[1 - journey.last]
    b = journey.motions[journey.last]
    if journey.after == DT:
        return b
    part = journey.after / DT
    return Motion(
        mix(a.x, b.x, part),
        mix(a.z, b.z, part),
        mix(a.heading, b.heading, part),
        mix(a.aside, b.aside, part),
        mix(a.ahead, b.ahead, part),
        mix(a.turn, b.turn, part),
        mix(a.front_x, b.front_x, part),
        mix(a.front_z, b.front_z, part),
        mix(a.front_heading, b.front_heading, part),
    )


def seen(journey: Journey) -> Pose:
    """Return the pose at the time to which an animal has walked."""
    last = journey.last
    if journey.after == DT:
        return mixed(journey.poses[last], journey.poses[last], 0.0)
    return mixed(journey.poses[1 - last], journey.poses[last], journey.after / DT)


def mixed(a: Pose, b: Pose, part: float) -> Pose:
    """Return the pose between two: a foot that stands in both stays exactly where it is."""
    frames = [
        Frame(
            mix(u.x, v.x, part),
            mix(u.y, v.y, part),
            mix(u.z, v.z, part),
            mix(u.yaw, v.yaw, part),
            mix(u.pitch, v.pitch, part),
            mix(u.roll, v.roll, part),
        )
        for u, v in zip(a.frames, b.frames, strict=True)
    ]
    stands = [
        Stand(
            mix_points(u.hip, v.hip, part),
            mix_points(u.foot, v.foot, part),
            mix(u.angle, v.angle, part),
            mix(u.facing, v.facing, part),
            mix(u.pitch, v.pitch, part),
            mix(u.roll, v.roll, part),
            mix(u.splay, v.splay, part),
            mix(u.gives, v.gives, part),
            u.down and v.down,
        )
        for u, v in zip(a.stands, b.stands, strict=True)
    ]
    links = [
        Angles(mix(u.yaw, v.yaw, part), mix(u.pitch, v.pitch, part), mix(u.roll, v.roll, part))
        for u, v in zip(a.links, b.links, strict=True)
    ]
    return Pose(
        frames,
        stands,
        links,
        [mix(u, v, part) for u, v in zip(a.tail_yaw, b.tail_yaw, strict=True)],
        [mix(u, v, part) for u, v in zip(a.tail_pitch, b.tail_pitch, strict=True)],
    )


def mix_points(a: Point, b: Point, part: float) -> Point:
    """Return the point between two."""
    return Point(mix(a.x, b.x, part), mix(a.y, b.y, part), mix(a.z, b.z, part))
