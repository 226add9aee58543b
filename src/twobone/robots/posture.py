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
from twobone.creature.building import make_anatomy
from twobone.creature.deriving import derived
from twobone.creature.gaits import offsets_of
from twobone.creature.stepping.anatomy import Anatomy, Gait, Manner
from twobone.creature.stepping.anatomy import Leg as Measures
from twobone.creature.stepping.numbers import GRAVITY
from twobone.errors import RobotError
from twobone.robots import kinematics
from twobone.robots.limb import Leg
from twobone.robots.robot import Robot
from twobone.rotations import angles

FORWARD = {"x": (1, 0), "-x": (-1, 0), "y": (0, 1), "-y": (0, -1)}
# A walk: duty factors at rest and at full speed, lengths of a stance, of the longest leg. Taste.
DUTY_ON_FOUR, STRIDE_ON_FOUR = (0.88, 0.88), 0.22
DUTY_ON_MORE, STRIDE_ON_MORE = (0.7, 0.55), 0.25
SWING = 0.2  # seconds: duration of a swing at full speed, of legs 0.4 m long; taste
SLOWEST = 0.25  # of the rate of steps at full speed: the least; taste
LONG = 10.0  # `Anatomy.stride`: so long that only the longest stance limits a step
LIFT = 0.2  # of the hip's height: that of a swing; taste
# Share of the way to the middle of the feet that stand, where margins of Go1 and ANYmal are most.
BALANCE = 0.6
QUICK, STRONG = 0.6, 0.1  # seconds and g: slower than animals, since motors push less; taste
TILT = 0.8  # of the ground's slopes: that of the trunk; taste
BELLY = 0.5  # of the height: meshes are not opened, half of it is taken to be free; a guess
STRAIGHT = 0.965  # of the reach of two bones: the most that a standing leg uses; as for animals
BENT = 1e-3  # of the leg's length: distance of a bent knee from the line from hip to foot
BEND = 0.93  # of reach: maximum distance from hip to foot at rest
FOLDED = 0.6  # of the distance from hip to foot at rest: maximum of the minimum reach; taste
TRIED = 721  # angles of the knee, to find how far a leg reaches within the limits of its knee
SAME = 1e-6  # of the longest leg: hips that are so near, seen from the side, have one station
RIGID = Manner(*(0.0 for _ in Manner._fields))  # the trunk does not move along with the legs


class Frame(NamedTuple):
    """The body's space of the animal, in the axes of the base."""

    axes: NDArray[np.float64]  # (3, 3), columns: left, up and forward
    origin: NDArray[np.float64]  # (3)


class Posture(NamedTuple):
    """A robot in its rest pose, as an animal."""

    legs: tuple[Leg, ...]  # in the order in which the robot or the caller names them
    order: NDArray[np.intp]  # of the animal's legs: pairs from rear to front, left before right
    frame: Frame
    anatomy: Anatomy


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
    bones = _bones([legs[i] for i in order], [stands[i] for i in order], feet - roots)
    poles = _poles(roots, knees, feet)
    if not feet[:, 1].mean() < roots[:, 1].min():
        raise RobotError("`rest` must be a pose in which the feet are below the hips.")
    _check(roots, feet, bones, poles, [legs[i].tip for i in order])
    return Posture(legs, order, frame, _anatomy(roots, feet, bones, poles, robot.name))


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


def _bones(legs, stands, to_feet):
    """Return the bones with which legs are planned, (L, 2).

    They reach as far as the limits of the knee allow, and can fold to less than at rest.
    """
    away = np.linalg.norm(to_feet, axis=1)
    lengths = np.array([leg.bones for leg in legs])
    reach = np.minimum(lengths.sum(axis=1), [each.reach / STRAIGHT for each in stands])
    longer = np.clip(lengths[:, 0] - lengths[:, 1], -FOLDED * away, FOLDED * away)
    return 0.5 * np.stack([reach + longer, reach - longer], axis=1)


def _poles(roots, knees, feet):
    """Return the poles: from the line from hip to foot to the knee."""
    along = feet - roots
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    bend = knees - roots
    return bend - np.sum(bend * along, axis=1, keepdims=True) * along


def _check(roots, feet, bones, poles, tips):
    """Raise if a leg is straight at rest, on level ground."""
    to_feet = feet - roots
    to_feet[:, 1] = feet[:, 1].mean() - roots[:, 1]
    reach = bones.sum(axis=1)
    away, bent = (np.linalg.norm(each, axis=1) for each in (to_feet, poles))
    for tip, part, bend in zip(tips, away / reach, bent / reach, strict=True):
        if part > BEND or bend < BENT:
            message = f"{tip}: `rest` must bend the knee more: the foot is {part:.2f} of the leg's"
            message += f" reach away from the hip, and may be {BEND}."
            raise RobotError(message, tip=tip)


def _anatomy(roots, feet, bones, poles, name) -> Anatomy:
    """Return the anatomy of a robot: a stiff trunk, on four legs a crawl, on more waves."""
    along, stations = _stations(roots[:, 2], SAME * bones.sum(axis=1).max())
    height = -float(feet[:, 1].mean())
    legs = []
    for i, pole in enumerate(poles / np.linalg.norm(poles, axis=1, keepdims=True)):
        legs.append(
            Measures(
                station=stations[i],
                side=(1.0, -1.0)[i % 2],
                aside=roots[i, 0],
                up=roots[i, 1],
                foot_aside=feet[i, 0],
                foot_ahead=feet[i, 2] - along[stations[i]],
                upper=bones[i, 0],
                lower=bones[i, 1],
                third=0.0,
                pole_aside=pole[0],
                pole_up=pole[1],
                pole_ahead=pole[2],
                rest=0.0,
                peel=0.0,
                curl=0.0,
                land=0.0,
                radial=bool(pole[1] * pole[1] > 0.5),
                share=1.0,
                follows=0.0,
            )
        )
    count = len(legs)
    slow, fast = DUTY_ON_FOUR if count == 4 else DUTY_ON_MORE
    offsets = (offsets_of(None, 0.5, count // 2, duty) for duty in (slow, fast))
    anatomy = make_anatomy(
        name=name or "robot",
        height=height,
        along=along,
        bend=0.0,
        limp=0.0,
        tilt=TILT,
        bank=TILT,
        belly=BELLY * height,
        half=float(np.abs(roots[:, 0]).max()),
        legs=legs,
        gaits=[Gait(0.0, 1.0, slow, fast, *offsets, vault=0.0, flex=0.0, lift=1.0, rise=0.0)],
        stride=LONG,
        lift=LIFT,
        quick=QUICK,
        strong=STRONG,
        balance=BALANCE if count == 4 else 0.0,
        lead=0.5 * slow,
        straight=STRAIGHT,
        least=0.0,
        manner=RIGID,
    )
    return with_steps(anatomy, 1.0)


def _stations(ahead, apart):
    """Return the places of the stations of a trunk, and which of them bears each hip."""
    order = np.argsort(ahead, kind="stable")
    stations = np.empty(len(ahead), np.intp)
    stations[order] = np.cumsum(np.diff(ahead[order], prepend=ahead[order[0]]) > apart)
    along = [float(ahead[stations == k].mean()) for k in range(stations.max() + 1)]
    return along, stations.tolist()


def with_steps(anatomy: Anatomy, fraction: float) -> Anatomy:
    """Return an anatomy whose steps are shorter and lower, and its speed as much less.

    Full speed is that at which a swing takes `SWING`, and as much longer as legs would swing freely
    if they were longer.
    """
    found = derived(anatomy)
    (gait,) = anatomy.gaits
    stride = STRIDE_ON_FOUR if len(anatomy.legs) == 4 else STRIDE_ON_MORE
    travel = fraction * min(found.travel, stride * found.reach)
    fastest = (1.0 - gait.duty_high) / (SWING * (found.reach / 0.4) ** 0.5)
    top_speed = travel * fastest / gait.duty_high
    return found._replace(
        gaits=(gait._replace(high=top_speed / (GRAVITY * found.hip) ** 0.5),),
        lift=fraction * anatomy.lift,
        travel=travel,
        slowest=SLOWEST * fastest,
        fastest=fastest,
        top_speed=top_speed,
    )
