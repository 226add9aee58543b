"""Placement: forward kinematics, and where a pose puts a limb in the world.

Written in the portable subset of `quaternions.py`, like all modules that solve limbs. A pose is a
tuple of rotations and one of translations. Both hold only the joints that matter: those from the
top of the skeleton down to the end, then the other twist joints.
"""

from typing import NamedTuple

from twobone.core import vectors
from twobone.core.exact import Array
from twobone.pose.normalizing import unit_rotations, valid_in_world
from twobone.rotations import quaternions


class Plan(NamedTuple):
    """The joints of a limb, as indices into the tuples that hold a pose."""

    parents: tuple
    start: int
    mid: int
    end: int
    twist: tuple  # pairs of joint and fraction
    scales: tuple | None = None  # of each joint's parent space, None if all are 1


class Rest(NamedTuple):
    """What the rest pose determines, in Python floats."""

    mid_axis: tuple  # in the space of mid
    direction: tuple  # unit vector from start to end, in the space of the parent of start
    normal: tuple  # unit normal of the bending plane, in the same space
    reach: float  # sum of the lengths of both bones; 1 if they have none
    bone: tuple  # unit vector from mid to end, in the space of mid
    end_rotation: tuple  # rotation of the end, in the space of mid
    twist_rotations: tuple  # rotations of the twist joints, in the space of mid


class Definition(NamedTuple):
    """A limb, independent of its pose."""

    plan: Plan
    rest: Rest


class Validity(NamedTuple):
    """Which parts of a placed limb are valid: arrays of bool."""

    rotations: list  # the world rotations of all joints that matter
    root: Array  # the position of the root
    end: Array  # the position of the end


class PlacedLimb(NamedTuple):
    """A limb as a pose puts it in the world."""

    joint: tuple  # position of mid, from the root
    end: tuple  # position of the end, from the root
    root: tuple  # position of start
    parent_rotation: tuple  # world rotation of the parent of start
    world_rotations: list  # of all joints that matter
    local_rotations: tuple  # the same relative to their parents; unit quaternions
    valid: Validity


def place_limb(xp, t, plan, rotations, translations):
    """Return where a pose puts the limb in the world."""
    rotations, valid = unit_rotations(xp, t, rotations)
    valid = valid_in_world(plan.parents, valid)
    positions, world_rotations = forward_kinematics(plan.parents, rotations, translations)
    root, parent = positions[plan.start], plan.parents[plan.start]
    return PlacedLimb(
        vectors.minus(positions[plan.mid], root),
        vectors.minus(positions[plan.end], root),
        root,
        quaternions.identity(root[0]) if parent < 0 else world_rotations[parent],
        world_rotations,
        rotations,
        Validity(valid, True if parent < 0 else valid[parent], valid[plan.parents[plan.end]]),
    )


def forward_kinematics(parents, rotations, translations, order=None):
    """Return the world positions and rotations of all joints, as two lists.

    `order` lists the joints, parents first; by default they are in that order.
    """
    positions, world_rotations = list(translations), list(rotations)
    for joint in order or range(len(parents)):
        parent = parents[joint]
        if parent >= 0:
            rotation = world_rotations[parent]
            positions[joint] = vectors.plus(
                positions[parent], quaternions.rotate(rotation, translations[joint])
            )
            world_rotations[joint] = quaternions.multiply(rotation, rotations[joint])
    return positions, world_rotations


def in_world_units(scales, translations):
    """Return translations in the units of the world; `scales` is None if they are already."""
    if scales is None:
        return translations
    return tuple(vectors.times(s, v) for s, v in zip(scales, translations, strict=True))
