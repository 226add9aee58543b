"""What is said of a limb once: its joints, its hinge, and what the rest pose tells of them."""

import math

import numpy as np

from twobone.core import arrays, vectors
from twobone.core.arrays import FLOATS
from twobone.core.formula import dot
from twobone.core.policies import Limits
from twobone.errors import PolicyError, PoseError, ShapeError
from twobone.pose.reaching import Plan, Rest
from twobone.rotations import quaternions

# Sine of the angle between bones below which a rest pose does not say how it bends: files have
# few digits, and a straight leg rounded to hundredths is bent by some 1e-4.
STRAIGHT = 1e-3


def limits_of(limits):
    try:
        least, greatest = limits
        found = Limits(least, greatest)
    except (PolicyError, TypeError, ValueError) as error:
        wanted = "be least and greatest opening in degrees, from 0 to 180"
        raise PoseError("limits", wanted, repr(limits)) from error
    return None if (found.least_degrees, found.greatest_degrees) == (0.0, 180.0) else found


def shares_of(skeleton, mid, end, twist):
    if not isinstance(twist, dict):
        raise PoseError("twist", "be a dictionary, {joint: share}", repr(twist))
    shares = {}
    for name, share in twist.items():
        joint = skeleton.index(name)
        if skeleton.parents[joint] != mid:
            raise PoseError("twist", f"name joints that hang from joint {mid}", repr(name))
        shares[joint] = arrays.to_float("twist", share)
        if not math.isfinite(shares[joint]):
            raise PoseError("twist", "share with finite numbers", repr(share))
        if joint == end:
            raise PoseError("twist", "name joints beside the end, whose turn is shared", repr(name))
        if joint in skeleton.path(end):
            # Turning it about the bone must leave the end where it is.
            bone, aside = (
                floats(skeleton.rest.positions[j] - skeleton.rest.positions[mid])
                for j in (end, joint)
            )
            most = STRAIGHT * vectors.length(FLOATS, bone) * vectors.length(FLOATS, bone)
            if vectors.length(FLOATS, vectors.cross(bone, aside)) > most:
                wanted = "name joints on the line from mid to end, where the end hangs from them"
                raise PoseError("twist", wanted, repr(name))
    return shares


def plan_of(skeleton, limb):
    places = {joint: place for place, joint in enumerate(limb.used)}
    return Plan(
        tuple(places.get(skeleton.parents[joint], -1) for joint in limb.used),
        places[limb.start],
        places[limb.mid],
        places[limb.end],
        tuple((places[joint], share) for joint, share in limb.twist.items()),
    )


def mid_axis_of(skeleton, limb, mid_axis, bend_towards):
    """Return the hinge's axis in the space of mid."""
    if mid_axis is not None and bend_towards is not None:
        raise PoseError("bend_towards", "be left out where there is a `mid_axis`", "both")
    if mid_axis is not None:
        axis = vector("mid_axis", mid_axis)
        if not 0.996 < dot(axis, axis) < 1.004:
            raise PoseError("mid_axis", "have length 1", f"{math.sqrt(dot(axis, axis)):g}")
        return vectors.unit(FLOATS, axis)
    root, joint, end = (
        floats(skeleton.rest.positions[j]) for j in (limb.start, limb.mid, limb.end)
    )
    first, second = vectors.minus(joint, root), vectors.minus(end, joint)
    if bend_towards is not None:
        first, second = vector("bend_towards", bend_towards), vectors.minus(end, root)
    axis = vectors.cross(second, first)
    most = vectors.length(FLOATS, first) * vectors.length(FLOATS, second)
    if vectors.length(FLOATS, axis) <= STRAIGHT * most:
        if bend_towards is not None:
            wanted = "point away from the line of the limb at rest"
            raise PoseError("bend_towards", wanted, str([float(part) for part in first]))
        wanted = "say which way a limb bends that is straight at rest"
        raise PoseError("mid_axis or bend_towards", wanted, "neither")
    back = quaternions.conjugate(floats(skeleton.rest.rotations[limb.mid]))
    return vectors.unit(FLOATS, quaternions.rotate(back, axis))


def rest_of(skeleton, limb, mid_axis):
    """Return what the rest pose says of a limb."""
    root, joint, end = (
        floats(skeleton.rest.positions[j]) for j in (limb.start, limb.mid, limb.end)
    )
    turned = [floats(q) for q in skeleton.rest.rotations]
    parent = skeleton.parents[limb.start]
    above = quaternions.identity(0.0) if parent < 0 else turned[parent]
    way = vectors.minus(end, root)
    if vectors.length(FLOATS, way) == 0.0:
        way = vectors.minus(joint, root)
    way = vectors.unit(FLOATS, way)
    axis = quaternions.rotate(turned[limb.mid], mid_axis)
    bones = vectors.minus(joint, root), vectors.minus(end, joint)
    if sum(vectors.length(FLOATS, bone) for bone in bones) > 0.0 and all(
        vectors.length(FLOATS, vectors.cross(axis, bone)) <= STRAIGHT * vectors.length(FLOATS, bone)
        for bone in bones
    ):
        raise PoseError("mid_axis", "point away from the line of the limb", str(list(mid_axis)))
    normal = vectors.unit(FLOATS, vectors.square_to(axis, way))
    into_above, into_mid = quaternions.conjugate(above), quaternions.conjugate(turned[limb.mid])
    return Rest(
        mid_axis=mid_axis,
        way=quaternions.rotate(into_above, way),
        normal=quaternions.rotate(into_above, normal),
        bone=vectors.unit(FLOATS, quaternions.rotate(into_mid, vectors.minus(end, joint))),
        turn=quaternions.multiply(into_mid, turned[limb.end]),
        twist=tuple(floats(skeleton.rotations[j]) for j in limb.twist),
    )


def floats(array):
    return tuple(array.tolist())


def vector(name, value):
    array = np.asarray(arrays.as_array(arrays.NUMPY, name, value), np.float64)
    if array.shape != (3,):
        raise ShapeError(name, "have shape (3,)", array.shape)
    if not np.all(np.isfinite(array)):
        raise PoseError(name, "be finite", "NaN or infinity")
    return floats(array)
