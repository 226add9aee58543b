"""The formula of `Limb.reach` for one pose: from pose and target to the limb's new rotations.

The steps are those of `reach`: describe where the pose puts the limb and where its end must go,
choose the plane to bend in, solve for the two rotations that bend it, and apply them to the
joints. Written in the portable subset of `quaternions.py`; vectors are in world space.
"""

from typing import Any, NamedTuple

from twobone.core import formula, vectors
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
    weights: Weights | None = None  # None: all are 1
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
    weights: Weights | None  # clamped to 0 and 1


class Plane(NamedTuple):
    """The plane to bend in."""

    normal: tuple  # unit vector, where the pole does not decide
    direction_at_root: tuple | None = None  # the direction of the limb for a target at the root
    weighted_normal: tuple | None = None  # that of the plane blended from the given pose
    rotation: tuple | None = None  # rotates the plane of the given pose to the blended one


class Reached(NamedTuple):
    """The result of `reach`."""

    rotations: list  # local rotations of start, mid, end and the twist joints
    valid: Array  # bool: all of them are rotations
    found: bending.Solution
    transported: tuple  # normal, target direction and pole, for the next frame
    placed: PlacedLimb  # the limb in the given pose
    still: Array | None  # bool: start and mid keep their rotations; None is nowhere


def inputs_of(plan, parts):
    """Return the arguments of one pose from a dictionary by name."""
    weights = None
    if "pole_weight" in parts:
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
    plane = choose_plane(xp, limb, options, described, inputs.transported)
    found = solve(xp, t, options, described, plane)
    rotations, valid = apply(xp, t, limb, options, inputs, (described, plane, found))
    if inputs.transported is None:
        state = state_for_next_frame(xp, described, found)
    else:
        state = inputs.transported[1]
    found = found._replace(sine=where_valid(xp, described.valid, found.sine))
    still = is_still(described.weights)
    return Reached(rotations, valid, found, state, described.placed, still)


# --- describe -----------------------------------------------------------------------------


def describe(xp, t, limb, inputs):
    """Return where a pose puts a limb, and where the limb must go."""
    placed = place_limb(xp, t, limb.plan, inputs.rotations, inputs.translations)
    goal, valid, weights = vectors.minus(inputs.target, placed.root), placed.valid.root, None
    if inputs.weights is not None:
        weights = Weights(*(clamp_weight(xp, weight) for weight in inputs.weights))
        goal = weighted_goal(xp, placed, goal, weights.position)
        # The goal depends on where the end is, unless the weight is 1.
        valid = valid & (placed.valid.end | (weights.position >= 1.0))
    axis = quaternions.rotate(placed.world_rotations[limb.plan.mid], limb.rest.mid_axis)
    return Described(
        placed,
        goal,
        direction_to(xp, limb.rest, placed, goal),
        pole_direction(placed, inputs.pole, inputs.pole_point),
        vectors.unit(xp, axis),
        valid,
        weights,
    )


def weighted_goal(xp, placed, goal, weight):
    """Return the goal blended with the end's position by `weight`; both are from the root."""
    part = vectors.plus(placed.end, vectors.times(weight, vectors.minus(goal, placed.end)))
    return bending.part_or_whole(xp, weight, part, goal)


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


def choose_plane(xp, limb, options, described, transported):
    """Return the plane of the rest pose or, after parallel transport, the transported one.

    With weights, return also the plane between that of the given pose and the solution's.
    """
    rest, placed, direction = limb.rest, described.placed, described.direction
    if transported is None:
        plane = Plane(rest_normal(xp, rest, placed, direction))
    else:
        normal, (_, direction_at_root, _) = transported
        above = placed.parent_rotation
        plane = Plane(*(quaternions.rotate(above, v) for v in (normal, direction_at_root)))
    if described.weights is None:
        return plane
    return weighted_plane(xp, rest, options, described, plane)


def weighted_plane(xp, rest, options, described, plane):
    """Return the solution's plane with the one that the pole weight puts before it.

    The angle by which the solution's plane is rotated from that of the given pose is known but for
    full turns, and the pole weight takes a share of it. So it is put together from the angle for
    the end where it is, which no weight changes, and the rotation of the solution's plane on the
    way to the goal. The plane of the pole rotates by less than a half turn there. Where the pole
    fades it may rotate farther, and the share then jumps.
    """
    placed, direction = described.placed, described.direction
    pole = described.pole if options.bend == "pole" else None
    old_direction = direction_to(xp, rest, placed, placed.end)
    own = quaternions.axis_square_to(xp, old_direction, described.axis)
    arc = quaternions.shortest_arc_of_units(
        xp, old_direction, direction, vectors.cross(own, old_direction)
    )
    carried, solution = quaternions.rotate(arc, own), plane.normal
    if pole is not None:
        solution = pole_normal(xp, options, direction, pole, solution)
    wanted = vectors.unit(xp, solution)
    if options.bend == "transport":
        rolls = (roll_between(xp, direction, carried, wanted),)
    else:
        first = rest_normal(xp, rest, placed, old_direction)
        if pole is not None:
            first = vectors.unit(xp, pole_normal(xp, options, old_direction, pole, first))
            more = roll_between(xp, direction, quaternions.rotate(arc, first), wanted)
        else:
            more = roll_of_arcs(xp, rest, placed, (old_direction, direction), arc)
        rolls = roll_between(xp, old_direction, own, first), more
    weight, roll = described.weights.pole, bending.Half(1.0, 0.0)
    for each in rolls:
        roll = bending.sum_of_halves(roll, bending.share_of_half(xp, weight, each))
    roll = bending.rotation_about(direction, roll)
    whole = wanted if xp.differentiates else solution
    blended = bending.part_or_whole(xp, weight, quaternions.rotate(roll, carried), whole)
    return plane._replace(weighted_normal=blended, rotation=quaternions.multiply(roll, arc))


def pole_normal(xp, options, direction, pole, fallback):
    """Return a normal of the plane to bend in for a pole."""
    pole = vectors.unit(xp, pole)
    return bending.bending_normal(xp, direction, pole, fallback, options.fade)[0]


def roll_of_arcs(xp, rest, placed, directions, arc):
    """Return half the angle about the second direction between two ways from the rest pose to it.

    From the way by the first direction and `arc`, to the straight one: half the area of a triangle.
    """
    first, second = (rest_arc(xp, rest, placed, direction) for direction in directions)
    q = quaternions.multiply(second, quaternions.conjugate(quaternions.multiply(arc, first)))
    return bending.Half(q[3], dot(q[:3], directions[1]))


def roll_between(xp, direction, normal, other):
    """Return half the angle about `direction` between two unit vectors perpendicular to it."""
    across = vectors.cross(direction, normal)
    return quaternions.half_of(xp, dot(normal, other), dot(across, other))


def rest_normal(xp, rest, placed, direction):
    """Return the normal of the rest pose's plane, rotated to the goal by the shortest arc."""
    normal = quaternions.rotate(placed.parent_rotation, rest.normal)
    return quaternions.rotate(rest_arc(xp, rest, placed, direction), normal)


def rest_arc(xp, rest, placed, direction):
    """Return the shortest arc from the rest pose's direction to that of the goal."""
    at_rest, normal = (
        quaternions.rotate(placed.parent_rotation, v) for v in (rest.direction, rest.normal)
    )
    return quaternions.shortest_arc_of_units(xp, at_rest, direction, vectors.cross(normal, at_rest))


def transport_inputs(xp, t, limb, options, inputs):
    """Return a frame's inputs for parallel transport: normal, direction, pole, pull, distance.

    Vectors are in the space of the parent of start, so that the plane rotates with the character.
    The pull is 1 for a pole vector and 0 without a pole. The distance of the target is in units of
    the limb's reach.
    """
    described = describe(xp, t, limb, inputs)
    placed, direction = described.placed, described.direction
    per_reach = 1.0 / limb.rest.reach
    distance = per_reach * vectors.length(xp, described.goal)
    normal = rest_normal(xp, limb.rest, placed, direction)
    if described.pole is None:
        pole, pull = direction, distance * 0.0
    else:
        pole, pull = vectors.unit(xp, described.pole), distance * 0.0 + 1.0
        if inputs.pole_point is not None:
            pull = formula.least(xp, per_reach * vectors.length(xp, described.pole), pull)
        normal, _ = bending.bending_normal(xp, direction, pole, normal, options.fade)
    if described.weights is not None:  # an invalid weight makes an invalid frame
        pull = pull + 0.0 * described.weights.pole
    back = quaternions.conjugate(placed.parent_rotation)
    normal, direction, pole = (
        quaternions.rotate(back, v) for v in (vectors.unit(xp, normal), direction, pole)
    )
    pull = where_valid(xp, described.valid, pull)
    return normal, direction, pole, pull, distance


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
        weighted_normal=plane.weighted_normal,
    )
    bend_options = bending.BendOptions(options.fade, described.weights, softness=options.softness)
    found = bending.rotate_limb(xp, t, options.solve, task, bend_options)
    if pole is not None and options.bend != "pole":
        found = found._replace(sine=bending.sine_between(xp, described.goal, pole))
    return found


# --- apply --------------------------------------------------------------------------------


def apply(xp, t, limb, options, inputs, answer):
    """Return the new local rotations of start, mid, end and the twist joints.

    Return also whether all of them are rotations. `answer` is what `describe`, `choose_plane` and
    `solve` returned.
    """
    plan, (described, plane, found) = limb.plan, answer
    placed, weights = described.placed, described.weights
    start, mid = rotated_start_and_mid(xp, limb, placed, found)
    mid_in_world = quaternions.multiply(found.start, placed.world_rotations[plan.mid])
    mid_in_world = quaternions.multiply(
        mid_in_world, bending.rotation_about(limb.rest.mid_axis, found.mid)
    )
    still = still_joints(weights, len(plan.twist))
    mid_in_world = keep_where(xp, still[1], placed.world_rotations[plan.mid], mid_in_world)
    wanted, wanted_valid = placed.world_rotations[plan.end], placed.valid.rotations[plan.end]
    if inputs.end_rotation is not None:
        wanted, is_rotation = unit_rotation(xp, t, inputs.end_rotation)
        wanted_valid = wanted_valid & is_rotation
    if weights is not None and not options.end_is_local:
        moved = end_motion(xp, described, plane, found)
        moved = keep_where(xp, still[1], quaternions.identity(weights.rotation), moved)
        wanted = blended_end(xp, weights.rotation, moved, placed.world_rotations[plan.end], wanted)
    pose = placed.local_rotations, inputs.translations
    wanted = None if options.end_is_local else wanted
    end, twist = rotate_end(xp, limb, pose, mid_in_world, wanted, combined_weight(weights))
    joints = [plan.start, plan.mid, plan.end, *(joint for joint, _ in plan.twist)]
    new, given = [], []
    for joint, is_still, q in zip(joints, still, (start, mid, end, *twist), strict=True):
        new.append(keep_where(xp, is_still, placed.local_rotations[joint], q))
        given.append(keep_where(xp, is_still, inputs.rotations[joint], q))
    if options.end_is_local and not plan.twist:
        given[2] = inputs.rotations[plan.end]
    valid = wanted_valid & (found.hinge.r1 + found.hinge.r2 > 0.0)
    return given, valid & are_rotations([*new, placed.local_rotations[plan.end]])


def is_still(weights):
    """Return whether all weights that move start and mid are 0; None without weights."""
    return None if weights is None else (weights.position <= 0.0) & (weights.pole <= 0.0)


def still_joints(weights, twist_joints):
    """Return for start, mid, end and the twist joints whether all weights that move them are 0."""
    still = is_still(weights)
    if still is None:
        return [None] * (3 + twist_joints)
    return [still, still, *[still & (weights.rotation <= 0.0)] * (1 + twist_joints)]


def keep_where(xp, still, given, new):
    """Return a joint's given rotation bit for bit where it stands still, else the new one.

    Where it stands still, too, the derivatives are those of the new one.
    """
    if still is None:
        return new
    if xp.differentiates:
        near = quaternions.nearer(xp, given, new) if len(new) == 4 else new
        given = tuple(vectors.with_slope(xp, a, b) for a, b in zip(given, near, strict=True))
    return vectors.choose(xp, still, given, new)


def combined_weight(weights):
    """Return a weight that is 0 if all weights are, and 1 if one is; None for None."""
    if weights is None:
        return None
    rest = (1.0 - weights.position) * (1.0 - weights.pole) * (1.0 - weights.rotation)
    return 1.0 - rest


def end_motion(xp, described, plane, found):
    """Return the rotation of an end that keeps its local rotation, in the world.

    Of the two quaternions of that rotation, it is the one that depends continuously on the weights
    and is the identity where they are 0.
    """
    # In the plane of the hinge the end goes back from its new direction to the old one.
    hinge = found.hinge
    old, new = (bending.direction_in_plane(xp, each) for each in found.bends)
    back = bending.sum_of_halves(old, bending.opposite(new))
    start = quaternions.multiply(plane.rotation, bending.rotation_about(hinge.axis, back))
    return quaternions.multiply(
        quaternions.nearer(xp, start, found.start), bending.rotation_about(hinge.axis, found.mid)
    )


def blended_end(xp, weight, moved, given, wanted):
    """Return the end's rotation between that after its motion (weight 0) and the wanted one (1).

    Both are compared with the given rotation, not with each other: which way round the end goes
    depends on the given pose alone, not on the weights.
    """
    wanted_motion = quaternions.upright(
        xp, quaternions.multiply(wanted, quaternions.conjugate(given))
    )
    mixed = vectors.plus(vectors.times(1.0 - weight, moved), vectors.times(weight, wanted_motion))
    # Quaternions opposite to each other are the same rotation, and their mixture may be 0.
    mixed = vectors.choose(xp, dot(mixed, mixed) > 0.0, mixed, wanted_motion)
    mixed = quaternions.multiply(vectors.unit(xp, mixed), given)
    return bending.part_or_whole(xp, weight, quaternions.nearer(xp, wanted, mixed), wanted)


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
    return renormalize(xp, start), quaternions.nearer(
        xp, placed.local_rotations[plan.mid], renormalize(xp, mid)
    )


def stretched_translations(xp, limb, reached, translations):
    """Return the translations of the joints from below start to the end, with stretched bones.

    Only the component perpendicular to the hinge axis is stretched: no stretching can change the
    end's coordinate along the axis. Where start and mid are still, translations stay as they are.
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
        moved.append(keep_where(xp, reached.still, given[joint], stretched))
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
