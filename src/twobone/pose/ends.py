"""Ends: the new rotations of a limb's end and of its twist joints.

Written in the portable subset of `quaternions.py`.
"""

from twobone.core import vectors
from twobone.core.formula import dot
from twobone.pose import bending
from twobone.rotations import angles, quaternions


def rotate_end(xp, limb, pose, mid, wanted, twist_weight):
    """Return the new local rotations of the end and of the twist joints.

    `mid` is the new world rotation of mid, `wanted` that of the end; with None, the end keeps its
    local rotation. Twist joints go by `twist_weight` from the given pose to their fraction of the
    twist; None is 1.
    """
    plan, rotations = limb.plan, pose[0]
    between = joints_between(plan)
    end = wanted
    if end is None:
        end = mid
        for joint in [*between, plan.end]:
            end = quaternions.multiply(end, rotations[joint])
    twist = rotate_twist_joints(xp, limb, pose, mid, end)
    if twist_weight is not None:
        given = [rotations[joint] for joint, _ in plan.twist]
        twist = [blend(xp, *pair, twist_weight) for pair in zip(given, twist, strict=True)]
    if wanted is None and not plan.twist:
        return rotations[plan.end], twist
    new = dict(zip((joint for joint, _ in plan.twist), twist, strict=True))
    parent = mid
    for joint in between:
        parent = quaternions.multiply(parent, new.get(joint, rotations[joint]))
    local = renormalize(xp, quaternions.multiply(quaternions.conjugate(parent), end))
    return quaternions.nearer(xp, rotations[plan.end], local), twist


def blend(xp, given, new, weight):
    """Return a rotation between the given one (weight 0) and the new one (1); 0 stays 0."""
    part = quaternions.nlerp(xp, given, new, weight)
    part = vectors.choose(xp, quaternions.is_some(given), part, given)
    return bending.part_or_whole(xp, weight, quaternions.nearer(xp, new, part), new)


def joints_between(plan):
    """Return the joints between mid and the end, from the top down."""
    joints, joint = [], plan.parents[plan.end]
    while joint != plan.mid:
        joints.append(joint)
        joint = plan.parents[joint]
    return joints[::-1]


def rotate_twist_joints(xp, limb, pose, mid, end):
    """Return the new local rotations of the twist joints, given the world rotation of the end."""
    (plan, rest), between = limb, joints_between(limb.plan)
    relative_to_mid = quaternions.multiply(quaternions.conjugate(mid), end)
    change = quaternions.multiply(relative_to_mid, quaternions.conjugate(rest.end_rotation))
    twist = []
    for (joint, fraction), at_rest in zip(plan.twist, rest.twist_rotations, strict=True):
        part = angles.share_of_twist(xp, change, rest.bone, fraction)
        rotation = quaternions.multiply(part, at_rest)
        if joint in between:
            rotation = twist_above_end(xp, limb, pose, joint, rotation)
        twist.append(renormalize(xp, rotation))
    return twist


def twist_above_end(xp, limb, pose, joint, wanted):
    """Return the new local rotation of a twist joint that is an ancestor of the end.

    It rotates about the line from the joint to the end, in the present pose, so that the end stays
    in place, and gets the same twist about the bone as the rotation `wanted`.
    """
    (plan, rest), (rotations, translations) = limb, pose
    old, line, parent = rotations[joint], translations[plan.end], plan.parents[plan.end]
    while parent != joint:
        line = vectors.plus(translations[parent], quaternions.rotate(rotations[parent], line))
        parent = plan.parents[parent]
    at_end = vectors.length(xp, line) == 0.0
    bone = quaternions.rotate(quaternions.conjugate(old), rest.bone)
    axis = vectors.choose(xp, at_end, bone, vectors.unit(xp, line))
    # What remains of `wanted` must have no component along the bone: `a cos = b sin`.
    back = quaternions.conjugate(old)
    a = dot(quaternions.multiply(wanted, back)[:3], rest.bone)
    b = dot(quaternions.multiply(quaternions.multiply(wanted, (*axis, 0.0)), back)[:3], rest.bone)
    half = quaternions.half_of(xp, b * b - a * a, 2.0 * a * b)
    return quaternions.multiply(old, bending.rotation_about(axis, half))


def renormalize(xp, q):
    """Return a quaternion of length nearly 1, normalised; NaN stays NaN.

    The length of a product is off by the errors of all its factors. Feeding poses back frame by
    frame would let these errors grow.
    """
    square = dot(q, q)
    return vectors.times(1.0 / xp.sqrt(xp.where(square > 0.5, square, 1.0)), q)
