"""The formula of `Limb.reach` for one pose: from pose and target to the limb's new rotations.

The steps are those of `reach`: describe where the pose puts the limb and where its end must go,
choose the plane to bend in, solve for the two rotations that bend it, and apply them to the
joints. Written in the portable subset of `quaternions.py`; vectors are in world space.
"""

from typing import Any, NamedTuple

from twobone.core import vectors
from twobone.core.exact import Array
from twobone.core.formula import dot
from twobone.pose import bending
from twobone.pose.ends import renormalize, rotate_end
from twobone.pose.normalizing import unit_rotation, where_valid
from twobone.pose.placing import (
    Definition,
    PlacedLimb,
    forward_kinematics,
    in_world_units,
    place_limb,
)
from twobone.rotations import quaternions


class ReachOptions(NamedTuple):
    """Options of `Limb.reach` that are settings, not arrays."""

    bend: str
    end_is_local: bool  # the end keeps its local rotation
    fade: float  # sine of `fade_degrees`
    solve: Any = None  # solves the triangle in the plane with the policy; see `rotate_limb`
    softness: Array = None


class Weights(NamedTuple):
    """The weights of `Limb.reach`."""

    position: Array
    rotation: Array
    pole: Array


class Inputs(NamedTuple):
    """The arguments of `Limb.reach` for one pose."""

    rotations: tuple
    translations: tuple
    target: tuple
    weights: Weights
    pole: tuple | None = None
    pole_point: tuple | None = None
    end_rotation: tuple | None = None
    transported: tuple | None = None  # parallel transport: normal of the plane, state after it


class Described(NamedTuple):
    """Where a pose puts a limb, and where the limb must go."""

    placed: PlacedLimb
    goal: tuple  # where the end must go, from the root
    direction: tuple  # unit vector from the root to the goal
    pole: tuple | None  # direction towards which the limb bends
    axis: tuple  # unit vector of the hinge
    valid: Array  # bool: the goal is valid
    weights: Weights  # those of rotation and pole clamped to 0 and 1


class Plane(NamedTuple):
    """The plane to bend in, where the pole does not decide."""

    normal: tuple  # unit vector
    direction_at_root: tuple | None  # the direction of the limb for a target at the root


class Reached(NamedTuple):
    """The result of `reach`."""

    rotations: list  # local rotations of start, mid, end and the twist joints
    valid: Array  # bool: all of them are rotations
    found: bending.Solution
    transported: tuple  # normal, target direction and pole, for the next frame
    placed: PlacedLimb  # the limb in the given pose


def inputs_of(plan, parts):
    """Return the arguments of one pose from a dictionary by name."""
    weights = Weights(*(parts[f"{name}_weight"] for name in Weights._fields))
    return Inputs(
        parts["rotations"],
        in_world_units(plan.scales, parts["translations"]),
        parts["target"],
        weights,
        parts.get("pole"),
        parts.get("pole_point"),
        parts.get("end_rotation"),
        (parts["normal"], parts["transported"]) if "normal" in parts else None,
    )


def reach(xp, t, limb: Definition, options: ReachOptions, inputs: Inputs):
    """Return the new rotations of a limb's joints, as a `Reached`.

    Joints that are not rotated keep their rotations bit for bit. `inputs.transported` comes from
    parallel transport; like the state for the next frame it is in the space of the parent of
    start.
    """
    described = describe(xp, t, limb, inputs)
    plane = choose_plane(xp, limb, described, inputs.transported)
    found = solve(xp, t, options, described, plane)
    rotations, valid = apply(xp, t, limb, options, inputs, (described, found))
    if inputs.transported is None:
        state = state_for_next_frame(xp, described, found)
    else:
        state = inputs.transported[1]
    found = found._replace(sine=where_valid(xp, described.valid, found.sine))
    return Reached(rotations, valid, found, state, described.placed)


# --- describe -----------------------------------------------------------------------------


def describe(xp, t, limb, inputs):
    """Return where a pose puts the limb, and where the limb must go."""
    placed = place_limb(xp, t, limb.plan, inputs.rotations, inputs.translations)
    weights = inputs.weights
    goal = weighted_target(xp, placed, inputs.target, weights.position)
    axis = quaternions.rotate(placed.world_rotations[limb.plan.mid], limb.rest.mid_axis)
    return Described(
        placed,
        goal,
        direction_to(xp, limb.rest, placed, goal),
        pole_direction(placed, inputs.pole, inputs.pole_point),
        vectors.unit(xp, axis),
        is_goal_valid(placed, weights.position),
        Weights(
            weights.position, clamp_weight(xp, weights.rotation), clamp_weight(xp, weights.pole)
        ),
    )


def weighted_target(xp, placed, target, weight):
    """Return the goal: the target blended with the end's position by `weight`, from the root."""
    goal = vectors.minus(target, placed.root)
    weight = clamp_weight(xp, weight)
    part = vectors.plus(placed.end, vectors.times(weight, vectors.minus(goal, placed.end)))
    if xp.differentiates:  # at a weight of exactly 1 too, the derivative is that of the blend
        goal = tuple(vectors.with_slope(xp, a, b) for a, b in zip(goal, part, strict=True))
    return vectors.choose(xp, weight >= 1.0, goal, part)


def is_goal_valid(placed, weight):
    """Return whether the goal is valid.

    It depends on the position of the root and, unless the weight is 1, on that of the end.
    """
    return placed.valid.root & (placed.valid.end | (weight >= 1.0))


def clamp_weight(xp, weight):
    """Clamp a weight to 0 and 1; NaN stays NaN."""
    return xp.where(weight > 1.0, 1.0, xp.where(weight < 0.0, 0.0, weight))


def pole_direction(placed, pole, pole_point):
    """Return the pole as a direction from the root; None if there is none."""
    return pole if pole_point is None else vectors.minus(pole_point, placed.root)


def direction_to(xp, rest, placed, goal):
    """Return the unit vector from the root to the goal; at the root, that of the rest pose."""
    distance = vectors.length(xp, goal)
    at_rest = quaternions.rotate(placed.parent_rotation, rest.direction)
    direction = vectors.times(1.0 / vectors.positive(xp, distance), goal)
    return vectors.choose(xp, distance == 0.0, at_rest, direction)


# --- choose the plane ---------------------------------------------------------------------


def choose_plane(xp, limb, described, transported):
    """Return the plane of the rest pose or, after parallel transport, the transported one."""
    if transported is None:
        return Plane(rest_normal(xp, limb.rest, described.placed, described.direction), None)
    normal, (_, direction, _) = transported
    above = described.placed.parent_rotation
    return Plane(quaternions.rotate(above, normal), quaternions.rotate(above, direction))


def rest_normal(xp, rest, placed, direction):
    """Return the normal of the rest pose's plane, rotated to the goal by the shortest arc."""
    at_rest, normal = (
        quaternions.rotate(placed.parent_rotation, v) for v in (rest.direction, rest.normal)
    )
    knee = vectors.cross(normal, at_rest)
    return quaternions.rotate(
        quaternions.shortest_arc_of_units(xp, at_rest, direction, knee), normal
    )


def transport_inputs(xp, t, limb, options, inputs):
    """Return a frame's inputs for parallel transport: normal, direction, pole, weight, distance.

    Vectors are in the space of the parent of start, so that the plane rotates with the character.
    """
    described = describe(xp, t, limb, inputs)
    placed, direction = described.placed, described.direction
    normal = rest_normal(xp, limb.rest, placed, direction)
    if described.pole is None:
        pole, weight = direction, inputs.weights.pole * 0.0
    else:
        pole, weight = vectors.unit(xp, described.pole), described.weights.pole
        normal, _ = bending.bending_normal(
            xp, direction, pole, normal, bending.BendOptions(options.fade, weight)
        )
    back = quaternions.conjugate(placed.parent_rotation)
    normal, direction, pole = (
        quaternions.rotate(back, v) for v in (vectors.unit(xp, normal), direction, pole)
    )
    weight = where_valid(xp, described.valid, weight)
    return normal, direction, pole, weight, vectors.length(xp, described.goal)


def state_for_next_frame(xp, described, found):
    """Return the state of parallel transport after a frame: normal, target direction and pole."""
    direction, pole = described.direction, described.pole
    hinge_normal = vectors.square_to(quaternions.rotate(found.start, described.axis), direction)
    state = (
        vectors.unit(xp, hinge_normal),
        direction,
        direction if pole is None else vectors.unit(xp, pole),
    )
    back = quaternions.conjugate(described.placed.parent_rotation)
    state = tuple(quaternions.rotate(back, v) for v in state)
    return where_valid(xp, described.placed.valid.end, state)


# --- solve --------------------------------------------------------------------------------


def solve(xp, t, options, described, plane):
    """Return the rotations that bring the end to the goal, as a `bending.Solution`."""
    placed, pole = described.placed, described.pole
    task = bending.Task(
        placed.joint,
        placed.end,
        described.goal,
        described.axis,
        pole if options.bend == "pole" else None,
        plane.normal,
        direction_at_root=plane.direction_at_root,
    )
    bend_options = bending.BendOptions(
        options.fade, described.weights.pole, softness=options.softness
    )
    found = bending.rotate_limb(xp, t, options.solve, task, bend_options)
    if pole is not None and options.bend != "pole":
        found = found._replace(sine=bending.sine_between(xp, described.goal, pole))
    return found


# --- apply --------------------------------------------------------------------------------


def apply(xp, t, limb, options, inputs, answer):
    """Return the new local rotations of start, mid, end and the twist joints.

    Return also whether all of them are rotations. `answer` is what `describe` and `solve` returned.
    """
    (plan, rest), (described, found) = limb, answer
    placed, weights = described.placed, described.weights
    start, mid = rotated_start_and_mid(xp, limb, placed, found)
    mid_in_world = quaternions.multiply(found.start, placed.world_rotations[plan.mid])
    mid_in_world = quaternions.multiply(
        mid_in_world, bending.rotation_about(rest.mid_axis, found.mid)
    )
    wanted, wanted_valid = placed.world_rotations[plan.end], placed.valid.rotations[plan.end]
    if inputs.end_rotation is not None:
        wanted, is_rotation = unit_rotation(xp, t, inputs.end_rotation)
        wanted_valid = wanted_valid & is_rotation
    pose = placed.local_rotations, inputs.translations
    wanted = wanted, weights.rotation
    end, twist = rotate_end(xp, limb, options.end_is_local, pose, mid_in_world, wanted)
    still = (weights.position <= 0.0) & (weights.pole <= 0.0)
    all_still = still & (weights.rotation <= 0.0)
    joints = [plan.start, plan.mid, plan.end, *(joint for joint, _ in plan.twist)]
    keep = [still, still, *[all_still] * (1 + len(twist))]
    new, given = [], []
    for joint, keep_this, q in zip(joints, keep, (start, mid, end, *twist), strict=True):
        new.append(vectors.choose(xp, keep_this, placed.local_rotations[joint], q))
        given.append(vectors.choose(xp, keep_this, inputs.rotations[joint], q))
    if options.end_is_local and not plan.twist:
        given[2] = inputs.rotations[plan.end]
    return given, wanted_valid & are_rotations(new)


def are_rotations(rotations):
    """Return whether all quaternions have length 1: none is 0 or NaN."""
    valid, *others = (dot(q, q) > 0.5 for q in rotations)
    for each in others:
        valid = valid & each
    return valid


def rotated_start_and_mid(xp, limb, placed, found):
    """Return the new local rotations of start and mid."""
    plan, rest = limb
    start = quaternions.multiply(found.start, placed.world_rotations[plan.start])
    start = quaternions.multiply(quaternions.conjugate(placed.parent_rotation), start)
    mid = quaternions.multiply(
        placed.local_rotations[plan.mid], bending.rotation_about(rest.mid_axis, found.mid)
    )
    return renormalize(xp, start), renormalize(xp, mid)


def stretched_translations(xp, limb, reached, still, translations):
    """Return the translations of the joints from below start to the end, with stretched bones.

    Only the component perpendicular to the hinge axis is stretched: no stretching can change the
    end's coordinate along the axis. Where `still` is true the translations stay as they are.
    """
    (plan, rest), placed = limb, reached.placed
    given, translations = translations, in_world_units(limb.plan.scales, translations)
    # Twist joints above the end have new rotations.
    new = dict(zip((joint for joint, _ in plan.twist), reached.rotations[3:], strict=True))
    rotations = tuple(new.get(joint, q) for joint, q in enumerate(placed.local_rotations))
    world_rotations = forward_kinematics(plan.parents, rotations, translations)[1]
    axis = quaternions.rotate(world_rotations[plan.mid], rest.mid_axis)
    first, second = bending.stretch_factors(xp, reached.found)
    moved = []
    for joint in range(plan.start + 1, plan.end + 1):
        local_axis = quaternions.rotate(
            quaternions.conjugate(world_rotations[plan.parents[joint]]), axis
        )
        growth = (first if joint <= plan.mid else second) - 1.0
        offset = translations[joint]
        stretched = vectors.plus(
            offset, vectors.times(growth, vectors.square_to(offset, local_axis))
        )
        stretched = where_valid(xp, placed.valid.end, stretched)
        if plan.scales is not None:
            stretched = vectors.times(1.0 / plan.scales[joint], stretched)
        moved.append(vectors.choose(xp, still, given[joint], stretched))
    return moved


# --- the way back -------------------------------------------------------------------------


def controls(xp, t, limb, *, rotations, translations):
    """Return the target, the pole and the end rotation that reproduce a limb's present pose."""
    plan, rest = limb
    translations = in_world_units(plan.scales, translations)
    placed = place_limb(xp, t, plan, rotations, translations)
    direction = direction_to(xp, rest, placed, placed.end)
    axis = quaternions.rotate(placed.world_rotations[plan.mid], rest.mid_axis)
    normal = vectors.unit(xp, vectors.square_to(axis, direction))
    handles = vectors.plus(placed.root, placed.end), vectors.cross(normal, direction)
    end = where_valid(xp, placed.valid.rotations[plan.end], placed.world_rotations[plan.end])
    return *where_valid(xp, placed.valid.end, handles), end
