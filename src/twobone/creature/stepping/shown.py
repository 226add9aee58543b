"""What is shown of a pose: places of stations and joints, and rotations as quaternions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from twobone.core import transcendental
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.joints import Joints, joints_of
from twobone.creature.stepping.limbs import behind
from twobone.creature.stepping.numbers import Point, facing
from twobone.creature.stepping.records import Pose, Stand


class Quaternion(NamedTuple):
    """A rotation; 1 is (0, 0, 0, 1)."""

    x: float
    y: float
    z: float
    w: float


@dataclass(slots=True)
class Shown:
    """An animal as pictures and recordings have it."""

    stations: list[Point]
    rotations: list[Quaternion]  # of the stations, in the world
    joints: list[Joints]
    down: list[bool]  # which feet stand
    soles: list[Quaternion]  # of the feet, in the world: 1 is level with toes towards +z
    neck: list[Quaternion]  # of neck, head, arms and the like, in the space of the front station
    tail: list[Quaternion]  # of its links, each in the space of the rear station


def shown(animal: Anatomy, pose: Pose) -> Shown:
    """Return what is shown of a pose; knees are computed here."""
    legs = len(animal.legs)
    joints = [joints_of(animal, pose, i) for i in range(legs)]
    soles = [sole_of(animal.legs[i], pose.stands[i], joints[i]) for i in range(legs)]
    return Shown(
        [Point(frame.x, frame.y, frame.z) for frame in pose.frames],
        [rotation(frame.yaw, frame.pitch, frame.roll) for frame in pose.frames],
        joints,
        [stand.down for stand in pose.stands],
        soles,
        [rotation(link.yaw, link.pitch, link.roll) for link in pose.links],
        [rotation(pose.tail_yaw[j], pose.tail_pitch[j], 0.0) for j in range(animal.tail)],
    )


def rotation(yaw: float, pitch: float, roll: float) -> Quaternion:
    """Return a rotation: first the left side up, then the nose up, then to the left."""
    y = facing(0.5 * yaw)
    x = facing(-0.5 * pitch)
    z = facing(0.5 * roll)
    return Quaternion(
        y.c * x.s * z.c + y.s * x.c * z.s,
        y.s * x.c * z.c - y.c * x.s * z.s,
        y.c * x.c * z.s - y.s * x.s * z.c,
        y.c * x.c * z.c + y.s * x.s * z.s,
    )


def sole_of(leg: Leg, stand: Stand, joints: Joints) -> Quaternion:
    """Return the rotation of a foot; that of a tarsus points away from the body."""
    yaw = stand.facing
    if leg.radial and leg.third > 0.0:
        back = behind(leg, joints.hip, joints.foot, facing(yaw))
        yaw = transcendental.arctangent(-back.s, -back.c)
    return rotation(yaw, stand.pitch, stand.roll)
