"""Postures: the animal that has the measures of a robot which stands in its rest pose.

The body's space of an animal has +z forward, +y up and +x to the left. Its origin is above the
middle of the feet, at the mean height of the hips.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.core.arrays import FINITE_FLOATS
from twobone.creature import anatomy, animals, governor
from twobone.creature.animals import Animal, Body, Legs
from twobone.creature.gait import EARLY, Gait
from twobone.errors import RobotError
from twobone.robots import kinematics
from twobone.robots.limb import Leg
from twobone.robots.robot import Robot
from twobone.rotations import angles

FORWARD = {"x": (1, 0), "-x": (-1, 0), "y": (0, 1), "-y": (0, -1)}
SWAY = 0.45, 0.4  # of a crawl: less sideways than an animal, so that the body is not thrown about
SWING = 0.2  # seconds: duration of a swing at full speed, of legs 0.4 m long
BENT = 1e-3  # of the leg's length: distance of a bent knee from the line from hip to foot
BEND = 0.93  # of reach: maximum distance from hip to foot at rest
HIGH = 0.5  # of reach: height of the knees at rest, above which an animal need not rise
FOLDED = 0.6  # of the distance from hip to foot at rest: maximum of the minimum reach
TRIED = 721  # angles of the knee, to find how far a leg reaches within the limits of its knee


class Frame(NamedTuple):
    """The body's space of the animal, in the axes of the base."""

    axes: NDArray[np.float64]  # (3, 3), columns: left, up and forward
    origin: NDArray[np.float64]  # (3)


class Posture(NamedTuple):
    """A robot in its rest pose, as an animal."""

    legs: tuple[Leg, ...]  # in the order in which the robot or the caller names them
    order: NDArray[np.intp]  # of the animal's legs: pairs from rear to front, left before right
    frame: Frame
    animal: Animal


class Stand(NamedTuple):
    """One leg in its rest pose, in the axes of the base; see `stand`."""

    root: NDArray[np.float64]  # (3)
    knee: NDArray[np.float64]  # (3)
    foot: NDArray[np.float64]  # (3)
    reach: float  # greatest distance from root to foot within the limits of the knee


def posture_of(robot: Robot, rest: Any, forward: str) -> Posture:
    """Return a robot in its rest pose, as an animal; raise if it could not walk."""
    if not (isinstance(forward, str) and forward in FORWARD):
        raise RobotError(f"`forward` must be one of {', '.join(FORWARD)}, got {forward!r}.")
    legs = _legs(robot, rest)
    stands = [stand(leg) for leg in legs]
    roots, knees, feet = (np.array(part) for part in list(zip(*stands, strict=True))[:3])
    middle = feet.mean(axis=0)
    x, y = FORWARD[forward]
    axes = np.array([[-y, 0, x], [x, 0, y], [0, 1, 0]], np.float64)
    frame = Frame(axes, np.array([*middle[:2], roots[:, 2].mean()]))
    order = _order((feet - middle) @ axes)
    roots, knees, feet = ((part[order] - frame.origin) @ axes for part in (roots, knees, feet))
    fractions = [
        min(1.0, each.reach / governor.STRAIGHT / sum(leg.bones))
        for each, leg in zip(stands, legs, strict=True)
    ]
    bones = (np.array([leg.bones for leg in legs]) * np.array(fractions)[:, None])[order]
    poles = _poles(roots, knees, feet)
    found = Legs(roots, feet[:, [0, 2]], _raised(bones, roots - feet, poles), poles)
    height = -float(feet[:, 1].mean())
    if not height > 0.0:
        raise RobotError("`rest` must be a pose in which the feet are below the hips.")
    animal = _animal(found, height, robot.name)
    _check(animal, [legs[i].tip for i in order])
    return Posture(legs, order, frame, animal)


def _legs(robot, rest) -> tuple[Leg, ...]:
    """Return the legs of a robot, with their rest pose."""
    legs: list[Any]
    if isinstance(rest, Mapping):
        legs = [robot.limb(tip, rest=each) for tip, each in rest.items()]
    else:
        found = [tip for tip, limb in robot.limbs.items() if _walks(limb)]
        legs = [robot.limb(tip, rest=rest) for tip in found]
    for leg in legs:
        if not _walks(leg):
            raise RobotError(f"{leg.tip}: a robot walks on legs with three joints.", tip=leg.tip)
        low, high = leg.limits.T
        outside = np.flatnonzero((leg.rest < low) | (leg.rest > high))
        if len(outside):
            i = int(outside[0])
            limits = f"{low[i]:.4g} to {high[i]:.4g}"
            message = f"{leg.tip}: `rest` must be within the limits of its joints, got"
            message += f" {leg.rest[i]:.4g} for {leg.joint_names[i]} ({limits})."
            raise RobotError(message, tip=leg.tip)
    if len(legs) < 4 or len(legs) % 2:
        names = ", ".join(leg.tip for leg in legs)
        message = f"a robot walks on an even number of legs, at least four; this has {len(legs)}"
        raise RobotError(message + (f": {names}." if legs else "."))
    owners = {}
    for leg in legs:
        for name in leg.joint_names:
            other = owners.setdefault(name, leg.tip)
            if other != leg.tip:
                message = f"legs must not share joints: {other} and {leg.tip} share the joint"
                raise RobotError(f"{message} {name!r}.", tip=leg.tip)
    bases = dict.fromkeys(leg.base for leg in legs)
    if len(bases) > 1:
        raise RobotError(f"all legs must have the same base; these have {', '.join(bases)}.")
    return tuple(legs)


def _walks(limb):
    return isinstance(limb, Leg) and len(limb.joint_names) == 3


def stand(leg: Leg) -> Stand:
    """Return the points of a leg in its rest pose.

    The foot moves in a plane perpendicular to the two parallel axes. Root and knee are where these
    axes cross it, since that is where the two bones, as the leg has them, end.
    """
    chain, rest = leg._chain, leg.rest.tolist()
    points = []
    for count in (1, 2, 3):
        part = chain._replace(joints=chain.joints[:count], offsets=chain.offsets[: count + 1])
        points.append(np.array(kinematics.forward(FINITE_FLOATS, part, rest[:count])))
    first, second = chain.joints[:2]
    axis = np.array(angles.rotated_about(FINITE_FLOATS, first.axis, rest[0], second.axis))
    *hips, foot = points
    root, knee = (point + axis * ((foot - point) @ axis) for point in hips)
    low, high = leg.limits[2]
    tried = np.tile(leg.rest, (TRIED, 1))
    tried[:, 2] = np.linspace(max(low, rest[2] - np.pi), min(high, rest[2] + np.pi), TRIED)
    reach = np.linalg.norm(leg.forward_kinematics(tried) - root, axis=1).max()
    return Stand(root, knee, foot, float(reach))


def _order(feet):
    """Return the order of the legs as animals have them, from their feet in the body's axes."""
    half = len(feet) // 2
    aside = np.argsort(-feet[:, 0], kind="stable")
    sides = [
        side[np.argsort(feet[side, 2], kind="stable")] for side in (aside[:half], aside[half:])
    ]
    return np.stack(sides, axis=1).reshape(-1)


def _poles(roots, knees, feet):
    """Return the poles: from the line from hip to foot to the knee."""
    along = feet - roots
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    bend = knees - roots
    return bend - np.sum(bend * along, axis=1, keepdims=True) * along


def _raised(bones, to_hips, poles):
    """Return bones with which the knees are as high at rest as an animal wants them.

    An animal rises while a knee or a shin is near the ground. A robot that stands low does so on
    purpose, so that its first bones are taken to be shorter, and the second ones as much longer:
    the reach stays the same, and the knees are higher.
    """
    reach, away = bones.sum(axis=1), np.linalg.norm(to_hips, axis=1)
    most = np.maximum(FOLDED * away - anatomy.MARGIN * reach, 0.0)
    longer = most * np.linspace(0.0, 1.0, TRIED)[:, None]  # the second bone than the first
    longer = np.maximum(longer, bones[:, 1] - bones[:, 0])
    first, second = 0.5 * (reach - longer), 0.5 * (reach + longer)
    along = 0.5 * (away**2 + second**2 - first**2) / away
    aside = np.sqrt(np.maximum(second**2 - along**2, 0.0))
    size = np.linalg.norm(poles, axis=1)
    # A straight leg, whose pole is 0, is refused later.
    up = to_hips[:, 1] / away, poles[:, 1] / np.where(size > 0.0, size, 1.0)
    high = along * up[0] + aside * up[1] >= HIGH * reach
    best = np.where(high.any(axis=0), high.argmax(axis=0), TRIED - 1)
    picked = np.take_along_axis(longer, best[None], axis=0)[0]
    return 0.5 * np.stack([reach - picked, reach + picked], axis=1)


def _animal(legs, height, name):
    """Return the animal: a crawl on four legs, a wave gait on more."""
    wave = Gait("wave", (0.7, 0.5), stride=0.25, lift=0.1)
    gait = Gait("crawl", sway=SWAY) if len(legs.hips) == 4 else wave
    length = float(legs.bones.sum(axis=1).max())
    # Meshes are not opened: the body is a flat one, and leaves half of the height free below it.
    width, high, long = animals.body_size(legs.hips, length).tolist()
    body = Body(height, size=(width, min(high, height), long))
    animal = Animal(body, legs, gait, 1.0, name or "robot", liveliness=0.0)
    return with_steps(animal, 1.0)


def with_steps(animal: Animal, fraction: float) -> Animal:
    """Return an animal whose steps are shorter and lower, and its speed as much less.

    Full speed is that at which a swing takes `SWING`, and as much longer as legs would swing freely
    if they were longer.
    """
    gait, length = animal.gait, animals.length(animal)
    stride, lift = fraction * gait.stride, fraction * gait.lift
    duty_factor = gait.duty_factor[1]
    swing = SWING * (length / 0.4) ** 0.5
    speed = stride * length / duty_factor * EARLY * (1.0 - duty_factor) / swing
    offsets: Any = gait.offsets  # those of a named gait
    gait = Gait(offsets[0], gait.duty_factor, stride, lift, sway=gait.sway)
    return animal._replace(gait=gait, speed=speed)


def _check(animal, tips):
    """Raise if a leg is straight at rest."""
    reach, size = animal.legs.bones.sum(axis=1), np.linalg.norm(animal.legs.poles, axis=1)
    for tip, part, bend in zip(tips, animals.stand(animal) / reach, size / reach, strict=True):
        if part > BEND or bend < BENT:
            message = f"{tip}: `rest` must bend the knee more: the foot is {part:.2f} of the leg's"
            message += f" reach away from the hip, and may be {BEND}."
            raise RobotError(message, tip=tip)
