"""The joints of a pose: knees by `twobone.solve_xyz`."""

from __future__ import annotations

from typing import NamedTuple

from twobone.core.solver import solve_xyz
from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.knees import turned_by
from twobone.creature.stepping.limbs import (
    SOFT,
    Range,
    ankle_of,
    bending,
    pole_of,
    range_of,
    straightest,
    within,
)
from twobone.creature.stepping.numbers import Point, between, facing, length, plus
from twobone.creature.stepping.records import Pose


class Joints(NamedTuple):
    """The points of a leg."""

    hip: Point
    knee: Point
    ankle: Point
    foot: Point


def joints_of(animal: Anatomy, pose: Pose, i: int) -> Joints:
    """Return the joints of a leg in a pose.

    A foot in the air gives way near the end of its leg's reach; one that stands does not move.
    """
    leg = animal.legs[i]
    stand = pose.stands[i]
    hip = stand.hip
    foot = stand.foot
    if not stand.down:
        way = between(hip, foot)
        ends = range_of(leg, 0.0, straightest(animal))
        soft = stand.gives * SOFT * (leg.upper + leg.lower)
        distance = length(way)
        held = within(distance, Range(ends.least - leg.third, ends.most + leg.third), soft)
        if held != distance and distance > 0.0:
            size = held / distance
            foot = plus(hip, Point(size * way.x, size * way.y, size * way.z))
    ankle = ankle_of(leg, hip, foot, stand.angle, facing(stand.facing), bending(animal, leg))
    way = between(hip, ankle)
    pole = turned_by(pole_of(leg, facing(pose.frames[leg.station].yaw), way), way, stand.splay)
    found = solve_xyz(way.x, way.y, way.z, leg.upper, leg.lower, pole.x, pole.y, pole.z, 1.0)
    return Joints(hip, plus(hip, Point(found[0], found[1], found[2])), ankle, foot)
