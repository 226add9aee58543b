"""Write corrections of limbs into the poses of a clip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from twobone.motion import chains, legs
from twobone.motion.chains import Chains, Floats, inverse, multiply, rotate
from twobone.motion.clip import Clip
from twobone.motion.legs import Legs, Limb, Turns
from twobone.pose import LocalPose, Skeleton

MOST = 0.5  # of all joints hang from the joint that carries the body


class Change(NamedTuple):
    """What pinning changes: L limbs, T frames."""

    shift: Floats  # (3, T), of the body
    scales: Floats  # (L, T), of the lengths of bones
    turns: Turns
    foot_turn: Floats  # (4, L, T), of feet, in the world
    toe_turn: Floats  # (4, L, T), of toes, in the world


def write(clip: Clip, limbs: Sequence[Limb], placed: Chains, at: Legs, change: Change) -> Clip:
    """Return the clip with the changes. Joints of frames that do not change keep their values."""
    skeleton = clip.skeleton
    posed = legs.turned(legs.scaled(at, change.scales), change.turns)
    rotations = clip.pose.rotations.copy()
    given = clip.pose.translations
    assert given is not None
    translations = given.copy()
    for joint in carriers(clip, limbs):
        translations[:, joint] += in_parent(skeleton, placed, joint, change.shift).T
    apart: list[tuple[int, Floats, Floats]] = []
    for n, limb in enumerate(limbs):
        for joint, turn in ((limb.start, change.turns.start), (limb.mid, change.turns.mid)):
            _set(rotations, joint, multiply(placed.local[joint], turn[:, n]))
        for joint in _below(skeleton, limb.start, limb.end):
            translations[:, joint] *= change.scales[n][:, None]
        foot_turn = change.foot_turn[:, n]
        foot = multiply(foot_turn, placed.rotations[limb.end])
        parent = skeleton.parents[limb.end]
        if limb.mid in skeleton.path(limb.end):
            arc = multiply(posed.mid_rotation[:, n], inverse(at.mid_rotation[:, n]))
            above = multiply(arc, placed.rotations[parent])
            _set(rotations, limb.end, multiply(inverse(above), foot))
        else:
            apart.append((limb.end, posed.end[:, n] + change.shift, foot))
        if limb.toe is None:
            continue
        toe = multiply(change.toe_turn[:, n], placed.rotations[limb.toe])
        if limb.end in skeleton.path(limb.toe):
            above = multiply(foot_turn, placed.rotations[skeleton.parents[limb.toe]])
            _set(rotations, limb.toe, multiply(inverse(above), toe))
        else:
            away = placed.positions[limb.toe] - placed.positions[limb.end]
            position = posed.end[:, n] + change.shift + rotate(foot_turn, away)
            apart.append((limb.toe, position, toe))
    made = clip.with_pose(LocalPose(rotations, translations))
    for joint, position, rotation in apart:
        made = placed_in_world(made, joint, position, rotation)
    return made


def needed(clip: Clip, limbs: Sequence[Limb], placed: Chains) -> Chains:
    """Return the positions and rotations that `write` uses, as copies: the others can be freed.

    Of long clips they are most of the memory, since chains begin at the root.
    """
    parents = clip.skeleton.parents
    feet = {joint for limb in limbs for joint in (limb.end, limb.toe) if joint is not None}
    turned = feet | {parents[joint] for joint in feet}
    turned |= {parents[joint] for joint in carriers(clip, limbs)}
    bent = {joint for limb in limbs for joint in (limb.start, limb.mid)}
    return Chains(
        {joint: placed.positions[joint].copy() for joint in feet},
        {joint: placed.rotations[joint].copy() for joint in turned if joint >= 0},
        {joint: placed.local[joint].copy() for joint in bent},
    )


def _set(rotations: Floats, joint: int, quaternions: Floats) -> None:
    """Replace rotations of a joint, (T, J, 4), where they differ by more than rounding."""
    new, old = quaternions.T, rotations[:, joint]
    size = np.sqrt((old * old).sum(1, keepdims=True))
    old = old / np.where(size > 0.0, size, 1.0)
    dot = (new * old).sum(1, keepdims=True)
    new = np.where(dot < 0.0, -new, new)  # the nearer of two equal rotations
    changed = np.abs(new - old).max(1, keepdims=True) > 1e-14
    rotations[:, joint] = np.where(changed, new, rotations[:, joint])


def _below(skeleton: Skeleton, start: int, end: int) -> list[int]:
    """Return the joints after one down to another that hangs from it, else none."""
    path = skeleton.path(end)
    return path[path.index(start) + 1 :] if start in path else []


def carriers(clip: Clip, limbs: Sequence[Limb]) -> list[int]:
    """Return the joints to move so that the body moves: one, if the skeleton is one tree.

    It is the last joint above all limbs that carries most of the skeleton and already moves in the
    clip; if none moves, the first one.
    """
    skeleton = clip.skeleton
    paths = [skeleton.path(limb.start) for limb in limbs]
    shared = [joints[0] for joints in zip(*paths, strict=False) if len(set(joints)) == 1]
    if not shared:
        return sorted({path[0] for path in paths})
    given = clip.pose.translations
    assert given is not None
    for joint in reversed(shared):
        most = len(skeleton.below(joint)) > MOST * len(skeleton.parents)
        if most and np.ptp(given[:, joint], axis=0).any():
            return [joint]
    return [shared[0]]


def in_parent(skeleton: Skeleton, placed: Chains, joint: int, vector: Floats) -> Floats:
    """Return a vector of the world (3, T) in the space of a joint's parent."""
    parent = skeleton.parents[joint]
    if parent >= 0:
        vector = rotate(inverse(placed.rotations[parent]), vector)
    return vector if skeleton.parent_scales is None else vector / skeleton.parent_scales[joint]


def placed_in_world(clip: Clip, joint: int, position: Floats, rotation: Floats) -> Clip:
    """Return a clip with a joint at positions (3, T) and rotations (4, T) of the world.

    For feet that do not hang from the shin, so that its rotation does not move them.
    """
    skeleton = clip.skeleton
    parent = skeleton.parents[joint]
    rotations, given = clip.pose.rotations.copy(), clip.pose.translations
    assert given is not None
    translations = given.copy()
    placed = chains.forward(clip, [joint])
    moved = in_parent(skeleton, placed, joint, position - placed.positions[joint])
    still = np.abs(moved).max(0) <= 1e-14 * np.abs(translations[:, joint].T).max(0)
    translations[:, joint] += np.where(still, 0.0, moved).T
    if parent >= 0:
        rotation = multiply(inverse(placed.rotations[parent]), rotation)
    _set(rotations, joint, rotation)
    return clip.with_pose(LocalPose(rotations, translations))
