"""Bodies with two legs and two arms: their joints by role, and a pose in which they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from twobone.errors import ClipError
from twobone.motion import branches, joint_names
from twobone.motion.chains import Floats
from twobone.motion.clip import Clip
from twobone.motion.limbs import FoundLimb, Limbs, find_limbs
from twobone.pose import LocalPose, Skeleton
from twobone.rotations import multiply

SIDES = ("left", "right")
TO_Y_UP = (-(0.5**0.5), 0.0, 0.0, 0.5**0.5)  # the rotation of a world with z up
DOWN = 0.7  # of its length: the end of a leg of somebody who stands is so far below its start
FLOOR = 0.15  # of a leg: feet so near to height 0 stand there
FRAMES = 120  # that are looked at for somebody who stands


class Parts(NamedTuple):
    """The joints of a body by their roles; each chain is from the top of the tree down."""

    hips: tuple[int, ...]  # to the joint from which the legs branch off
    spine: tuple[int, ...]  # below the first of the hips, to the joint of the arms
    neck: tuple[int, ...]  # below the last of the spine, to the head
    collars: tuple[tuple[int, ...], ...]  # left and right: between the spine and the arm
    legs: tuple[FoundLimb, ...]  # left and right
    arms: tuple[FoundLimb, ...]  # left and right

    @property
    def chest(self) -> int:
        """The joint from which the arms branch off."""
        return self.spine[-1] if self.spine else self.hips[0]

    @property
    def feet(self) -> list[int]:
        """The ends and toes of the legs."""
        return [joint for leg in self.legs for joint in (leg.end, leg.toe) if joint is not None]


class Standing(NamedTuple):
    """A pose in which a body stands, y up."""

    positions: Floats  # (J, 3)
    rotations: Floats  # (J, 4)


class Figure(NamedTuple):
    """A body, and how large it is."""

    parts: Parts
    standing: Standing
    leg: float  # the length of a leg
    ground: float  # the height at which the lowest joint of the feet is when they stand
    rests: dict[int, float]  # how high the joints of feet are above that when they stand


# --- roles --------------------------------------------------------------------------------


def parts_of(clip: Clip, limbs: Limbs | None, whose: str) -> Parts:
    """Return the joints of a body by their roles.

    Raises
    ------
    ClipError
        If the skeleton has not one left and one right leg and arm, or is not one tree.
    """
    found = find_limbs(clip) if limbs is None else limbs
    legs, arms = _pair(found.legs, "leg", whose), _pair(found.arms, "arm", whose)
    path = clip.skeleton.path
    to_legs, to_arms = (_shared([path(limb.start)[:-1] for limb in pair]) for pair in (legs, arms))
    both = _shared([to_legs, to_arms])
    if not both:
        raise ClipError(whose, "legs and arms that are below one joint", "no such joint")
    return Parts(
        tuple(to_legs[len(both) - 1 :]),
        tuple(to_arms[len(both) :]),
        _neck(clip.skeleton, to_arms[-1], [limb.start for limb in (*legs, *arms)]),
        tuple(_between(clip.skeleton, to_arms[-1], arm.start) for arm in arms),
        legs,
        arms,
    )


def _pair(limbs: Sequence[FoundLimb], kind: str, whose: str) -> tuple[FoundLimb, ...]:
    pair = [limb for side in SIDES for limb in limbs if limb.side == side]
    if [limb.side for limb in pair] != [*SIDES]:
        came = ", ".join(limb.name for limb in limbs) or "none"
        raise ClipError(whose, f"one left and one right {kind}", came)
    return tuple(pair)


def _shared(paths: Sequence[Sequence[int]]) -> list[int]:
    """Return the joints that paths from the top of the tree have in common."""
    return [joints[0] for joints in zip(*paths, strict=False) if len(set(joints)) == 1]


def _between(skeleton: Skeleton, above: int, below: int) -> tuple[int, ...]:
    path = skeleton.path(below)
    return tuple(path[path.index(above) + 1 : -1])


def _neck(skeleton: Skeleton, chest: int, others: Sequence[int]) -> tuple[int, ...]:
    """Return the joints from the chest to the head: the first that is named so, or the last."""
    above = {*skeleton.path(chest)}
    taken = {joint for other in others for joint in skeleton.path(other)} - above
    free = [joint for joint in skeleton.below(chest) if not taken & {*skeleton.path(joint)}]
    free.remove(chest)
    names = skeleton.names or [""] * len(skeleton.parents)
    heads = [joint for joint in free if "head" in joint_names.split(names[joint])]
    depth = {joint: len(skeleton.path(joint)) for joint in free}
    if heads:
        head = min(heads, key=lambda joint: depth[joint])
    elif free:
        head = max(free, key=lambda joint: depth[joint])
    else:
        return ()
    return (*_between(skeleton, chest, head), head)


# --- standing -----------------------------------------------------------------------------


def figure_of(clip: Clip, parts: Parts, whose: str) -> Figure:
    """Return a body as it stands at rest or, if it does not, in the first frame that is found.

    Raises
    ------
    ClipError
        If it stands in none of them.
    """
    standing = _standing(clip, parts, whose)
    at = standing.positions
    leg = float(np.mean([length_of(at, each) for each in parts.legs]))
    low = float(at[parts.feet, 1].min())
    rests = {joint: float(at[joint, 1]) - low for joint in parts.feet}
    return Figure(parts, standing, leg, low, rests)


def _standing(clip: Clip, parts: Parts, whose: str) -> Standing:
    rest = clip.skeleton.rest
    frames = np.unique(np.linspace(0, len(clip) - 1, min(len(clip), FRAMES)).astype(int))
    given = clip.pose.translations
    assert given is not None
    pose = clip.skeleton.to_global(LocalPose(clip.pose.rotations[frames], given[frames]))
    positions = np.concatenate([rest.positions[None], pose.positions])
    rotations = np.concatenate([rest.rotations[None], pose.rotations])
    for at, turned in zip(branches.y_up(positions, clip.up), rotations, strict=True):
        if _stands(at, parts):
            return Standing(at, y_up(turned, clip.up))
    raise ClipError(whose, "a body whose legs point down at rest or in some frame", "none")


def _stands(at: Floats, parts: Parts) -> bool:
    size, apart = np.array([length_of(at, leg) for leg in parts.legs]), _hips(at, parts)
    down = np.array([at[leg.start, 1] - at[leg.end, 1] for leg in parts.legs])
    is_upright = middle(at, parts.arms)[1] > middle(at, parts.legs)[1]
    return bool((down > DOWN * size).all() and (size > 0.0).all() and apart.any() and is_upright)


def _hips(at: Floats, parts: Parts) -> Floats:
    return at[parts.legs[0].start] - at[parts.legs[1].start]


def y_up(rotations: Floats, up: str) -> Floats:
    """Return rotations in the world (..., 4) as they are with y up."""
    return rotations if up == "y" else multiply(TO_Y_UP, rotations)


def length_of(at: Floats, limb: FoundLimb) -> float:
    """Return the length of both bones of a limb, for positions (J, 3)."""
    bones = np.diff(at[[limb.start, limb.mid, limb.end]], axis=0)
    return float(np.linalg.norm(bones, axis=-1).sum())


def middle(at: Floats, limbs: Sequence[FoundLimb]) -> Floats:
    """Return the middle of the start joints of limbs, for positions (..., J, 3)."""
    return at[..., [limb.start for limb in limbs], :].mean(-2)


def axes(standing: Standing, parts: Parts) -> Floats:
    """Return the axes of a torso as columns (3, 3): to its left, upwards and forwards."""
    at = standing.positions
    x = _hips(at, parts) / np.linalg.norm(_hips(at, parts))
    y = middle(at, parts.arms) - middle(at, parts.legs)
    y = y - (y @ x) * x
    y = y / np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def feet_at_rest(clip: Clip, parts: Parts, leg: float) -> float | None:
    """Return the height of the lowest joint of the feet at rest, if they stand at height 0.

    None if they do not: skeletons of BVH files have the origin at their hips.
    """
    at = branches.y_up(clip.skeleton.rest.positions, clip.up)
    low = float(at[parts.feet, 1].min())
    return low if is_near_floor(low, leg) else None


def is_near_floor(height: float, leg: float) -> bool:
    """Return whether feet whose lowest joint is at this height stand at height 0."""
    return abs(height) < FLOOR * leg
