"""Validation of a limb's definition, and what its rest pose determines."""

import math

import numpy as np

from twobone.core import arrays, vectors
from twobone.core.arrays import FLOATS
from twobone.core.formula import dot
from twobone.core.policies import Limits
from twobone.errors import PolicyError, PoseError, ShapeError
from twobone.pose import tree
from twobone.pose.placing import Plan, Rest
from twobone.rotations import quaternions

# Sine of the angle between the bones below which a rest pose counts as straight: a straight leg
# whose offsets a file rounds to hundredths is bent by about 1e-4, in an arbitrary direction.
STRAIGHT = 1e-3


def joint_of(skeleton, name, joint):
    """Return the index of a joint; in errors, `name` is the argument that gave it."""
    try:
        return skeleton.index(joint)
    except PoseError as error:
        raise PoseError(name, error.wanted, error.came) from None


def limits_of(limits):
    """Return the limits of the joint angle as a policy; None if they allow every angle."""
    wanted = "be the minimum and maximum joint angle in degrees, from 0 to 180"
    try:
        least, greatest = limits
        found = Limits(least, greatest)
    except (PolicyError, TypeError, ValueError) as error:
        raise PoseError("limits", wanted, repr(limits)) from error
    if found.per_row:  # those of a limb are the same in all poses
        raise PoseError("limits", wanted, repr(limits))
    return None if (found.least_degrees, found.greatest_degrees) == (0.0, 180.0) else found


def twist_of(skeleton, mid, end, twist):
    """Return the twist joints as a dictionary from index to fraction."""
    if not isinstance(twist, dict):
        raise PoseError("twist", "be a dictionary, {joint: fraction}", repr(twist))
    fractions, labels = {}, {}
    for name, fraction in twist.items():
        joint = joint_of(skeleton, "twist", name)
        if joint in labels:
            raise PoseError("twist", "name each joint once", f"{labels[joint]!r} and {name!r}")
        labels[joint] = name
        if skeleton.parents[joint] != mid:
            raise PoseError("twist", f"name children of {skeleton.described(mid)}", repr(name))
        fractions[joint] = arrays.to_float("twist", fraction)
        if not math.isfinite(fractions[joint]):
            came = f"{fractions[joint]} for {skeleton.described(joint)}"
            raise PoseError("twist", "have finite fractions", came)
        if joint == end:
            raise PoseError("twist", "not name the end, whose twist it distributes", repr(name))
        if joint in skeleton.path(end):
            # Rotating it about the bone must not move the end.
            bone, offset = (
                floats(skeleton.rest.positions[j] - skeleton.rest.positions[mid])
                for j in (end, joint)
            )
            most = STRAIGHT * vectors.length(FLOATS, bone) * vectors.length(FLOATS, bone)
            if vectors.length(FLOATS, vectors.cross(bone, offset)) > most:
                wanted = "name joints on the line from mid to end if the end descends from them"
                raise PoseError("twist", wanted, repr(name))
    return fractions


def plan_of(skeleton, limb):
    """Return where the joints of a limb are among the joints that it uses."""
    places = {joint: place for place, joint in enumerate(limb.used)}
    return Plan(
        tuple(places.get(skeleton.parents[joint], -1) for joint in limb.used),
        places[limb.start],
        places[limb.mid],
        places[limb.end],
        tuple((places[joint], fraction) for joint, fraction in limb.twist.items()),
        skeleton.parent_scales and tuple(skeleton.parent_scales[joint] for joint in limb.used),
    )


def mid_axis_of(skeleton, limb, mid_axis, bend_towards):
    """Return the hinge axis in the space of mid, given or taken from the rest pose."""
    if mid_axis is not None and bend_towards is not None:
        raise PoseError("bend_towards", "be left out when `mid_axis` is given", "both")
    if mid_axis is not None:
        axis = vector("mid_axis", mid_axis)
        if not 0.996 < dot(axis, axis) < 1.004:
            raise PoseError("mid_axis", "have length 1", f"{math.sqrt(dot(axis, axis)):g}")
        return vectors.unit(FLOATS, axis)
    root, joint, end = (
        floats(skeleton.rest.positions[j]) for j in (limb.start, limb.mid, limb.end)
    )
    first, second = vectors.minus(joint, root), vectors.minus(end, joint)
    if bend_towards is None:
        axis = vectors.cross(second, first)
        if is_parallel(axis, first, second):
            raise undefined_axis(first, second)
    else:
        towards, line = direction("bend_towards", bend_towards), vectors.minus(end, root)
        axis = vectors.cross(line, towards)
        if is_short(line, first, second):
            raise undefined_axis(first, second, "`bend_towards`")
        if is_parallel(axis, line, towards):
            wanted = "not be parallel to the line from start to end in the rest pose"
            raise PoseError("bend_towards", wanted, str(list(vector("bend_towards", bend_towards))))
    back = quaternions.conjugate(floats(skeleton.rest.rotations[limb.mid]))
    return vectors.unit(FLOATS, quaternions.rotate(back, axis))


def is_parallel(product, first, second):
    """Return whether two vectors with the given cross product are parallel, or one has length 0."""
    most = vectors.length(FLOATS, first) * vectors.length(FLOATS, second)
    return vectors.length(FLOATS, product) <= STRAIGHT * most


def is_short(line, first, second):
    """Return whether the line from start to end is too short, for such bones, to be a direction."""
    most = vectors.length(FLOATS, first) + vectors.length(FLOATS, second)
    return vectors.length(FLOATS, line) <= STRAIGHT * most


def undefined_axis(first, second, came="nothing"):
    """Return the error for a rest pose that does not determine the hinge axis, given the bones."""
    name, rest = "mid_axis", "in its rest pose"
    if vectors.length(FLOATS, first) + vectors.length(FLOATS, second) == 0.0:
        wanted = f"be given for a limb whose bones have length 0 {rest}"
    elif is_short(vectors.plus(first, second), first, second):
        wanted = f"be given for a limb whose end is at its start {rest}"
    else:
        name, came = "mid_axis or bend_towards", "neither"
        shape = "folded" if dot(first, second) < 0.0 else "straight"
        wanted = f"be given for a limb that is {shape} {rest}"
    return PoseError(name, wanted, came)


def rest_of(skeleton, limb, mid_axis):
    """Return what the solver needs to know of a limb's rest pose."""
    root, joint, end = (
        floats(skeleton.rest.positions[j]) for j in (limb.start, limb.mid, limb.end)
    )
    world_rotations = [floats(q) for q in skeleton.rest.rotations]
    parent = skeleton.parents[limb.start]
    parent_rotation = quaternions.identity(0.0) if parent < 0 else world_rotations[parent]
    direction = vectors.minus(end, root)
    if vectors.length(FLOATS, direction) == 0.0:
        direction = vectors.minus(joint, root)
    direction = vectors.unit(FLOATS, direction)
    axis = quaternions.rotate(world_rotations[limb.mid], mid_axis)
    bones = vectors.minus(joint, root), vectors.minus(end, joint)
    reach = sum(vectors.length(FLOATS, bone) for bone in bones)
    if reach > 0.0 and all(
        vectors.length(FLOATS, vectors.cross(axis, bone)) <= STRAIGHT * vectors.length(FLOATS, bone)
        for bone in bones
    ):
        raise PoseError("mid_axis", "not point along the limb", str(list(mid_axis)))
    normal = vectors.unit(FLOATS, vectors.square_to(axis, direction))
    into_parent, into_mid = (
        quaternions.conjugate(parent_rotation),
        quaternions.conjugate(world_rotations[limb.mid]),
    )
    return Rest(
        mid_axis=mid_axis,
        direction=quaternions.rotate(into_parent, direction),
        normal=quaternions.rotate(into_parent, normal),
        reach=reach or 1.0,
        bone=vectors.unit(FLOATS, quaternions.rotate(into_mid, vectors.minus(end, joint))),
        end_rotation=quaternions.multiply(into_mid, world_rotations[limb.end]),
        twist_rotations=tuple(floats(skeleton.rotations[j]) for j in limb.twist),
    )


def floats(array):
    """Return an array as a tuple of Python floats."""
    return tuple(array.tolist())


def vector(name, value):
    """Return an argument as three finite Python floats."""
    array = tree.constants(name, value)
    if array.shape != (3,):
        raise ShapeError(name, "have shape (3,)", array.shape)
    if not np.all(np.isfinite(array)):
        raise PoseError(name, "be finite", "NaN or infinity")
    return floats(array)


def direction(name, value):
    """Return an argument as a vector of length about 1, in the same direction."""
    found = vector(name, value)
    largest = max(map(abs, found))
    if largest == 0.0:
        raise PoseError(name, "not have length 0", str(list(found)))
    # Scaling by a power of two is exact, and then no square overflows or underflows.
    return tuple(math.ldexp(part, -math.frexp(largest)[1]) for part in found)
