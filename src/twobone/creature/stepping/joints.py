"""The joints of a pose: knees by `twobone.solve_xyz`."""

from __future__ import annotations

import math
from typing import NamedTuple

from twobone.core.solver import solve_xyz
from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.knees import turned_by
from twobone.creature.stepping.limbs import ankle_of, pole_of, range_of, within
from twobone.creature.stepping.numbers import Point, facing
from twobone.creature.stepping.records import Pose


class Joints(NamedTuple):
    """The points of a leg."""

    hip: Point
    knee: Point
    ankle: Point
    foot: Point


def joints_of(animal: Anatomy, pose: Pose, i: int) -> Joints:
    """Return the joints of a leg in a pose.

    A foot in the air that its leg cannot reach gives way; one that stands does not move.
    """
    leg = animal.legs[i]
    stand = pose.stands[i]
    hip = stand.hip
    foot = stand.foot
    allowed = range_of(leg, animal.least, 0.5 * (1.0 + animal.straight))
    ankle = ankle_of(leg, hip, foot, stand.angle, facing(stand.facing), allowed)
    x = ankle.x - hip.x
    y = ankle.y - hip.y
    z = ankle.z - hip.z
    distance = math.sqrt(x * x + y * y + z * z)
    if not stand.down and distance > 0.0:
        # Only beyond what a leg that stands uses, so that no foot jumps as it lifts or lands.
        left = 0.25 * (1.0 - animal.straight)
        soft = left * (leg.upper + leg.lower)
        held = within(distance, range_of(leg, 0.0, 1.0 - left), soft)
        if held != distance:
            size = held / distance
            foot = Point(
                foot.x + (size - 1.0) * x, foot.y + (size - 1.0) * y, foot.z + (size - 1.0) * z
            )
            ankle = Point(hip.x + size * x, hip.y + size * y, hip.z + size * z)
            x = size * x
            y = size * y
            z = size * z
    way = Point(x, y, z)
    pole = turned_by(pole_of(leg, facing(pose.frames[leg.station].yaw), way), way, stand.splay)
    found = solve_xyz(x, y, z, leg.upper, leg.lower, pole.x, pole.y, pole.z, 1.0)
    knee = Point(hip.x + found[0], hip.y + found[1], hip.z + found[2])
    return Joints(hip, knee, ankle, foot)
